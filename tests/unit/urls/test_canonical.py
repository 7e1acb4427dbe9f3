"""Different spellings have the same canonical URL."""

from __future__ import annotations

import pytest

from posterity.urls import canonical_url, is_http_url, with_scheme
from posterity.urls.kinds import place_key


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTP://Blog.Example/A/", "http://blog.example/A/"),
        ("http://blog.example", "http://blog.example/"),
        ("https://https://blog.example/a", "https://blog.example/a"),
        ("http://blog.example:80/a", "http://blog.example/a"),
        ("https://blog.example:443/a", "https://blog.example/a"),
        ("http://blog.example:443/a", "http://blog.example:443/a"),
        ("http://127.0.0.1:8080/a", "http://127.0.0.1:8080/a"),
        ("http://blog.example/a#comments", "http://blog.example/a"),
        ("http://blog.example/a/./b/../c/", "http://blog.example/a/c/"),
        ("http://blog.example/../../a", "http://blog.example/a"),
        ("http://blog.example//2021//tides/", "http://blog.example/2021/tides/"),
        ("http://archive.example/web/http://blog.example/", "http://archive.example/web/http://blog.example/"),
        ("http://blog.example/a/..", "http://blog.example/"),
        ("http://blog.example/a/index.html", "http://blog.example/a/"),
        ("http://blog.example/a/index.html?p=12", "http://blog.example/a/?p=12"),
        ("http://blog.example/index.php", "http://blog.example/"),
        ("http://blog.example/index.php?utm_source=x", "http://blog.example/"),
        ("http://blog.example/index.php?id=12", "http://blog.example/index.php?id=12"),
        ("http://blog.example/a/.", "http://blog.example/a/"),
        ("http://blog.example/.well-known/x", "http://blog.example/.well-known/x"),
        ("http://blog.example/?b=2&a=1", "http://blog.example/?a=1&b=2"),
        ("http://blog.example/a?", "http://blog.example/a"),
        ("http://blog.example/wiki.pl?SaltAndStone", "http://blog.example/wiki.pl?SaltAndStone"),
        ("http://blog.example/a?fbclid", "http://blog.example/a"),
        ("  http://blog.example/a \n", "http://blog.example/a"),
        ("http://blog.example/a\n/b", "http://blog.example/a/b"),
        ("http://blog.example/%7euser/caf%c3%a9", "http://blog.example/~user/caf%C3%A9"),
        ("http://blog.example/café", "http://blog.example/caf%C3%A9"),
        ("http://blog.example/a b", "http://blog.example/a%20b"),
    ],
)
def test_canonical_form(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical


@pytest.mark.parametrize(
    "parameter", ["utm_source=rss", "utm_medium=feed", "fbclid=x", "gclid=x", "UTM_Campaign=y", "_ga=1", "mc_cid=1"]
)
def test_tracking_parameters_go(parameter: str) -> None:
    assert canonical_url(f"http://blog.example/?p=12&{parameter}") == "http://blog.example/?p=12"
    assert canonical_url(f"http://blog.example/a?{parameter}") == "http://blog.example/a"


@pytest.mark.parametrize(
    "parameter",
    [
        "PHPSESSID=x",
        "jsessionid=0A1B",
        "ASPSESSIONIDQQCSBRTD=x",
        "CFID=1&CFTOKEN=2",
        "sid=9f86d081884c7d659a2feaa0",
        "session_id=9f86d081884c7d65",
    ],
)
def test_session_ids_go(parameter: str) -> None:
    assert canonical_url(f"http://blog.example/?p=12&{parameter}") == "http://blog.example/?p=12"


@pytest.mark.parametrize("parameter", ["sid=12", "s=tides", "session=winter", "sid=the-story-of-a-long-winter"])
def test_short_names_with_words_or_numbers_are_no_session_ids(parameter: str) -> None:
    assert canonical_url(f"http://blog.example/?{parameter}") == f"http://blog.example/?{parameter}"


@pytest.mark.parametrize("session", [";jsessionid=0A1B", ";sid=x", ";PHPSESSID=x"])
def test_session_ids_in_the_path_go(session: str) -> None:
    assert canonical_url(f"http://blog.example/a{session}?p=12") == "http://blog.example/a?p=12"


@pytest.mark.parametrize("query", ["p=123", "page_id=4", "gallery=2", "utm=1", "reference=x"])
def test_parameters_that_say_what_is_shown_stay(query: str) -> None:
    assert canonical_url(f"http://blog.example/?{query}") == f"http://blog.example/?{query}"


def test_trailing_slash_makes_a_difference() -> None:
    assert canonical_url("http://blog.example/a") != canonical_url("http://blog.example/a/")


@pytest.mark.parametrize(
    ("link", "full"),
    [
        ("../b/", "http://blog.example/2021/b/"),
        ("/c", "http://blog.example/c"),
        ("//cdn.example/x", "http://cdn.example/x"),
        ("?p=2", "http://blog.example/2021/a/?p=2"),
        ("https://other.example/", "https://other.example/"),
    ],
)
def test_relative_links_are_made_absolute(link: str, full: str) -> None:
    assert canonical_url(link, "http://blog.example/2021/a/") == full


@pytest.mark.parametrize("url", ["http://[::1", "http://[x]/"])
def test_unreadable_address_stays_as_it_is(url: str) -> None:
    assert canonical_url(url) == url


@pytest.mark.parametrize(
    ("url", "response"),
    [
        ("http://blog.example/", True),
        ("https://x", True),
        ("ftp://blog.example/", False),
        ("blog.example", False),
        ("http://", False),
        ("mailto:a@b.example", False),
        ("http://[::1", False),
        ("", False),
    ],
)
def test_only_web_addresses_with_a_host_can_be_fetched(url: str, response: bool) -> None:
    assert is_http_url(url) is response


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("blog.example/a", "https://blog.example/a"),
        ("localhost:4000", "http://localhost:4000"),
        ("127.0.0.1:8000/x", "http://127.0.0.1:8000/x"),
        ("my.localhost/", "http://my.localhost/"),
        ("//blog.example/", "https://blog.example/"),
        (" http://blog.example/ ", "http://blog.example/"),
    ],
)
def test_address_typed_without_a_scheme(typed: str, meant: str) -> None:
    assert with_scheme(typed) == meant


def test_no_address_stays_none() -> None:
    assert canonical_url("") == canonical_url(" ") == ""
    assert canonical_url("", "https://x.example/a") == "https://x.example/a"


def test_program_of_a_folder_is_the_same_place_as_the_folder_asked_for_the_same() -> None:
    assert place_key("http://blog.example/index.php?p=12") == place_key("http://www.blog.example/?p=12")
