"""Threads of forums and questions with answers are told from posts with comments."""

import pytest

from posterity.classify.page_kind import is_thread
from posterity.dom import parse


@pytest.mark.parametrize(
    "url",
    [
        "https://forum.boats.example/t/which-anchor/41",
        "https://boats.example/threads/which-anchor.41/",
        "https://boats.example/viewtopic.php?t=41",
        "https://boats.example/questions/41/which-anchor",
    ],
)
def test_address_of_a_forum_is_a_thread(url: str) -> None:
    assert is_thread(parse("<p>Which anchor?</p>", url))


@pytest.mark.parametrize(
    "url",
    [
        "https://boats.example/2012/05/forum-of-anchors/",
        "https://boats.example/blog/threads",
        "https://threadneedle.example/a-post/",
        "http://[::1",
        "",
    ],
)
def test_address_of_a_post_is_none(url: str) -> None:
    assert not is_thread(parse("<p>Which anchor?</p>", url))


def test_what_the_page_declares_of_itself_counts() -> None:
    assert is_thread(parse("<div itemscope itemtype='https://schema.org/QAPage'><p>Which anchor?</p></div>"))
    assert is_thread(parse('<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script><p>x</p>'))


def test_questions_that_the_author_answers_are_no_thread() -> None:
    assert not is_thread(parse('<script type="application/ld+json">{"@type": "FAQPage"}</script><p>x</p>'))
