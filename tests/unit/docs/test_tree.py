"""Every module has a docstring, from which the tree of modules is made."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_module_has_a_docstring() -> None:
    tree = subprocess.run([sys.executable, ROOT / "tools" / "tree.py"], capture_output=True, text=True, check=True)
    silent = [line.strip() for line in tree.stdout.splitlines() if len(line.split(maxsplit=1)) < 2]
    assert not silent, f"modules without a docstring: {silent}"
