"""Records from WordPress exports, Blogger backups, and damaged files."""

from __future__ import annotations

import gzip
from io import BytesIO
from typing import TYPE_CHECKING

import pytest

from posterity.errors import InputError
from posterity.importer.records.atom import records_in_atom
from posterity.importer.records.files import holds_records, records_in
from posterity.importer.records.wxr import records_in_wxr
from posterity.model import Post, to_json

if TYPE_CHECKING:
    from pathlib import Path

WXR = """<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.1/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:wp="http://wordpress.org/export/1.1/">
<channel><title>The Kettle</title><link>https://kettle.example</link>
<wp:base_blog_url>https://kettle.example</wp:base_blog_url>
<wp:author><wp:author_login>amara</wp:author_login>
<wp:author_display_name>Amara Osei</wp:author_display_name></wp:author>
{items}
</channel></rss>"""
ITEM = """<item><title>Copper</title><link>https://kettle.example/copper/</link><dc:creator>amara</dc:creator>
<content:encoded><![CDATA[First line
second line.

Another <b>paragraph</b>.]]></content:encoded><excerpt:encoded/>
<wp:post_id>7</wp:post_id><wp:post_date>2010-02-03 05:05:06</wp:post_date>
<wp:post_date_gmt>2010-02-03 04:05:06</wp:post_date_gmt><wp:status>{status}</wp:status>
<wp:post_type>{kind}</wp:post_type>
<category domain="category" nicename="craft">Craft</category><category domain="post_tag" nicename="tin">Tin</category>
<wp:comment><wp:comment_id>3</wp:comment_id><wp:comment_author>Olu</wp:comment_author>
<wp:comment_date_gmt>2010-02-03 06:00:00</wp:comment_date_gmt><wp:comment_content>Nice.</wp:comment_content>
<wp:comment_approved>1</wp:comment_approved><wp:comment_parent>0</wp:comment_parent></wp:comment>
<wp:comment><wp:comment_id>4</wp:comment_id><wp:comment_content>Buy!</wp:comment_content>
<wp:comment_approved>spam</wp:comment_approved></wp:comment>
<wp:comment><wp:comment_id>5</wp:comment_id><wp:comment_content>Indeed.</wp:comment_content>
<wp:comment_approved>1</wp:comment_approved><wp:comment_parent>3</wp:comment_parent></wp:comment>
<wp:comment><wp:comment_id>6</wp:comment_id><wp:comment_content>So does Olu.</wp:comment_content>
<wp:comment_approved>1</wp:comment_approved><wp:comment_type>pingback</wp:comment_type></wp:comment></item>"""

BLOGGER = """<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns='http://www.w3.org/2005/Atom' xmlns:thr='http://purl.org/syndication/thread/1.0'>
<title>Old days</title><link rel='alternate' href='http://old.example/'/>
<entry><id>tag:blogger.com,1999:blog-1.settings.X</id><title>setting</title>
<category scheme='http://schemas.google.com/g/2005#kind' term='http://schemas.google.com/blogger/2008/kind#settings'/>
<link rel='alternate' href='http://old.example/setting'/></entry>
<entry><id>tag:blogger.com,1999:blog-1.post-30</id><title>Re</title>
<category scheme='http://schemas.google.com/g/2005#kind' term='http://schemas.google.com/blogger/2008/kind#comment'/>
<author><name>Bo</name></author><content type='html'>Yes</content><published>2008-01-02T10:00:00+01:00</published>
<thr:in-reply-to ref='tag:blogger.com,1999:blog-1.post-2'/>
<link rel='related' href='http://www.blogger.com/feeds/1/2/comments/default/20'/></entry>
<entry><id>tag:blogger.com,1999:blog-1.post-2</id><title>A day</title>
<category scheme='http://schemas.google.com/g/2005#kind' term='http://schemas.google.com/blogger/2008/kind#post'/>
<category scheme='http://www.blogger.com/atom/ns#' term='sea'/>
<author><name>Ann</name></author><content type='html'>&lt;p&gt;Rain.&lt;/p&gt;</content>
<published>2008-01-01T10:00:00+01:00</published><updated>2008-01-05T10:00:00+01:00</updated>
<link rel='alternate' href='http://old.example/2008/01/day.html'/></entry>
<entry><id>tag:blogger.com,1999:blog-1.post-20</id><title>Re</title>
<category scheme='http://schemas.google.com/g/2005#kind' term='http://schemas.google.com/blogger/2008/kind#comment'/>
<content type='html'>No</content><thr:in-reply-to ref='tag:blogger.com,1999:blog-1.post-2'/></entry>
</feed>"""


def in_wxr(status: str = "publish", kind: str = "post") -> list[Post]:
    content = WXR.replace("{items}", ITEM.format(status=status, kind=kind))
    return [found.post for found in records_in_wxr(BytesIO(content.encode()), "x.xml")]


def test_a_wordpress_export_gives_posts_with_authors_terms_and_threads() -> None:
    (post,) = in_wxr()
    assert (post.url, post.title, post.authors) == ("https://kettle.example/copper/", "Copper", ("Amara Osei",))
    assert (post.categories, post.tags) == (("Craft",), ("Tin",))
    assert post.published is not None
    assert post.published.isoformat() == "2010-02-03T04:05:06+00:00"
    assert [(comment.id, comment.parent, comment.text) for comment in post.comments] == [
        ("3", None, "Nice."),
        ("5", "3", "Indeed."),
        ("6", None, "So does Olu."),
    ]
    assert [comment.is_trackback for comment in post.comments] == [False, False, True]
    assert post.provenance["text"].method == "wxr"


def test_paragraphs_that_wordpress_writes_as_empty_lines_are_paragraphs() -> None:
    (post,) = in_wxr()
    assert post.text == "First line\nsecond line.\n\nAnother paragraph."


@pytest.mark.parametrize(("status", "kind"), [("draft", "post"), ("publish", "page"), ("inherit", "attachment")])
def test_what_is_no_public_post_is_left_out(status: str, kind: str) -> None:
    assert in_wxr(status, kind) == []


def test_a_blogger_backup_gives_posts_and_their_comments_in_any_order() -> None:
    (found,) = records_in_atom(BytesIO(BLOGGER.encode()), "x.xml")
    post = found.post
    assert (post.url, post.title, post.tags, post.authors) == (
        "http://old.example/2008/01/day.html",
        "A day",
        ("sea",),
        ("Ann",),
    )
    assert (found.blog_url, found.blog_title) == ("http://old.example/", "Old days")
    assert post.modified is not None
    by_text = {comment.text: comment for comment in post.comments}
    assert by_text["Yes"].parent == by_text["No"].id


def test_broken_xml_is_named_with_its_place() -> None:
    with pytest.raises(InputError, match=r"x\.xml is not well-formed XML: .*line"):
        list(records_in_wxr(BytesIO(WXR.replace("</channel>", "").encode()), "x.xml"))


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    file = tmp_path / "posts.jsonl"
    file.write_bytes(to_json(Post(id="p", url="u")) + b'\n{"id": 3}\n')
    with pytest.raises(InputError, match=r"posts\.jsonl, line 2"):
        list(records_in(file))


@pytest.mark.parametrize(
    ("content", "holds"),
    [
        (to_json(Post(id="p", url="u")), True),
        (gzip.compress(to_json(Post(id="p", url="u")), mtime=0), True),
        (WXR.encode(), True),
        (BLOGGER.encode(), True),
        (b"<rss version='2.0'><channel/></rss>", False),
        (b"<!doctype html><p>x", False),
        (b"WARC/1.1\r\nWARC-Type: response\r\n\r\n" + BLOGGER.encode(), False),
        (b"\x1f\x8b damaged", False),
        (b"", False),
    ],
)
def test_files_of_records_are_known_by_what_is_in_them(tmp_path: Path, content: bytes, *, holds: bool) -> None:
    (tmp_path / "file").write_bytes(content)
    assert holds_records(tmp_path / "file") is holds
