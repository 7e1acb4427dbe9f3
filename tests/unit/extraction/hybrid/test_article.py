"""The article of a page without rules, on pages with the usual parts."""

from posterity.dom import parse, text_of
from posterity.dom.document import Document
from posterity.extraction.hybrid.article import Article, article_on

PARAGRAPH = (
    "The tide came in early that morning, and with it a smell of salt and diesel that hung over the harbour until "
    "noon. We had planned to leave at six, but the ferry was late, so we sat on the wall and counted the boats."
)
NAVIGATION = '<nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li></ul></nav>'
SIDEBAR = (
    '<div id="sidebar" class="sidebar"><div class="widget"><h3>About me</h3><p>I live by the sea and write about '
    "boats, weather and bread. This blog began in 2004 and has been going on ever since, about once a week.</p></div>"
    '<div class="widget"><h3>Archives</h3><ul>'
    + "".join(f'<li><a href="/2012/{month:02}/">Month {month}</a> (12)</li>' for month in range(1, 13))
    + "</ul></div></div>"
)
SHARE = '<div class="sharedaddy share-buttons"><h3>Share this:</h3><ul><li><a href="#">Twitter</a></li></ul></div>'
RELATED = '<div class="related-posts"><h3>Related posts</h3><ul><li><a href="/x">A walk to the sea</a></li></ul></div>'
FOOTER = '<div id="footer" class="site-footer"><p>© 2012 Harbour Notes. Powered by WordPress.</p></div>'
WORDS_OF_COMMENT = "I remember that wall very well, we used to sit there every summer with ice cream and count boats."


def comments(count: int) -> str:
    items = "".join(
        f'<li class="comment" id="comment-{number}"><cite class="fn">Anna {number}</cite> says:'
        f"<p>{WORDS_OF_COMMENT} Number {number}.</p></li>"
        for number in range(count)
    )
    return f'<div id="comments"><h3>{count} Responses</h3><ol class="commentlist">{items}</ol></div>'


def page(content: str, after: str = "") -> Document:
    return parse(
        "<html><head><title>Counting boats | Harbour Notes</title></head><body>"
        f'<div id="header" class="site-header"><a href="/">Harbour Notes</a></div>{NAVIGATION}'
        '<div id="main"><div class="post hentry"><h1 class="entry-title">Counting boats</h1>'
        f'<div class="entry-content">{content}</div></div>{after}</div>{SIDEBAR}{FOOTER}</body></html>',
        "https://blog.example/2012/05/counting-boats/",
    )


def read(document: Document) -> str:
    article = article_on(document)
    return text_of(document.tree, article.node, article.left_out) if article else ""


def test_article_is_the_paragraphs_and_not_what_stands_around_them() -> None:
    text = read(page(f"<p>{PARAGRAPH}</p><p>{PARAGRAPH[:90]} Again.</p>{SHARE}", RELATED))
    assert text == f"{PARAGRAPH}\n\n{PARAGRAPH[:90]} Again."


def test_a_post_of_one_line_is_found_beside_a_longer_sidebar() -> None:
    assert read(page("<p>Look what the sea brought today.</p>")) == "Look what the sea brought today."


def test_comments_are_no_part_of_the_article_though_longer() -> None:
    text = read(page(f"<p>{PARAGRAPH}</p>", comments(30)))
    assert text == PARAGRAPH


def test_lists_headings_quotes_and_code_inside_the_article_stay_in_order() -> None:
    content = (
        f"<p>{PARAGRAPH}</p><h2>What we saw</h2><ul><li>two trawlers</li><li>a pilot boat</li></ul>"
        f"<blockquote><p>Red sky at night.</p></blockquote><pre><code>for boat in boats:\n    count(boat)</code></pre>"
        f"<p>{PARAGRAPH[:100]}</p>"
    )
    text = read(page(content))
    code = "for boat in boats:\n    count(boat)"
    wanted = ["The tide", "What we saw", "two trawlers", "a pilot boat", "Red sky", code]
    places = [text.find(piece) for piece in wanted]
    assert -1 not in places
    assert places == sorted(places)


def test_a_text_that_is_there_for_wide_and_narrow_screens_comes_once() -> None:
    document = page(f"<div class='desktop'><p>{PARAGRAPH}</p></div><div class='mobile'><p>{PARAGRAPH}</p></div>")
    assert read(document).count("The tide came in") == 1


def test_hidden_text_and_forms_are_not_read() -> None:
    content = f'<p>{PARAGRAPH}</p><p style="display: none">secret</p><form><label>Your email</label></form>'
    assert read(page(content)) == PARAGRAPH


def test_a_page_without_text_has_no_article() -> None:
    assert article_on(parse("<html><body><img src='a.png'></body></html>")) is None


def test_confidence_and_reason_are_told() -> None:
    document = page(f"<p>{PARAGRAPH}</p>" * 3)
    article = article_on(document)
    assert article is not None
    assert 0.5 < article.confidence < 1.0
    assert article.why.startswith(document.tree.path(article.node))


def test_the_picture_above_a_line_of_text_belongs_to_the_article() -> None:
    document = page("<div class='photo'><img src='/sea.jpg' alt='The sea'></div><div>Low tide at six.</div>")
    article = article_on(document)
    assert isinstance(article, Article)
    inside = range(article.node, document.tree.end[article.node])
    assert any(document.tree.tag[node] == "img" for node in inside)


def test_same_page_gives_same_article() -> None:
    assert article_on(page(f"<p>{PARAGRAPH}</p>{SHARE}")) == article_on(page(f"<p>{PARAGRAPH}</p>{SHARE}"))


def test_messages_of_a_forum_thread_are_its_text_and_comments_elsewhere() -> None:
    asked = (f"<p>{PARAGRAPH}</p>", f"<p>{WORDS_OF_COMMENT} But {PARAGRAPH.lower()}</p>", f"<p>{PARAGRAPH[20:]}</p>")
    messages = "".join(f"<article class='message-body'>{words}</article>" for words in asked)
    question = "Which wall is meant here, by the harbour, I would like to know, since there are two."
    page = (
        f"<html><body>{NAVIGATION}<h1>Which wall?</h1><div class='message-body'><p>{question}</p></div>"
        f"<div class='replies'>{messages}</div>{FOOTER}"
    )
    assert WORDS_OF_COMMENT in read(parse(page, "https://forum.example/threads/which-wall.7/"))
    assert WORDS_OF_COMMENT not in read(parse(page, "https://blog.example/which-wall/"))
