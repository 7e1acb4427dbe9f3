"""Workers that are forked from a process that has loaded everything."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING

import pytest

from posterity.crawl.jobs import HarvestJob
from posterity.crawl.worker_process import ForkServer, WorkerProcess

if TYPE_CHECKING:
    from pathlib import Path


def test_worker_gets_a_job_tells_its_events_and_ends(tmp_path: object) -> None:
    with ForkServer() as fork_server:
        workers = [fork_server.worker() for _ in range(2)]
        for worker in workers:
            job = {"url": "http://127.0.0.1:9/", "archive": f"{tmp_path}/archive"}
            os.write(worker.stdin.fileno(), json.dumps(job).encode() + b"\n")
        events = [[json.loads(line)["event"] for line in worker.stdout] for worker in workers]
        codes = [worker.wait() for worker in workers]
        for worker in workers:
            worker.__exit__(None, None, None)
    assert events == [["started", "failed"]] * 2
    assert codes == [0, 0]


def test_worker_that_is_killed_costs_only_itself_and_one_without_a_job_ends() -> None:
    with ForkServer() as fork_server:
        one, other = fork_server.worker(), fork_server.worker()
        one.kill()
        assert one.wait() == -signal.SIGKILL
        one.__exit__(None, None, None)
        other.stdin.close()
        assert other.stdout.read() == b""
        other.__exit__(None, None, None)


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="no priorities of processes here")
def test_harvest_in_the_background_leaves_the_processor_to_others(tmp_path: Path) -> None:
    job = HarvestJob(url="http://127.0.0.1:1/", archive=str(tmp_path / "archive"))
    own = os.getpriority(os.PRIO_PROCESS, 0)
    with WorkerProcess(job) as usual, WorkerProcess(job, in_background=True) as behind:
        priorities = [os.getpriority(os.PRIO_PROCESS, worker.pid or 0) for worker in (usual, behind)]
        usual.kill()
        behind.kill()
    assert priorities == [own, max(own, 10)]
