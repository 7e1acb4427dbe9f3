"""A PostgreSQL server that tests may restart, an empty fleet on it, blogs on hosts of their own, and workers."""

from __future__ import annotations

import http.client
import json
import logging
import os
import shutil
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psycopg
import pytest
import s3fs
from moto.server import ThreadedMotoServer
from tests.conftest import environment

from posterity.config import CrawlSettings, Settings
from posterity.demo.blog import SiteOptions
from posterity.demo.server import Serving, serving
from posterity.fleet import queue

PATIENCE_S = 600.0


def wait_until(condition: Callable[[], Any], about: str) -> Any:
    """Return what the condition gives as soon as it is true."""
    end = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{about} did not happen within {PATIENCE_S:g} s")
        time.sleep(0.1)
    return found


def free_port(host: str = "127.0.0.1") -> int:
    with socket.socket() as free:
        free.bind((host, 0))
        return int(free.getsockname()[1])


class Postgres:
    """A throw-away server; `restart` ends it hard, as a crash does, and starts it again."""

    def __init__(self, folder: Path, port: int, host: str = "127.0.0.1", prefix: tuple[str, ...] = ()) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
        pg_ctl = str(found[-1]) if found else shutil.which("pg_ctl")
        if pg_ctl is None:
            pytest.skip("PostgreSQL is not here: it needs pg_ctl")
        self._bin, self._data, self._port, self._host = Path(pg_ctl).parent, folder / "data", port, host
        self._user = [*prefix, *(["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else [])]
        folder.chmod(0o755)
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        self._run("initdb", "-D", str(self._data), "-U", "postgres", "-A", "trust", "--locale=C.UTF-8", "--no-sync")
        with (self._data / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 10.0.0.0/8 trust\n")
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@{self._host}:{self._port}/postgres"

    def start(self) -> None:
        settings = (
            f"-p {self._port} -c listen_addresses={self._host} -c unix_socket_directories={self._data} -c fsync=off"
        )
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", str(self._data / "log"), "-o", settings, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "stop")

    def restart(self) -> None:
        self.stop()
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._user, str(self._bin / program), *arguments]
        # Not a pipe: the server would keep it open.
        ended = subprocess.run(
            command,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        assert ended.returncode == 0, command


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with tempfile.TemporaryDirectory(prefix="posterity-pg-", ignore_cleanup_errors=True) as folder:
        server = Postgres(Path(folder), free_port())
        yield server
        server.stop()


@pytest.fixture
def dsn(postgres: Postgres, tmp_path: Path) -> str:
    """The URL of an empty database."""
    name = f"t{os.getpid()}_{time.monotonic_ns()}"
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{postgres.url.rpartition('/')[0]}/{name}"


@pytest.fixture
def fleet(dsn: str, tmp_path: Path) -> str:
    """The URL of an archive with a fleet, with its files in a folder."""
    location = f"{dsn}?files={tmp_path / 'files'}"
    queue.init(location)
    return location


def queue_blogs(archive: str, path: Path, *, delay_s: float = 0.0) -> None:
    """Queue the blogs of a list, for servers of one's own."""
    queue.add(archive, queue.blogs_in(str(path)), settings=Settings(crawl=CrawlSettings(delay_s=delay_s)))


class Workers:
    """Worker processes, and what they tell."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, archive: str, name: str, *options: str, prefix: tuple[str, ...] = (), **env: str) -> None:
        command = [
            *prefix, sys.executable, "-m", "posterity", "fleet", "worker", "--archive", archive, "--name", name,
            "--json", "--heartbeat", "0.5", "--stalled", "6", "--retry-wait", "1",
            "--spool", str(self._folder / f"spool-{name}"), *options,
        ]  # fmt: skip
        if name in self._processes:
            self._processes[name].wait()
        with self._log(name).open("ab") as log:
            self._processes[name] = subprocess.Popen(
                command, cwd=self._folder, stdout=log, stderr=log, env=environment() | env, start_new_session=True
            )

    def events(self, name: str) -> list[dict[str, Any]]:
        """What the worker told, as a list of JSON objects; other lines are warnings."""
        lines = self._log(name).read_text().splitlines() if self._log(name).exists() else []
        return [json.loads(line) for line in lines if line.startswith("{")]

    def has_told(self, name: str, event: str) -> bool:
        return any(told["event"] == event for told in self.events(name))

    def signal(self, name: str, number: signal.Signals) -> None:
        self._processes[name].send_signal(number)

    def wait(self, name: str) -> int:
        return self._processes[name].wait(PATIENCE_S)

    def text(self, name: str) -> str:
        return self._log(name).read_text()

    def close(self) -> None:
        for process in self._processes.values():
            if process.poll() is None:
                process.kill()
            process.wait()

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[Workers]:
    running = Workers(tmp_path)
    yield running
    running.close()


@pytest.fixture(scope="session")
def blogs() -> Iterator[list[Serving]]:
    """Six small blogs on six ports, so that each is a host of its own."""
    with ExitStack() as stack:
        yield [stack.enter_context(serving(SiteOptions(posts_limit=4))) for _ in range(6)]


@pytest.fixture
def blog_list(blogs: list[Serving], tmp_path: Path) -> Path:
    path = tmp_path / "blogs.txt"
    path.write_text("".join(f"{blog.base_url}/\n" for blog in blogs))
    return path


class S3:
    """moto's S3 server behind a small proxy that can be made to refuse everything with 503."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._moto = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        self._moto.start()
        self.refused = 0
        self.is_down = False
        self._server = _Proxy((host, 0), _PassOn)
        self._server.s3, self._server.target = self, self._moto.get_host_and_port()
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def environment(self) -> dict[str, str]:
        host, port = self._server.server_address[:2]
        return {
            "AWS_ENDPOINT_URL": f"http://{host!s}:{port}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_MAX_ATTEMPTS": "1",
        }

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._moto.stop()


class _Proxy(ThreadingHTTPServer):
    s3: S3
    target: tuple[str, int]

    def server_bind(self) -> None:
        socketserver.TCPServer.server_bind(self)


class _PassOn(BaseHTTPRequestHandler):
    server: _Proxy
    protocol_version = "HTTP/1.1"

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.server.s3.is_down:
            self.server.s3.refused += 1
            self.send_response(503)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        connection = http.client.HTTPConnection(*self.server.target, timeout=60)
        connection.request(self.command, self.path, body, dict(self.headers))
        response = connection.getresponse()
        content = response.read()
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(name, value)
        length = response.getheader("Content-Length") if self.command == "HEAD" else str(len(content))
        self.send_header("Content-Length", length or "0")
        self.end_headers()
        self.wfile.write(content)
        connection.close()

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = _pass_on  # noqa: N815 - names of the base class

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3]:
    """An S3 server on loopback."""
    server = S3()
    yield server
    server.close()


def use_s3(server: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process use the server, with a bucket `blogs`."""
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    system = s3fs.S3FileSystem(use_listings_cache=False)
    if not system.exists("blogs"):
        system.mkdir("blogs")


@pytest.fixture
def s3(s3_server: S3, monkeypatch: pytest.MonkeyPatch) -> Iterator[S3]:
    use_s3(s3_server, monkeypatch)
    yield s3_server
    s3_server.is_down = False
    s3fs.S3FileSystem.clear_instance_cache()
