"""Names that indicate comments, and the container of all comments."""

from __future__ import annotations

from posterity.dom import parse
from posterity.extraction.comment_areas import CommentNames


def features(body: str) -> CommentNames:
    return CommentNames(parse(f"<!doctype html><html><body>{body}</body></html>").tree)


def test_ids_with_a_number_and_classes_name_comments() -> None:
    found = features("<div id=comment-7></div><div class='x comment'></div><div id=comments></div><div class=y></div>")
    assert len(found.named()) == 2
    assert list(found.numbers.values()) == ["7"]


def test_an_element_named_twice_is_one_comment() -> None:
    assert len(features("<li id=comment-7 class=comment></li>").named()) == 1


def test_places_are_told_by_id_or_class() -> None:
    assert (
        len(features("<div id=disqus_thread></div><div class='a blog-comments'></div><div id=main></div>").places) == 2
    )


def test_the_container_of_all_comments_is_the_root() -> None:
    found = features("<p>x</p><div id=comments><div id=comment-1></div></div>")
    tree = parse(
        "<!doctype html><html><body><p>x</p><div id=comments><div id=comment-1></div></div></body></html>"
    ).tree
    assert tree.attrs[found.root()] == {"id": "comments"}


def test_a_container_that_misses_a_comment_is_not_the_root() -> None:
    assert features("<div id=comments><div id=comment-1></div></div><div id=comment-2></div>").root() == 0


def test_a_container_that_is_there_twice_is_not_the_root() -> None:
    assert features("<div class=comments><p id=c1000></p></div><div class=comments></div>").root() == 0


def test_comments_in_highlighted_code_do_not_count() -> None:
    assert features("<pre><span class=comment># x</span></pre><div id=comments></div>").root() > 0
