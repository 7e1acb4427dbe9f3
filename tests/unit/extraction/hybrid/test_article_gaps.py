"""Headings, lists of links, captions and galleries between blocks of the article belong to it."""

from __future__ import annotations

import numpy as np
import pytest

import posterity
from posterity.dom import parse
from posterity.extraction.hybrid.article import drop_head, fill_gaps, take_cards, take_notes
from posterity.extraction.hybrid.blocks import BlockPage, Blocks, NameTable

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


def test_list_that_the_last_line_announces_is_kept_without_a_named_body() -> None:
    paragraphs = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    menu = "<div id=nav><a href=/>Home</a> <a href=/about>About</a></div>"
    foot = "<div id=footer>Copyright 2012 Harbour. All rights reserved.</div>"
    body = f"{menu}<div><h1>Boats</h1>{paragraphs}<p>Links about boats:</p>{LINKS}</div>{foot}"
    post = posterity.extract(f"<html><head><title>Boats</title></head><body>{body}</body></html>", URL)
    assert post is not None
    assert (post.text or "").endswith("Links about boats:\n\nOne\nTwo")


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


BOOKMARK = (
    '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://a.example/x"><div '
    'class="kg-bookmark-content"><div class="kg-bookmark-title">Cranes of the world</div><div '
    'class="kg-bookmark-description">All of them on one page.</div></div></a></figure>'
)


def test_card_named_bookmark_is_kept_with_its_description() -> None:
    markdown = record(BOOKMARK).markdown or ""
    assert "[Cranes of the world](https://a.example/x)" in markdown
    assert "All of them on one page." in markdown


def test_card_of_one_link_with_lines_is_kept() -> None:
    card = (
        '<div class="graf mixtapeEmbed"><a href="https://a.example/m"><strong>Cranes</strong><br><em>All of them.</em>'
        "a.example</a></div>"
    )
    assert "](https://a.example/m)" in (record(card).markdown or "")


def test_cards_to_several_pages_named_related_are_left_out() -> None:
    cards = BOOKMARK + BOOKMARK.replace("/x", "/y")
    assert "a.example" not in (record(f'<div class="related-posts">{cards}</div>').markdown or "")


def test_caption_behind_the_last_paragraph_keeps_its_picture() -> None:
    figure = "<div class=wp-caption><a href='/large.jpg'><img src='/a.jpg'></a><p>The old crane by night.</p></div>"
    assert "![](https://blog.example/a.jpg)" in text_behind(figure)


def in_sections(part: str) -> str:
    """An article divided into sections as Quarto does, with a part between the paragraphs of one of them."""
    paragraphs = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    section = f"<section class=level1><h2>Again</h2>{paragraphs}</section>"
    body = section * 2 + f"<section class=level1><h2>Then</h2><p>{SENTENCES[0]}</p>{part}{paragraphs}</section>"
    post = posterity.extract(PAGE.format(body), URL)
    assert post is not None
    return post.markdown or ""


def test_figure_in_a_section_is_kept_with_its_caption() -> None:
    figure = (
        "<div class=quarto-figure><figure><div><a href='/crane.png' class=lightbox><img src='/crane.png'></a></div>"
        "<figcaption class=caption-bottom>Figure 1</figcaption></figure></div>"
    )
    markdown = in_sections(figure)
    assert "![](https://blog.example/crane.png)" in markdown
    assert "Figure 1" in markdown


def test_table_of_short_cells_in_a_section_is_kept() -> None:
    rows = "".join(f"<tr class=header><td>Part {n}</td><td>{n}</td></tr>" for n in range(3))
    table = f"<table class=nav><tr><th>Part</th><th>No</th></tr>{rows}</table>"
    assert "| Part 2 | 2 |" in in_sections(table)


def test_related_list_in_a_figure_is_left_out() -> None:
    links = "".join(f"<li><a href='/other/{n}'>Other story {n}</a></li>" for n in range(4))
    assert "Other story" not in in_sections(f"<figure class=related><img src='/a.jpg'><ul>{links}</ul></figure>")


def test_video_whose_fallback_is_no_article_is_kept() -> None:
    video = (
        "<div class=nav-video><div><video><source src='/crane.mp4'><a href='/crane.mp4'>Download</a></video></div>"
        "</div>"
    )
    post = record(video)
    assert [medium.url for medium in post.media] == ["https://blog.example/crane.mp4"]
    assert "Download" not in post.text


def test_list_of_links_to_another_site_between_paragraphs_is_kept() -> None:
    assert "- [Two](https://b.example/)" in (record(LINKS).markdown or "")


def test_footnotes_without_links_to_them_are_kept() -> None:
    notes = "<div class=footnote>¹ <a href='https://a.example/'>a.example</a><br>² <a href='/crane'>The crane</a></div>"
    assert "The crane" in text_behind(f"</div><div class=sidebar>{notes}</div><div>")


def test_sentence_that_its_author_quotes_again_is_kept_twice() -> None:
    assert record(f"<blockquote><p>{SENTENCES[0]}</p></blockquote>").text.count(SENTENCES[0]) == 2


def test_article_that_a_page_carries_twice_is_taken_once() -> None:
    paragraphs = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    page = PAGE.format(f"<div class=wide>{paragraphs}</div><div class=narrow>{paragraphs}</div>")
    post = posterity.extract(page, URL)
    assert post is not None
    assert post.text.count(SENTENCES[0]) == 1


def figure(name: str, href: str = "") -> str:
    picture = f"<img src='/{name}.jpg'>"
    shown = f"<a href='{href}'>{picture}</a>" if href else picture
    return f"<figure class='kg-card kg-image-card'>{shown}<figcaption>via @{name}</figcaption></figure>"


def test_figures_of_a_page_named_related_are_kept_between_and_behind_its_paragraphs() -> None:
    written = "".join(f"<p>{sentence}</p>{figure(f'crane{n}')}" for n, sentence in enumerate(SENTENCES))
    page = PAGE.format(written + figure("last")).replace("<div class=entry>", "<div class='card-list entry'>")
    post = posterity.extract(page, URL)
    assert post is not None
    names = ["crane0", "crane1", "crane2", "crane3", "last"]
    assert [medium.url for medium in post.media] == [f"https://blog.example/{name}.jpg" for name in names]
    assert post.markdown is not None
    assert "via @last" in post.markdown
    assert "via @last" not in post.text, "a caption that only its place makes part of the article is no prose"


def test_figure_behind_the_article_that_advertises_another_site_is_left_out() -> None:
    assert "shop" not in text_behind(figure("shop", "https://shop.example/subscribe"))


def filled(html: str, likely: list[float]) -> list[bool]:
    """Return the blocks of the article with its gaps filled, given that those above .5 were chosen."""
    page = BlockPage(Blocks(parse(f"<html><body>{html}</body></html>").tree, NameTable({})))
    chances = np.array(likely, np.float32)
    chosen = chances > 0.5
    fill_gaps(chosen, page, chances)
    return [bool(taken) for taken in chosen]


@pytest.mark.parametrize(
    ("last", "is_kept"),
    [
        pytest.param("<p>Anna has written more about it.</p>", True, id="a sentence"),
        pytest.param("<p>More boats and nets</p>", False, id="no sentence"),
        pytest.param("<p><a href=/x>Anna has written more about it.</a></p>", False, id="a link"),
        pytest.param("<div><p>Anna has written more about it.</p></div>", False, id="in another element"),
    ],
)
def test_doubtful_sentence_behind_the_last_paragraph(last: str, is_kept: bool) -> None:
    assert filled(f"<div><p>{SENTENCES[0]}</p>{last}</div>", [0.9, 0.3]) == [True, is_kept]


@pytest.mark.parametrize(
    ("last", "is_kept"),
    [("<p>Anna knows.</p>", [True]), ("<h2>Nets</h2></div><div class=x><p>Anna knows.</p>", [True, True])],
)
def test_doubtful_end_in_the_same_wrappers_as_the_paragraphs_is_kept(last: str, is_kept: list[bool]) -> None:
    body = f"<div><div class=x><p>{SENTENCES[0]}</p></div><div class=x>{last}</div></div>"
    assert filled(body, [0.9, *(0.3 for _ in is_kept)]) == [True, *is_kept]


def test_list_is_kept_to_its_end() -> None:
    items = "".join(f"<li>Pier {number}</li>" for number in range(4))
    assert filled(f"<div><p>{SENTENCES[0]}</p><ul>{items}</ul></div>", [0.9, 0.6, 0.6, 0.3, 0.3]) == [True] * 5


@pytest.mark.parametrize(
    ("between", "likely", "is_kept"),
    [
        pytest.param("<h2>Cons</h2>", [0.9, 0.02, 0.9], True, id="above a paragraph"),
        pytest.param("<h2>Cons</h2><h3>Nets</h3>", [0.9, 0.02, 0.02, 0.9], True, id="above another heading"),
        pytest.param("<div><h2>Cons</h2><a href=/x>Buy</a></div>", [0.9, 0.02, 0.02, 0.9], False, id="of another part"),
        pytest.param("<h2>Cons</h2><p>Buy</p>", [0.9, 0.02, 0.02, 0.9], False, id="above what is left out"),
    ],
)
def test_unlikely_heading(between: str, likely: list[float], *, is_kept: bool) -> None:
    html = f"<div><p>{SENTENCES[0]}</p>{between}<p>{SENTENCES[1]}</p></div>"
    assert filled(html, likely) == [True, *[is_kept] * (len(likely) - 2), True]


def test_more_than_the_article_is_no_gap() -> None:
    between = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES[1:])
    html = f"<div><p>{SENTENCES[0]}</p>{between}<p>The end.</p></div>"
    assert filled(html, [0.9, 0.2, 0.2, 0.2, 0.9]) == [True, False, False, False, True]


FIRST, LAST = (f"<p>{sentence}</p>" for sentence in SENTENCES[:2])
CODE = '<figure class="highlight"><table><tr><td class="code"><pre><div>make</div></pre></td></tr></table></figure>'
LINE_OF_URL = '<p><a href="https://a.example/">https://a.example/</a></p>'


@pytest.mark.parametrize(
    ("html", "likely"),
    [
        pytest.param(
            f"<main><section class=level2><h2>One</h2>{FIRST}</section>"
            f"<section class=level2><h2>Two</h2>{LAST}</section></main>",
            [0.9, 0.9, 0.2, 0.9],
            id="first heading of a section",
        ),
        pytest.param(
            f"<main><section class=level2><h2>One</h2>{FIRST}</section>"
            f"<section class='level2 about'><h2>About</h2>{LAST}</section></main>",
            [0.9, 0.9, 0.2, 0.9],
            id="heading that its section is named after",
        ),
        pytest.param(f"<div>{FIRST}{CODE}<h2>Run it</h2>{CODE}{LAST}</div>", [0.9, 0.9, 0.2, 0.9, 0.9], id="by code"),
        pytest.param(
            f"<div class='card'><div>{FIRST}<h2>Two</h2>{LAST}</div></div>", [0.9, 0.2, 0.9], id="named around all"
        ),
        pytest.param(
            f"<div>{FIRST}<div><table><tr><th>Pier<th>Depth<tr><td>North<td>4 m</table></div>{LAST}</div>",
            [0.9, 0.3, 0.6, 0.3, 0.6, 0.9],
            id="other cells of a table",
        ),
        pytest.param(
            f"<div><div><table><tr><th>Pier<th>Depth<tr><td>North<td>4 m</table></div>{FIRST}{LAST}</div>",
            [0.3, 0.6, 0.3, 0.6, 0.9, 0.9],
            id="cells before the first of the article",
        ),
        pytest.param(
            f"<div>{FIRST}<div class=figure><p><img src=a.png></p><p>Figure 1: The crane</p></div>{LAST}</div>",
            [0.9, 0.05, 0.9],
            id="caption in what is called a figure",
        ),
        pytest.param(
            f"<div>{FIRST}<div class=lightbox><figure><div><a href=a.png><img src=a.png></a></div>"
            f"<figcaption>The crane</figcaption></figure></div>{LAST}<dl><dd><ol><li><p>{SENTENCES[2]}</p></dl></div>",
            [0.9, 0.05, 0.9, 0.9],
            id="caption in a lightbox",
        ),
        pytest.param(
            f"<div>{FIRST}<h2>References</h2>{LINKS}</div>", [0.9, 0.2, 0.06, 0.06], id="heading of a list of sources"
        ),
        pytest.param(
            f"<div>{FIRST}<h2>References</h2>{LINE_OF_URL}{LINE_OF_URL}</div>",
            [0.9, 0.2, 0.1, 0.1],
            id="heading of lines with URLs",
        ),
        pytest.param(
            f"<main><div class=text_cell>{FIRST}</div>"
            f"<div class=text_cell><h2>Two</h2><p>{SENTENCES[2]}</p></div>{LAST}</main>",
            [0.9, 0.2, 0.9, 0.9],
            id="heading in a cell of a notebook",
        ),
    ],
)
def test_doubtful_part_of_the_article_is_kept(html: str, likely: list[float]) -> None:
    assert filled(html, likely) == [True] * len(likely)


def test_heading_above_links_to_the_same_site_is_left_out_behind_the_article() -> None:
    links = "<ul><li><a href=/one>One</a></li><li><a href=/two>Two</a></li></ul>"
    assert filled(f"<div>{FIRST}<h2>More</h2>{links}</div>", [0.9, 0.2, 0.06, 0.06]) == [True, False, False, False]


def test_paragraph_after_a_nested_list_is_kept() -> None:
    body = "<p>It was late.</p><ul><li>Alpha<ul><li>one washer</li></ul></li></ul><p>Rain fell on the roof.</p>"
    assert filled(body, [0.9, 0.9, 0.9, 0.25]) == [True] * 4


def test_cards_of_an_editor_beside_the_article_are_kept_whatever_their_names() -> None:
    names = {
        "div class='kg-card kg-callout-card'": "Oil the hinge.",
        "div class='kg-card kg-signup-card'": "Get my letters.",
        "div class='card'": "Other posts.",
    }
    cards = "".join(f"<{name}><div>{text}</div></{name.split()[0]}>" for name, text in names.items())
    figure = "<figure class='kg-card kg-gallery-card'><img src=/a.png><figcaption>The yard.</figcaption></figure>"
    page = BlockPage(
        Blocks(parse(f"<div class=gh-content><p>{SENTENCES[0]}</p>{cards}{figure}</div>").tree, NameTable({}))
    )
    chosen = np.array([True, False, False, False, False])
    captions = take_cards(chosen, page)
    assert chosen.tolist() == [True, True, False, False, True]
    assert captions.tolist() == [False, False, False, False, True]


@pytest.mark.parametrize(("name", "last"), [("post-body", True), ("box", False)])
def test_last_paragraph_of_an_element_named_as_the_article_needs_less_evidence(name: str, last: bool) -> None:
    body = f"<div class={name}><p>It was late in the year.</p><p>Rain fell on the roof.</p></div>"
    assert filled(body, [0.9, 0.15]) == [True, last]


@pytest.mark.parametrize("name", ["card", "box"])
def test_notes_of_an_article_inside_a_card_are_kept(name: str) -> None:
    notes = "<section class=footnotes><p>They were sold in 1931.</p></section>"
    page = BlockPage(Blocks(parse(f"<div class={name}><p>{SENTENCES[0]}</p>{notes}</div>").tree, NameTable({})))
    chosen = np.array([True, False])
    take_notes(chosen, page)
    assert chosen.all()


def test_notes_in_the_card_of_another_post_are_left_out() -> None:
    notes = "<div class=card><div class=footnotes>They were sold in 1931.</div></div>"
    page = BlockPage(Blocks(parse(f"<p>{SENTENCES[0]}</p>{notes}").tree, NameTable({})))
    chosen = np.array([True, False])
    take_notes(chosen, page)
    assert chosen.tolist() == [True, False]


@pytest.mark.parametrize(
    ("above", "after", "count"),
    [
        ("<h1>Short</h1><p>3 May 2021</p><ul><li><a href=/tags/sea/>sea</a></li></ul>", "<p>Back soon.</p>", 1),
        ("<h1>Short <a href=#short>\u200b</a></h1><p>3 May 2021 · Ada Lovelace</p>", "<p>Back soon.</p>", 1),
        ("<p>3 May 2021</p>", "<p>Back soon.</p>", 1),
        ("<h1>Short</h1><p>By Ada Lovelace</p><p>3 May 2021 - 1 minute - 9 words</p>", "<p>Back soon.</p>", 1),
        ("<h1>Short</h1><p>By the way</p>", "<p>Back soon.</p>", 3),
        ("<h1>Short</h1>", "<p>Back soon.</p>", 2),
        ("<h1>Short</h1><p>3 May 2021</p>", "", 2),
        ("<p><a href=/a>« Salt</a> | <a href=/>Main</a></p><h1>Short</h1><p>3 May 2021</p>", "<p>Back soon.</p>", 1),
        ("<p><a href=/a>« Salt</a> | <a href=/>Main</a></p>", "<p>Back soon.</p>", 1),
    ],
)
def test_title_and_date_above_the_text_are_left_out(above: str, after: str, count: int) -> None:
    page = BlockPage(Blocks(parse(f"<div>{above}{after}</div>").tree, NameTable({})))
    chosen = np.ones(len(page.blocks), bool)
    drop_head(chosen, page, ["Short | Harbour Notes"])
    assert chosen.sum() == count


def test_code_between_paragraphs_is_kept_as_a_whole() -> None:
    code = "<div class=code><span>bash</span><pre>grep salt<br>sort</pre></div>"
    assert filled(f"<p>It was late.</p>{code}<p>Rain fell.</p>", [0.9, 0.6, 0.6, 0.2, 0.9]) == [True] * 5
    assert filled(f"<p>It was late.</p>{code}<p>Rain fell.</p>", [0.9, 0.6, 0.1, 0.1, 0.9]) == [True] * 5


@pytest.mark.parametrize(("name", "kept"), [("katex-display", True), ("note", False)])
def test_rendered_formula_between_paragraphs_is_kept(name: str, kept: bool) -> None:
    body = f"<p>It was late.</p><span class={name}><span>a+b=c</span></span><p>Rain fell.</p>"
    assert filled(f"<div>{body}</div>", [0.9, 0.3, 0.9]) == [True, kept, True]


def test_title_below_a_date_that_was_not_chosen_is_left_out() -> None:
    page = BlockPage(Blocks(parse("<div><p>3 May 2021</p><h1>Short</h1><p>Back soon.</p></div>").tree, NameTable({})))
    chosen = np.array([False, True, True])
    drop_head(chosen, page, ["Short | Harbour Notes"])
    assert chosen.tolist() == [False, False, True]
