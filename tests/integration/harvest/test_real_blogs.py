"""Real blogs of several engines and languages, harvested whole and scored against what they really contain."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Posterity

pytestmark = pytest.mark.shared


class Floor(NamedTuple):
    """What a harvest must reach at least; a little below what it reached when this was written."""

    recall: float
    precision: float
    article_f1: float
    title: float


FLOORS = {
    "0xddaa": Floor(0.98, 0.98, 0.98, 0.98),  # Pelican, Chinese
    "alsemyonov": Floor(0.98, 0.98, 0.98, 0.98),  # Middleman, Russian
    "antonios": Floor(0.98, 0.98, 0.97, 0.98),  # Zola, a feed of titles
    "eismalum": Floor(0.98, 0.98, 0.98, 0.98),  # WordPress, Swiss German
    "mrdias": Floor(0.98, 0.98, 0.98, 0.98),  # Jekyll
}
REFUSING = "lapykota"  # its robots.txt disallows everything


def free_ports(count: int) -> int:
    """The first of so many ports in a row that nobody uses."""
    for first in range(21_000, 32_000, count):
        sockets = [socket.socket() for _ in range(count)]
        try:
            for port, one in enumerate(sockets, first):
                one.bind(("127.0.0.1", port))
        except OSError:
            continue
        finally:
            for one in sockets:
                one.close()
        return first
    pytest.fail("no free ports")


@pytest.fixture(scope="module")
def blogs(shared_blogs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    """The folder with the blogs' truth, and the address of each."""
    names = [*FLOORS, REFUSING]
    root, first = tmp_path_factory.mktemp("blogs"), free_ports(len(names) + 1)
    command = [sys.executable, str(shared_blogs / "serve.py"), "--root", str(root), "--per-blog"]
    command += ["--port", str(first), "--base-port", str(first + 1), *names]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            served = json.loads(server.stdout.readline())["blogs"]
            yield root, {name: blog["url"] + blog["entry"] for name, blog in served.items()}
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def scores(
    blogs: tuple[Path, dict[str, str]],
    shared_blogs: Path,
    posterity: Posterity,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, dict[str, Any]]:
    root, addresses = blogs
    folder = tmp_path_factory.mktemp("real")
    spec = importlib.util.spec_from_file_location("score", shared_blogs / "score.py")
    assert spec is not None
    assert spec.loader is not None
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)

    def harvest(name: str) -> dict[str, Any]:
        ended = posterity("harvest", addresses[name], "--delay", "0", "-q", "--archive", folder / name)
        assert (ended.returncode, ended.stderr) == (0, ""), name
        exported = posterity("export", "-", "--archive", folder / name)
        posts = [json.loads(line) for line in exported.stdout.splitlines()]
        total: dict[str, Any] = score.score(
            json.loads((root / name / "truth.json").read_text(encoding="utf-8")), posts
        )[0]
        return total

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(FLOORS, pool.map(harvest, FLOORS), strict=True))


@pytest.mark.parametrize("name", FLOORS)
def test_harvest_reaches_its_floor(name: str, scores: dict[str, dict[str, Any]]) -> None:
    reached, floor = scores[name], FLOORS[name]
    assert {field: reached[field] for field in floor._fields if reached[field] < getattr(floor, field)} == {}, reached


@pytest.mark.parametrize("name", FLOORS)
def test_no_post_comes_twice(name: str, scores: dict[str, dict[str, Any]]) -> None:
    assert scores[name]["doubles"] == 0


def test_blog_that_refuses_is_left_alone(
    blogs: tuple[Path, dict[str, str]], posterity: Posterity, tmp_path: Path
) -> None:
    ended = posterity("harvest", blogs[1][REFUSING], "--delay", "0", "-q", "--archive", tmp_path / "archive")
    assert ended.returncode == 7
    assert "robots.txt" in ended.stderr
