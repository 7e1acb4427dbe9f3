"""The server on its socket: started by the command, ended by Ctrl-C or a signal."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING

import uvicorn

from posterity.archive import open_archive
from posterity.errors import UsageError
from posterity.serve.app import create_app

if TYPE_CHECKING:
    from collections.abc import Callable

    from posterity.serve.settings import ServeSettings


def serve(settings: ServeSettings, *, tell: Callable[[str], None]) -> None:
    """Serve until somebody ends it; `tell` hears where."""
    app = create_app(settings)
    with open_archive(settings.archive, create=not settings.public):
        pass  # what is wrong with it is told now, in a sentence, and not when the server has started
    config = uvicorn.Config(
        app,
        # Addresses of requests may hold what people look for; only problems are logged.
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=3,
        # Longer than clients keep idle lines: whoever closes first must not be us while a request is on its way.
        timeout_keep_alive=75,
        server_header=False,
        proxy_headers=False,
        ws="none",
    )
    with _listening(settings.host, settings.port) as listener:
        port = listener.getsockname()[1]
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        tell(f"http://{host}:{port}/")
        with suppress(KeyboardInterrupt):  # the usual way to end a server
            uvicorn.Server(config).run(sockets=[listener])


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens there, or raise what is in the way."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as problem:
        raise UsageError(
            f"The server cannot listen on {host} port {port}: {problem.strerror or problem}. Try another --port."
        ) from problem
