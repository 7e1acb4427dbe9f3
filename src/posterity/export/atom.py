"""The format `atom`: Atom (RFC 4287) with all posts in one document (RFC 5005) and comments as entries (RFC 4685).

A post that its blog no longer shows is followed by a tombstone (RFC 6721), which is newer than the entry.

A comment follows its post; its `thr:in-reply-to` names the comment or post that it replies to. Fields that Atom lacks
are in <posterity:rest> (`round_trip`), which other readers ignore.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO, TypeAlias

from posterity.config import XML_NAMESPACE
from posterity.export.clean_up import is_language_tag
from posterity.export.round_trip import FormatPost, as_parsed, format_post, rest_of, xml_json
from posterity.export.selection import Source, blog_title, rfc3339
from posterity.export.temporary import newest_first
from posterity.export.xml import attributes, element, strict_web_url, xml_text
from posterity.model import Blog, Post
from posterity.model.post import aware

Times: TypeAlias = "tuple[datetime | None, datetime | None]"
Written: TypeAlias = "tuple[datetime | None, datetime]"

ATOM = "http://www.w3.org/2005/Atom"
THREAD = "http://purl.org/syndication/thread/1.0"
HISTORY = "http://purl.org/syndication/history/1.0"
TOMBSTONES = "http://purl.org/atompub/tombstones/1.0"
OWN = XML_NAMESPACE
CATEGORIES = f"{OWN}#category"  # distinguishes categories from tags; Atom does not


def write_atom(source: Source, out: BinaryIO) -> None:
    """Write one feed, the newest post first, each followed by its comments."""
    out.writelines(f"{line}\n".encode() for line in _head(source))
    posts = ((post, "".join(f"{line}\n" for line in _post(post, source)).encode()) for post in source.posts)
    out.writelines(newest_first(posts))
    out.write(b"</feed>\n")


def _head(source: Source) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<feed xmlns="{ATOM}" xmlns:thr="{THREAD}" xmlns:fh="{HISTORY}" xmlns:at="{TOMBSTONES}"'
        f' xmlns:posterity="{OWN}"'
        f"{attributes(xml__lang=source.language if is_language_tag(source.language) else None)}>"
    )
    one = source.blogs[0] if len(source.blogs) == 1 else None
    yield element("id", one.url if one else f"{OWN}/blogs")
    yield element("title", source.name)
    yield element("updated", rfc3339(source.made_at))
    yield f"<author>{element('name', source.title)}</author>"
    if one is not None:
        yield f"<link{attributes(rel='alternate', href=one.url)}/>"
        if one.feed_url:
            yield f"<link{attributes(rel='self', href=one.feed_url)}/>"
    yield "<fh:complete/>"
    yield "<generator>Posterity</generator>"


def _post(post: Post, source: Source) -> Iterator[str]:
    blog = source.blog_of(post)
    covered = _format_post(post, blog, source)
    yield f"<entry{attributes(xml__lang=covered.language)}>"
    yield element("id", post.url)
    yield f"<title>{xml_text(covered.title or '')}</title>"
    yield f"<link{attributes(rel='alternate', href=post.url)}/>"
    yield from (f"<author>{element('name', name)}</author>" for name in covered.authors)
    yield from _times(_written_times(post.published, post.modified, source))
    yield from (f"<category{attributes(scheme=CATEGORIES, term=name)}/>" for name in covered.categories)
    yield from (f"<category{attributes(term=name)}/>" for name in covered.tags)
    if covered.license:
        yield f"<link{attributes(rel='license', href=covered.license)}/>"
    if covered.summary:
        yield element("summary", covered.summary, type="text")
    yield f'<content type="html">{xml_text(covered.html)}</content>'
    yield f"<thr:total>{len(post.comments)}</thr:total>"
    if blog is not None:
        title = element("title", blog_title(blog))
        yield f"<source>{element('id', blog.url)}{title}{element('updated', rfc3339(source.made_at))}</source>"
    yield f"<posterity:rest>{xml_text(rest_of(post, covered))}</posterity:rest>"
    if (history := source.earlier_states(post)) is not None:
        yield f"<posterity:history>{xml_text(xml_json(history))}</posterity:history>"
    yield "</entry>"
    if (gone := source.gone_since(post)) is not None:
        facts = attributes(ref=post.url, when=rfc3339(gone.at), posterity__status=str(gone.status))
        yield f"<at:deleted-entry{facts}/>"
    for comment, fields in zip(post.comments, covered.comments, strict=True):
        yield f"<entry>{element('id', fields.id)}"
        yield f"<title>{xml_text(f'Comment on {as_parsed(post.title or post.url)}')}</title>"
        about = element("uri", fields.author_url) if fields.author_url else ""
        yield f"<author><name>{xml_text(fields.author or '')}</name>{about}</author>"
        yield from _times(_written_times(comment.published, None, source))
        yield f"<thr:in-reply-to{attributes(ref=fields.parent or post.url, href=fields.parent or post.url)}/>"
        yield f"<link{attributes(rel='alternate', href=fields.id)}/>"
        yield f'<content type="html">{xml_text(fields.html)}</content>'
        yield "</entry>"


def _format_post(post: Post, blog: Blog | None, source: Source) -> FormatPost:
    """Return the content of the entries' elements, as a reader will parse it."""
    published, modified = entry_times(*_written_times(post.published, post.modified, source))
    ids = [f"{post.url}#{post.id}-{number}" for number in range(1, len(post.comments) + 1)]
    return format_post(
        post,
        ids,
        lambda moment: entry_times(*_written_times(moment, None, source))[0],
        typed=False,
        blog_url=blog.url if blog else None,
        authors=tuple(filter(None, (as_parsed(name).strip() for name in post.authors))),
        published=published,
        modified=modified,
        language=post.language if is_language_tag(post.language) else None,
        license=post.license if strict_web_url(post.license or "") == post.license else None,
    )


def entry_times(published: datetime | None, updated: datetime) -> Times:
    """Return the times of publication and modification, from the two elements of an entry."""
    if published is None:
        return updated, None
    return published, updated if updated != published else None


def _written_times(published: datetime | None, modified: datetime | None, source: Source) -> Written:
    """Return the content of the two elements. Atom requires `updated`."""
    moment = modified or published
    return aware(published) if published else None, aware(moment) if moment else source.made_at


def _times(times: Written) -> Iterator[str]:
    published, updated = times
    if published is not None:
        yield element("published", rfc3339(published))
    yield element("updated", rfc3339(updated))
