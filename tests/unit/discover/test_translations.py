"""Posts in other languages, as declared by pages."""

from __future__ import annotations

from posterity.discover.links import page_links, translated_posts
from posterity.dom import parse
from posterity.urls import Scope, post_pattern

BASE = "https://blog.example"
NAMES = ("tides", "bread", "salt")
PATTERN = post_pattern(f"{BASE}/posts/{name}/" for name in NAMES)


def _found(head: str) -> dict[str, list[str]]:
    pages = [parse(head.format(name=name), f"{BASE}/posts/{name}/") for name in NAMES]
    return translated_posts(pages, Scope.of(f"{BASE}/"), PATTERN)


def test_declared_translations_are_given_by_language() -> None:
    head = (
        "<link rel=alternate hreflang=en href=/posts/{name}/><link rel=alternate hreflang=fr href=/fr/posts/{name}/>"
        "<link rel=alternate hreflang=fr type=application/rss+xml href=/fr/feed.xml>"
    )
    assert _found(head) == {"fr": [f"{BASE}/fr/posts/{name}/" for name in NAMES]}


def test_other_hosts_and_the_one_front_page_of_a_language_are_no_translations() -> None:
    assert (
        _found("<link rel=alternate hreflang=fr href=https://fr.example/{name}/><a hreflang=de href=/de/>de</a>") == {}
    )


def test_more_languages_than_one_person_writes_are_a_machines() -> None:
    links = (f"<link rel=alternate hreflang={code} href=/{code}/{{name}}/>" for code in ("fr", "de", "es", "it"))
    assert _found("".join(links)) == {}


def test_page_leads_to_itself_in_another_language() -> None:
    page = parse(
        "<link rel=alternate hreflang=fr href=/fr/tides/><link rel=alternate href=/feed.xml>", f"{BASE}/tides/"
    )
    assert page_links(page) == [f"{BASE}/fr/tides/"]
