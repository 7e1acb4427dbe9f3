"""The location of a page's raw record, as one word."""

from datetime import UTC, datetime

import pytest

from posterity.model import Page, WarcPointer
from posterity.model.page import page_type


def test_pointer_prints_as_file_and_offset() -> None:
    assert str(WarcPointer("b1-2021.warc.gz", 1234, "urn:uuid:1")) == "b1-2021.warc.gz#1234"


@pytest.mark.parametrize("kind", ["application/octet-stream", "text/plain; charset=utf-8", "Binary/Octet-Stream"])
@pytest.mark.parametrize("start", ["<!DOCTYPE html>", "\n <html lang=en>", "\ufeff<!-- saved from x -->\n<html>"])
def test_page_of_unknown_type_is_html_if_it_begins_so(kind: str, start: str) -> None:
    assert page_type(kind, f"{start}<p>Salt".encode()) == "text/html"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/octet-stream", b"PK\x03\x04<html>"),
        ("text/plain", b"The element <html> is the root."),
        ("application/pdf", b"<html>"),
        ("image/svg+xml", b"<!doctype html>"),
        ("", b"<html>"),
    ],
)
def test_type_that_the_server_knows_stays(kind: str, body: bytes) -> None:
    assert page_type(kind, body) == kind


@pytest.mark.parametrize(
    ("kind", "is_html"),
    [("text/html; charset=utf-8", True), ("application/XHTML+xml", True), ("", True), ("application/pdf", False)],
)
def test_page_is_html_by_its_type(kind: str, is_html: bool) -> None:
    page = Page(
        url="http://blog.example/", requested_url="http://blog.example/", status=200, content_type=kind, body=b"x",
        fetched_at=datetime(2021, 3, 12, tzinfo=UTC),
    )  # fmt: skip
    assert page.is_html is is_html
