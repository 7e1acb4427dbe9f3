"""Subtitle, series, cover picture and minutes of reading, where a page has them."""

from __future__ import annotations

from html import escape

import msgspec
import pytest

import posterity
from posterity.archive.history import fingerprint, is_same_content
from posterity.dom import parse
from posterity.extraction.details import details_on, site_pictures, with_cover
from posterity.model import Media, Post

URL = "https://blog.example/2021/03/tides/"
TEXT = "<p>The tide comes in twice a day, and the boats lie dry in between for some hours.</p>" * 4


def page(head: str = "", header: str = "", behind: str = "") -> str:
    return (
        f"<!doctype html><html lang=en><head><title>Tides - Harbour notes</title>{head}</head><body>"
        f"<div class=site-title><a href=/>Harbour notes</a></div><article><header><h1>Tides</h1>{header}</header>"
        f"<div class=entry-content>{TEXT}</div>{behind}</article></body></html>"
    )


def found(html: str, name: str) -> object:
    return details_on(parse(html, URL), "Tides").get(name, (None,))[0]


@pytest.mark.parametrize(
    ("header", "subtitle"),
    [
        ("<p class=post-subtitle>How the harbour falls dry</p>", "How the harbour falls dry"),
        ('<h2 class="c-entry__dek">How the harbour falls dry</h2>', "How the harbour falls dry"),
        ("<div class=article-intro><p>How the harbour falls dry</p></div>", "How the harbour falls dry"),
        ("<p class=post-subtitle>4 March 2021</p>", None),
        ("<p class=post-subtitle>by Ada Lovelace</p>", None),
        ("<p class=post-subtitle>5 min read</p>", None),
        ("<p class=subtitle>Tides</p>", None),
        ("<p class=site-subtitle>Notes from the harbour</p>", None),
        ("<a class=subtitle href=/sea>More about the sea</a>", None),
        ("<p>How the harbour falls dry</p>", None),
    ],
)
def test_subtitle_is_the_named_line_below_the_title(header: str, subtitle: str | None) -> None:
    assert found(page(header=header), "subtitle") == subtitle


def test_subtitle_is_the_other_line_of_a_group_of_headings() -> None:
    html = page().replace("<h1>Tides</h1>", "<hgroup><h1>Tides</h1><p>How the harbour falls dry</p></hgroup>")
    assert found(html, "subtitle") == "How the harbour falls dry"


def test_declared_subtitle() -> None:
    data = '{"@type": "BlogPosting", "headline": "Tides", "alternativeHeadline": "Why harbours fall &amp; rise"}'
    assert found(page(f"<script type='application/ld+json'>{data}</script>"), "subtitle") == "Why harbours fall & rise"


@pytest.mark.parametrize(
    ("html", "series"),
    [
        (page(header="<p>Part 2 of <a href=/series/the-sea/>The sea</a></p>"), "The sea"),
        (page(behind="<footer><a href=/series/the-sea/>The sea</a></footer>"), "The sea"),
        (page(header="<div class=post-series>Part of the series <a href=/s1>The sea</a></div>"), "The sea"),
        (page("<meta property=article:series content='The sea'>"), "The sea"),
        (page(header="<nav><a href=/series/the-sea/>The sea</a></nav>"), None),
        (page(behind="<a href=/series/the-sea/>The sea</a> <a href=/series/the-sky/>The sky</a>"), None),
        (page() + "<a href=/series/the-sea/>The sea</a>", None),
        (page(header="<a href=/ada>Ada</a>").replace("<article", "<article class='category-sea-series'"), None),
    ],
)
def test_series_is_linked_or_named_beside_the_post(html: str, series: str | None) -> None:
    assert found(html, "series") == series


@pytest.mark.parametrize(("kind", "series"), [("CreativeWorkSeries", "The sea"), ("Blog", None)])
def test_declared_series_is_no_blog(kind: str, series: str | None) -> None:
    data = f'{{"@type": "BlogPosting", "headline": "Tides", "isPartOf": {{"@type": "{kind}", "name": "The sea"}}}}'
    assert found(page(f"<script type='application/ld+json'>{data}</script>"), "series") == series


@pytest.mark.parametrize(
    ("html", "minutes"),
    [
        (page(header="<span>5 min read</span>"), 5),
        (page(header="<span><b>12</b> min read</span>"), 12),
        (page(header="<span>Lesezeit: ca. 3 Minuten</span>"), 3),
        (page(header="<span>約 4 分で読めます</span>"), 4),
        (page(header="<span>阅读时间：6 分钟</span>"), 6),
        (page("<meta name=twitter:label2 content='Temps de lecture'><meta name=twitter:data2 content='7 minutes'>"), 7),
        (page("<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Ada'>"), None),
        (page("<meta itemprop=timeRequired content=PT1H5M>"), 65),
        (page(header="<p><span>4 March 2021</span>&nbsp;·&nbsp;8 min&nbsp;·&nbsp;Ada</p>"), 8),
        (page(header="<p>Cooking | 8 min | easy</p>"), None),
        (page(header="<span>The boat leaves in 5 minutes</span>"), None),
        (page(behind="<p>x</p>" * 60 + "<span>5 min read</span>"), None),
    ],
)
def test_minutes_of_reading_are_those_that_the_page_gives(html: str, minutes: int | None) -> None:
    assert found(html, "reading_minutes") == minutes


@pytest.mark.parametrize(
    ("head", "cover"),
    [
        ("<meta property=og:image content=/img/boats.jpg>", "https://blog.example/img/boats.jpg"),
        ("<meta name=twitter:image content=https://cdn.example/boats.jpg>", "https://cdn.example/boats.jpg"),
        ("<meta property=og:image content=/img/site-logo.png>", None),
        ("<meta property=og:image content=/img/default.png>", None),
        ("", None),
    ],
)
def test_cover_is_the_declared_picture(head: str, cover: str | None) -> None:
    assert found(page(head), "cover") == cover


def test_cover_that_the_page_shows_is_surer() -> None:
    head = "<meta property=og:image content=/img/boats.jpg?w=1200>"
    alone = details_on(parse(page(head), URL), "Tides")["cover"][1]
    shown = details_on(parse(page(head, "<img src=/img/boats-300x200.jpg>"), URL), "Tides")["cover"][1]
    assert (alone.node, shown.node is not None) == (None, True)
    assert shown.confidence > alone.confidence


def test_cover_without_a_declaration_is_the_named_picture_of_the_post() -> None:
    html = page(header="<figure class=entry-cover><img src=/img/boats.jpg></figure>")
    assert found(html, "cover") == "https://blog.example/img/boats.jpg"
    other = (
        "<div class=related><img class=wp-post-image src=/img/sky.jpg></div><img class=wp-post-image src=/img/sea.jpg>"
    )
    assert found(page() + other, "cover") is None


def test_picture_of_several_pages_is_the_sites() -> None:
    pages = [
        parse(page(f"<meta property=og:image content=/img/{name}.jpg>"), URL) for name in ("a", "harbour", "harbour")
    ]
    assert site_pictures(pages) == ("https://blog.example/img/harbour.jpg",)


def test_cover_is_one_of_the_media_once() -> None:
    shown = (Media(url="https://blog.example/img/boats-300x200.jpg"),)
    assert with_cover(shown, "https://blog.example/img/boats.jpg") == shown
    assert [each.url for each in with_cover(shown, "https://blog.example/sea.jpg")] == [
        "https://blog.example/img/boats-300x200.jpg", "https://blog.example/sea.jpg"
    ]  # fmt: skip


def test_details_are_in_the_record_with_their_origin() -> None:
    post = posterity.extract(
        page("<meta property=og:image content=/img/boats.jpg>", "<p class=subtitle>Why boats lie dry</p>4 min read"),
        URL,
    )
    assert post is not None
    assert (post.subtitle, post.reading_minutes, post.cover) == (
        "Why boats lie dry", 4, "https://blog.example/img/boats.jpg"
    )  # fmt: skip
    assert post.media[-1].url == post.cover
    assert {"subtitle", "reading_minutes", "cover"} <= post.provenance.keys()
    assert post.series is None


def test_pages_of_a_blog_have_their_own_covers_only() -> None:
    names = [f"Post {letter}" for letter in "ABCDEF"]
    urls = {name: f"https://blog.example/{name[-1].lower()}/" for name in names}
    pages = {
        urls[name]: page(f"<meta property=og:image content=/img/{'harbour' if name < 'Post E' else name[-1]}.jpg>")
        .replace("Tides", name)
        .replace("The tide", f"The tide of {name}")
        for name in names
    }
    items = "".join(
        f"<item><title>{name}</title><link>{urls[name]}</link><description><![CDATA["
        f"{TEXT.replace('The tide', f'The tide of {name}')}]]></description></item>"
        for name in names
    )
    rules = posterity.learn(f"<rss version='2.0'><channel>{items}</channel></rss>".encode(), pages)
    posts = [rules.extract(html, url) for url, html in pages.items()]
    assert [post and post.cover for post in posts] == [None] * 4 + [
        f"https://blog.example/img/{letter}.jpg" for letter in "EF"
    ]


def test_digest_of_a_record_without_details_is_that_of_earlier_versions() -> None:
    post = Post(id="p1", url=URL, title="Tides", text='x,"series":null')
    assert fingerprint(post) == "a22b3f0ac3963cfe39c7082bd52c7aa5"
    assert fingerprint(Post(id="p1", url=URL, title="Tides", text='x,"series":null', series="Sea")) != fingerprint(post)


def test_cover_of_a_record_from_an_earlier_version_is_no_edit() -> None:
    media = (Media(url="https://blog.example/img/boats.jpg"),)
    before = Post(id="p1", url=URL, title="Tides", text="The tide comes in.", media=media)
    cover = "https://blog.example/img/harbour.jpg"
    after = msgspec.structs.replace(before, cover=cover, subtitle="Why boats lie dry", media=with_cover(media, cover))
    assert is_same_content(before, after)
    assert not is_same_content(before, msgspec.structs.replace(after, media=(Media(url=cover), Media(url=URL))))


def test_picture_that_a_new_theme_declares_as_the_cover_is_no_edit() -> None:
    picture = "https://blog.example/harbour.jpg?a=1&b=2"
    html = f'<p><img src="{escape(picture)}"></p>'
    before = Post(id="p1", url=URL, title="Tides", text="x", html=html, media=(Media(url=picture),))
    assert is_same_content(before, msgspec.structs.replace(before, cover=picture))
    assert not is_same_content(before, Post(id="p1", url=URL, title="Tides", text="x", html="<p>x</p>", cover=picture))
