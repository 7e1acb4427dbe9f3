"""The server on its socket: started by the command, ended by Ctrl-C or a signal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import uvicorn

from posterity.serve.app import create_app

if TYPE_CHECKING:
    from posterity.serve.settings import ServeSettings


def serve(settings: ServeSettings, *, quiet: bool = False) -> None:
    """Serve until somebody ends it."""
    uvicorn.run(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        # Addresses of requests may hold what people look for; only problems are logged.
        access_log=False,
        log_level="warning" if quiet else "info",
        timeout_graceful_shutdown=3,
        # Longer than clients keep idle lines: whoever closes first must not be us while a request is on its way.
        timeout_keep_alive=75,
        server_header=False,
        proxy_headers=False,
        ws="none",
    )
