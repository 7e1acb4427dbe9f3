"""Elements of articles are found and counted in pages, HTML and Markdown."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.evaluate.datasets import Gold, Prediction
from posterity.evaluate.elements import (
    KINDS,
    elements_of_html,
    elements_of_markdown,
    gold_elements,
    theme_optional,
)
from posterity.evaluate.measures import page_scores

URL = "https://blog.example/post/"
PAGE = """<article><h2>Ebb<a href="#ebb">¶</a></h2>
<p>Text <a href="/a?b=1">link</a> note<sup><a href="#fn1">1</a></sup> <script type="math/tex">x_1</script></p>
<ul><li>one</li><li>two</li></ul><blockquote><p>quoted</p></blockquote>
<pre>a
  b</pre><table><tr><th>c</th><th>d</th></tr><tr><td>1</td><td>2</td></tr></table>
<p><img src="data:image/gif;base64,R0" data-src="/late.jpg"><img src="/p.gif" width="1" height="1"></p>
<iframe src="https://www.youtube.com/embed/abcdefghijk?rel=0"></iframe>
<ol class="footnotes"><li id="fn1">A note.</li></ol></article>"""
BODY = "Ebb\nText link note1 $x_1$\none\ntwo\nquoted\na\n  b\nc d\n1 2\nA note."
MARKDOWN = """## Ebb

Text [link](https://blog.example/a?b=1) note[^1] $x_1$

- one
- two

> quoted

```
a
  b
```

| c | d |
| --- | --- |
| 1 | 2 |

![](https://blog.example/late.jpg)

[YouTube video](https://www.youtube.com/watch?v=abcdefghijk)

[^1]: A note."""


def gold(page: str = PAGE, body: str = BODY) -> Gold:
    tree = parse(page, URL).first("article")
    assert tree is not None
    return Gold(body=body, elements=gold_elements([tree], URL, body))


def test_markdown_with_all_elements_scores_full_marks() -> None:
    prediction = Prediction(text=BODY, elements=elements_of_markdown(MARKDOWN, URL))
    scores = page_scores(gold(), prediction)
    assert {kind: (scores[kind].recall, scores[kind].precision) for kind in KINDS} == dict.fromkeys(KINDS, (1.0, 1.0))


@pytest.mark.parametrize(
    ("kind", "lost"),
    [
        ("links", "[link](https://blog.example/a?b=1)"),
        ("images", "![](https://blog.example/late.jpg)"),
        ("headings", "## "),
        ("list items", "- one\n"),
        ("code", "  b\n"),
        ("quotes", "> "),
        ("tables", "| --- | --- |\n"),
        ("embeds", "[YouTube video](https://www.youtube.com/watch?v=abcdefghijk)"),
        ("formulas", "$x_1$"),
        ("footnotes", "[^1] "),
    ],
)
def test_element_that_is_lost_is_noticed(kind: str, lost: str) -> None:
    prediction = Prediction(text=BODY, elements=elements_of_markdown(MARKDOWN.replace(lost, ""), URL))
    assert page_scores(gold(), prediction)[kind].recall < 1


def test_element_that_nobody_wanted_lowers_precision() -> None:
    prediction = Prediction(text=BODY, elements=elements_of_markdown(f"{MARKDOWN}\n\n[more](https://x.example/)", URL))
    links = page_scores(gold(), prediction)["links"]
    assert (links.recall, links.precision) == (1.0, 0.5)


def test_html_is_read_like_the_page() -> None:
    prediction = Prediction(text=BODY, elements=elements_of_html(PAGE, URL))
    scores = page_scores(gold(), prediction)
    assert {scores[kind].recall for kind in KINDS} == {1.0}


def test_page_with_another_text_is_not_counted() -> None:
    scores = page_scores(gold(), Prediction(text="something else", elements=elements_of_markdown(MARKDOWN, URL)))
    assert not set(KINDS) & set(scores)


def test_link_that_the_annotated_text_does_not_have_counts_neither_way() -> None:
    page = '<article><p>Text <a href="/a">link</a></p><p><a href="/next">Next post</a></p></article>'
    wanted = gold(page, "Text link")
    for markdown in ("[link](https://blog.example/a)", "[link](/a) [Next post](/next)"):
        links = page_scores(wanted, Prediction(text="Text link", elements=elements_of_markdown(markdown, URL)))["links"]
        assert (links.recall, links.precision) == (1.0, 1.0)


def test_picture_of_most_pages_is_the_themes() -> None:
    pages = [f'<article><img src="/share.png"><img src="/{number}.jpg"></article>' for number in range(4)]
    found = theme_optional([gold_elements([parse(page, URL).tree], URL, "") for page in pages])
    assert [[each.optional for each in page["images"]] for page in found] == [[True, False]] * 4


def test_part_that_annotators_left_out_is_optional() -> None:
    whole, cut = (parse(html, URL).tree for html in ("<h1>Title</h1><h2>a</h2>", "<h2>a</h2>"))
    found = gold_elements([whole, cut], URL, "Title a")
    assert [(each.keys, each.optional) for each in found["headings"]] == [(("a",), False), (("title",), True)]
