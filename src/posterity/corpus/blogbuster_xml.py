"""Posts as the XML of a BlogBuster corpus: one <post> with title, date and text each, what is missing declared so.

BlogBuster encodes what it extracts as XML, JSON or plain text (document 000, section 3) and declares a missing
title or date (section 4, steps 3c and 4d), but prints no schema. This one follows its words:

    <blog>
      <post id="..." url="...">
        <title>...</title>
        <date missing="true"/>
        <author>...</author>                  as many as there are
        <text>one line per block</text>
        <comment id="..." parent="..." author="..." date="...">...</comment>
      </post>
    </blog>

Characters that XML 1.0 cannot hold, such as the control characters of broken pages, are left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from posterity.model import Comment, Post

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def blogbuster_xml(posts: Iterable[Post]) -> str:
    """Return the posts as one XML document."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<blog>"]
    for post in posts:
        lines += _post_lines(post)
    return "\n".join([*lines, "</blog>", ""])


def _post_lines(post: Post) -> list[str]:
    return [
        f"  <post{_attributes(id=post.id, url=post.url, lang=post.language)}>",
        _element("title", post.title),
        _element("date", _date(post.published, post.published_precision)),
        *(_element("author", name) for name in post.authors),
        _element("text", post.text),
        *(_comment(comment) for comment in post.comments),
        "  </post>",
    ]


def _element(name: str, content: str | None) -> str:
    return f'    <{name} missing="true"/>' if not content else f"    <{name}>{escape(_fit(content))}</{name}>"


def _comment(comment: Comment) -> str:
    date = comment.published.isoformat() if comment.published else None
    about = _attributes(id=comment.id, parent=comment.parent, author=comment.author, date=date)
    return f"    <comment{about}>{escape(_fit(comment.text))}</comment>"


def _date(published: datetime | None, precision: str | None) -> str | None:
    if published is None:
        return None
    return published.date().isoformat() if precision == "day" else published.isoformat()


def _attributes(**values: str | None) -> str:
    return "".join(f" {name}={quoteattr(_fit(value))}" for name, value in values.items() if value)


def _fit(text: str) -> str:
    return _NOT_IN_XML.sub("", text)
