"""Connection errors as sentences, and the rules of robots.txt by status."""

from __future__ import annotations

import socket
import ssl
from http.client import BadStatusLine

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from posterity.http_client import connection_problem, robots_rules


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (socket.gaierror(-2, "Name or service not known"), "The host blog.example does not exist"),
        (ConnectionRefusedError(111, "Connection refused"), "blog.example refused the connection"),
        (TimeoutError("timed out"), "blog.example does not respond in time. Try again later."),
        (BadStatusLine("\x00\x01garbage\r\n"), "is not a web server (BadStatusLine)"),
        (ConnectionResetError(104, "Connection reset by peer"), "closed the connection"),
        (ssl.SSLError(1, "certificate verify failed"), "certificate verify failed. Check the URL"),
    ],
)
def test_every_failure_has_a_sentence_without_error_numbers(problem: Exception, words: str) -> None:
    sentence = connection_problem(problem, "blog.example")
    assert words in sentence
    assert "Errno" not in sentence
    assert sentence.isprintable()


@pytest.mark.parametrize(("status", "allowed"), [(200, False), (404, True), (403, True), (500, None), (503, None)])
def test_robots_rules_depend_on_the_status(status: int, allowed: bool | None) -> None:
    rules = robots_rules(status, b"User-agent: *\nDisallow: /", "Posterity")
    assert (None if rules is None else rules.can_fetch("https://blog.example/", "Posterity")) is allowed


_AGENT = "Posterity/1.2 (+https://example.org/bot; Foo-bot)"
_FORBIDS = [
    "User-agent: *\nDisallow: /a",
    "User-agent: other\nUser-agent: *\nDisallow: /a",
    "User-agent: *\nUser-agent: other\nDisallow: /a",
    "User-agent: other\nDisallow: /\nUser-agent: *\nDisallow: /a",
    "User-agent: *\nDisallow: /a\nUser-agent: other\nDisallow: /",
    "User-agent: *\nDisallow: /b\nUser-agent: POSTERITY\nDisallow: /a",
    "User-agent: posterity\nDisallow: /a\nUser-agent: *\nDisallow: /",
    "user agent posterity # us\nDisallow: /a",
    "Useragent: poster*ity\nDisallow: /a\n\nUser-agent: *\nDisallow: /",
    "User-agent: posterity\nDisallow: /b\nUser-agent: x\nDisallow: /\nUser-agent: posterity\nDisallow: /a",
    "User-agent: bot\nDisallow: /\nUser-agent: *\nDisallow: /a",
    "User-agent: x\nDisallow: /\nUser-agent:\nDisallow: /b\nUser-agent: *\nDisallow: /a",
    "User-agent: *\nDisallow: /\nAllow: /\nAllow: /\nDisallow: /a\nDisallow: /a",
    "User-agent: *\nCrawl-delay: 1\nCrawl-delay: 2\nCrawl-delay: 1\nDisallow: /a\nSitemap: http://h/s\nDisallow: /a",
]


@pytest.mark.parametrize("text", _FORBIDS)
def test_rules_of_other_agents_change_nothing_for_ours(text: str) -> None:
    rules, whole = robots_rules(200, text.encode(), _AGENT), Protego.parse(text)
    assert rules is not None
    assert not rules.can_fetch("https://blog.example/a/1", _AGENT)
    for path in ("/", "/a", "/b", "/c"):
        url = f"https://blog.example{path}"
        assert rules.can_fetch(url, _AGENT) == whole.can_fetch(url, _AGENT)
    assert rules.crawl_delay(_AGENT) == whole.crawl_delay(_AGENT)
    assert list(rules.sitemaps) == list(whole.sitemaps)


_PATHS = [
    "/", "/a", "/a/b", "/ab", "/b/a", "/a/index.html", "/a?b=a", "/a%62", "/%61/b", "/a$", "/aa/ba/ab", "/a/b$", "/a*b",
    "/robots.txt", "/a/robots.txt?b", "//a", "/\u00e4/b", "", "/a#b", "/a%2Fb", "/a%2fb", "/2Fb",
]  # fmt: skip


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Allow", "Disallow"]),
            st.text(alphabet="/ab*$?=%26Ff\u00e4", max_size=7).map(lambda text: f"/{text}")
            | st.sampled_from(["*", "$", "*$", "/*/b*a$", "/a/index.html", "/**a", "a", "/a**", "*a*b*$"]),
        ),
        max_size=8,
    )
)
def test_indexed_patterns_decide_as_those_that_are_compared_one_by_one(rules: list[tuple[str, str]]) -> None:
    text = "User-agent: *\n" + "".join(f"{field}: {pattern}\n" for field, pattern in rules)
    indexed, whole = robots_rules(200, text.encode(), _AGENT), Protego.parse(text)
    assert indexed is not None
    for path in _PATHS:
        url = f"https://blog.example{path}"
        assert indexed.can_fetch(url, _AGENT) == whole.can_fetch(url, _AGENT), url
