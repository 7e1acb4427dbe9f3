"""docs/api.md is up to date with every route, and its examples are valid Python."""

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


def test_calls_are_of_today() -> None:
    run = subprocess.run(
        [sys.executable, ROOT / "tools" / "api_docs.py", "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_call_has_an_example_that_is_python() -> None:
    examples = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(examples) == PAGE.count("\n### `") > 20
    for example in examples:
        ast.parse(example)


def test_python_reference_is_of_today() -> None:
    run = subprocess.run(
        [sys.executable, ROOT / "tools" / "python_docs.py", "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
