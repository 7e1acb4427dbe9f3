"""What many tests share: the command in a process of its own, small web servers on loopback, the real blogs."""

from __future__ import annotations

import os
import socketserver
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]

# No timed asserts, here neither: a busy machine is no defect.
settings.register_profile("posterity", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("posterity")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes do not name a test: compressed ones hold the time, and then every worker collects other names."""
    return argname if isinstance(val, bytes) else None


class Response(NamedTuple):
    """What a server of the tests sends at one URL."""

    body: bytes | str = b""
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    location: str | None = None
    drips: Literal["", "head", "body"] = ""  # never ends: a byte at a time, for as long as the client stays
    encoding: str = ""


class Asked(NamedTuple):
    """A request that reached a server of the tests."""

    path: str
    user_agent: str


class Web:
    """A web site on loopback; `responses` may change while it is served, and what is not in it is a 404."""

    def __init__(self, base_url: str, responses: dict[str, Response]) -> None:
        self.base_url = base_url
        self.responses = responses
        self.asked: list[Asked] = []

    @property
    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]


class _Server(ThreadingHTTPServer):
    web: Web
    is_closed: threading.Event
    daemon_threads = False

    def server_bind(self) -> None:
        # HTTPServer asks the name service for the host's full name; nothing here leaves loopback.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients that go away in the middle are part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        web = self.server.web
        web.asked.append(Asked(self.path, self.headers.get("User-Agent", "")))
        response = web.responses.get(self.path, Response("<h1>Not found</h1>", status=404))
        body = response.body.encode() if isinstance(response.body, str) else response.body
        if response.drips:
            self._drip(response, body)
            return
        self.send_response(response.status)
        if response.location is not None:
            self.send_header("Location", response.location)
        self.send_header("Content-Type", response.content_type)
        if response.encoding:
            self.send_header("Content-Encoding", response.encoding)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _drip(self, response: Response, body: bytes) -> None:
        self.close_connection = True
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {response.content_type}\r\n".encode()
        self.wfile.write(head + (b"X-Long: " if response.drips == "head" else b"\r\n" + body))
        while not self.server.is_closed.wait(0.2):
            self.wfile.write(b"a")

    def log_message(self, *_: object) -> None:
        """Requests are kept in `Web.asked`."""


@contextmanager
def _served(responses: dict[str, Response]) -> Iterator[Web]:
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.is_closed = threading.Event()
        server.web = Web(f"http://127.0.0.1:{server.server_port}", responses)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server.web
        finally:
            server.is_closed.set()
            server.shutdown()
            thread.join()


class Posterity(Protocol):
    """The command: arguments in, how the process ended out."""

    def __call__(self, *arguments: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]: ...


def environment() -> dict[str, str]:
    """The environment of the tests without what would change the command's defaults."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("POSTERITY_", "COLUMNS"))}


@pytest.fixture(scope="session")
def posterity(tmp_path_factory: pytest.TempPathFactory) -> Posterity:
    """Runs `python -m posterity` in an empty folder, as a person would on a command line."""
    folder = tmp_path_factory.mktemp("elsewhere")

    def run(*arguments: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "posterity", *map(str, arguments)]
        return subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            cwd=folder,
            env=environment(),
            timeout=150,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[dict[str, Response]], Web]]:
    """Starts web sites that live until the tests end."""
    with ExitStack() as stack:
        yield lambda responses: stack.enter_context(_served(responses))


@pytest.fixture(scope="session")
def response() -> type[Response]:
    """`Response`, for tests that describe a web site."""
    return Response


@pytest.fixture(scope="session")
def shared_blogs() -> Path:
    """The folder of real blogs beside the checkout."""
    folder = ROOT.parent / "shared" / "blogs"
    if not (folder / "serve.py").is_file():
        pytest.skip(f"the real blogs are not here: there is no folder {folder}")
    return folder


@pytest.fixture(scope="session")
def demo_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled blog as it was some years ago, harvested once; nobody may write to it."""
    from posterity.config import CrawlSettings, Settings
    from posterity.crawl.run import harvest
    from posterity.demo.blog import SiteOptions
    from posterity.demo.server import serving

    archive = tmp_path_factory.mktemp("demo") / "archive"
    with serving(SiteOptions(posts_limit=14)) as blog:
        harvest(f"{blog.base_url}/", archive, settings=Settings(crawl=CrawlSettings(delay_s=0)))
    return archive
