"""Measures a fleet on this machine: the rate by number of workers, and the cost of a queue with many tasks.

    fleet.py DSN workers [--blogs N] [--latency MS] [--delay S] [--plot FILE]    1, 2 and 4 workers of one slot each
    fleet.py DSN queue [--tasks N]                                              add, fetch and finish tasks; their size

DSN is a PostgreSQL server whose user may create databases; every run uses a new one. This process serves the blogs on
separate ports, with the given latency; workers wait for the delay between requests to the same blog.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

from posterity.charts import Axis, Chart
from posterity.config import CrawlSettings, Settings
from posterity.demo import server as demo
from posterity.demo.blog import SiteOptions
from posterity.fleet import queue
from posterity.fleet.status import fleet_status


def new_database(dsn: str) -> str:
    name = f"bench_{os.getpid()}_{time.monotonic_ns()}"
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{dsn.rpartition('/')[0]}/{name}"


@contextmanager
def slow_blog(latency_s: float) -> Iterator[str]:
    class Handler(demo._Handler):  # noqa: SLF001 - the demo server with a latency
        def do_GET(self) -> None:  # noqa: N802 - the name of the base class
            time.sleep(latency_s)
            super().do_GET()

    with demo._Server(("127.0.0.1", 0), Handler) as server:  # noqa: SLF001 - as above
        base_url = f"http://127.0.0.1:{server.server_port}"
        server.serving = demo.Serving(base_url, demo.build(SiteOptions(base_url=base_url, posts_limit=8)))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"{base_url}/"
        finally:
            server.shutdown()
            thread.join()
            server.close_connections()


def harvest_s(dsn: str, workers: int, urls: list[str], delay_s: float) -> tuple[float, int, int]:
    """Return the seconds from the start of the first blog to the end of the last, the posts and the requests."""
    with tempfile.TemporaryDirectory() as folder:
        archive = f"{new_database(dsn)}?files={folder}/files"
        queue.init(archive)
        settings = Settings(crawl=CrawlSettings(delay_s=delay_s, concurrency=1, render="never"))
        queue.add(archive, urls, settings=settings)
        command = [sys.executable, "-m", "posterity", "fleet", "worker", "--archive", archive, "--slots", "1", "-q"]
        options = ["--until-empty", "--heartbeat", "1", "--stalled", "20"]
        started = [
            subprocess.Popen([*command, *options, "--name", f"w{number}"], cwd=folder) for number in range(workers)
        ]
        for process in started:
            process.wait()
        found = fleet_status(archive)
        assert found.done == len(urls), found
        with queue.connected(archive) as connection:
            row = connection.execute("SELECT extract(epoch FROM max(ended_at) - min(started_at)) FROM runs").fetchone()
        assert row is not None
        return float(row[0]), found.posts, found.requests


def measure_workers(arguments: argparse.Namespace) -> None:
    rates = []
    with ExitStack() as stack:
        urls = [stack.enter_context(slow_blog(arguments.latency / 1000)) for _ in range(arguments.blogs)]
        for workers in (1, 2, 4):
            seconds, posts, requests = harvest_s(arguments.dsn, workers, urls, arguments.delay)
            rates.append((workers, 60 * len(urls) / seconds))
            print(
                f"{workers} workers: {len(urls)} blogs, {posts} posts, {requests} requests in {seconds:.1f} s: "
                f"{rates[-1][1]:.1f} blogs a minute, {rates[-1][1] / rates[0][1]:.2f} times one worker; "
                f"load {os.getloadavg()[0]:.1f}"
            )
    if arguments.plot:
        chart = Chart(
            "Blogs a minute by workers", Axis(label="workers", low=0.0, high=4.0),
            Axis(label="blogs a minute", low=0.0, high=4.2 * rates[0][1]),
        )  # fmt: skip
        chart.line("measured", [(float(workers), rate) for workers, rate in rates])
        chart.line("linear", [(0.0, 0.0), (4.0, 4 * rates[0][1])])
        Path(arguments.plot).write_text(chart.svg())


def measure_queue(arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        archive = f"{new_database(arguments.dsn)}?files={folder}/files"
        queue.init(archive)
        begun = time.perf_counter()
        queue.add(archive, (f"https://blog{number}.example/" for number in range(arguments.tasks)))
        added_s = time.perf_counter() - begun
        with queue.connected(archive) as connection:
            connection.execute("ANALYZE procrastinate_jobs")
            row = connection.execute(
                "SELECT pg_total_relation_size('procrastinate_jobs') + pg_total_relation_size('procrastinate_events')"
            ).fetchone()
        assert row is not None
        print(f"add: {arguments.tasks / added_s:,.0f} tasks a second; {row[0] / arguments.tasks:,.0f} bytes a task")
        begun = time.perf_counter()
        asyncio.run(_take(archive, 200))
        took_ms = (time.perf_counter() - begun) / 200 * 1000
        print(f"fetch and finish with {arguments.tasks:,} waiting: {took_ms:.1f} ms a task")
        begun = time.perf_counter()
        fleet_status(archive)
        print(f"status: {(time.perf_counter() - begun) * 1000:.0f} ms")


async def _take(archive: str, count: int) -> None:
    from procrastinate.jobs import Status

    app = queue.make_app(archive)
    async with app.open_async():
        worker = await app.job_manager.register_worker()
        for _ in range(count):
            job = await app.job_manager.fetch_job(queues=[queue.BLOGS], worker_id=worker)
            assert job is not None
            await app.job_manager.finish_job(job=job, status=Status.SUCCEEDED, delete_job=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dsn")
    parser.add_argument("what", choices=["workers", "queue"])
    parser.add_argument("--blogs", type=int, default=12)
    parser.add_argument("--latency", type=float, default=50.0, metavar="MS")
    parser.add_argument("--delay", type=float, default=0.5, metavar="S")
    parser.add_argument("--tasks", type=int, default=100_000)
    parser.add_argument("--plot", metavar="FILE")
    arguments = parser.parse_args()
    (measure_workers if arguments.what == "workers" else measure_queue)(arguments)


if __name__ == "__main__":
    main()
