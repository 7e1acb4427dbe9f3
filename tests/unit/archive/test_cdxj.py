"""SURT keys agree with cdxj-indexer 1.5, from which the expected values are."""

from __future__ import annotations

import json

import pytest

from posterity.archive.captures import Capture, cdxj_line, surt


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.salt.example/A/b?z=1&a=2", "example,salt)/a/b?a=2&z=1"),
        ("http://salt.example", "example,salt)/"),
        ("http://salt.example/a/?b=1", "example,salt)/a?b=1"),
        ("http://salt.example:8080/x", "example,salt:8080)/x"),
        ("https://salt.example:443/x", "example,salt)/x"),
        ("http://www2.salt.example/", "example,salt)/"),
        ("http://127.0.0.1:8000/x", "1,0,0,127:8000)/x"),
        ("https://x.example/a//b/../c/./d", "example,x)/a/c/d"),
        ("https://x.example/ü?q=é", "example,x)/%c3%bc?q=%c3%a9"),
        ("https://x.example/a%20b;jsessionid=ABC", "example,x)/a%20b;jsessionid=abc"),
        ("urn:screenshot:https://x.example/", "urn:screenshot:https://x.example/"),
        ("http://[broken/", "http://[broken/"),
    ],
)
def test_surt(url: str, key: str) -> None:
    assert surt(url) == key


def test_a_line_has_key_time_and_the_seven_facts() -> None:
    capture = Capture(
        record_id="<urn:x>",
        kind="revisit",
        url="https://x.example/a b",
        fetched_at="2021-03-12T12:00:00.123456Z",
        status=200,
        mime="text/html",
        digest="sha256:00",
        file="b.warc.gz",
        offset=12,
        length=34,
    )
    key, time, facts = cdxj_line(capture).split(" ", 2)
    assert (key, time) == ("example,x)/a%20b", "20210312120000")
    assert json.loads(facts) == {
        "url": "https://x.example/a b",
        "mime": "warc/revisit",
        "status": "200",
        "digest": "sha256:00",
        "length": "34",
        "offset": "12",
        "filename": "b.warc.gz",
    }
