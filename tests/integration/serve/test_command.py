"""`posterity serve` as a person starts it: what it says, what it refuses, and that it can be ended."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.conftest import environment

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Posterity


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    return [sys.executable, "-m", "posterity", "serve", "--archive", str(tmp_path / "archive"), "--port", "0"]


def test_server_says_where_it_is_and_ends_in_order(command: list[str]) -> None:
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert found is not None, said
        assert "archive, a new archive, is served at" in said
        with httpx.Client(transport=httpx.HTTPTransport(retries=5)) as client:
            assert client.get(f"{found.group()}health", timeout=30).json()["status"] == "ok"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert "Traceback" not in process.stderr.read()


def test_port_in_use_is_one_sentence(posterity: Posterity, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        ended = posterity("serve", "--archive", tmp_path / "a", "--port", str(other.getsockname()[1]))
    assert ended.returncode == 2
    assert "Try another --port." in ended.stderr
    assert "Traceback" not in ended.stderr


def test_folder_that_is_no_archive_is_refused(posterity: Posterity, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    ended = posterity("serve", "--archive", tmp_path, "--port", "0")
    assert ended.returncode == 3
    assert len(ended.stderr.splitlines()) == 1


def test_server_for_everybody_wants_a_token(posterity: Posterity, tmp_path: Path) -> None:
    ended = posterity("serve", "--archive", tmp_path / "a", "--host", "0.0.0.0")
    assert ended.returncode == 2
    assert "--token" in ended.stderr
