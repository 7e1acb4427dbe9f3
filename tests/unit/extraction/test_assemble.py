"""From the node chosen by a method to the fields of the record."""

from __future__ import annotations

from posterity.dom import parse
from posterity.extraction.record import article_fields, media_of, post_from
from posterity.model import Media, Provenance
from posterity.urls import post_id

URL = "http://blog.example/2021/tides/"
PAGE = """<html lang=en><head><link rel=canonical href="/2021/tides/"></head><body>
<article><p>The <b>tide</b>, <a href="/b/">see b</a>.</p>
<img src="a.png" alt=" A boat "><img src="a.png" alt="again"><video src="/film.mp4"></video>
<aside>share <a href="/s/">s</a><img src="s.png"></aside></article>"""


def test_text_html_and_markdown_are_of_the_same_subtree() -> None:
    document = parse(PAGE, URL)
    tree = document.tree
    fields = article_fields(
        tree, document.base_url, tree.nodes_by_tag["article"][0], frozenset(tree.nodes_by_tag["aside"])
    )
    assert fields["text"] == "The tide, see b."
    assert fields["markdown"].startswith("The **tide**, [see b](http://blog.example/b/).")
    assert "<b>tide</b>" in fields["html"]
    assert fields["links"] == ("http://blog.example/b/",)
    assert "share" not in fields["text"] + fields["html"] + fields["markdown"]


def test_media_come_once_with_their_words() -> None:
    tree = parse(PAGE, URL).tree
    skip = frozenset(tree.nodes_by_tag["aside"])
    assert media_of(tree, URL, skip=skip) == (
        Media(url=f"{URL}a.png", alt="A boat"),
        Media(url="http://blog.example/film.mp4", kind="video"),
    )


def test_record_has_the_address_that_the_page_declares() -> None:
    provenance = {"text": Provenance(method="feed", confidence=0.9)}
    post = post_from(parse(PAGE, "http://blog.example/2021/tides/?utm_source=x&print=1"), {"text": "x"}, provenance)
    assert post.url == "http://blog.example/2021/tides/?print=1"
    assert post.canonical_url == URL
    assert post.id == post_id(URL)
    assert (post.language, post.text, post.provenance) == ("en", "x", provenance)


def test_page_that_declares_nothing_is_known_by_its_own_address() -> None:
    post = post_from(parse("<p>x", "HTTP://Blog.Example:80/a"), {}, {})
    assert post.url == post.canonical_url == "http://blog.example/a"
    assert post.id == post_id("https://www.blog.example/a")


def test_description_of_the_page_is_its_summary() -> None:
    page = parse('<head><meta name="description" content=" Salt,\n bread. "></head><body><p>Text</p></body>', URL)
    post = post_from(page, {"text": "Text"}, {})
    assert post.summary == "Salt, bread."
    assert post.provenance["summary"].method == "declared"


def test_the_language_of_the_text_overrules_the_declared_one() -> None:
    text = "На прошлой неделе мы шли вдоль реки к старой мельнице, и на обратном пути начался сильный дождь. " * 2
    post = post_from(parse('<html lang="en"><p>x', "http://b.example/1"), {"text": text}, {})
    assert (post.language, post.language_declared) == ("ru", "en")
    assert post.provenance["language"].method == "language-id"


def test_language_is_that_of_the_text_if_the_page_declares_none() -> None:
    text = "Gestern liefen wir am Fluss entlang zur alten Mühle, und auf dem Rückweg begann ein starker Regen. " * 3
    page = parse("<p>x", "http://b.example/1")
    post = post_from(page, {"text": text}, {})
    assert (post.language, post.language_declared) == ("de", None)
    assert post.provenance["language"].method == "language-id"
    assert post_from(page, {"text": text[:99]}, {}).language is None
