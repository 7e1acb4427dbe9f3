"""A server of ours on a real socket, for tests that ask it."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import httpx
import uvicorn

from posterity.serve.app import create_app
from posterity.serve.processes import limited_protocol
from posterity.serve.settings import ServeSettings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Served(NamedTuple):
    """Where it is, and a client that asks it."""

    base_url: str
    ask: httpx.Client

    @property
    def netloc(self) -> str:
        return self.base_url.removeprefix("http://")


@contextmanager
def served(archive: Path | str, **options: object) -> Iterator[Served]:
    """Serve an archive on loopback until the block ends."""
    settings = ServeSettings(archive=str(archive), **options)  # type: ignore[arg-type]
    config = uvicorn.Config(
        create_app(settings),
        host="127.0.0.1",
        port=0,
        log_level="warning",
        ws="none",
        http=limited_protocol(settings.limits),
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        if not thread.is_alive():
            raise RuntimeError("the server did not start")
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    base_url = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(base_url=base_url, timeout=60) as client:
            yield Served(base_url, client)
    finally:
        server.should_exit = True
        thread.join(20)


def job_over(site: Served, job_id: str, **headers: str) -> dict[str, object]:
    """Wait until a job is over and return its state."""
    for _ in range(600):
        status: dict[str, object] = site.ask.get(f"/api/v1/jobs/{job_id}", headers=headers).json()
        if status["state"] in ("done", "failed", "stopped"):
            return status
        time.sleep(0.1)
    raise AssertionError(f"job {job_id} does not end")
