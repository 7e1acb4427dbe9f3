"""Parents below the fifth level are taken from the API, everything else from the page."""

from __future__ import annotations

from datetime import UTC, datetime

from posterity.discover.comments import RestComment, as_comment, is_deep, with_declared_threads, with_shown_parents
from posterity.model import Comment


def thread(levels: int) -> tuple[Comment, ...]:
    """A thread in which each comment replies to the previous one."""
    return tuple(
        Comment(id=f"comment-{number}", parent=f"comment-{number - 1}" if number > 1 else None, text="shown")
        for number in range(1, levels + 1)
    )


def test_five_levels_may_hide_more() -> None:
    assert not is_deep(thread(4))
    assert is_deep(thread(5))
    assert not is_deep(())


def test_parents_are_told_and_words_are_shown() -> None:
    flat = (*thread(5), Comment(id="comment-6", parent="comment-4", text="shown"))
    told = [Comment(id="comment-6", parent="comment-5", text="told"), Comment(id="comment-7", parent="comment-6")]
    merged = with_declared_threads(flat, told)
    assert [(comment.id, comment.parent) for comment in merged[-2:]] == [
        ("comment-6", "comment-5"),
        ("comment-7", "comment-6"),
    ]
    assert merged[5].text == "shown"


def test_interface_that_tells_nothing_changes_nothing() -> None:
    assert with_declared_threads(thread(6), []) == thread(6)


def test_malformed_date_leaves_the_comment_undated() -> None:
    dated = as_comment(RestComment(id=1, date_gmt="2021-03-12T10:00:00"))
    assert dated.published == datetime(2021, 3, 12, 10, tzinfo=UTC)
    assert [as_comment(RestComment(id=1, date_gmt=date)).published for date in ("", "0000-00-00T00:00:00")] == [
        None
    ] * 2


def test_comments_that_the_feed_no_longer_has_stay_with_those_it_has() -> None:
    listed = tuple(Comment(id=f"comment-{number}", author="Ada") for number in (3, 4, 5))
    shown = (Comment(id="comment-2"), Comment(id="comment-3", parent="comment-2"))
    found = with_shown_parents(listed, shown)
    assert [(each.id, each.parent) for each in found] == [
        ("comment-2", None), ("comment-3", "comment-2"), ("comment-4", None), ("comment-5", None),
    ]  # fmt: skip
    assert with_shown_parents(listed, (Comment(id="c1"),)) == listed
