"""The example package: installed beside Posterity, each of its plugins is used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Response, Web

EXAMPLE = Path(__file__).parents[3] / "docs" / "example-plugin"
LONG = "The longest paragraph of this page, which has more words than any other."
FEED = (
    "<rss version='2.0'><channel><title>News</title><item><title>Salt marshes flooded</title>"
    "<description>The salt marshes were flooded.</description></item></channel></rss>"
)


class Installed:
    """A virtual environment with the example, which sees Posterity and its dependencies."""

    def __init__(self, python: Path, archives: Path) -> None:
        self.python, self.archives = python, archives

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(
            [self.python, "-m", "posterity", *map(str, words)],
            env={**inherited, "POSTERITY_ARCHIVES": str(self.archives)},
            cwd=self.archives, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, demo_archive: Path) -> Installed:
    home = tmp_path_factory.mktemp("plugins")
    out = home / "dist"
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out], cwd=EXAMPLE, check=True, timeout=120
    )
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home / "venv"], check=True, timeout=120)
    python = home / "venv" / "bin" / "python"
    (wheel,) = out.glob("*.whl")
    subprocess.run(
        [sys.executable, "-m", "uv", "pip", "install", "-q", "--offline", "--no-deps", "--python", python, wheel],
        check=True, timeout=120,
    )  # fmt: skip
    (site,) = (home / "venv" / "lib").glob("python*/site-packages")
    source = EXAMPLE.parents[1] / "src"
    (site / "posterity.pth").write_text(f"{sysconfig.get_path('purelib')}\n{source}\n")
    return Installed(python, demo_archive.parent)


def test_method_is_used(installed: Installed, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<p>Short.</p><p>{LONG}</p>")
    ended = installed.run("extract", page, "--method", "longest-paragraph", "--format", "text")
    assert (ended.stdout.strip(), ended.stderr) == (LONG, "")
    assert "longest-paragraph" in installed.run("extract", page, "--method", "nonsense").stderr


def test_format_is_used_and_shown_in_the_help(installed: Installed, demo_archive: Path) -> None:
    ended = installed.run("export", "-", "--format", "titles", "--archive", demo_archive)
    assert len(ended.stdout.splitlines()) == 14
    assert "a title a line" in installed.run("export", "--help").stdout


def test_store_is_used(installed: Installed, demo_archive: Path) -> None:
    ended = installed.run("list", "--json", "--archive", f"named://{demo_archive.name}")
    assert json.loads(ended.stdout)["title"] == "The Salt Almanac"


def test_search_service_is_used(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "news.xml").write_text(FEED)
    ended = installed.run(
        "discover", "--news", tmp_path / "news.xml", "--search", "fixed:https://found.example/a-post/", "--no-check"
    )
    assert "https://found.example/" in ended.stdout, ended.stderr


def test_behaviour_is_used(
    installed: Installed, serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    folded = (
        "<article><h1>Tides</h1><details><summary>More</summary><p id=in></p></details><script>"
        "document.querySelector('details').addEventListener('toggle', () => {"
        f"document.getElementById('in').textContent = '{LONG}' }})</script></article>"
    )
    web = serve({"/": response(folded)})
    options = ("--render", "always", "--method", "longest-paragraph", "--format", "text")
    assert installed.run("extract", f"{web.base_url}/", *options).stdout.strip() == LONG


def test_unknown_store_is_an_error(installed: Installed) -> None:
    ended = installed.run("list", "--archive", "nosuch://place")
    assert (ended.returncode, "is not an archive" in ended.stderr) == (3, True)
