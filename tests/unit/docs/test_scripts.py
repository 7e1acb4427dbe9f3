"""The modules that scripts and documents run with `python -m` exist."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FILES = [ROOT / "Makefile", *ROOT.glob("*.md"), *ROOT.glob("tools/*.sh"), *ROOT.glob("docs/**/*.md")]
NAMED = {
    (file.relative_to(ROOT).as_posix(), module)
    for file in FILES
    for module in re.findall(r"-m ((?:posterity|tools|tests)[\w.]*\w)", file.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize(("file", "module"), sorted(NAMED))
def test_module_that_is_run_exists(file: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    assert find_spec(module) is not None, f"{file} runs {module}"
