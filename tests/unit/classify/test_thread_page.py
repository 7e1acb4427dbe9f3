"""Forum threads and Q&A pages are distinguished from posts with comments."""

import pytest

from posterity.classify.page_kind import is_thread, thread_messages
from posterity.dom import parse


@pytest.mark.parametrize(
    "url",
    [
        "https://forum.boats.example/t/which-anchor/41",
        "https://boats.example/threads/which-anchor.41/",
        "https://boats.example/viewtopic.php?t=41",
        "https://boats.example/talk/showtopic.asp?t=41",
        "https://boats.example/index.php?topic=41.0",
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


@pytest.mark.parametrize(
    "message",
    [
        "<article class='message-body'><div class='bbWrapper'>{}</div></article>",
        "<div class='postbody'><h3>Re: anchors</h3><div class='content'>{}</div></div>",
        "<div class='topic-body crawler-post'><div class='post'>{}</div></div>",
        "<td><div id='post_message_{0}'>{0}</div></td>",
    ],
)
def test_messages_as_forum_software_names_them_are_a_thread(message: str) -> None:
    document = parse("".join(message.format(number) for number in (41, 42)), "https://boats.example/which-anchor.html")
    assert is_thread(document)
    assert [document.tree.plain(node) for node in thread_messages(document.tree)] == ["41", "42"]


def test_one_such_message_is_no_thread() -> None:
    assert not is_thread(parse("<div class='bbWrapper'>An article</div>", "https://boats.example/which-anchor.html"))


def test_signatures_and_quotations_are_no_messages_of_their_own() -> None:
    text = "<div class='bbWrapper'>A plough. <div class='bbWrapper'>Which anchor?</div></div>"
    tree = parse(f"{text}<aside class='message-signature'><div class='bbWrapper'>Sail on!</div></aside>").tree
    assert [tree.plain(node) for node in thread_messages(tree)] == ["A plough. Which anchor?"]
