"""Workers that are forked from a process that has loaded everything."""

from __future__ import annotations

import json
import os
import signal

from posterity.crawl.worker_process import ForkServer


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
