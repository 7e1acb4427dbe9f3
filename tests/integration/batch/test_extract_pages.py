"""`posterity.extract_pages` from Python: any source in, results in order, problems as values."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import posterity
from posterity.errors import InputError, Unreachable, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Response, Web

WORDS = "The tide comes in twice a day, and the harbour master writes it down in a book that nobody reads. "


def html(title: str) -> str:
    return f"<html lang=en><title>{title}</title><body><article><h1>{title}</h1><p>{WORDS * 8}</p></article>"


def titles(results: list[posterity.PageResult]) -> list[str | None]:
    return [post.title for result in results for post in result.posts]


def test_every_kind_of_source_gives_results_in_order(
    tmp_path: Path, serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "second.html").write_text(html("Second"))
    (tmp_path / "first.html").write_text(html("First"))
    line = {"id": "n1", "url": "https://blog.example/third/", "html": html("Third")}
    (tmp_path / "pages.jsonl").write_text(json.dumps(line))
    web = serve({"/": response(html("Fourth"))})
    given: list[str | Path] = [
        tmp_path / "first.html",
        tmp_path / "folder",
        tmp_path / "pages.jsonl",
        f"{web.base_url}/",
    ]
    results = list(posterity.extract_pages(given))
    assert titles(results) == ["First", "Second", "Third", "Fourth"]
    assert results[2].posts[0].id == "n1"


def test_one_name_needs_no_list(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(html("On tides"))
    assert titles(list(posterity.extract_pages(tmp_path / "page.html"))) == ["On tides"]
    assert titles(list(posterity.extract_pages(str(tmp_path / "page.html"), method="bte"))) == [None]


def test_page_that_cannot_be_read_is_a_value_and_the_others_go_on(
    tmp_path: Path, serve: Callable[[dict[str, Response]], Web]
) -> None:
    (tmp_path / "page.html").write_text(html("On tides"))
    web = serve({})
    results = list(posterity.extract_pages([tmp_path / "none.html", f"{web.base_url}/gone/", tmp_path / "page.html"]))
    assert [type(result.problem) for result in results] == [InputError, Unreachable, type(None)]
    assert titles(results) == ["On tides"]


def test_wrong_arguments_are_raised(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(html("On tides"))
    with pytest.raises(InputError, match="no method"):
        list(posterity.extract_pages(tmp_path / "page.html", method="nonsense"))
    with pytest.raises(UsageError, match="only with URLs"):
        list(posterity.extract_pages(tmp_path / "page.html", render="always"))


def test_demanded_confidence_leaves_fields_out(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(html("On tides"))
    results = list(posterity.extract_pages(tmp_path / "page.html", min_confidence={"title": 1.01}))
    assert titles(results) == [None]
