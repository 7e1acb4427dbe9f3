"""A corpus that can be shared without its text: URLs, digests, offsets and annotations; and its texts rebuilt.

BlogBuster paper, section 7: a corpus of other people's texts cannot be distributed, but what is known about it can.
A line of JSON per blog has its extraction rules, a line per post where its text was and how to recognise it again. The
texts are rebuilt from pages: of the web, of an archive, or of WARC files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, BinaryIO, Literal, TypeAlias

import msgspec

from posterity.dom import parse
from posterity.errors import InputError, PosterityError
from posterity.extraction.method import Context, extract_posts
from posterity.model import Page, Post, RuleSet, to_json

if TYPE_CHECKING:
    from posterity.export.selection import Source

Status = Literal["same", "moved", "changed", "missing"]


class Segment(msgspec.Struct, frozen=True):
    """A paragraph: where it begins and ends in the text, in characters, and the digest of what stands there."""

    start: int
    end: int
    digest: str


class StandoffBlog(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="blog"):
    """A blog, with the rules that its posts were extracted by."""

    id: str
    url: str
    rules: RuleSet | None = None


class StandoffPost(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="post"):
    """A post without its words: where its page is, digests of its text, its paragraphs, and what is known of it."""

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
    """What became of a post: the same text, the same paragraphs elsewhere in it, another text, or no page.

    `kept` is the share of its paragraphs that are there unchanged.
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
        # Entries of the feed have titles and names of authors; the rules work without them.
        shared = msgspec.structs.replace(rules, entries={}) if rules is not None else None
        out.write(to_json(StandoffBlog(id=blog.id, url=blog.url, rules=shared)) + b"\n")
    out.writelines(to_json(standoff_of(post)) + b"\n" for post in source.posts)


def standoff_of(post: Post) -> StandoffPost:
    """Return the post without its words."""
    source = post.provenance.get("text")
    return StandoffPost(
        id=post.id,
        url=post.url,
        blog=post.blog,
        digest=digest_of(post.text),
        chars=len(post.text),
        segments=segments_of(post.text),
        title_digest=digest_of(post.title) if post.title else None,
        comment_digests=tuple(digest_of(comment.text) for comment in post.comments),
        node=source.node if source else None,
        published=post.published,
        language=post.language,
        tags=post.tags,
        license=post.license,
    )


def digest_of(text: str) -> str:
    """Return the digest of a text, runs of white space as one space."""
    return "sha256:" + hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()


def segments_of(text: str) -> tuple[Segment, ...]:
    """Return the lines of a text that have words, with their places."""
    found, start = [], 0
    for line in text.split("\n"):
        if line.strip():
            found.append(Segment(start, start + len(line), digest_of(line)))
        start += len(line) + 1
    return tuple(found)


def standoff_lines(lines: Iterable[bytes], name: str) -> Iterator[StandoffLine]:
    """Yield what the lines of a standoff file describe, or raise `InputError` that names the line."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield msgspec.json.decode(line, type=StandoffLine)
            except (msgspec.MsgspecError, RecursionError) as problem:
                raise InputError(f"{name}, line {number}, is no line of a standoff corpus: {problem}.") from problem


def rebuilt_post(about: StandoffPost, page: Page, rules: RuleSet | None) -> RebuiltPost:
    """Return the post of the page, and how it compares with what the corpus had."""
    try:
        document = parse(page.body, about.url, page.content_type)
        context = Context(rules=rules if rules is not None and rules.fields else None, fetched_at=page.fetched_at)
        found = extract_posts(document, context=context)
    except PosterityError as problem:
        return RebuiltPost(id=about.id, url=about.url, status="missing", problem=str(problem))
    if not found:
        return RebuiltPost(id=about.id, url=about.url, status="missing", problem="no post was found on the page")
    post = msgspec.structs.replace(found[0], id=about.id, blog=about.blog)
    there = {segment.digest for segment in segments_of(post.text)}
    kept = sum(segment.digest in there for segment in about.segments) / max(1, len(about.segments))
    same = digest_of(post.text) == about.digest
    status: Status = "same" if same else "moved" if about.segments and kept == 1.0 else "changed"
    return RebuiltPost(id=about.id, url=about.url, status=status, kept=1.0 if same else round(kept, 4), post=post)
