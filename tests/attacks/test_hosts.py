"""A host that refuses or never responds is told soon."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from posterity.config import CrawlSettings, Settings
from posterity.crawl.run import harvest
from posterity.errors import Unreachable


def test_refused_port_is_told_at_once(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    began = time.monotonic()
    with pytest.raises(Unreachable, match="refuse"):
        harvest(f"http://127.0.0.1:{port}/", tmp_path / "archive", settings=Settings(crawl=CrawlSettings(delay_s=1)))
    assert time.monotonic() - began < 30  # 80 s when robots.txt was waited for


def test_host_that_never_responds_is_given_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        with pytest.raises(Unreachable):
            harvest(f"http://127.0.0.1:{silent.getsockname()[1]}/", tmp_path / "archive")
        assert time.monotonic() - began < 60  # 20 s for robots.txt with its retry, and the start of the worker
