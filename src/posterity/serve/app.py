"""The web application, assembled from middleware and routes, and the server that runs it."""

from __future__ import annotations

import logging
import select
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.resources import files

import uvicorn
from anyio import to_thread
from fastapi import APIRouter, FastAPI
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from posterity.archive import open_archive
from posterity.config import __version__
from posterity.errors import UsageError
from posterity.model import from_json, to_json
from posterity.serve import processes
from posterity.serve.api import blogs, extract, feeds, jobs, memento, oai, posts
from posterity.serve.api.responses import add_schemas, responses_of
from posterity.serve.cache import ResponseCache
from posterity.serve.metrics import TEXT_FORMAT, Counts, fleet_text
from posterity.serve.middleware import Guard, SecurityHeaders
from posterity.serve.pages import api_page, blog, demo, evaluate, home, post, search
from posterity.serve.problems import add_problem_pages
from posterity.serve.services import Services, ServicesDep
from posterity.serve.settings import ServeSettings, checked_settings

# Fewer than the archive's connections (SQLAlchemy: a pool of 5, an overflow of 10), so that no request waits for one.
_THREADS = 12
_REPORT_S = 1.0  # interval between the reports of a reader process

_DESCRIPTION = """Harvested and preserved blogs. Errors are problem details (RFC 9457). Lists are paginated:
pass `next` back as `cursor`. Responses have an ETag. Writing requires the server's token, if it has one:
`Authorization: Bearer TOKEN`."""

status = APIRouter(tags=["status"])


@status.get("/health", responses=responses_of(None))
def health(services: ServicesDep) -> Response:
    """Return whether the archive can be read."""
    blogs = len(services.archive.blogs())
    return JSONResponse({"status": "ok", "version": __version__, "blogs": blogs}, headers={"Cache-Control": "no-store"})


@status.get("/metrics", responses=responses_of(None, media="text/plain"))
def metrics(services: ServicesDep) -> Response:
    """Return what the server did since it started, for Prometheus."""
    known = None if services.settings.public else home.fleet_of(services.settings.archive)
    text = services.metrics.text(services.blogs.all(), services.jobs.all()) + (fleet_text(known) if known else "")
    return PlainTextResponse(text, media_type=TEXT_FORMAT)


def create_app(
    settings: ServeSettings, main: processes.MainProcess | None = None, secret: str | None = None
) -> FastAPI:
    """Return the application; the archive is opened when it starts and closed when it ends.

    `main` is given in a reader process; `secret`, by which readers authenticate, in the main process.
    """
    checked_settings(settings)

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = _THREADS
        app.state.services = await to_thread.run_sync(partial(Services, settings, is_reader=main is not None))
        try:
            yield
        finally:
            await to_thread.run_sync(app.state.services.close)

    app = FastAPI(
        title="Posterity",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=running,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # FastAPI's pages load scripts from a CDN; /api replaces them
        redoc_url=None,
        redirect_slashes=False,
    )
    for part in (blogs, posts, jobs, extract, feeds, oai, memento):
        app.include_router(part.router)
    app.include_router(status)
    for part in (home, blog, post, search, demo, evaluate, api_page):
        app.include_router(part.router)
    app.mount("/static", StaticFiles(directory=str(files("posterity.serve").joinpath("static"))), "static")
    add_schemas(app)
    add_problem_pages(app)
    app.add_middleware(ResponseCache)
    if main is not None:
        app.add_middleware(processes.Forwarding, main=main)
    app.add_middleware(Guard, settings=settings)
    app.add_middleware(SecurityHeaders)
    if secret is not None:
        app.add_middleware(processes.ForwardedFor, secret=secret)
    return app


def serve(settings: ServeSettings, *, on_start: Callable[[str], None]) -> None:
    """Serve until the process is interrupted; `on_start` is called with the URL."""
    checked_settings(settings)
    with open_archive(settings.archive, create=not settings.public):
        pass  # report problems with the archive before the server starts
    with _listen(settings) as listener, suppress(KeyboardInterrupt):  # the usual way to stop a server
        port = listener.getsockname()[1]
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        if settings.processes == 1:
            on_start(f"http://{host}:{port}/")
            _server(create_app(settings), settings).run(sockets=[listener])
            return
        if not hasattr(socket, "AF_UNIX"):
            raise UsageError("This system does not support several server processes. Remove --processes.")
        apps: list[FastAPI] = []

        def count(counts: Counts) -> None:
            if (services := getattr(apps[0].state, "services", None)) is not None:
                services.metrics.add(counts)

        readers = processes.ReaderProcesses(settings, port, count)
        apps.append(create_app(settings, secret=readers.main.secret))
        with readers:
            on_start(f"http://{host}:{port}/")
            _server(apps[0], settings).run(sockets=[listener, readers.listener])


def run_reader() -> None:
    """Run a reader process: serve until standard input ends, and report metrics on standard output."""
    job = from_json(sys.stdin.buffer.readline(), processes.ReaderJob)
    settings = job.settings
    app = create_app(settings, main=job.main)
    server = _server(app, settings)

    def follow_main() -> None:
        while not select.select([sys.stdin], [], [], _REPORT_S)[0]:
            if (services := getattr(app.state, "services", None)) is not None:
                sys.stdout.buffer.write(to_json(services.metrics.take()) + b"\n")
                sys.stdout.buffer.flush()
        server.should_exit = True

    threading.Thread(target=follow_main, daemon=True).start()
    with _bound_socket(settings.host, settings.port, reuse_port=True) as listener, suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def _server(app: FastAPI, settings: ServeSettings) -> uvicorn.Server:
    # uvicorn logs a warning for every malformed request: a scanner would fill the disk.
    logging.getLogger("uvicorn.error").addFilter(processes.RateLimitFilter())
    return uvicorn.Server(
        uvicorn.Config(
            app,
            # Request URLs may contain search queries, which are private.
            access_log=False,
            log_level="warning",
            timeout_graceful_shutdown=3,
            # Longer than clients keep idle connections: the server must not close one while a request arrives.
            timeout_keep_alive=75,
            server_header=False,
            proxy_headers=False,
            ws="none",
            http=processes.limited_protocol(settings.limits, settings.processes),
        )
    )


def _listen(settings: ServeSettings) -> socket.socket:
    """Return the listening socket; raise `UsageError` if the port cannot be used."""
    try:
        # Only a socket without SO_REUSEPORT fails if another server has the port.
        listener = _bound_socket(settings.host, settings.port)
        if settings.processes == 1:
            return listener
        port = listener.getsockname()[1]
        listener.close()
        return _bound_socket(settings.host, port, reuse_port=True)
    except OSError as problem:
        raise UsageError(
            f"The server cannot listen on {settings.host} port {settings.port}: {problem.strerror or problem}. "
            "Try another --port."
        ) from problem


def _bound_socket(host: str, port: int, *, reuse_port: bool = False) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=2048, reuse_port=reuse_port)


if __name__ == "__main__":
    run_reader()
