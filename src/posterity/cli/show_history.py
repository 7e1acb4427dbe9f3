"""The history of a post for people: its revisions with what changed word by word, and what happened to its page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from posterity.errors import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.archive import Archive, Capture, History, Revision
    from posterity.archive.word_diff import Piece
    from posterity.model import Post

# Words shown on either side of a change, so that one finds the place.
_AROUND = 8
# These follow from the text: showing them too would say everything three times.
_TOLD_BY_TEXT = ("markdown", "html")
_EVENTS = {
    "gone": "no longer shown by the blog, status {}",
    "back": "shown by the blog again",
    "moved": "moved to {}",
}


def history_lines(history: History) -> Iterator[str]:
    """Yield the lines that tell the history, in the order of time."""
    happened = [(event.at, _EVENTS[event.kind].format(event.detail)) for event in history.events]
    before: Revision | None = None
    for revision in history.revisions:
        while happened and happened[0][0] < revision.seen_at:
            yield _dated(*happened.pop(0))
        yield from _revision_lines(revision, before)
        before = revision
    for at, what in happened:
        yield _dated(at, what)


def post_captures(store: Archive, post: Post) -> list[Capture]:
    """Return every stored answer from the addresses of a post and of the pages that gave its fields, oldest first."""
    urls = dict.fromkeys(url for url in (post.url, post.canonical_url) if url)
    for pointer in dict.fromkeys(origin.warc for origin in post.provenance.values() if origin.warc):
        try:
            urls.setdefault(store.read_page(pointer).url)
        except ArchiveError:
            continue
    found = {capture.record_id: capture for url in urls for capture in store.captures(url)}
    return sorted(found.values(), key=lambda capture: (capture.fetched_at, capture.record_id))


def _revision_lines(revision: Revision, before: Revision | None) -> Iterator[str]:
    if before is None:
        yield _dated(revision.seen_at, f"revision {revision.revision}, {len(revision.post.text.split())} words")
        return
    yield _dated(revision.seen_at, f"revision {revision.revision}: {', '.join(revision.changed) or 'nothing'} changed")
    for field in revision.changed:
        if field not in _TOLD_BY_TEXT:
            old, new = (_words_of(getattr(state.post, field)) for state in (before, revision))
            yield f"  {click.style(f'{field:10}', bold=True)}{marked_diff(old, new)}"


def marked_diff(old: str, new: str) -> str:
    """Return both texts in one, marked as `git diff --word-diff` does, in colour where there is colour."""
    from posterity.archive.word_diff import word_diff

    pieces = word_diff(old, new)
    last = len(pieces) - 1
    return "".join(_marked(piece, is_first=place == 0, is_last=place == last) for place, piece in enumerate(pieces))


def _marked(piece: Piece, *, is_first: bool, is_last: bool) -> str:
    if piece.kind == "out":
        return click.style(f"[-{piece.text}-]", fg="red")
    if piece.kind == "in":
        return click.style(f"{{+{piece.text}+}}", fg="green")
    return _shortened(piece.text, head=0 if is_first else _AROUND, tail=0 if is_last else _AROUND)


def _shortened(text: str, *, head: int, tail: int) -> str:
    """The words beside the changes before and behind; what lies far from both is left out."""
    words = re.findall(r"\S+\s*|\s+", text)
    if len(words) <= head + tail + 1:
        return text
    return "".join([*words[:head], "… ", *(words[-tail:] if tail else ())])


def _words_of(value: object) -> str:
    """Anything that a field holds, as words."""
    if isinstance(value, tuple):
        return "\n".join(_words_of(part) for part in value)
    if value is None:
        return ""
    for facts in (("author", "text"), ("url", "digest")):  # a comment, a medium
        if hasattr(value, facts[0]):
            return " ".join(str(getattr(value, fact)) for fact in facts if getattr(value, fact))
    return str(value)


def _dated(at: object, what: str) -> str:
    return f"{click.style(f'{at:%Y-%m-%d %H:%M}', bold=True)}  {what}"
