"""Blogs, the versions of their rules and the reports of their harvests, as rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, delete, insert, or_, select

from posterity.archive.database import date_key, document_columns, lock_blog, write_rows
from posterity.archive.history import EarlierStates, GoneSince, earlier_states, history_of
from posterity.archive.posts import stored_posts
from posterity.archive.schema import blogs, events, facts, posts, reports, rule_sets, seen
from posterity.config import Settings
from posterity.errors import NotInArchive
from posterity.model import Blog, HarvestReport, RuleSet, WarcPointer, from_json, to_json
from posterity.urls import with_scheme
from posterity.urls.kinds import place_key

_UNFINISHED = "unfinished harvest {}"
_OPTIONS = "harvest options {}"


def write_blog(connection: Connection, blog: Blog) -> None:
    """Store the blog, replacing the stored one."""
    write_rows(connection, blogs, [{"id": blog.id, "url": blog.url, **document_columns(blog)}])


def all_blogs(connection: Connection, ids: Iterable[str] | None = None) -> list[Blog]:
    """Return all blogs, or those with these ids, ordered by URL."""
    query = select(blogs.c.document).order_by(blogs.c.url, blogs.c.id)
    rows = connection.execute(query if ids is None else query.where(blogs.c.id.in_(sorted(ids))))
    return [from_json(row.document, Blog) for row in rows]


def blog_named(connection: Connection, name: str) -> Blog:
    """Return the blog with this id, URL or host name; raise `NotInArchive` if none or several match."""
    if with_id := all_blogs(connection, [name]):
        return with_id[0]
    known = all_blogs(connection)
    home, host = place_key(with_scheme(name)), name.lower()
    at_home = [blog for blog in known if home in map(place_key, (blog.url, *blog.former_urls))]
    for found in (at_home, [blog for blog in known if host in _host_names(blog)]):
        if len(found) == 1:
            return found[0]
        if found:
            raise NotInArchive(f"{name!r} matches several blogs: {_names(found)}. Use one of these.")
    if not known:
        raise NotInArchive(f"There is no blog {name!r}: the archive is empty. Start with `posterity harvest URL`.")
    raise NotInArchive(f"There is no blog {name!r} in the archive. It contains: {_names(known)}.")


def write_rules(connection: Connection, blog_id: str, rules: RuleSet) -> RuleSet:
    """Store the rules as the next version, unless the latest version is the same; return what is stored."""
    lock_blog(connection, blog_id)
    latest = rules_of(connection, blog_id, None)
    if latest is not None and (latest.method, latest.fields) == (rules.method, rules.fields):
        return latest
    # Records contain the data of the feed entries; a second copy here would outlive the takedown of a post.
    stored = msgspec.structs.replace(rules, blog=blog_id, version=latest.version + 1 if latest else 1, entries={})
    connection.execute(insert(rule_sets), {"blog_id": blog_id, "version": stored.version, **document_columns(stored)})
    return stored


def rules_of(connection: Connection, blog_id: str, version: int | None) -> RuleSet | None:
    """Return a version of the blog's rules, by default the latest."""
    query = select(rule_sets.c.document).where(rule_sets.c.blog_id == blog_id)
    if version is not None:
        query = query.where(rule_sets.c.version == version)
    document = connection.scalar(query.order_by(rule_sets.c.version.desc()).limit(1))
    return None if document is None else from_json(document, RuleSet)


def write_report(connection: Connection, report: HarvestReport) -> None:
    """Store the report of a harvest, replacing an earlier report of the same harvest."""
    row = {"blog_id": report.blog, "started_at": date_key(report.started_at), **document_columns(report)}
    write_rows(connection, reports, [row])


def latest_report(connection: Connection, blog_id: str) -> HarvestReport | None:
    """Return the report of the latest harvest of the blog."""
    of_blog = select(reports.c.document).where(reports.c.blog_id == blog_id)
    document = connection.scalar(of_blog.order_by(reports.c.started_at.desc()).limit(1))
    # Before version 0.2, the field `listed` was called `promised`.
    return None if document is None else from_json(document.replace('"promised":', '"listed":'), HarvestReport)


def _host_names(blog: Blog) -> set[str]:
    hosts = [urlsplit(url).netloc for url in (blog.url, *blog.former_urls)]
    return {name for host in hosts for name in (host, host.removeprefix("www."), host.rpartition(":")[0])}


def _names(some: list[Blog]) -> str:
    return ", ".join(blog.url for blog in some[:10]) + (f" and {len(some) - 10} more" if len(some) > 10 else "")


_MAX_KEY = 500  # index keys of PostgreSQL are limited to 2,700 bytes


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """The latest response to a request for one URL; `status` is 0 if there was no response."""

    url: str
    status: int
    fetched_at: datetime
    etag: str | None = None
    last_modified: str | None = None
    warc: WarcPointer | None = None
    kind: str | None = None


def write_seen(connection: Connection, blog_id: str, responses: Iterable[Seen]) -> None:
    """Store the responses, replacing earlier ones from the same URLs."""
    rows = {}
    for one in responses:
        document = to_json(one).decode()
        rows[one.url] = {"blog_id": blog_id, "url": _key(one.url), "status": one.status, "document": document}
    write_rows(connection, seen, list(rows.values()))


def seen_of(connection: Connection, blog_id: str) -> dict[str, Seen]:
    """Return the latest response from every URL, ordered by URL."""
    rows = connection.execute(select(seen.c.document).where(seen.c.blog_id == blog_id).order_by(seen.c.url))
    responses = [from_json(row.document, Seen) for row in rows]
    return {response.url: response for response in responses}


def _key(url: str) -> str:
    return url if len(url) <= _MAX_KEY else "sha256:" + hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()


def unfinished_since(connection: Connection, blog_id: str) -> datetime | None:
    """Return the start of an unfinished harvest of the blog, or None."""
    value = connection.scalar(select(facts.c.value).where(facts.c.name == _UNFINISHED.format(blog_id)))
    return datetime.fromisoformat(value).astimezone(UTC) if value else None


def mark_unfinished(connection: Connection, blog_id: str, since: datetime | None) -> None:
    """Mark a harvest of the blog as running since this time, or as ended (None)."""
    name = _UNFINISHED.format(blog_id)
    if since is None:
        connection.execute(delete(facts).where(facts.c.name == name))
    else:
        write_rows(connection, facts, [{"name": name, "value": since.isoformat()}])


def harvest_options(connection: Connection, blog_id: str) -> Settings | None:
    """Return the settings of the latest harvest of the blog, without its limits, or None."""
    value = connection.scalar(select(facts.c.value).where(facts.c.name == _OPTIONS.format(blog_id)))
    return from_json(value, Settings) if value else None


def write_harvest_options(connection: Connection, blog_id: str, settings: Settings) -> None:
    """Store the settings of a harvest, without its limits, for updates of the blog."""
    kept = Settings(crawl=settings.crawl.without_limits(), render=settings.render)
    write_rows(connection, facts, [{"name": _OPTIONS.format(blog_id), "value": to_json(kept).decode()}])


def copy_harvest_options(source: Connection, target: Connection) -> None:
    """Copy the harvest options of all blogs to another archive."""
    remembered = select(facts).where(facts.c.name.startswith(_OPTIONS.format(""), autoescape=True))
    write_rows(target, facts, [dict(row) for row in source.execute(remembered).mappings()])


class KeptPost(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Data about a post that its pages do not contain: earlier states, when it was deleted, the post it moved to."""

    id: str
    told: EarlierStates | None = None
    gone: GoneSince | None = None
    moved_to: str | None = None


class KeptBlog(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Data about a blog that its pages do not contain; in the history file, its posts are separate lines."""

    blog: Blog
    rules: tuple[RuleSet, ...] = ()
    options: Settings | None = None
    reports: tuple[HarvestReport, ...] = ()


def kept_history(connection: Connection, blog_id: str) -> Iterator[KeptBlog | KeptPost]:
    """Yield the data of a blog that cannot be rebuilt from WARC files: the blog's line, then those of its posts."""
    known = all_blogs(connection, [blog_id])
    if not known:
        return
    rules = connection.scalars(select(rule_sets.c.document).where(rule_sets.c.blog_id == blog_id))
    told = connection.scalars(select(reports.c.document).where(reports.c.blog_id == blog_id))
    yield KeptBlog(
        blog=known[0],
        rules=tuple(sorted((from_json(one, RuleSet) for one in rules), key=lambda one: one.version)),
        options=harvest_options(connection, blog_id),
        reports=tuple(from_json(one.replace('"promised":', '"listed":'), HarvestReport) for one in told),
    )
    columns = (posts.c.id, posts.c.gone_at, posts.c.gone_status, posts.c.moved_to)
    stated = (column.is_not(None) for column in columns[1:])
    happened = or_(posts.c.id.in_(select(events.c.post_id)), posts.c.revision > 1, *stated)
    for row in connection.execute(select(*columns).where(posts.c.blog_id == blog_id, happened).order_by(posts.c.id)):
        gone = GoneSince(at=datetime.fromisoformat(row.gone_at), status=row.gone_status or 0) if row.gone_at else None
        (post,) = stored_posts(connection, posts.c.id == row.id)
        states = None if row.moved_to else earlier_states(history_of(connection, post))
        yield KeptPost(id=row.id, told=states, gone=gone, moved_to=row.moved_to)


def restore_blog(connection: Connection, kept: KeptBlog) -> None:
    """Store a blog, all versions of its rules, its options and its reports, replacing what a rebuild has derived."""
    write_blog(connection, kept.blog)
    connection.execute(delete(rule_sets).where(rule_sets.c.blog_id == kept.blog.id))
    for rules in kept.rules:
        row = {"blog_id": kept.blog.id, "version": rules.version, **document_columns(rules)}
        connection.execute(insert(rule_sets), row)
    for report in kept.reports:
        write_report(connection, report)
    if kept.options is not None:
        write_harvest_options(connection, kept.blog.id, kept.options)
