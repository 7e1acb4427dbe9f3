"""Files named in the documentation exist, and so do functions and classes named in ARCHITECTURE.md."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "src" / "posterity"
WORDS = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w.]+)`\s+\(`([\w/]+\.py)`\)", WORDS)))


PAGES = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_are_there(page: Path) -> None:
    files = set(re.findall(r"`((?:[a-z_0-9]+/)+[a-z_0-9]+\.py)`", page.read_text(encoding="utf-8")))
    assert not [file for file in files if not any((folder / file).is_file() for folder in (PACKAGE, ROOT))]


def test_flow_names_functions() -> None:
    assert len(NAMED) >= 25


@pytest.mark.parametrize(("name", "file"), NAMED, ids=str)
def test_function_or_class_is_in_that_file(name: str, file: str) -> None:
    own = re.escape(name.rpartition(".")[2])
    assert re.search(
        rf"^\s*(?:async def|def|class) {own}\b|^{own}\b.* = ",
        (PACKAGE / file).read_text(encoding="utf-8"),
        re.MULTILINE,
    )


def test_page_is_short() -> None:
    assert len(WORDS.encode()) <= 12_000


def test_layers_are_those_of_the_contract() -> None:
    shown = re.search(r"```text\n(cli > .*?)```", WORDS, re.DOTALL)
    contract = re.search(r"^layers = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.MULTILINE | re.DOTALL)
    assert shown is not None
    assert contract is not None
    assert re.findall(r"\w+", shown.group(1)) == re.findall(r'"(\w+)"', contract.group(1))
