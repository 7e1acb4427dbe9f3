"""Comments that are recognisable only by position and form."""

from __future__ import annotations

from posterity.dom import parse
from posterity.extraction.comment_areas import comment_tree
from posterity.extraction.comments import comments_on


def found(body: str) -> list[tuple[str, str | None, str | None, str]]:
    document = parse(f"<html><body><article><p>Words.</p></article>{body}</body></html>", "https://blog.example/")
    place = comment_tree(document)
    comments = comments_on(place, document.base_url) if place is not None else ()
    return [(one.id, one.parent, one.author, one.text) for one in comments]


def test_elements_that_repeat_in_a_place_for_comments_are_comments() -> None:
    one = '<div class="c"><b>{0}</b> <i>2024-03-0{1} 12:30</i><p>Said {1}.</p></div>'
    body = f'<section class="comments">{one.format("Ann", 1)}{one.format("Ben", 2)}<button>More</button></section>'
    assert found(body) == [("c1", None, "Ann", "Said 1."), ("c2", None, "Ben", "Said 2.")]


def test_dates_between_author_and_words_are_read() -> None:
    one = '<div class="c"><b>Ann</b> <i>2024-03-28T12:33:00+00:00</i><p>Said.</p></div>'
    document = parse(f'<section class="comments">{one}</section>')
    place = comment_tree(document)
    assert place is not None
    (comment,) = comments_on(place)
    assert comment.published is not None
    assert comment.published.isoformat() == "2024-03-28T12:33:00+00:00"


def test_answers_stand_below_what_they_answer() -> None:
    def one(number: int, inner: str = "") -> str:
        return (
            f'<li class="post" id="post-{number}"><span class="author">Ann {number}</span><time datetime="2024-03-01">'
            f'</time><div class="post-message"><p>Said {number}.</p></div><ul>{inner}</ul></li>'
        )

    assert found(f'<div id="disqus_thread"><ul>{one(7, one(8))}{one(9)}</ul></div>') == [
        ("comment-7", None, "Ann 7", "Said 7."),
        ("comment-8", "comment-7", "Ann 8", "Said 8."),
        ("comment-9", None, "Ann 9", "Said 9."),
    ]


def test_place_without_authors_or_dates_holds_no_comments() -> None:
    assert (
        found('<div id="comments"><p>Be the first!</p><form><div class="f"><label>Name</label></div></form></div>')
        == []
    )
    assert (
        found('<div class="comments"><ul><li><a href="/a">A post</a></li><li><a href="/b">Another</a></li></ul></div>')
        == []
    )


def test_what_repeats_elsewhere_is_no_comment() -> None:
    one = '<div class="c"><b>Ann</b> <i>2024-03-01</i><p>An event.</p></div>'
    assert found(f'<section class="events">{one}{one}</section>') == []


def test_markup_of_isso_is_known() -> None:
    body = """<section id="isso-thread"><div class="isso-comment" id="isso-3"><div class="isso-comment-header">
        <span class="isso-author">Ann</span><time datetime="2024-03-01T10:00:00Z">long ago</time></div>
        <div class="isso-text"><p>Said.</p></div><div class="isso-comment-footer"><a>Reply</a></div>
        <div class="isso-follow-up"><div class="isso-comment" id="isso-4"><span class="isso-author">Ben</span>
        <div class="isso-text"><p>Answered.</p></div></div></div></div></section>"""
    assert found(body) == [("comment-3", None, "Ann", "Said."), ("comment-4", "comment-3", "Ben", "Answered.")]


def test_links_in_lists_below_each_comment_hide_no_comments() -> None:
    """Drupal has a list with the link "Login to post comments" in every comment."""
    link = "<ul class=links><li class='comment_forbidden first last'><a href=/login>Login</a> to post comments</ul>"
    head = "<div class=comment-submitted><cite>{0}</cite> on March {1}, 2010</div>"
    one = f"<a id=comment-{{1}}></a><li>{head}<div class=comment-content><p>Said {{1}}.</p></div><div>{link}</div></li>"
    body = f"<div id=comments>{one.format('Ann', 1)}{one.format('Ben', 2)}</div>"
    assert [(author, text) for _, _, author, text in found(body)] == [("Ann", "Said 1."), ("Ben", "Said 2.")]
