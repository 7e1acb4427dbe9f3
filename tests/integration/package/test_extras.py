"""The core works without the packages of the extras, is small, and a command that needs more names the extra."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from posterity import errors

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {extra: set(modules.split()) for extra, modules in errors._EXTRAS.items()}
OPTIONAL = sorted(set().union(*EXTRAS.values()))
TEXT = "The tide came in before anyone had noticed. " * 20
MAX_CORE_BYTES = 130_000_000


def run_without(modules: list[str], code: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the code in a Python in which these modules are not installed."""
    blocked = (
        "import sys\n"
        "class Blocked:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {modules!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Blocked())\n"
    )
    return subprocess.run(
        [sys.executable, "-c", blocked + code], capture_output=True, text=True, cwd=cwd, timeout=120, check=False
    )


def command(*words: str) -> str:
    return f"from posterity.cli.main import main; main({list(words)!r})"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_text(f"<html><body><nav>Home</nav><article><h1>Tides</h1><p>{TEXT}</p></article></body></html>")
    return file


@pytest.mark.parametrize("form", ["json", "jsonl", "xml", "text", "markdown", "cleaneval"])
def test_core_extracts_a_page(page: Path, form: str) -> None:
    ended = run_without(OPTIONAL, command("extract", str(page), "--format", form, "--explain"), page.parent)
    assert (ended.returncode, "The tide came in" in ended.stdout) == (0, True), ended.stderr


def test_core_learns_rules_and_measures(tmp_path: Path) -> None:
    code = (
        "import posterity, posterity.evaluate.measures\n"
        "from posterity.crawl.worker_process import warm_up\n"
        "warm_up()\n"  # learns from a feed and its pages, and extracts them
    )
    ended = run_without(OPTIONAL, code, tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (["list"], "crawl"),
        (["harvest", "http://127.0.0.1:9/"], "crawl"),
        (["serve"], "crawl"),
        (["export", "posts.jsonl"], "crawl"),
        (["extract", "http://127.0.0.1:9/", "--render", "always"], "browser"),
    ],
)
def test_command_names_the_extra_that_it_needs(words: list[str], extra: str, tmp_path: Path) -> None:
    ended = run_without(OPTIONAL, command(*words), tmp_path)
    assert ended.returncode == 12
    assert f"pip install 'posterity[{extra}]'" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_python_names_the_extra_that_it_needs(tmp_path: Path) -> None:
    code = (
        "import posterity\n"
        "try:\n    posterity.harvest\n"
        "except posterity.PosterityError as problem:\n    print(problem.extra, isinstance(problem, ImportError))\n"
    )
    assert run_without(OPTIONAL, code, tmp_path).stdout == "crawl True\n"


def requirements_of(lines: list[str], extras: tuple[str, ...] = ("",)) -> list[Requirement]:
    found = [Requirement(line) for line in lines]
    return [one for one in found if one.marker is None or any(one.marker.evaluate({"extra": e}) for e in extras)]


def closure(lines: list[str]) -> set[str]:
    """The names of the distributions that the requirements bring, themselves included."""
    seen: set[str] = set()
    waiting = requirements_of(lines)
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        if name not in seen:
            seen.add(name)
            waiting += requirements_of(distribution(name).requires or [], (*one.extras, ""))
    return seen


def test_core_is_small() -> None:
    files = [
        Path(str(file.locate())) for name in closure(PROJECT["dependencies"]) for file in distribution(name).files or []
    ]
    own = [path for path in (ROOT / "src").rglob("*") if "__pycache__" not in path.parts]
    size = sum(path.stat().st_size for path in [*files, *own] if path.is_file())
    assert size < MAX_CORE_BYTES


def test_every_optional_module_is_brought_by_its_extra() -> None:
    distributions = packages_distributions()
    for extra, modules in EXTRAS.items():
        brought = closure([*PROJECT["dependencies"], *PROJECT["optional-dependencies"][extra]])
        for module in modules:
            assert {canonicalize_name(name) for name in distributions[module]} & brought, (extra, module)


def test_core_does_not_bring_optional_modules() -> None:
    core = closure(PROJECT["dependencies"])
    distributions = packages_distributions()
    assert not [module for module in OPTIONAL if {canonicalize_name(name) for name in distributions[module]} <= core]


def test_all_is_all_extras_but_those_for_comparisons() -> None:
    (everything,) = PROJECT["optional-dependencies"]["all"]
    named = set(Requirement(everything).extras)
    assert named == set(PROJECT["optional-dependencies"]) - {"all", "rivals"}
