"""The command starts at once and explains itself."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from posterity import __version__
from posterity.cli.main import COMMANDS
from posterity.errors import PosterityError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Posterity

HEAVY = (
    "scrapy",
    "twisted",
    "sqlalchemy",
    "feedparser",
    "rich",
    "selectolax",
    "playwright",
    "scipy",
    "babel",
    "warcio",
    "jinja2",
)


def loaded_by(code: str) -> set[str]:
    """The names of all modules that a fresh Python holds after running the code."""
    quiet = f"with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):\n    {code}"
    script = f"import contextlib, io, json, sys\n{quiet}\nprint(json.dumps(list(sys.modules)))"
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    return set(json.loads(output.stdout))


def test_help_loads_no_heavy_stage() -> None:
    # Starting takes as long as importing: this is the requirement of 0.3 s without a clock.
    assert loaded_by("from posterity.cli.main import main; main(['--help'])").isdisjoint(HEAVY)


def test_version_loads_no_heavy_stage() -> None:
    assert loaded_by("from posterity.cli.main import main; main(['--version'])").isdisjoint(HEAVY)


def test_importing_the_package_loads_no_stage() -> None:
    assert {name for name in loaded_by("import posterity") if name.startswith("posterity")} == {"posterity"}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_loads_no_crawler_and_no_database(name: str) -> None:
    loaded = loaded_by(f"from posterity.cli.main import main; main(['{name}', '--help'])")
    assert loaded.isdisjoint({"scrapy", "twisted", "sqlalchemy", "feedparser", "playwright", "scipy"})


def test_help_names_every_command_and_every_exit_code(posterity: Posterity) -> None:
    shown = posterity("--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert [name for name in COMMANDS if f"\n  {name} " not in shown.stdout] == []
    codes, waiting = set(), [PosterityError]
    while waiting:
        kind = waiting.pop()
        codes.add(kind.exit_code)
        waiting += kind.__subclasses__()
    assert [code for code in codes if f" {code}  " not in shown.stdout] == []


def test_python_dash_m_and_the_script_are_the_same(posterity: Posterity) -> None:
    assert posterity("--version").stdout == f"posterity, version {__version__}\n"


def test_unknown_command_is_a_usage_error(posterity: Posterity) -> None:
    ended = posterity("harvets")
    assert ended.returncode == 2
    assert "No such command 'harvets'. Did you mean 'harvest'?" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_extracting_a_page_loads_no_crawler_and_no_database(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<article><h1>Tides</h1><p>{'The tide comes in and goes out. ' * 20}</p></article>")
    loaded = loaded_by(f"from posterity.cli.main import main; main(['extract', {str(page)!r}])")
    assert "posterity.extraction" in loaded
    assert loaded.isdisjoint({"scrapy", "twisted", "sqlalchemy", "playwright", "jinja2"})
