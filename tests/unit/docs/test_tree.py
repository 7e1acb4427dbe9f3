"""The tree in ARCHITECTURE.md is the tree of today, and every module says what it knows."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_tree_in_architecture_is_of_today() -> None:
    run = subprocess.run(
        [sys.executable, ROOT / "tools" / "tree.py", "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_module_says_what_it_knows() -> None:
    tree = subprocess.run([sys.executable, ROOT / "tools" / "tree.py"], capture_output=True, text=True, check=True)
    silent = [line.strip() for line in tree.stdout.splitlines() if len(line.split(maxsplit=1)) < 2]
    assert not silent, f"modules without a docstring: {silent}"
