"""Real blogs as folders on disk, imported without a server and scored against what they really contain."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from posterity.archive import open_archive
from posterity.model import to_json

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.importer.conftest import Run

pytestmark = [
    pytest.mark.shared,
    # feedparser's word about a change to come, said of every feed without dates of change.
    pytest.mark.filterwarnings("ignore:To avoid breaking existing software:DeprecationWarning"),
]

# Recall, precision, article F1, title: a little below what was reached when this was written.
FLOORS = {
    "eismalum": (0.97, 0.97, 0.97, 0.97),  # WordPress, Swiss German, with comments
    "mrdias": (0.97, 0.97, 0.97, 0.97),  # Jekyll
}


@pytest.fixture(scope="module")
def unpacked(shared_blogs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("mirrors")
    command = [sys.executable, str(shared_blogs / "serve.py"), "--root", str(root), "--unpack", *FLOORS]
    subprocess.run(command, check=True, capture_output=True)
    return root


def score(shared_blogs: Path, truth: dict[str, Any], posts: list[dict[str, Any]]) -> dict[str, Any]:
    spec = importlib.util.spec_from_file_location("score", shared_blogs / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    total: dict[str, Any] = module.score(truth, posts)[0]
    return total


@pytest.mark.parametrize("name", FLOORS)
def test_mirror_reaches_its_floor(name: str, unpacked: Path, shared_blogs: Path, tmp_path: Path, import_: Run) -> None:
    truth = json.loads((unpacked / name / "truth.json").read_text(encoding="utf-8"))
    ended = import_(unpacked / name / "site", "--url", truth["base_url"], "-q", "--archive", tmp_path / "archive")
    assert ended.exception is None, ended.output
    with open_archive(tmp_path / "archive") as store:
        posts = [json.loads(to_json(post)) for post in store.posts()]
    reached = score(shared_blogs, truth, posts)
    fields = ("recall", "precision", "article_f1", "title")
    below = {field: reached[field] for field, floor in zip(fields, FLOORS[name], strict=True) if reached[field] < floor}
    assert (below, reached["doubles"]) == ({}, 0), reached
