"""The export format follows from the file name if that is unambiguous."""

from __future__ import annotations

import pytest

from posterity.errors import UsageError
from posterity.export.formats import FORMATS, format_of


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("posts.jsonl", "jsonl"),
        ("posts.jsonl.gz", "jsonl"),
        ("posts", "jsonl"),
        ("-", "jsonl"),
        ("Table.CSV", "csv"),
        ("book.epub", "epub"),
        ("german.vert.gz", "vertical"),
        ("pages.warc.gz", "warc"),
        ("pages.warc", "warc"),
        ("appendix.html", "report"),
        ("tables.parquet", "parquet"),
        ("corpus.tei", "tei"),
        ("csv", "jsonl"),
    ],
)
def test_ending_tells_the_format(name: str, format_name: str) -> None:
    assert format_of(name) == format_name


def test_ending_that_several_formats_share_is_asked_about() -> None:
    with pytest.raises(UsageError, match="xml, tei, wxr"):
        format_of("blog.xml")


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"xml"}))
def test_every_format_can_be_meant_by_its_own_name(name: str) -> None:
    assert format_of(f"out.{name}") == name
