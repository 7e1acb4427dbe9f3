"""Trackbacks are distinguished from comments by type."""

# ruff: noqa: E501  markup is easier to read in whole lines

from __future__ import annotations

import json

import pytest
from tests.unit.extraction.comment_engines import ARTICLE, FORM

from posterity.extraction import extract
from posterity.model import Comment, to_json

ANNA, BOB = "The tables are wrong by an hour.", "That is the summer time."
LISTS = {
    "wordpress": '<div id="comments"><h3>3 responses</h3><ol class="commentlist"><li class="comment even" id="comment-1"><cite class="fn">Anna</cite> '
    f'<a href="#comment-1">May 3, 2012 at 9:41</a><p>{ANNA}</p></li><li class="pingback odd" id="comment-2"><div class="comment-body">Pingback: '
    '<a href="http://other.example/p" rel="external nofollow" class="url">Other blog</a></div></li><li class="comment even" id="comment-3">'
    f'<cite class="fn">Bob</cite> <a href="#comment-3">May 3, 2012 at 10:41</a><p>{BOB}</p></li></ol></div>',
    "movable type": '<div id="trackbacks" class="trackbacks"><h2>1 TrackBack</h2><div class="trackbacks-info"><p>TrackBack URL for this entry: '
    'http://blog.example/mt-tb.cgi/12</p></div><div class="trackbacks-content"><div class="trackback" id="ping-77"><div class="trackback-header">From '
    '<a href="http://other.example/p">Other blog</a> on May 4, 2012 10:22 AM</div><div class="trackback-content"><p>Marta writes on tides...</p></div></div>'
    '</div></div><div id="comments" class="comments"><h2>2 Comments</h2><div class="comment" id="comment-5"><div class="comment-header"><span class="author">'
    f'Anna</span> | May 3, 2012 9:41 AM</div><div class="comment-content"><p>{ANNA}</p></div></div><div class="comment" id="comment-6"><div '
    f'class="comment-header"><span class="author">Bob</span> | May 3, 2012 9:51 AM</div><div class="comment-content"><p>{BOB}</p></div></div></div>',
    "typepad": "<h2><a id=trackback></a>TrackBack</h2><p>TrackBack URL for this entry:<br>http://www.typepad.com/services/trackback/6a00</p>"
    '<p><a id=p411></a>&raquo; <a href="http://other.example/p">Other blog</a><br>Marta writes on tides...</p><p class=posted>Tracked on May 4, 2012 3:09 PM'
    '</p><p><a id=p412></a>&raquo; <a href="http://other.example/p2">Other blog</a><br>More on tides...</p><p class=posted>Tracked on May 5, 2012 3:09 PM</p>'
    f'<h2><a id=comments></a>Comments</h2><a id=c65581830></a><p>{ANNA}</p><p class=posted>Posted by: <a rel=nofollow href="http://a.example/">Anna</a> | '
    f"May 3, 2012 1:11 PM</p><a id=c65581831></a><p>{BOB}</p><p class=posted>Posted by: Bob | May 3, 2012 1:12 PM</p>",
    "serendipity": '<div class="serendipity_comments serendipity_section_trackbacks"><a id="trackbacks"></a><div class="serendipity_commentsTitle">Trackbacks</div>'
    '<div class="serendipity_center"><a rel="nofollow" href="http://blog.example/comment.php?type=trackback&amp;entry_id=3">Trackback specific URI for this entry'
    '</a></div><a id="c91"></a><div class="serendipity_comment"><a href="http://other.example/p">Other blog</a><br />Marta writes on tides.<div '
    'class="serendipity_comment_source">Tracked: May 04, 12:00</div></div></div><div class="serendipity_comments serendipity_section_comments"><a id="comments">'
    f'</a><div id="serendipity_comment_92" class="serendipity_comment"><div class="serendipity_commentBody">{ANNA}</div><div class="serendipity_comment_source">'
    '<span class="comment_source_author">Anna</span> on <span class="comment_source_date">2012-05-03 09:41</span></div></div><div id="serendipity_comment_93" '
    f'class="serendipity_comment"><div class="serendipity_commentBody">{BOB}</div><div class="serendipity_comment_source"><span class="comment_source_author">Bob'
    '</span> on <span class="comment_source_date">2012-05-03 10:41</span></div></div></div>',
}


def comments_below(markup: str) -> tuple[Comment, ...]:
    page = f"<html lang=en><title>Tides</title><body><div id=main>{ARTICLE}{markup}{FORM}</div></body>"
    post = extract(page, "http://blog.example/2012/tides")
    assert post is not None
    return post.comments


@pytest.mark.parametrize("name", LISTS)
def test_trackbacks_are_told_apart_from_comments(name: str) -> None:
    found = comments_below(LISTS[name])
    trackbacks = [comment for comment in found if comment.is_trackback]
    assert {(one.author, one.text) for one in found if not one.is_trackback} == {("Anna", ANNA), ("Bob", BOB)}
    assert trackbacks
    assert {one.author for one in trackbacks} == {"Other blog"}
    assert {one.author_url for one in trackbacks} <= {"http://other.example/p", "http://other.example/p2"}


def test_notice_that_links_to_the_post_itself_is_no_trackback() -> None:
    notice = "<p>TrackBack URL for this entry: http://blog.example/t/12</p><p>Weblogs that reference {}:</p>"
    link = "<a href=http://blog.example/2021/03/tides/>Tides</a>"
    info = f"<h3>TrackBack</h3><div class=trackbacks-info>{notice.format(link)}</div>"
    comment = f"<div class=comment id=comment-5><b>Anna</b> May 3, 2012 9:41 AM<p>{ANNA}</p></div>"
    found = comments_below(
        f"<div class=trackbacks>{info}<div class=trackbacks-content></div></div><div>{comment}</div>"
    )
    assert [(one.author, one.text) for one in found] == [("Anna", ANNA)]


def test_url_for_trackbacks_is_no_trackback() -> None:
    url = "http://blog.example/mt-tb.cgi/12"
    assert comments_below(f'<p class="trackback">TrackBack URL: <a href="{url}">{url}</a></p>') == ()


def test_only_trackbacks_have_a_type_in_json() -> None:
    assert "type" not in json.loads(to_json(Comment(id="1")))
    assert json.loads(to_json(Comment(id="1", type="trackback")))["type"] == "trackback"
