"""The files and tests named in docs/papers.md exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ROWS = [
    line.split(" | ")
    for line in (ROOT / "docs" / "papers.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and line.count(" | ") == 4
]
TESTS = "\n".join(f"{file.name}\n{file.read_text(encoding='utf-8')}" for file in (ROOT / "tests").rglob("test_*.py"))


def named(column: int, pattern: str) -> list[str]:
    return sorted({name for row in ROWS for name in re.findall(pattern, row[column])})


@pytest.mark.parametrize("file", named(2, r"`([\w/]+\.(?:py|toml))`"))
def test_file_is_there(file: str) -> None:
    assert (ROOT / "src" / "posterity" / file).is_file()


@pytest.mark.parametrize("test", named(3, r"`(test_\w+(?:\.py)?)`"))
def test_test_is_there(test: str) -> None:
    assert test in TESTS if test.endswith(".py") else f"def {test}(" in TESTS
