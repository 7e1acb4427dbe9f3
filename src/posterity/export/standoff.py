"""The format `standoff`: a corpus without its texts (URLs, digests, offsets, annotations), and how to rebuild them.

BlogBuster paper, section 7: the texts of others cannot be distributed, but annotations of them can. There is a line
of JSON per blog with its extraction rules, and one per post with its URL and the digests by which its text is
recognised. The texts are rebuilt from pages of the web, of an archive, or of WARC files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import BinaryIO, Literal, TypeAlias

import msgspec

from posterity.dom import parse
from posterity.errors import InputError, PosterityError
from posterity.export.selection import Source
from posterity.extraction.method import Context, extract_posts
from posterity.model import Page, Post, RuleSet, to_json

Status = Literal["same", "moved", "changed", "missing"]


class Segment(msgspec.Struct, frozen=True):
    """A paragraph: its start and end in the text, in characters, and its digest."""

    start: int
    end: int
    digest: str


class StandoffBlog(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="blog"):
    """A blog with its extraction rules."""

    id: str
    url: str
    rules: RuleSet | None = None


class StandoffPost(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="post"):
    """A post without its text: URL, digests of the text and its paragraphs, and metadata."""

    id: str
    url: str
    blog: str | None
    digest: str
    chars: int
    segments: tuple[Segment, ...]
    title_digest: str | None = None
    comment_digests: tuple[str, ...] = ()
    node: str | None = None
    published: datetime | None = None
    language: str | None = None
    tags: tuple[str, ...] = ()
    license: str | None = None


StandoffLine: TypeAlias = StandoffBlog | StandoffPost


class RebuiltPost(msgspec.Struct, frozen=True, kw_only=True):
    """A rebuilt post, and how it compares with the corpus.

    The text is the "same", "moved" (the same paragraphs in a different text), "changed" or "missing"; `kept` is the
    share of unchanged paragraphs.
    """

    id: str
    url: str
    status: Status
    kept: float = 0.0
    problem: str | None = None
    post: Post | None = None


def write_standoff(source: Source, out: BinaryIO) -> None:
    """Write a line for each blog, then one for each post."""
    for blog in source.blogs:
        rules = source.archive.rules(blog.id)
        # Feed entries contain titles and names of authors; the rules work without them.
        shared = msgspec.structs.replace(rules, entries={}) if rules is not None else None
        out.write(to_json(StandoffBlog(id=blog.id, url=blog.url, rules=shared)) + b"\n")
    out.writelines(to_json(standoff_of(post)) + b"\n" for post in source.posts)


_COPIED = ("id", "url", "blog", "published", "language", "tags", "license")


def standoff_of(post: Post) -> StandoffPost:
    """Return the post without its text."""
    source = post.provenance.get("text")
    return StandoffPost(
        **{name: getattr(post, name) for name in _COPIED},
        digest=digest_of(post.text),
        chars=len(post.text),
        segments=segments_of(post.text),
        title_digest=digest_of(post.title) if post.title else None,
        comment_digests=tuple(digest_of(comment.text) for comment in post.comments),
        node=source.node if source else None,
    )


def digest_of(text: str) -> str:
    """Return the digest of a text with white space collapsed."""
    return "sha256:" + hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()


def segments_of(text: str) -> tuple[Segment, ...]:
    """Return the segments of a text: its lines that are not blank."""
    found, start = [], 0
    for line in text.split("\n"):
        if line.strip():
            found.append(Segment(start, start + len(line), digest_of(line)))
        start += len(line) + 1
    return tuple(found)


def standoff_lines(lines: Iterable[bytes], name: str) -> Iterator[StandoffLine]:
    """Parse the lines of a standoff file; raise `InputError` with the number of a line that is invalid."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield msgspec.json.decode(line, type=StandoffLine)
            except (msgspec.MsgspecError, RecursionError) as problem:
                raise InputError(f"{name}, line {number}, is not valid standoff JSON: {problem}.") from problem


def rebuild_post(about: StandoffPost, page: Page, rules: RuleSet | None) -> RebuiltPost:
    """Extract the post from the page, and compare it with the corpus."""
    try:
        document = parse(page.body, about.url, page.content_type)
        context = Context(rules=rules if rules is not None and rules.fields else None, fetched_at=page.fetched_at)
        found = extract_posts(document, context=context)
    except PosterityError as problem:
        return RebuiltPost(id=about.id, url=about.url, status="missing", problem=str(problem))
    if not found:
        return RebuiltPost(id=about.id, url=about.url, status="missing", problem="no post was found on the page")
    post = msgspec.structs.replace(found[0], id=about.id, blog=about.blog)
    digests = {segment.digest for segment in segments_of(post.text)}
    kept = sum(segment.digest in digests for segment in about.segments) / max(1, len(about.segments))
    same = digest_of(post.text) == about.digest
    status: Status = "same" if same else "moved" if about.segments and kept == 1.0 else "changed"
    return RebuiltPost(id=about.id, url=about.url, status=status, kept=1.0 if same else round(kept, 4), post=post)
