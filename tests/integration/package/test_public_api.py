"""The public API: a sorted list of names, each of which is there and does what it says."""

from __future__ import annotations

import subprocess
import sys

import pytest

import posterity
from posterity.errors import PosterityError

PAGE = (
    "<html><body><nav><a href=/>Home</a></nav><article><h1>On tides</h1><p>"
    + "The tide came in before anyone had noticed. " * 20
    + "</p></article>"
)


def test_names_are_sorted_and_come_once() -> None:
    assert posterity.__all__ == sorted(set(posterity.__all__))


@pytest.mark.parametrize("name", posterity.__all__)
def test_every_name_resolves(name: str) -> None:
    assert getattr(posterity, name) is not None


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = posterity.nonsense


# Each way to reach a stage first: Python binds its folder to the name as soon as any part of it is imported.
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
def test_functions_can_be_called_although_folders_have_their_names(first: str) -> None:
    calls = (
        "posterity.extract('<p>x</p>', 'http://blog.example/')",
        "posterity.learn(posterity.Feed(url='u', format='rss20'), {})",
        "posterity.harvest('no-address')",
    )
    lines = [first, "import posterity"]
    for call in calls:
        lines += ["try:", f"    {call}", "except posterity.PosterityError:", "    pass"]
    ended = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_extract_gives_a_post() -> None:
    post = posterity.extract(PAGE, url="http://blog.example/tides/")
    assert isinstance(post, posterity.Post)
    assert "The tide came in" in post.text


def test_every_error_is_a_posterity_error_with_an_exit_code() -> None:
    waiting, kinds = [PosterityError], []
    while waiting:
        kind = waiting.pop()
        kinds.append(kind)
        waiting += kind.__subclasses__()
    assert len(kinds) > 10
    assert {kind.exit_code for kind in kinds} <= set(range(1, 12))
    assert posterity.PosterityError is PosterityError


def test_every_error_stands_in_the_tree_of_the_docstring() -> None:
    import posterity.errors as errors

    names = [name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, PosterityError)]
    assert [name for name in names if name not in (errors.__doc__ or "")] == []
