"""A proxy on loopback between the browser and the network that refuses private IP addresses.

A page may link or redirect to any host, and a host name may resolve to a private IP address. The proxy resolves a name
once, checks the IP address, and connects to it. The blog's own host is always allowed, so that blogs on loopback can be
harvested.
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
# The header that marks responses of the gate itself.
VERDICT_HEADER, REFUSED = "x-posterity-gate", "refused"
_VERDICT = f"HTTP/1.1 {{}}\r\n{VERDICT_HEADER}: {{}}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_REFUSED = _VERDICT.format("403 Forbidden", REFUSED).encode()
_NO_RESPONSE = _VERDICT.format("502 Bad Gateway", "none").encode()
# Each plain request gets its own connection, so that every request is checked.
_PER_CONNECTION = (b"connection:", b"proxy-connection:", b"keep-alive:")


class Gate:
    """A forward proxy; the hosts of `own_urls` are always allowed."""

    def __init__(self, own_urls: Iterable[str] = (), *, allow_private: bool = False) -> None:
        self._own_hosts = {urlsplit(url).hostname or "" for url in own_urls}
        self._allow_private = allow_private
        self._own: set[str] = set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.refused: list[str] = []
        # Hosts on loopback that the browser may request without the gate; then all of loopback is allowed.
        self.direct: list[str] = []

    async def open(self) -> str:
        """Start listening, and return the URL of the proxy."""
        for host in self._own_hosts:
            with suppress(OSError):
                addresses = set(await _addresses(host, 0))
                self._own |= addresses
                if all(map(_is_loopback, addresses)):
                    self.direct.append(host)
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_MAX_HEAD_BYTES)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """Stop listening, and close all connections."""
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
            await self._forward(reader, writer)
        writer.close()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, version = head.split(b"\r\n", 1)[0].split(b" ")
        tunnel = method == b"CONNECT"
        parts = urlsplit(("//" if tunnel else "") + target.decode("latin-1"))
        host, port = parts.hostname or "", parts.port or (443 if tunnel else 80)
        try:
            address = await self._allowed_address(host, port)
            far_end = await asyncio.open_connection(address, port) if address is not None else None
        except OSError:
            writer.write(_NO_RESPONSE)
            return await writer.drain()
        if far_end is None:
            self.refused.append(f"{host}:{port}")
            writer.write(_REFUSED)
            return await writer.drain()
        far_reader, far_writer = far_end
        if tunnel:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            local = parts._replace(scheme="", netloc="").geturl() or "/"
            far_writer.write(_forwarded_head(head, b"%s %s %s" % (method, local.encode("latin-1"), version)))
        # Copy bytes in both directions until the server or the browser closes its connection.
        up = asyncio.ensure_future(_copy_stream(reader, far_writer))
        try:
            await _copy_stream(far_reader, writer)
        finally:
            up.cancel()
            far_writer.close()
        return None

    async def _allowed_address(self, host: str, port: int) -> str | None:
        """Return the IP address to connect to, or None if none is allowed."""
        for address in await _addresses(host, port):
            is_own = address in self._own or (_is_loopback(address) and any(map(_is_loopback, self._own)))
            if self._allow_private or is_own or is_public_address(address):
                return address
        return None


def _is_loopback(address: str) -> bool:
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


async def _addresses(host: str, port: int) -> list[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=1)
    return [str(address[0]) for *_, address in found]


def _forwarded_head(head: bytes, first_line: bytes) -> bytes:
    lines = [line for line in head.split(b"\r\n")[1:-2] if not line.lower().startswith(_PER_CONNECTION)]
    return b"\r\n".join([first_line, *lines, b"Connection: close", b"", b""])


async def _copy_stream(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await source.read(_CHUNK_BYTES):
            sink.write(chunk)
            await sink.drain()
