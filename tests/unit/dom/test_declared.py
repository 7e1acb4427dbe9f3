"""The URL that a page declares."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.dom.document import declared_url


@pytest.mark.parametrize(
    ("head", "address"),
    [
        ('<link rel="canonical" href="http://blog.example/a/">', "http://blog.example/a/"),
        ('<link rel=canonical href="/a/?utm_source=x#top">', "http://blog.example/a/"),
        ('<link rel=canonical href="">', None),
        ('<link rel=canonical href="javascript:x">', None),
        ('<link rel=alternate href="/a/">', None),
        ("", None),
    ],
)
def test_declared_address_is_canonical_or_none(head: str, address: str | None) -> None:
    assert declared_url(parse(f"<head>{head}</head>", "http://blog.example/?p=3")) == address
