"""docs/cli.md has the current help page of every command."""

import subprocess
import sys
from pathlib import Path

from posterity.cli.main import COMMANDS

ROOT = Path(__file__).parents[3]


def test_help_pages_are_of_today() -> None:
    run = subprocess.run(
        [sys.executable, ROOT / "tools" / "cli_docs.py", "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_command_has_a_page() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    missing = [name for name in COMMANDS if f"## `posterity {name}`\n" not in page]
    assert not missing
