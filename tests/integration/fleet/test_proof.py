"""Three workers as separate hosts, in network namespaces: killed, cut off, without database, without files.

Every blog is harvested once with the records of one process alone, nothing is lost or stored twice, and no blog is
requested from two workers at the same time, by the log of the server. Database, files and blogs are a fourth host.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from tests.integration.fleet.conftest import S3, Postgres, Workers, free_port, queue_blogs, use_s3, wait_until

from posterity.archive import open_archive
from posterity.archive.opening import split_location
from posterity.archive.verify import verify_archive
from posterity.config import CrawlSettings, Settings
from posterity.crawl.run import harvest_many
from posterity.demo import server as demo
from posterity.demo.blog import SiteOptions
from posterity.fleet import queue
from posterity.fleet.status import fleet_status

# POSTERITY_FLEET_BLOGS=60 is the whole proof, which takes minutes on two cores: docs/fleet.md.
BLOGS = int(os.environ.get("POSTERITY_FLEET_BLOGS", "6"))
OUTAGE_S = 10.0 if BLOGS > 20 else 3.0  # of the S3 server
HOME = "10.77.0.254"
CUT_OFF = "10.77.0.2"  # the second host
_NEW_NETWORK = 0x40000000  # CLONE_NEWNET


class Visit(NamedTuple):
    """A request that a blog got, from which worker and when."""

    client: str
    begun: float
    ended: float


class Hosts(NamedTuple):
    prefix: str

    def command(self, number: int) -> tuple[str, ...]:
        return ("ip", "netns", "exec", f"{self.prefix}{number}")

    def cut_off(self, number: int, *, is_off: bool) -> None:
        _ip("-n", f"{self.prefix}{number}", "link", "set", "eth0", "down" if is_off else "up")


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


def _enter_network(handle: int) -> None:
    """Put this thread, and every thread and process that it starts, into a network namespace."""
    if ctypes.CDLL(None, use_errno=True).setns(handle, _NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "cannot enter a network namespace")


@contextmanager
def _switched(prefix: str) -> Iterator[Hosts]:
    """Three hosts and a home on a virtual switch, which is a namespace too: nothing leaves the machine."""
    names = [*(f"{prefix}{number}" for number in range(3)), f"{prefix}h"]
    addresses = ["10.77.0.1", CUT_OFF, "10.77.0.3", HOME]
    switch = f"{prefix}s"
    try:
        _ip("netns", "add", switch)
        _ip("-n", switch, "link", "add", "br0", "type", "bridge")
        _ip("-n", switch, "link", "set", "br0", "up")
        for name, address in zip(names, addresses, strict=True):
            _ip("netns", "add", name)
            _ip("-n", switch, "link", "add", f"v{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
            _ip("-n", switch, "link", "set", f"v{name}", "master", "br0", "up")
            _ip("-n", name, "addr", "add", f"{address}/24", "dev", "eth0")
            _ip("-n", name, "link", "set", "eth0", "up")
            _ip("-n", name, "link", "set", "lo", "up")
    except subprocess.CalledProcessError as problem:
        pytest.skip(f"virtual networks cannot be made here: {problem.stderr.decode().strip()}")
    else:
        yield Hosts(prefix)
    finally:
        for name in (*names, switch):
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


def _check_network(made: Hosts) -> None:
    """Skip the proof where the hosts cannot reach each other."""
    with socket.create_server((HOME, 0)) as server:
        port = server.getsockname()[1]
        probe = f"import socket; socket.create_connection(('{HOME}', {port}), 30)"
        run = subprocess.run([*made.command(0), sys.executable, "-c", probe], capture_output=True, check=False)
    if run.returncode:
        pytest.skip(f"hosts of a virtual network do not reach each other here: {run.stderr.decode().strip()[-200:]}")


@pytest.fixture
def hosts() -> Iterator[Hosts]:
    """The hosts; the test itself runs at home."""
    if os.getuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces need root and iproute2")
    probe = subprocess.run(["ip", "netns", "add", f"probe{os.getpid()}"], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip(f"network namespaces cannot be made here: {probe.stderr.decode().strip()}")
    _ip("netns", "del", f"probe{os.getpid()}")
    with _switched(f"p{os.getpid() % 100_000}") as made:
        before, home = (os.open(path, os.O_RDONLY) for path in ("/proc/self/ns/net", f"/run/netns/{made.prefix}h"))
        _enter_network(home)
        try:
            _check_network(made)
            yield made
        finally:
            _enter_network(before)
            os.close(before)
            os.close(home)


@contextmanager
def _logged_blog(number: int, log: dict[str, list[Visit]]) -> Iterator[str]:
    """A small blog at home that logs who requests it; each is a little different."""

    class Handler(demo._Handler):
        def do_GET(self) -> None:  # noqa: N802 - the name of the base class
            begun = time.monotonic()
            try:
                super().do_GET()
            finally:
                log[base_url].append(Visit(self.client_address[0], begun, time.monotonic()))

    with demo._Server((HOME, 0), Handler) as server:
        base_url = f"http://{HOME}:{server.server_port}"
        log[base_url] = []
        server.serving = demo.Serving(base_url, demo.build(SiteOptions(base_url=base_url, posts_limit=3 + number % 3)))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield base_url
        finally:
            server.shutdown()
            thread.join()
            server.close_connections()


def _records(location: str) -> dict[str, Any]:
    """Every post without what differs from run to run: when it was fetched, and the WARC record."""
    with open_archive(location) as archive:
        return {
            post.url: (post.title, post.text, post.html, post.authors, post.published, post.tags, post.comments,
                       [(medium.url, medium.digest) for medium in post.media], post.revision,
                       {field: (source.method, source.rule) for field, source in post.provenance.items()})
            for post in archive.posts()
        }  # fmt: skip


class Scene(NamedTuple):
    """Everything that runs: hosts, workers, database, files, and the log of the blogs."""

    hosts: Hosts
    workers: Workers
    database: Postgres
    s3: S3
    fleet: str
    log: dict[str, list[Visit]]

    def start(self, number: int, *options: str) -> None:
        command = self.hosts.command(number)
        self.workers.start(self.fleet, f"w{number}", *options, prefix=command, **self.s3.environment)

    @property
    def urls(self) -> list[str]:
        return [f"{url}/" for url in self.log]


@pytest.fixture
def scene(hosts: Hosts, workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.setenv("POSTERITY_SPOOL", str(tmp_path / "home"))
    log: dict[str, list[Visit]] = {}
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="posterity-pg-", ignore_cleanup_errors=True))
        database = Postgres(Path(folder), free_port(HOME), HOME)
        stack.callback(database.stop)
        s3 = S3(HOME)
        stack.callback(s3.close)
        use_s3(s3, monkeypatch)
        for number in range(BLOGS):
            stack.enter_context(_logged_blog(number, log))
        stack.callback(workers.close)
        yield Scene(hosts, workers, database, s3, f"{database.url}?files=s3://blogs/proof", log)


def _harvest_through_outages(scene: Scene) -> None:
    """Let one host die, cut another off, restart the database and refuse files, while three hosts work."""
    workers, hosts = scene.workers, scene.hosts
    for number in range(3):
        scene.start(number, "--slots", "2")
    wait_until(lambda: workers.has_told("w0", "started"), "work of the first host")
    workers.signal("w0", signal.SIGKILL)
    wait_until(lambda: _is_busy(workers, "w1"), "work of the second host")
    hosts.cut_off(1, is_off=True)
    wait_until(lambda: workers.has_told("w1", "cut off"), "the end of the harvests of the second host")
    scene.database.restart()
    wait_until(lambda: workers.has_told("w2", "taken over"), "the third host to take tasks over")
    scene.s3.is_down = True
    recover = threading.Timer(OUTAGE_S, lambda: setattr(scene.s3, "is_down", False))
    recover.start()
    hosts.cut_off(1, is_off=False)
    wait_until(lambda: _is_over(scene.fleet), "the end of all tasks")
    recover.join()
    for number in (1, 2):
        workers.signal(f"w{number}", signal.SIGTERM)
        assert workers.wait(f"w{number}") == 0
    scene.start(0, "--until-empty")  # the dead host is back, with the files that it had not stored
    assert workers.wait("w0") == 0


def test_blogs_survive_dead_hosts_and_outages() -> None:
    """Run the proof in a process of its own.

    Threads that other tests have started, such as that of fsspec for requests, stay in the network they began in.
    """
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-p", "no:xdist"]
    name = f"{__file__}::{check_blogs_survive.__name__}"
    chosen = ["-o", "python_functions=check_*", name]
    run = subprocess.run([*command, *chosen], capture_output=True, text=True, check=False)
    told = run.stdout + run.stderr
    if "1 skipped" in told:
        pytest.skip(next(line for line in told.splitlines() if line.startswith("SKIPPED")))
    assert run.returncode == 0, told
    assert "1 passed" in told


def check_blogs_survive(scene: Scene, tmp_path: Path) -> None:
    settings = Settings(crawl=CrawlSettings(delay_s=0, render="never"))
    harvest_many(scene.urls, tmp_path / "alone", workers=2, settings=settings)
    for visits in scene.log.values():
        visits.clear()
    fleet = scene.fleet
    queue.init(fleet)
    (tmp_path / "list").write_text("\n".join(scene.urls))
    queue_blogs(fleet, tmp_path / "list", delay_s=0.2)

    _harvest_through_outages(scene)

    told = "\n".join(scene.workers.text(f"w{number}") for number in range(3))
    found = fleet_status(fleet)
    assert (found.done, found.failed) == (BLOGS, 0), told
    assert _done_runs(fleet) == dict.fromkeys(scene.urls, 1)
    assert _records(fleet) == _records(str(tmp_path / "alone"))
    with open_archive(fleet) as archive:
        assert verify_archive(archive).problems == [], told
    for url, visits in scene.log.items():
        _check_one_at_a_time(url, visits, _runs(fleet, f"{url}/"))


def _is_busy(workers: Workers, name: str) -> bool:
    counts = Counter(event["event"] for event in workers.events(name))
    return counts["started"] > counts["done"] + counts["will be retried"]


def _is_over(fleet: str) -> bool:
    found = fleet_status(fleet)
    return found.waiting + found.delayed + found.running == 0


def _done_runs(fleet: str) -> dict[str, int]:
    with psycopg.connect(split_location(fleet).database_url) as connection:
        query = (
            f"SELECT url, count(*) FROM {queue.SCHEMA}.runs WHERE outcome = 'done' AND kind = 'harvest' GROUP BY url"
        )
        return dict(connection.execute(query).fetchall())


def _runs(fleet: str, url: str) -> int:
    with psycopg.connect(split_location(fleet).database_url) as connection:
        row = connection.execute(f"SELECT count(*) FROM {queue.SCHEMA}.runs WHERE url = %s", (url,)).fetchone()
    return int(row[0]) if row else 0


def _check_one_at_a_time(url: str, visits: list[Visit], runs: int) -> None:
    """A host changes its client only from one run to the next, and never within a request.

    One request may be late: the kernel of the host that was cut off holds it, and sends it when the network is back,
    after the process that made it has ended. Two harvests at the same time would mix many.
    """
    ordered = sorted(visits, key=lambda visit: visit.begun)
    around = zip(ordered, ordered[1:], ordered[2:], strict=False)
    late = next((two for one, two, three in around if one.client == three.client != two.client == CUT_OFF), None)
    ordered = [visit for visit in ordered if visit is not late]
    changes = [(one, two) for one, two in pairwise(ordered) if one.client != two.client]
    assert len(changes) <= runs - 1, (url, changes)
    assert all(one.ended <= two.begun for one, two in changes), (url, changes)
