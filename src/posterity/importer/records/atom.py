"""Reads records from Atom: exports of Posterity, and backups of Blogger ("Back up content")."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import IO, NamedTuple
from xml.etree.ElementTree import Element, tostring

import msgspec

from posterity.archive.history import EarlierStates, GoneSince
from posterity.export.atom import ATOM, CATEGORIES, OWN, THREAD, TOMBSTONES, entry_times
from posterity.export.round_trip import FormatComment, FormatPost
from posterity.export.temporary import DiskTable
from posterity.importer.records.found import FoundRecord, elements_below, record_from, text_at
from posterity.model import from_json
from posterity.model.post import aware

_THREAD = """
WITH RECURSIVE thread(number, id) AS (
    SELECT number, id FROM comments WHERE reply_to = ?
    UNION SELECT comments.number, comments.id FROM comments JOIN thread ON comments.reply_to = thread.id
)
SELECT number, reply_to, document FROM comments JOIN thread USING (number) ORDER BY number
"""


class ReplyThreads(DiskTable):
    """The comments of a feed, in a temporary file."""

    def __init__(self) -> None:
        super().__init__(
            "CREATE TABLE comments (number INTEGER PRIMARY KEY, id TEXT, reply_to TEXT, document BLOB)",
            "CREATE INDEX by_reply_to ON comments (reply_to)",
        )

    def add(self, comment: FormatComment, reply_to: str) -> None:
        """Store a comment on the entry with this id: a post, or another comment."""
        row = (comment.id, reply_to, msgspec.json.encode(comment))
        self._rows.execute("INSERT INTO comments (id, reply_to, document) VALUES (?, ?, ?)", row)

    def take_thread(self, entry_id: str) -> Iterator[FormatComment]:
        """Yield and remove all comments on a post and on its comments, in the order of the feed.

        Comments are removed so that a thousand posts with the same id do not get a thousand copies.
        """
        rows = self._rows.execute(_THREAD, (entry_id,)).fetchall()
        self._rows.executemany("DELETE FROM comments WHERE number = ?", ((number,) for number, _, _ in rows))
        for _, reply_to, document in rows:
            comment = msgspec.json.decode(document, type=FormatComment)
            yield comment if reply_to == entry_id else msgspec.structs.replace(comment, parent=reply_to)


_A, _T, _OWN = f"{{{ATOM}}}", f"{{{THREAD}}}", f"{{{OWN}}}"
# The category scheme by which Blogger distinguishes posts, comments, settings and the template in one feed.
_KIND = "http://schemas.google.com/g/2005#kind"
_GONE = 410  # the HTTP status that corresponds to a tombstone


def records_in_atom(stream: IO[bytes], name: str) -> Iterator[FoundRecord]:
    """Yield the posts with their comments. The file is read twice, because comments may precede their post."""
    gone: dict[str, GoneSince] = {}
    with ReplyThreads() as threads:
        for element in elements_below(stream, (f"{_A}feed",), name):
            if element.tag == f"{{{TOMBSTONES}}}deleted-entry" and (since := _gone_since(element)):
                gone[element.get("ref", "").strip()] = since
            elif (entry := _entry(element)) and entry.reply_to:
                threads.add(_comment(entry), entry.reply_to)
        stream.seek(0)
        home = title = ""
        for element in elements_below(stream, (f"{_A}feed",), name):
            if element.tag == f"{_A}title":
                title = (element.text or "").strip() or title
            elif element.tag == f"{_A}link" and element.get("rel", "alternate") == "alternate":
                home = element.get("href", "") or home
            elif (entry := _entry(element)) and not entry.reply_to and entry.link:
                found = _record(entry, home, title, tuple(threads.take_thread(entry.id)))
                history = element.findtext(f"{_OWN}history")
                told = from_json(history, EarlierStates) if history else None
                yield msgspec.structs.replace(found, gone=gone.get(entry.id), history=told)


class _AtomEntry(NamedTuple):
    """An entry of the feed."""

    element: Element
    id: str
    reply_to: str
    link: str


def _gone_since(tombstone: Element) -> GoneSince | None:
    """Return the time and status of a tombstone (RFC 6721); None without a valid time."""
    when, status = _moment(tombstone.get("when", "")), tombstone.get(f"{_OWN}status", "")
    if when is None:
        return None
    return GoneSince(at=when, status=int(status) if status.isascii() and status.isdigit() else _GONE)


def _entry(element: Element) -> _AtomEntry | None:
    """Return a post or a comment; None for other elements."""
    kinds = [found.get("term", "") for found in element.findall(f"{_A}category") if found.get("scheme") == _KIND]
    if element.tag != f"{_A}entry" or (kinds and not kinds[0].endswith(("#post", "#comment"))):
        return None
    reply = element.find(f"{_T}in-reply-to")
    reply_to = (reply.get("ref") or "").strip() if reply is not None else ""
    return _AtomEntry(element, text_at(element, f"{_A}id").strip(), reply_to, _link(element, "alternate"))


def _record(entry: _AtomEntry, home: str, title: str, comments: tuple[FormatComment, ...]) -> FoundRecord:
    element = entry.element
    own = element.find(f"{_A}source")
    blog_url = text_at(own, f"{_A}id") if own is not None else home
    blog_title = text_at(own, f"{_A}title") if own is not None else title
    published, modified = _times(element)
    terms = [found for found in element.findall(f"{_A}category") if found.get("scheme") != _KIND]
    covered = FormatPost(
        url=entry.link,
        blog_url=blog_url or None,
        title=text_at(element, f"{_A}title").strip() or None,
        authors=tuple(filter(None, (text_at(one, f"{_A}name").strip() for one in element.findall(f"{_A}author")))),
        published=published,
        modified=modified,
        language=element.get("{http://www.w3.org/XML/1998/namespace}lang"),
        tags=tuple(one.get("term", "") for one in terms if one.get("scheme") != CATEGORIES),
        categories=tuple(one.get("term", "") for one in terms if one.get("scheme") == CATEGORIES),
        license=_link(element, "license") or None,
        summary=text_at(element, f"{_A}summary").strip() or None,
        html=_content(element),
        comments=comments,
    )
    post = record_from(covered, element.findtext(f"{_OWN}rest"), "atom")
    return FoundRecord(post=post, blog_url=blog_url or None, blog_title=blog_title or None)


def _comment(entry: _AtomEntry) -> FormatComment:
    element = entry.element
    author = element.find(f"{_A}author")
    # In Blogger's backups all comments reply to the post, but a "related" link names the parent.
    number = _link(entry.element, "related").rpartition("/")[2]
    before, mark, _ = entry.id.rpartition("post-")
    return FormatComment(
        id=entry.id,
        parent=before + mark + number if number and mark else None,
        author=(text_at(author, f"{_A}name").strip() or None) if author is not None else None,
        author_url=(text_at(author, f"{_A}uri").strip() or None) if author is not None else None,
        published=_times(element)[0],
        html=_content(element),
    )


def _link(element: Element, rel: str) -> str:
    links = (link for link in element.findall(f"{_A}link") if link.get("rel", "alternate") == rel)
    return next((link.get("href", "") for link in links), "")


def _content(element: Element) -> str:
    if (content := element.find(f"{_A}content")) is None:
        return ""
    if content.get("type") == "xhtml":
        return "".join(tostring(inner, encoding="unicode", method="html") for inner in content)
    return content.text or ""


def _times(element: Element) -> tuple[datetime | None, datetime | None]:
    published, updated = (_moment(text_at(element, _A + name).strip()) for name in ("published", "updated"))
    return entry_times(published, updated or published or datetime(1970, 1, 1, tzinfo=UTC))


def _moment(text: str) -> datetime | None:
    try:
        return aware(datetime.fromisoformat(text))
    except ValueError:
        return None
