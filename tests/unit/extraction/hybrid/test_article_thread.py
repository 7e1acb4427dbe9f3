"""Comments are excluded from the article if the page has other text."""

import numpy as np
import pytest

from posterity.dom import parse
from posterity.extraction.hybrid.adjustments import exclude_other_texts
from posterity.extraction.hybrid.blocks import BlockPage, Blocks, NameTable


def left(body: str, likely: list[float]) -> list[float]:
    page = BlockPage(Blocks(parse(f"<html><body>{body}</body></html>").tree, NameTable({})))
    numbers = np.array(likely, np.float32)
    exclude_other_texts(page, numbers)
    return [round(float(number), 2) for number in numbers]


def test_parts_called_comments_are_ruled_out() -> None:
    body = "<p>The post itself.</p><div class='commentlist'><p>First!</p><p>A much longer answer to the post.</p></div>"
    assert left(body, [0.5, 0.9, 0.9]) == [0.5, 0.0, 0.0]


def test_all_after_the_line_that_announces_them_is_ruled_out() -> None:
    body = "<p>The post itself.</p><h3>3 Responses to this</h3><div>Nice. 9:15</div><div>Good. 9:20</div>"
    assert left(body, [0.8, 0.1, 0.7, 0.7]) == [0.8, 0.0, 0.0, 0.0]


def test_an_announcement_in_the_byline_rules_nothing_out() -> None:
    body = "<h1>Title</h1><p>12 comments</p><p>The post itself, which is long enough to be one.</p>"
    assert left(body, [0.1, 0.05, 0.9]) == [0.1, 0.05, 0.9]


def test_a_page_that_is_nothing_but_a_thread_keeps_it() -> None:
    body = "<p>Home</p><div class='comments'><p>How do I bake bread?</p><p>With flour, and much patience.</p></div>"
    assert left(body, [0.01, 0.8, 0.8]) == [0.01, 0.8, 0.8]


def test_a_link_to_post_a_comment_rules_nothing_out() -> None:
    body = "<p>A teaser of some length.</p><p>Post a comment</p><p>The post itself, which is long enough to be one.</p>"
    assert left(body, [0.5, 0.05, 0.9]) == [0.5, 0.05, 0.9]


def test_a_counter_between_two_paragraphs_of_the_article_rules_nothing_out() -> None:
    body = "<article><p>One half.</p><div>12 Comments</div><p>Other half, 2012.</p><p>End, 9:15.</p></article>"
    assert left(body, [0.95, 0.05, 0.95, 0.95]) == [0.95, 0.05, 0.95, 0.95]


def test_a_section_called_discussion_is_part_of_a_paper() -> None:
    body = "<p>What we did.</p><h2>Discussion</h2><div>It rained (2012).</div><div>It stopped (2013).</div>"
    assert left(body, [0.9, 0.8, 0.7, 0.7]) == [0.9, 0.8, 0.7, 0.7]


def test_signed_comments_are_ruled_out_though_they_stand_among_the_paragraphs() -> None:
    body = (
        "<div><p>The post itself.</p><h3>Comments</h3><p>Nice.</p><p>Posted by: Anna | May 6, 2007 9:15</p>"
        "<p>So it is.</p><p>Posted by: Bert | May 6, 2007 9:20</p></div>"
    )
    assert left(body, [0.95, 0.5, 0.95, 0.5, 0.95, 0.5]) == [0.95, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_signed_comments_in_numbered_elements_need_no_announcement() -> None:
    body = "<p>The post itself.</p>" + "".join(
        f"<div id='c16990{number}'><p>Well said, number {number}.</p><p>Posted by: {name} at May 6, 2007 9:15</p></div>"
        for number, name in enumerate(("Anna", "Bert", "Cleo"))
    )
    assert left(body, [0.6] + [0.9, 0.5] * 3) == [0.6] + [0.0] * 6


def test_lone_signed_comment_below_the_announcement_is_ruled_out() -> None:
    body = (
        "<div><p>The post itself, which is longer than the comment below it.</p><h2 id=comments>Comments</h2>"
        "<div id=c12><p>Nice.</p></div><p class=posted>Posted by: Anna at May 6, 2007 9:15 PM</p></div>"
    )
    assert left(body, [0.95, 0.5, 0.95, 0.5]) == [0.95, 0.0, 0.0, 0.0]


def test_posts_signed_by_their_author_are_no_comments() -> None:
    post = "<p>It rained on {0} days.</p><p>Posted by Anna on May {0}, 2007</p><p>Comments: {0}</p>"
    body = f"<div>{''.join(post.format(number) for number in (6, 7, 8))}</div>"
    likely = [0.95, 0.5, 0.1] * 3
    assert left(body, likely) == likely


OTHERS = "<ul><li><a href=/bread>Bread and nets</a></li><li><a href=/rope>Ropes</a> (2019)</li></ul>"
POST = "<p>The ferry was late, so we sat on the wall and counted the boats in the harbour.</p>"


@pytest.mark.parametrize(
    "heading",
    [
        "Related posts",
        "You may also like:",
        "More from Harbour Notes",
        "Das könnte dich auch interessieren",
        "À lire aussi",
        "También te puede interesar",
        "Читайте также",
        "Lue myös",
        "İlgili Yazılar",
        "مقالات ذات صلة",
        "相关文章",
        "関連記事",
        "관련 글",
    ],
)
def test_list_of_other_posts_below_its_heading_is_excluded(heading: str) -> None:
    assert left(f"{POST}<h3>{heading}</h3>{OTHERS}", [0.9, 0.6, 0.6, 0.6]) == [0.9, 0.0, 0.0, 0.0]
    in_its_own_part = f"<div>{POST}</div><div><b>{heading}</b>{OTHERS}</div>"
    assert left(in_its_own_part, [0.6, 0.9, 0.9, 0.9]) == [0.6, 0.0, 0.0, 0.0]


def test_list_of_links_among_the_paragraphs_is_the_author_s() -> None:
    body = f"{POST}<p>Related posts:</p>{OTHERS}{POST}{POST}"
    assert left(body, [0.9, 0.6, 0.6, 0.6, 0.9, 0.9]) == [0.9, 0.6, 0.6, 0.6, 0.9, 0.9]


def test_heading_of_a_section_is_no_announcement_of_other_posts() -> None:
    body = f"{POST}<h3>Related work in the harbour</h3>{OTHERS}"
    assert left(body, [0.9, 0.6, 0.6, 0.6]) == [0.9, 0.6, 0.6, 0.6]


def test_list_of_other_posts_is_recognised_by_its_name() -> None:
    cards = "<article><p>Bread, nets and ropes.</p><a href=/bread>46 notes</a></article>" * 2
    body = f"{POST}<section class='related-posts-wrapper'><h2>Further on</h2>{cards}</section>"
    assert left(body, [0.9, 0.9, 0.9, 0.9, 0.9, 0.9]) == [0.9, 0.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("name", ["postmetadata alt", "entry-meta", "post-footer", "dateline"])
def test_line_that_the_theme_adds_is_recognised_by_its_name(name: str) -> None:
    assert left(f"{POST}<p class='{name}'>Written on a Monday in May.</p>", [0.9, 0.8]) == [0.9, 0.0]
