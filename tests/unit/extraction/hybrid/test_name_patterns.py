"""Kinds of elements by their names."""

from __future__ import annotations

import pytest

from posterity.extraction.hybrid.candidates import name_patterns_in, names_of


@pytest.mark.parametrize(
    ("names", "mark"),
    [
        ("entry-author-name", "author-name"),
        ("posted-by", "byline"),
        ("creator", "author"),
        ("about-author", "about-author"),
        ("redaktion", "some-author"),
        ("h-card", "vcard"),
        ("nickname", "vcard"),
        ("fn org", "vcard"),
        ("display-name", "user"),
        ("journalist", "contributor"),
    ],
)
def test_names_of_authors_are_known(names: str, mark: str) -> None:
    marks = name_patterns_in(names)
    assert marks is not None
    assert mark in marks.author


@pytest.mark.parametrize(
    ("names", "mark"),
    [
        ("dt-published", "published"),
        ("veroeffentlicht", "published"),
        ("last-modified", "updated"),
        ("aktualisiert", "updated"),
        ("entry-date", "entry-date"),
        ("post-meta", "date"),
        ("fecha", "date"),
        ("timeago", "some-date"),
    ],
)
def test_names_of_dates_are_known(names: str, mark: str) -> None:
    marks = name_patterns_in(names)
    assert marks is not None
    assert mark in marks.date


@pytest.mark.parametrize("name", ["fn-1", "fn:note", "user-content-fn-2"])
def test_ids_of_footnotes_are_no_names_of_authors(name: str) -> None:
    marks = name_patterns_in(name)
    assert marks is None or "vcard" not in marks.author


def test_names_of_other_things_are_no_marks() -> None:
    names = names_of({"class": "Wide Column", "id": "left", "href": "/author/"})
    assert names == "wide column left"
    assert name_patterns_in(names) is None
