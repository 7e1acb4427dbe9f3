"""The XML of OAI-PMH: the frame around every answer, headers, records in Dublin Core, and refusals."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from posterity.archive.listing import PostLine
    from posterity.model import Post

_OPENING = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ '
    'http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">'
)
_DUBLIN_CORE = (
    '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai_dc/ '
    'http://www.openarchives.org/OAI/2.0/oai_dc.xsd">'
)
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SUMMARY_CHARS = 600
# Harvesters ask next time for what came after this answer's date. What is being stored right now carries a time that
# has passed already when others can see it: an answer that is dated a little earlier makes them ask for it again.
_SETTLED = timedelta(minutes=1)


class Refused(Exception):  # noqa: N818 - the protocol's own way to say no
    """A request that the protocol has an error code for."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @property
    def xml(self) -> str:
        """The error as an element."""
        return f'<error code="{self.code}">{escape(str(self))}</error>'


def document(base: str, inner: str, arguments: dict[str, str]) -> str:
    """Return the whole answer; the request is repeated with its arguments as attributes."""
    known = {name: value for name, value in arguments.items() if re.fullmatch(r"[A-Za-z]+", name)}
    said = "".join(f" {name}={quoteattr(value)}" for name, value in known.items())
    settled = (datetime.now(UTC) - _SETTLED).strftime("%Y-%m-%dT%H:%M:%SZ")
    whole = f"{_OPENING}<responseDate>{settled}</responseDate><request{said}>{escape(base)}</request>{inner}</OAI-PMH>"
    return _NOT_IN_XML.sub("", whole)


def is_deleted(line: PostLine) -> bool:
    """Tell whether the record is no longer to be shown: its blog took it away, or it lives on as another one."""
    return line.gone_at is not None or line.moved_to is not None


def header(line: PostLine) -> str:
    """Return the header of a record."""
    deleted = ' status="deleted"' if is_deleted(line) else ""
    in_set = f"<setSpec>{line.blog}</setSpec>" if line.blog else ""
    return (
        f"<header{deleted}><identifier>oai:posterity:{line.id}</identifier>"
        f"<datestamp>{line.stamp[:19]}Z</datestamp>{in_set}</header>"
    )


def record(line: PostLine, post: Post | None) -> str:
    """Return a record; without a post, a deleted one."""
    if post is None:
        return f"<record>{header(line)}</record>"
    return f"<record>{header(line)}<metadata>{_DUBLIN_CORE}{_fields(post)}</oai_dc:dc></metadata></record>"


def _fields(post: Post) -> str:
    said = [
        ("title", post.title),
        *(("creator", name) for name in post.authors),
        *(("subject", tag) for tag in post.tags),
        ("description", post.summary or post.text[:_SUMMARY_CHARS]),
        ("date", post.published.date().isoformat() if post.published else None),
        ("type", "Text"),
        ("format", "text/html"),
        ("identifier", post.canonical_url or post.url),
        ("language", post.language),
        ("rights", post.license),
    ]
    return "".join(f"<dc:{name}>{escape(value)}</dc:{name}>" for name, value in said if value)
