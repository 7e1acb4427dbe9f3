"""The public API: a sorted list of names, each of which is there and does what it says."""

from __future__ import annotations

import pkgutil
import pydoc
import subprocess
import sys

import pytest

import posterity
from posterity.errors import PosterityError
from posterity.model import FieldRule, Rule, RuleSet

PAGE = (
    "<html><body><nav><a href=/>Home</a></nav><article><h1>On tides</h1><p>"
    + "The tide came in before anyone had noticed. " * 20
    + "</p></article>"
)
ELSEWHERE = FieldRule(rule=Rule(kind="id", value="old-theme"), confidence=0.9, pages=3, of_pages=3)


def test_names_are_sorted_and_come_once() -> None:
    assert posterity.__all__ == sorted(set(posterity.__all__))


@pytest.mark.parametrize("name", posterity.__all__)
def test_every_name_resolves(name: str) -> None:
    assert getattr(posterity, name) is not None


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = posterity.nonsense


# Importing a module binds its package as an attribute of `posterity`: that must never replace a function.
@pytest.mark.parametrize(
    "first",
    [
        "",
        "import posterity.extraction.method",
        "import posterity.learning.rule_selection",
        "from posterity import extract, learn",
        "import posterity.crawl.run",
    ],
)
def test_functions_stay_functions_whatever_is_imported_first(first: str) -> None:
    lines = [
        first,
        "import posterity, types",
        "for function in (posterity.extract, posterity.learn, posterity.harvest):",
        "    assert isinstance(function, types.FunctionType), function",
    ]
    ended = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_no_module_has_the_name_of_a_public_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(posterity.__path__)}
    assert modules.isdisjoint(posterity.__all__)


def test_help_describes_the_function() -> None:
    shown = pydoc.plain(pydoc.render_doc(posterity.extract))
    assert "extract(html: 'bytes | str', url: 'str' = ''" in shown
    assert "Return the post on the page" in shown


def test_completion_offers_every_public_name() -> None:
    assert set(posterity.__all__) <= set(dir(posterity))


def test_extract_gives_a_post() -> None:
    post = posterity.extract(PAGE, url="http://blog.example/tides/")
    assert isinstance(post, posterity.Post)
    assert "The tide came in" in post.text


@pytest.mark.parametrize("rules", [RuleSet(), RuleSet(fields={"text": (ELSEWHERE,)})], ids=["empty", "other theme"])
def test_rules_use_the_same_method_as_the_function(rules: RuleSet) -> None:
    url = "http://blog.example/tides/"
    assert rules.extract(PAGE, url) == posterity.extract(PAGE, url, rules=rules) is not None


def test_every_error_is_a_posterity_error_with_an_exit_code() -> None:
    waiting, kinds = [PosterityError], []
    while waiting:
        kind = waiting.pop()
        kinds.append(kind)
        waiting += kind.__subclasses__()
    assert len(kinds) > 10
    assert {kind.exit_code for kind in kinds} <= set(range(1, 13))
    assert posterity.PosterityError is PosterityError


def test_every_error_stands_in_the_tree_of_the_docstring() -> None:
    import posterity.errors as errors

    names = [name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, PosterityError)]
    assert [name for name in names if name not in (errors.__doc__ or "")] == []
