"""A record found in a file (`FoundRecord`), and shared functions of the readers for XML and JSON lines.

JSON lines are written by `posterity export --format jsonl` and `posterity extract`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any
from xml.etree.ElementTree import Element, ParseError, XMLPullParser
from xml.parsers.expat import ExpatError, ParserCreate

import msgspec

from posterity.archive.history import EarlierStates, GoneSince
from posterity.errors import InputError
from posterity.export.round_trip import FormatPost, record_of, with_rest
from posterity.model import Post, Provenance, from_json

_FIELDS = ("text", "title", "authors", "published", "modified", "tags", "categories", "language", "comments")


class FoundRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A post, with the URL and title of its blog, its tombstone and its history, if the file contains them."""

    post: Post
    blog_url: str | None = None
    blog_title: str | None = None
    gone: GoneSince | None = None
    history: EarlierStates | None = None


class _LineExtras(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a line that are not part of the post."""

    gone: GoneSince | None = None
    history: EarlierStates | None = None


def record_in_line(line: bytes) -> FoundRecord:
    """Parse a line of JSON; raises `InputError`."""
    extras = from_json(line, _LineExtras)
    return FoundRecord(post=from_json(line, Post), gone=extras.gone, history=extras.history)


def record_from(covered: FormatPost, rest: str | None, method: str) -> Post:
    """Return the post; without `rest`, which only Posterity's exports have, its provenance is the format (`method`)."""
    if rest:
        return with_rest(covered, rest)
    post = record_of(covered)
    origin = Provenance(method=method, confidence=1.0)
    return msgspec.structs.replace(post, provenance={name: origin for name in _FIELDS if getattr(post, name)})


# The limit of a post with all its comments; the largest in real exports have a few megabytes.
_MAX_RECORD_BYTES = 64 * 1024 * 1024
_CHUNK = 64 * 1024


NOT_XML = (ParseError, ExpatError, ValueError)  # the last: encodings that expat cannot read


class EntityGuard:
    """Raises `InputError` for XML that declares entities, whatever its encoding; `name` is the file."""

    def __init__(self, name: str) -> None:
        self._name, self._is_in_root = name, False
        self._parser = ParserCreate()
        self._parser.EntityDeclHandler = self._refuse
        self._parser.StartElementHandler = self._leave

    def check(self, chunk: bytes) -> None:
        """Check the next bytes of the file; declarations are only possible before the first element."""
        if not self._is_in_root:
            self._parser.Parse(chunk)

    def _refuse(self, *_: object) -> None:
        raise InputError(f"{self._name} declares XML entities, which such files do not need. Remove them.")

    def _leave(self, *_: object) -> None:
        self._is_in_root = True


def elements_below(stream: IO[bytes], path: tuple[str, ...], name: str) -> Iterator[Element]:
    """Yield every complete child of the element at this path. Raises `InputError` for XML that is not well-formed.

    Files that declare entities are refused, because a short entity could be expanded a million times.
    """
    guard = EntityGuard(name)
    open_elements: list[Element] = []
    parser: Any = XMLPullParser(("start", "end"))
    unfinished_bytes = 0
    try:
        while chunk := stream.read(_CHUNK):
            unfinished_bytes += len(chunk)
            if unfinished_bytes > _MAX_RECORD_BYTES:
                raise InputError(f"{name} has a record of more than {_MAX_RECORD_BYTES:,} bytes and was not read.")
            guard.check(chunk)
            parser.feed(chunk)
            for event, element in parser.read_events():
                if event == "start":
                    open_elements.append(element)
                    continue
                open_elements.pop()
                # The slice avoids quadratic time for deeply nested elements.
                if tuple(outer.tag for outer in open_elements[: len(path) + 1]) == path:
                    yield element
                    open_elements[-1].remove(element)
                    unfinished_bytes = 0
        parser.close()
    except NOT_XML as problem:
        raise InputError(f"{name} is not well-formed XML: {problem}. Check that it is complete.") from problem


def text_at(element: Element, tag: str) -> str:
    """Return the text of a child, or the empty string."""
    return element.findtext(tag) or ""


def records_in_json_lines(stream: IO[bytes], name: str) -> Iterator[FoundRecord]:
    """Yield the records; raises `InputError` with the number of a line that is not one."""
    for number, line in enumerate(iter(lambda: stream.readline(_MAX_RECORD_BYTES + 1), b""), 1):
        if len(line) > _MAX_RECORD_BYTES:
            raise InputError(f"{name}, line {number} has more than {_MAX_RECORD_BYTES:,} bytes and was not read.")
        if not line.strip():
            continue
        try:
            yield record_in_line(line)
        except InputError as problem:
            raise InputError(f"{name}, line {number}: {problem}") from problem
