"""Pages of one site together: the element that they agree on is the article, repeated text is not."""

from __future__ import annotations

from posterity.dom import Document, parse
from posterity.extraction import Context, extract_posts
from posterity.extraction.hybrid.posts import site_rules

WORDS = "tides bread walks rain radio kettle".split()
SENTENCES = (
    "The {0} comes and goes, and whoever lives at the shore knows when, without looking it up in a table.",
    "Nobody had told us about the {0}, so we went down to the harbour and asked the people who mend the nets.",
    "In the end the {0} was where it had always been, and we wrote it down for those who come after us.",
)
BOX = "This blog is written by two people in a house with a view of the harbour, and nobody pays them for it."
PAGE = """<html><head><title>About {0} - The blog</title></head><body><div id=top>The blog</div><div class=wrap>
<div class=zone><h1>About {0}</h1>{1}<div class=strip>If you liked {0}, tell a friend about it today</div>
<div class=box><p>{2}</p></div></div>{3}</div><div id=bottom>Imprint</div></body></html>"""


def page(word: str, text: str | None = None, after: str = "") -> Document:
    text = "".join(f"<p>{one.format(word)}</p>" for one in SENTENCES) if text is None else text
    return parse(PAGE.format(word, text, BOX, after), f"https://blog.example/{word}/")


def site(pages: int = 6) -> tuple[Document, ...]:
    return tuple(page(word) for word in WORDS[:pages])


def text_on(document: Document, pages: tuple[Document, ...]) -> str:
    (post,) = extract_posts(document, context=Context(site=pages))
    return post.text


def test_what_the_site_repeats_is_left_out() -> None:
    text = text_on(page("tides"), site())
    assert text.startswith("The tides comes and goes")
    assert BOX not in text
    assert "The blog" not in text


def test_line_that_ends_every_post_is_kept_where_the_site_has_its_paragraphs() -> None:
    signed = "".join(f"<p>{one}</p>" for one in (*SENTENCES, "Fair winds, the two of us."))
    pages = tuple(page(word, signed.format(word)) for word in WORDS)
    text = text_on(page("tides", signed.format("tides")), pages)
    assert text.endswith("Fair winds, the two of us.")
    assert BOX not in text


def test_title_over_the_article_is_no_text_of_it() -> None:
    assert "About tides" not in text_on(page("tides"), site())


def test_article_element_is_found_by_vote() -> None:
    rules = site_rules(site())
    assert rules is not None
    assert str(rules.article[0].rule) == "div.zone"


def test_short_post_is_read_where_the_others_have_their_articles() -> None:
    thread = "".join(f"<p>I have always said so, and number {n} of my reasons is a long one.</p>" for n in range(9))
    short = page("fog", "<p>Fog today.</p>", after=f"<div class=talk>{thread}</div>")
    text = text_on(short, site())
    assert text.startswith("Fog today.")
    assert "reasons" not in text


def test_post_of_one_picture_has_that_picture_and_no_words() -> None:
    picture = page("fog", "<p><img src=/fog.jpg></p>", after=f"<div class=talk><p>{SENTENCES[0] * 3}</p></div>")
    (post,) = extract_posts(picture, context=Context(site=site()))
    assert [media.url for media in post.media] == ["https://blog.example/fog.jpg"]
    assert SENTENCES[0] not in post.text


def test_page_of_another_layout_is_read_alone() -> None:
    other = parse(f"<article><h1>Other</h1>{f'<p>{SENTENCES[1]}</p>' * 3}</article>", "https://blog.example/other/")
    assert SENTENCES[1] in text_on(other, site())


def test_lists_and_copies_among_the_pages_do_not_make_posts_a_template() -> None:
    teasers = "".join(
        f"<article class=post><h2><a href=/{word}/>About {word}</a></h2><time>12 March 2024</time>"
        f"{''.join(f'<p>{one.format(word)}</p>' for one in SENTENCES)}</article>"
        for word in WORDS[:4]
    )
    lists = tuple(
        parse(f"<body>{teasers}</body>", f"https://blog.example/{name}") for name in ("", "page/2/", "tag/x/")
    )
    copies = tuple(page("tides") for _ in range(4))
    assert text_on(page("tides"), (*site(4), *lists, *copies)).startswith("The tides comes and goes")


def test_two_pages_teach_nothing() -> None:
    assert site_rules(site(2)) is None


def test_site_is_learned_once_for_all_its_pages() -> None:
    pages = site()
    assert site_rules(pages) is site_rules(pages)
