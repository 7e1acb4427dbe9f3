"""Comments on a page: author, date, text, parent, and parts that are not comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.dom import parse
from posterity.extraction.comment_areas import comment_tree
from posterity.extraction.comments import comment_roots, comments_on

if TYPE_CHECKING:
    from posterity.model import Comment

WORDPRESS = """<ol class=commentlist><li class="comment depth-1" id=comment-7><cite class=fn><a
href=http://gwen.example>Gwen</a></cite> says:
<div class=comment-meta><a href=#comment-7>March 12, 2021 at 9:30 am</a></div>
<div class=comment-content><p>Garden wire.</p></div>
<ul class=children><li class="comment depth-2" id=comment-8><cite class=fn>Jonas</cite>
<div class=comment-content><p>Philosophy.</p></div></li></ul></li></ol>"""
BOLD = """<div id=comments><div id=comment-65><div><b>Gwen</b> wrote on 27.02.2022, 10:22:</div><div><p>Wire.</p>
</div></div><div id=comment-66><div><b><a href=http://o.example>Odile</a></b> wrote on 05.03.2022, 11:05:</div>
<div><p>Corks.</p></div></div></div>"""


def found(markup: str) -> tuple[Comment, ...]:
    return comments_on(parse(markup).tree, "http://blog.example/", ("en",))


def test_wordpress_comments_with_thread() -> None:
    first, second = found(WORDPRESS)
    assert (first.id, first.author, first.author_url, first.text) == (
        "comment-7",
        "Gwen",
        "http://gwen.example",
        "Garden wire.",
    )
    assert first.published is not None
    assert first.published.isoformat() == "2021-03-12T09:30:00+00:00"
    assert (second.author, second.parent, second.text) == ("Jonas", "comment-7", "Philosophy.")


def test_name_in_bold_above_the_words_is_the_author() -> None:
    assert [(comment.author, comment.text) for comment in found(BOLD)] == [("Gwen", "Wire."), ("Odile", "Corks.")]


def test_one_date_that_settles_day_and_month_speaks_for_the_others() -> None:
    days = [comment.published.date().isoformat() if comment.published else None for comment in found(BOLD)]
    assert days == ["2022-02-27", "2022-03-05"]


def test_order_that_nothing_settles_stays_unsettled() -> None:
    comment = found("<div id=comment-1><b>Gwen</b> on 05.03.2022<p>Wire.</p></div>")[0]
    assert (comment.author, comment.published) == ("Gwen", None)


def test_bold_words_inside_the_comment_are_no_author() -> None:
    assert found("<div id=comment-1><p>A <b>bold</b> word.</p></div>")[0].author is None


@pytest.mark.parametrize(
    "markup",
    [
        "<p>No comments yet.</p>",
        "<ul id=recentcomments><li class=comment id=comment-1>Gwen on Tides</li></ul>",
        "<div class=sidebar><div class=comment>Gwen: wire</div></div>",
        "<div id=respond><form class=comment-form id=comment-2>Write</form></div>",
        "<pre><span class=comment>// code</span></pre>",
    ],
)
def test_other_things_are_no_comments(markup: str) -> None:
    assert found(markup) == ()


def test_page_without_comments_is_not_read() -> None:
    assert comment_tree(parse("<p id=content class=entry>x <span class=comment>// code</span></p>")) is None


def test_only_the_container_is_read_when_it_holds_all_comments() -> None:
    tree = comment_tree(parse(f"<body><p>x</p>{BOLD}</body>"))
    assert tree is not None
    assert tree.attrs[0].get("id") == "comments"


def test_comments_outside_of_the_container_are_not_lost() -> None:
    tree = comment_tree(parse(f"<body>{BOLD}<div id=comment-99>x</div></body>"))
    assert tree is not None
    assert tree.tag[0] == "body"


def test_without_a_container_the_smallest_element_around_all_comments_is_read() -> None:
    markup = "<div id=main><p>x</p><div id=thread><p id=comment-1>a</p><div><p id=comment-2>b</p></div></div></div>"
    tree = comment_tree(parse(markup))
    assert tree is not None
    assert tree.attrs[0].get("id") == "thread"


@pytest.mark.parametrize("around", ["<div class=sidebar>", "<noscript>"])
def test_where_all_comments_are_something_else_the_whole_page_is_read(around: str) -> None:
    tree = comment_tree(parse(f"<body>{around}<p id=comment-1>a</p><p id=comment-2>b</p></body>"))
    assert tree is not None
    assert tree.tag[0] == "html"


def test_roots_are_comments_and_not_boxes_of_the_author() -> None:
    tree = parse("<article><div class=comment>A remark of mine.</div><div id=comment-5>x</div></article>").tree
    assert [tree.attrs[node].get("id") for node in comment_roots(tree)] == ["comment-5"]


def test_term_and_the_descriptions_after_it_are_one_comment() -> None:
    """Blogger's older templates write comments as a definition list."""
    markup = """<dl id=comments-block><dt class=comment-author id=c1107><a href=http://g.example>Gwen</a> said...</dt>
    <dd class=comment-body id=Blog1_cmt-1107><p>Garden wire.</p></dd><dd class=comment-footer>March 12, 2021</dd>
    <dt class=comment-author id=c1108>Anonymous said...</dt><dd class=comment-body>Corks,<br>and tape.</dd></dl>"""
    assert [(each.id, each.author, each.text) for each in found(markup)] == [
        ("comment-1107", "Gwen", "Garden wire."),
        ("comment-1108", "Anonymous", "Corks,\nand tape."),
    ]
    tree = parse(f"<div>{markup}</div>").tree
    assert {"dt", "dd"} <= {tree.tag[node] for node in comment_roots(tree)}


@pytest.mark.parametrize("name", ["p-comment h-cite", "kommentar", "comentario", "commentaire", "cmt"])
def test_comment_may_be_named_in_another_vocabulary(name: str) -> None:
    document = parse(f"<div><p>Article.</p><div class='{name}'><b>Gwen</b> 27.02.2022<p>Wire.</p></div></div>")
    place = comment_tree(document)
    assert place is not None
    assert [(each.author, each.text) for each in comments_on(place)] == [("Gwen", "Wire.")]


@pytest.mark.parametrize("name", ["Sil", "Cita", "seagull77", "Film | A stream of films"])
def test_name_keeps_its_digits_and_may_be_a_verb_or_a_title(name: str) -> None:
    comments = ((1, name, "We are making a film."), (2, "Anna", "Well done."), (3, "Bo", "Yes."))
    items = "".join(
        f"<div class=comment id=comment-{number}><cite>{author}</cite> on June 1{number}, 2009<p>{words}</p></div>"
        for number, author, words in comments
    )
    assert [comment.author for comment in found(items)] == [name, "Anna", "Bo"]
    plain = items.replace("<cite>", "").replace("</cite>", "")
    assert [comment.author for comment in found(plain)] == [name, "Anna", "Bo"]
