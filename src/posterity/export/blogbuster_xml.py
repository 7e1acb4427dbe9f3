"""The format `xml`: a BlogBuster corpus, with a <post> for each post and declarations for missing fields.

BlogBuster writes XML, JSON or plain text (document 000, section 3) and declares a missing title or date (section 4,
steps 3c and 4d), but the paper contains no schema. This one follows its text; docs/schemas/blog.rng is the RELAX NG
schema:

    <blog>
      <post id="..." url="..." blog="..." lang="...">
        <title>...</title>
        <date missing="true"/>
        <author>...</author>                  one for each author
        <category>...</category> <tag>...</tag>
        <text>one line per block</text>
        <comment id="..." parent="..." author="..." date="...">...</comment>
      </post>
    </blog>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from posterity.export.selection import Source, written_date
from posterity.export.xml import attributes, element
from posterity.model import Comment, Post


def write_xml(source: Source, out: BinaryIO) -> None:
    """Write one document with all posts."""
    out.writelines(f"{line}\n".encode() for line in _lines(source.posts))


def blogbuster_xml(posts: Iterable[Post]) -> str:
    """Return the posts as one XML document."""
    return "\n".join([*_lines(posts), ""])


def _lines(posts: Iterable[Post]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield "<blog>"
    for post in posts:
        yield f"  <post{attributes(id=post.id, url=post.url, blog=post.blog, lang=post.language)}>"
        yield "    " + _found_or_missing("title", post.title)
        yield "    " + _found_or_missing("date", written_date(post.published, post.published_precision))
        yield from (f"    {element('author', name)}" for name in post.authors)
        yield from (f"    {element('category', name)}" for name in post.categories)
        yield from (f"    {element('tag', name)}" for name in post.tags)
        yield "    " + _found_or_missing("text", post.text)
        yield from (f"    {_comment(comment)}" for comment in post.comments)
        yield "  </post>"
    yield "</blog>"


def _found_or_missing(name: str, content: str | None) -> str:
    return element(name, content) if content else element(name, None, missing="true")


def _comment(comment: Comment) -> str:
    date = written_date(comment.published, None)
    return element("comment", comment.text, id=comment.id, parent=comment.parent, author=comment.author, date=date)
