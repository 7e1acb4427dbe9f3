"""What stands between blocks of the article belongs to it: headings, lists of links, captions, galleries."""

from __future__ import annotations

import pytest

import posterity

URL = "https://blog.example/2024/harbour/"
SENTENCES = [
    "The harbour is quiet in the morning, and the boats come back with what the night has given them.",
    "Nobody had told us about the old crane, so we went down to the quay and asked those who mend the nets.",
    "It was built before the war, they said, and it has lifted everything from coal to a grand piano.",
    "In the end we stayed until the evening, and wrote it all down for those who will come after us.",
]
PAGE = """<html><head><title>The harbour - A blog</title></head><body><div id=top><a href="/">A blog</a></div>
<ul class=menu><li><a href="/a">Archive</a></li><li><a href="/b">About</a></li></ul>
<div class=entry><h1>The harbour</h1><div class=entry-content>{}</div></div><div id=foot>Imprint</div></body></html>"""


def record(*parts: str) -> posterity.Post:
    paragraphs = [f"<p>{sentence}</p>" for sentence in SENTENCES]
    middle = "".join(parts)
    post = posterity.extract(PAGE.format("".join([*paragraphs[:2], middle, *paragraphs[2:]])), URL)
    assert post is not None
    return post


@pytest.mark.parametrize(
    ("part", "kept"),
    [
        pytest.param("<h3>Cons</h3>", "### Cons", id="short heading"),
        pytest.param(
            '<h3 class="anchor navbar">What is left</h3>', "### What is left", id="heading named after its permalink"
        ),
        pytest.param(
            '<ul><li><a href="https://a.example/">One</a></li><li><a href="https://b.example/">Two</a></li></ul>',
            "- [One](https://a.example/)\n- [Two](https://b.example/)",
            id="list of links",
        ),
        pytest.param(
            '<figure><img src="/crane.jpg" alt=""><figcaption>The crane</figcaption></figure>',
            "![](https://blog.example/crane.jpg)\n\nThe crane",
            id="figure with a caption",
        ),
    ],
)
def test_what_stands_between_paragraphs_is_kept(part: str, kept: str) -> None:
    assert kept in (record(part).markdown or "")


def test_gallery_named_like_related_posts_is_kept() -> None:
    pictures = "".join(f'<a class="popup" href="/large-{n}.jpg"><img src="/small-{n}.jpg"></a>' for n in range(3))
    media = [medium.url for medium in record(f'<div class="grid cards">{pictures}</div>').media]
    assert media == [f"https://blog.example/small-{n}.jpg" for n in range(3)]


def test_pictures_of_related_posts_are_left_out() -> None:
    pictures = "".join(f'<a href="/post-{n}/"><img src="/small-{n}.jpg"></a>' for n in range(3))
    assert record(f'<div class="related">{pictures}</div>').media == ()


def test_picture_beside_the_only_paragraph_is_kept() -> None:
    page = PAGE.format(f'<p><a href="https://a.example/"><img src="/a.jpg"></a></p><p>{" ".join(SENTENCES)}</p>')
    post = posterity.extract(page, URL)
    assert post is not None
    assert [medium.url for medium in post.media] == ["https://blog.example/a.jpg"]


def test_heading_that_a_table_of_contents_repeats_is_kept() -> None:
    title = "Everything that the old crane at the quay has lifted"
    markdown = record(f'<ul><li><a href="#lifted">{title}</a></li></ul>', f'<h2 id="lifted">{title}</h2>').markdown
    assert f"## {title}" in (markdown or "")


LINKS = "<ul><li><a href='https://a.example/'>One</a></li><li><a href='https://b.example/'>Two</a></li></ul>"


def text_behind(part: str) -> str:
    paragraphs = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    post = posterity.extract(PAGE.format(paragraphs + part), URL)
    assert post is not None
    return post.markdown or ""


def test_list_of_sources_behind_the_last_heading_is_kept() -> None:
    written = text_behind(f"<h2>References of this post</h2>{LINKS}")
    assert "- [One](https://a.example/)\n- [Two](https://b.example/)" in written


def test_list_of_related_posts_behind_the_article_is_left_out() -> None:
    assert "One" not in text_behind(f"<div class=related><h3>Related posts</h3>{LINKS}</div>")


def test_footnotes_that_the_article_links_to_are_kept() -> None:
    noted = "".join(f"<p>{sentence}<sup><a href='#fn{n}'>{n}</a></sup></p>" for n, sentence in enumerate(SENTENCES, 1))
    notes = "".join(f"<li id=fn{n}><a href='https://a.example/{n}'>a.example/{n}</a></li>" for n in range(1, 5))
    post = posterity.extract(PAGE.format(f"{noted}<section class=notes><ol>{notes}</ol></section>"), URL)
    assert post is not None
    assert "[^4]: [a.example/4](https://a.example/4)" in (post.markdown or "")


def test_card_of_a_link_between_paragraphs_is_kept() -> None:
    card = (
        "<div class=linkcard><a href='https://a.example/'><div><div>a.example</div><div>A page about cranes</div>"
        "</div></a></div>"
    )
    assert "](https://a.example/)" in (record(card).markdown or "")


def test_caption_behind_the_last_paragraph_keeps_its_picture() -> None:
    figure = "<div class=wp-caption><a href='/large.jpg'><img src='/a.jpg'></a><p>The old crane by night.</p></div>"
    assert "![](https://blog.example/a.jpg)" in text_behind(figure)
