"""The only way from the browser to the network: a proxy on loopback that connects to no private address.

A page may name any address, redirect to it, or have a name that resolves to it. Here the name is resolved once, judged,
and connected to as it was judged, so there is no way around it. The blog's own machine is allowed: whoever harvests a
server on loopback means it.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import urlsplit

from posterity.urls.kinds import is_public_address

_MAX_HEAD_BYTES = 256 * 1024
_CHUNK_BYTES = 64 * 1024
# The header of responses that are the gate's own, and no server's.
VERDICT_HEADER, REFUSED = "x-posterity-gate", "refused"
_REFUSED = (
    f"HTTP/1.1 403 Forbidden\r\n{VERDICT_HEADER}: {REFUSED}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
)
_NO_RESPONSE = (
    f"HTTP/1.1 502 Bad Gateway\r\n{VERDICT_HEADER}: none\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
)
# Each plain request gets a connection of its own, so that no later one slips through unjudged.
_PER_CONNECTION = (b"connection:", b"proxy-connection:", b"keep-alive:")


class Gate:
    """A forward proxy; `own_urls` name the hosts that are allowed wherever they are."""

    def __init__(self, own_urls: Iterable[str] = (), *, allow_private: bool = False) -> None:
        self._own_hosts = {urlsplit(url).hostname or "" for url in own_urls}
        self._allow_private = allow_private
        self._own: set[str] = set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.refused: list[str] = []
        # Hosts on this machine that the browser may ask without the gate: everything on loopback is allowed then.
        self.direct: list[str] = []

    async def open(self) -> str:
        """Begin to listen, and return the proxy's address."""
        for host in self._own_hosts:
            with suppress(OSError):
                addresses = set(await _addresses(host, 0))
                self._own |= addresses
                if all(map(_is_loopback, addresses)):
                    self.direct.append(host)
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_MAX_HEAD_BYTES)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """Listen no more, and end what is under way."""
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, IndexError):
            await self._pass_on(reader, writer)
        writer.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, version = head.split(b"\r\n", 1)[0].split(b" ")
        tunnel = method == b"CONNECT"
        parts = urlsplit(("//" if tunnel else "") + target.decode("latin-1"))
        host, port = parts.hostname or "", parts.port or (443 if tunnel else 80)
        try:
            address = await self._allowed_address(host, port)
        except OSError:
            writer.write(_NO_RESPONSE)
            return await writer.drain()
        if address is None:
            self.refused.append(f"{host}:{port}")
            writer.write(_REFUSED)
            return await writer.drain()
        try:
            far_reader, far_writer = await asyncio.open_connection(address, port)
        except OSError:
            writer.write(_NO_RESPONSE)
            return await writer.drain()
        if tunnel:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            local = parts._replace(scheme="", netloc="").geturl() or "/"
            far_writer.write(_forwarded(head, b"%s %s %s" % (method, local.encode("latin-1"), version)))
        await _connect_streams(reader, writer, far_reader, far_writer)
        return None

    async def _allowed_address(self, host: str, port: int) -> str | None:
        """The address to connect to, or None when it may not be asked."""
        for address in await _addresses(host, port):
            if self._allow_private or self._is_allowed(address):
                return address
        return None

    def _is_allowed(self, address: str) -> bool:
        if is_public_address(address):
            return True
        return address in self._own or (_is_loopback(address) and any(map(_is_loopback, self._own)))


def _is_loopback(address: str) -> bool:
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


async def _addresses(host: str, port: int) -> list[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=1)
    return [str(address[0]) for *_, address in found]


def _forwarded(head: bytes, first_line: bytes) -> bytes:
    lines = [line for line in head.split(b"\r\n")[1:-2] if not line.lower().startswith(_PER_CONNECTION)]
    return b"\r\n".join([first_line, *lines, b"Connection: close", b"", b""])


async def _connect_streams(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    far_reader: asyncio.StreamReader,
    far_writer: asyncio.StreamWriter,
) -> None:
    """Carry bytes both ways until the far side has sent everything, or the browser has gone."""
    up = asyncio.ensure_future(_copy_stream(reader, far_writer))
    try:
        await _copy_stream(far_reader, writer)
    finally:
        up.cancel()
        far_writer.close()


async def _copy_stream(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await source.read(_CHUNK_BYTES):
            sink.write(chunk)
            await sink.drain()
