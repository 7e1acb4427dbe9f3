"""An element named as the text of the article is trusted if it is the only one."""

import numpy as np

from posterity.dom import parse
from posterity.extraction.hybrid.adjustments import raise_messages, raise_named_body
from posterity.extraction.hybrid.blocks import BlockPage, Blocks, NameTable


def after(body: str, likely: list[float]) -> list[float]:
    page = BlockPage(Blocks(parse(f"<html><body>{body}</body></html>").tree, NameTable({})))
    numbers = np.array(likely, np.float32)
    raise_named_body(page, numbers)
    return [round(float(number), 2) for number in numbers]


def test_a_line_in_the_named_body_beats_a_likelier_sidebar() -> None:
    inside, outside = after("<div class='post-body'>Hello.</div><div>About me and my boats.</div>", [0.4, 0.9])
    assert inside > 0.4
    assert outside < 0.1


def test_nothing_changes_without_a_named_body() -> None:
    assert after("<div>Hello.</div><div>About me.</div>", [0.4, 0.9]) == [0.4, 0.9]


def test_several_bodies_of_equal_size_are_a_list_of_posts() -> None:
    body = "<div class='entry-content'>One post.</div><div class='entry-content'>Two posts</div><p>x</p>"
    assert after(body, [0.5, 0.5, 0.2]) == [0.5, 0.5, 0.2]


def test_the_body_of_a_related_post_or_comment_is_not_believed() -> None:
    body = "<p>Hello there.</p><div class='related'><div class='entry-content'>Read this too.</div></div>"
    assert after(body, [0.6, 0.3]) == [0.6, 0.3]


def test_a_card_around_nearly_all_of_the_page_is_no_related_post() -> None:
    page = "<div class='card'><p>May 6</p><div class='prose'>Hello there, and good morning.</div></div>"
    date, post = after(page, [0.6, 0.7])
    assert date < 0.6 < 0.7 < post


def test_a_class_that_sets_the_width_of_any_text_names_no_body() -> None:
    page = "<p class='max-w-prose'>Hello there.</p><div class='markdown-editor'>Good morning.</div><p>Bye.</p>"
    assert after(page, [0.9, 0.3, 0.6]) == [0.9, 0.3, 0.6]


def test_an_empty_body_is_not_believed() -> None:
    assert after("<div class='entry-content'>Ad</div><p>The post.</p>", [0.05, 0.9]) == [0.05, 0.9]


def test_the_lead_above_a_body_that_holds_nearly_all_is_kept() -> None:
    body = f"<p>The lead of the article.</p><div class='article-body'>{'<p>And then it went on and on.</p>' * 20}</div>"
    lead, *_ = after(body, [0.9] + [0.95] * 20)
    assert lead > 0.5


def test_a_line_about_the_post_inside_the_body_is_believed_no_more() -> None:
    body = "<div class='post-body'><p>Hello.</p><p class='postmetadata'>This entry was posted in May.</p></div><p>x</p>"
    inside, about, _ = after(body, [0.4, 0.3, 0.1])
    assert inside > 0.4
    assert about == 0.3


def test_a_body_with_placeholders_does_not_hide_a_long_text_that_is_sure() -> None:
    paragraphs = "".join(f"<p>{'Boats of the north are short. ' * 10}{number}</p>" for number in range(5))
    body = f"<div class='article-body'><p>Loading paragraph...</p></div><div hidden-until-loaded>{paragraphs}</div>"
    assert after(body, [0.6] + [0.95] * 5) == [0.6] + [0.95] * 5
    assert max(after(body, [0.6] + [0.8] * 5)[1:]) < 0.1


def test_messages_of_a_thread_beat_the_likelier_names_of_their_writers() -> None:
    post = "<div><p>{0}, captain, 412 posts</p><div class='bbWrapper'>{1}</div></div>"
    body = f"{post.format('Anna', 'A plough.')}{post.format('Bert', 'A Bruce.')}<p>Rules of this forum.</p>"
    page = BlockPage(Blocks(parse(f"<html><body>{body}</body></html>").tree, NameTable({})))
    likely = np.array([0.7, 0.4, 0.7, 0.4, 0.6], np.float32)
    raise_messages(page, likely)
    assert ((likely > 0.5) == [False, True, False, True, False]).all()


def test_a_thread_without_named_messages_has_the_body_of_a_page() -> None:
    body = "<div class='entry-content'><p>Which anchor?</p></div><p>Rules of this forum.</p>"
    page = BlockPage(Blocks(parse(f"<html><body>{body}</body></html>").tree, NameTable({})))
    by_messages, by_body = np.array([0.5, 0.6], np.float32), np.array([0.5, 0.6], np.float32)
    raise_messages(page, by_messages)
    raise_named_body(page, by_body)
    assert by_messages.tolist() == by_body.tolist() != [0.5, 0.6]


def test_a_body_may_be_named_by_an_attribute_where_classes_are_random() -> None:
    inside, outside = after(
        "<section class='VQ' data-hook='post-description'>Hi.</section><p>About me.</p>", [0.4, 0.9]
    )
    assert inside > 0.4
    assert outside < 0.1
    # Themes name the line with date and tags like this.
    assert after("<p class='post-description'>12 March.</p><p>The tide.</p>", [0.4, 0.9]) == [0.4, 0.9]
