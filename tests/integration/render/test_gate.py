"""The proxy between browser and network."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from posterity.render.gate import VERDICT_HEADER, Gate

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Response, Web


def said(gate: Gate, request: str) -> str:
    """What the gate answers to a request."""

    async def ask() -> str:
        address = urlsplit(await gate.open())
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        writer.write(request.encode())
        response = (await reader.read()).decode()
        writer.close()
        await gate.close()
        return response

    return asyncio.run(ask())


def test_own_machine_is_passed_on_to(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> None:
    web = serve({"/a?b=1": response("Hello.")})
    text = said(Gate([web.base_url]), f"GET {web.base_url}/a?b=1 HTTP/1.1\r\nHost: x\r\n\r\n")
    assert text.startswith("HTTP/1.0 200")
    assert text.endswith("Hello.")


def test_tunnel_carries_what_is_said_on_both_sides(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    web = serve({"/": response("Hello.")})
    host = urlsplit(web.base_url).netloc
    text = said(Gate([web.base_url]), f"CONNECT {host} HTTP/1.1\r\n\r\nGET / HTTP/1.0\r\n\r\n")
    assert text.startswith("HTTP/1.1 200 Connection established")
    assert text.endswith("Hello.")


def test_private_address_is_refused_under_every_name(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    web = serve({"/": response("Secret.")})
    port = urlsplit(web.base_url).port
    for host in ("127.0.0.1", "localhost", "0.0.0.0", "127.1", "[::1]", "[::ffff:127.0.0.1]"):
        for first in (f"GET http://{host}:{port}/ HTTP/1.1", f"CONNECT {host}:{port} HTTP/1.1"):
            responded = said(Gate(), f"{first}\r\nHost: blog.example\r\n\r\n")
            assert f"{VERDICT_HEADER}: " in responded, host
            assert "Secret." not in responded
    assert web.asked == []


def test_what_is_allowed_by_setting_is_passed_on_to(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    web = serve({"/": response("Hello.")})
    assert said(Gate(allow_private=True), f"GET {web.base_url}/ HTTP/1.1\r\n\r\n").endswith("Hello.")


def test_host_that_does_not_exist_is_told_as_no_answer() -> None:
    responded = said(Gate(), "GET http://no-such-host.invalid/ HTTP/1.1\r\n\r\n")
    assert responded.startswith("HTTP/1.1 502")


def test_nonsense_is_closed_without_an_answer() -> None:
    assert said(Gate(), "hello\r\n\r\n") == ""
