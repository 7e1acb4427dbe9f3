"""Atom, JSON Feed and WXR, read by other parsers."""

from __future__ import annotations

import json
from typing import Any

import feedparser
import msgspec
import pytest
from tests.unit.export.writing import BLOG, POST, written

from posterity.discover.feed import read_json_feed
from posterity.export.atom import write_atom
from posterity.export.json_feed import write_json_feed
from posterity.export.wxr import write_wxr
from posterity.model import Blog, Media, Post


def parsed(content: bytes) -> Any:
    found = feedparser.parse(content)
    assert not found.bozo
    return found


def test_atom_is_complete_and_has_comments_as_entries() -> None:
    content = written(write_atom, [POST])
    assert b"<fh:complete/>" in content
    post, first, second = parsed(content).entries
    assert (post.title, post.link, post.published) == (POST.title.__str__(), POST.url, "2021-03-12T08:30:00+01:00")
    assert (first.author, second.author) == ("Gwen", "Jo")
    assert f'ref="{first.id}"' in content.decode()


def test_atom_of_several_blogs_names_the_source_of_each_post() -> None:
    other = Blog(id="b2", url="https://other.example/", title="Other")
    content = written(write_atom, [POST, Post(id="p2", url="https://other.example/x", blog="b2")], BLOG, other)
    assert [entry.source.title for entry in parsed(content).entries if "source" in entry] == ["Tides & co", "Other"]


def test_wxr_has_posts_comments_terms_and_attachments() -> None:
    content = written(write_wxr, [POST]).decode()
    post, attachment = parsed(content.encode()).entries
    assert post.title == POST.title
    assert "<wp:attachment_url><![CDATA[https://blog.example/tide.png]]>" in content
    assert "<wp:comment_parent>1</wp:comment_parent>" in content
    assert "<wp:post_date>2021-03-12 08:30:00</wp:post_date>" in content
    assert "<wp:post_date_gmt>2021-03-12 07:30:00</wp:post_date_gmt>" in content
    assert '<category domain="category" nicename="almanac">' in content
    assert attachment.wp_post_parent == "1"


def test_wxr_tells_posts_of_one_time_apart_by_seconds() -> None:
    posts = [msgspec.structs.replace(POST, id=f"p{number}", media=()) for number in range(3)]
    content = written(write_wxr, posts).decode()
    times = [f"<wp:post_date>2021-03-12 08:30:0{number}</wp:post_date>" in content for number in range(3)]
    assert times == [True] * 3


def test_wxr_gives_pictures_of_one_name_different_titles_and_keeps_what_they_show() -> None:
    media = tuple(Media(url=f"https://blog.example/{number}/a%20b.png?x", alt="A tide") for number in range(2))
    content = written(write_wxr, [msgspec.structs.replace(POST, media=media)]).decode()
    assert [entry.title for entry in parsed(content.encode()).entries[1:]] == ["a b.png", "a b.png (2)"]
    assert content.count("_wp_attachment_image_alt</wp:meta_key><wp:meta_value><![CDATA[A tide]]>") == 2


def test_wxr_gives_authors_of_one_short_name_different_logins() -> None:
    posts = [Post(id=name, url=f"https://blog.example/{name}", authors=(name,)) for name in ("Zoë", "Zoe", "潮")]
    content = written(write_wxr, posts).decode()
    assert [f"<wp:author_login><![CDATA[{login}]]>" in content for login in ("zoe", "zoe-2", "login")] == [True] * 3


def test_json_feed_is_read_by_our_own_reader() -> None:
    feed = read_json_feed(written(write_json_feed, [POST, Post(id="p2", url="https://blog.example/2", text="x")]), "u")
    assert [entry.title for entry in feed.entries] == [POST.title, None]


def test_json_feed_has_comments_as_an_extension() -> None:
    (item,) = json.loads(written(write_json_feed, [POST]))["items"]
    assert [comment.get("in_reply_to") for comment in item["_comments"]] == [None, "comment-9"]
    assert item["tags"] == ["Almanac", "sea", "moon"]


@pytest.mark.parametrize("write", [write_atom, write_wxr, write_json_feed])
def test_no_posts_give_a_whole_document(write: Any) -> None:
    content = written(write, [])
    assert json.loads(content)["items"] == [] if write is write_json_feed else parsed(content).entries == []


def test_embed_is_no_attachment_in_wxr() -> None:
    player = Media(url="https://vimeo.com/12345", kind="video", provider="Vimeo")
    post = msgspec.structs.replace(POST, media=(player, *POST.media))
    content = written(write_wxr, [post]).decode()
    assert content.count("<wp:attachment_url>") == 1
    assert "<wp:attachment_url><![CDATA[https://blog.example/tide.png]]>" in content


def test_cover_is_the_featured_image_in_wxr_and_the_image_in_json_feed() -> None:
    cover = "https://blog.example/harbour.jpg"
    post = msgspec.structs.replace(POST, media=(*POST.media, Media(url=cover)), cover=cover)
    item, _, attachment = parsed(written(write_wxr, [post])).entries
    assert (item.wp_meta_key, item.wp_meta_value) == ("_thumbnail_id", attachment.wp_post_id)
    assert attachment.wp_attachment_url == cover
    assert json.loads(written(write_json_feed, [post]))["items"][0]["image"] == cover
    assert b"_thumbnail_id" not in written(write_wxr, [POST])
