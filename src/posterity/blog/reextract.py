"""Rebuilds a blog's records from its stored pages, with rules learned again, without requests."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from posterity.archive import Archive, open_archive
from posterity.blog.changes import SAME_TEXT, PostChange, RecordChanges
from posterity.blog.page_source import StoredPages
from posterity.blog.profile import BlogProfile, profile_from_rules
from posterity.blog.records import make_record, stored_records
from posterity.blog.stored import archived_pages, stored_profile
from posterity.config import LearnSettings
from posterity.dom import parse
from posterity.errors import NoBlog, NotInArchive, PosterityError
from posterity.learning.layouts import former_layouts, lacks_vital_field, layouts_of, text_by, with_layouts
from posterity.model import Blog, Post, Rejected, RuleSet, WarcPointer
from posterity.model.rules import Layout
from posterity.text.normal_form import token_f1, word_counts
from posterity.urls import place_key

_GOOD = (200, 304)


class Reextracted(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="reextracted"):
    """The result of rebuilding a blog.

    `left` is the number of stored posts of which no page was found or read; they are unchanged. `problem` is why the
    rules could not be learned again, in which case the stored ones were applied. Version 0 means that there were none.
    """

    blog: str
    url: str
    dry_run: bool
    pages: int
    feed_url: str | None
    evidence: int
    rules_before: int
    rules_after: int
    problem: str | None = None
    posts: dict[str, int]
    fields: dict[str, int]
    left: int
    rejected: tuple[Rejected, ...] = ()
    damaged: dict[str, str] = {}


class _Known(msgspec.Struct, frozen=True):
    """What rebuilding needs to know about all stored posts at once."""

    ids: frozenset[str]
    places: frozenset[str]
    urls: tuple[str, ...]
    files: frozenset[str]


def reextract(
    archive: Archive,
    name: str,
    *,
    dry_run: bool = False,
    settings: LearnSettings = LearnSettings(),
    on_change: Callable[[PostChange], None] = lambda _: None,
) -> Reextracted:
    """Learn again from the stored feed and pages of a blog, and rebuild every record; `on_change` is called for each.

    Changed records become new revisions. With `dry_run`, nothing is written.
    """
    blog = archive.blog(name)
    known = _read_known(archive, blog.id)
    pages = archived_pages(archive, blog.id, known.files)
    count = len(pages.responses())
    if not count:
        raise NotInArchive(f"The archive has no pages of {blog.url} to rebuild it from. Harvest it again.")
    before = archive.rules(blog.id)
    profile, problem = _profile(pages, blog, before, known, settings)
    kept = _needed_layouts(archive, blog.id, pages, profile.rules)
    profile = msgspec.structs.replace(profile, rules=with_layouts(profile.rules, kept))
    after = _stored_rules(archive, blog.id, profile.rules, before, dry_run=dry_run)
    profile = msgspec.structs.replace(profile, rules=after)
    changes = RecordChanges(archive, dry_run=dry_run)
    rejected: list[Rejected] = []
    for found in stored_records(pages, profile, blog.id, known.places):
        if isinstance(found, Rejected):
            rejected.append(found)
        else:
            on_change(changes.take(found, pages))
    for post in archive.posts_of(blog.id):
        if post.id not in changes.touched and (again := _read_again(archive, post, profile)) is not None:
            on_change(changes.take(again, pages))
    changes.flush()
    return Reextracted(
        blog=blog.id,
        url=blog.url,
        dry_run=dry_run,
        pages=count,
        feed_url=profile.feed.url if profile.feed else None,
        evidence=len(profile.evidence),
        rules_before=before.version if before else 0,
        rules_after=after.version,
        problem=problem,
        posts=changes.counts(),
        fields=changes.fields(),
        left=len(known.ids - changes.touched),
        rejected=tuple(rejected),
        damaged=pages.damaged,
    )


class ReextractJob(msgspec.Struct, frozen=True, kw_only=True):
    """Blogs of an archive to rebuild, each as a separate task; the archive is a folder or a PostgreSQL database."""

    archive: str
    dry_run: bool = False


class BlogOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome for one of several blogs: the result and each changed record, or why it could not be rebuilt."""

    name: str
    done: Reextracted | None = None
    changes: tuple[PostChange, ...] = ()
    problem: str | None = None


def reextract_blog(job: ReextractJob, name: str) -> BlogOutcome:
    """Rebuild one blog, here or on another machine. A second run finds the records of the first and changes nothing."""
    changes: list[PostChange] = []
    with open_archive(job.archive) as archive:
        try:
            done = reextract(archive, name, dry_run=job.dry_run, on_change=changes.append)
        except (NoBlog, NotInArchive) as problem:
            return BlogOutcome(name=name, problem=str(problem))
    return BlogOutcome(name=name, done=done, changes=tuple(changes))


def _needed_layouts(archive: Archive, blog_id: str, pages: StoredPages, rules: RuleSet) -> list[Layout]:
    """Return earlier layouts that give the stored text of a page on which the new rules miss text or title."""
    latest = archive.rules(blog_id)
    versions = range(latest.version, 0, -1) if latest is not None else ()
    stored = (archive.rules(blog_id, number) for number in versions)
    former = {str(layout.fields): layout for each in stored if each is not None for layout in former_layouts(each)}
    for own in layouts_of(rules):
        former.pop(str(own.fields), None)
    needed: dict[str, Layout] = {}
    for post in archive.posts_of(blog_id) if former else ():
        page = pages.find(post.url)
        document = pages.document(page) if page is not None else None
        if document is None or not lacks_vital_field(document, with_layouts(rules, list(needed.values()))):
            continue
        for name, layout in former.items():
            older = rules.with_layout(layout)
            found = word_counts(text_by(document, older))
            if not lacks_vital_field(document, older) and token_f1(found, word_counts(post.text)) >= SAME_TEXT:
                needed[name] = layout
                break
    return list(needed.values())


def _read_again(archive: Archive, post: Post, profile: BlogProfile) -> Post | None:
    """Return the record of a post that no latest page gives, from its last page that does, with or without rules.

    An extraction without rules counts if it has the stored text: it may have more fields, and it cannot be of another
    part of the page.
    """
    blog = post.blog or ""
    for capture in reversed(archive.captures(post.url)):
        if capture.status not in _GOOD or "html" not in (capture.mime or "html"):
            continue
        try:
            page = archive.read_page(WarcPointer(capture.file, capture.offset, capture.record_id))
            document = parse(page.body, page.url, page.content_type)
        except PosterityError:  # it is counted as left; `posterity archive verify` names what is damaged
            continue
        for rules in (profile.rules, RuleSet()):
            found = make_record(page, document, blog=blog, rules=rules, scope=profile.scope, entry=None, optouts=())
            if found is not None and token_f1(word_counts(found.text), word_counts(post.text)) >= SAME_TEXT:
                return msgspec.structs.replace(found, id=post.id, url=post.url, canonical_url=post.canonical_url)
    return None


def _read_known(archive: Archive, blog_id: str) -> _Known:
    ids, places, urls, files = set(), set(), [], set()
    for post in archive.posts_of(blog_id):
        ids.add(post.id)
        places.add(place_key(post.url))
        urls.append(post.url)
        files |= {origin.warc.rpartition("#")[0] for origin in post.provenance.values() if origin.warc}
    return _Known(frozenset(ids), frozenset(places), tuple(urls), frozenset(files))


def _profile(
    pages: StoredPages, blog: Blog, before: RuleSet | None, known: _Known, settings: LearnSettings
) -> tuple[BlogProfile, str | None]:
    """Return the profile from the pages; if they give no rules any more, with the previous rules, and the reason."""
    try:
        profile = stored_profile(pages, blog.url, feed_url=blog.feed_url, settings=settings)
        if profile.rules.fields or before is None or not before.fields:
            return profile, profile.problem
        return msgspec.structs.replace(profile, rules=before), profile.problem
    except NoBlog as problem:
        if before is None:
            raise
        return profile_from_rules(before, blog.url, known.urls), str(problem)


def _stored_rules(archive: Archive, blog_id: str, rules: RuleSet, before: RuleSet | None, *, dry_run: bool) -> RuleSet:
    """Return the rules as stored, or as they would be: equal rules are not a new version."""
    if not dry_run:
        return archive.put_rules(blog_id, rules)
    if before is not None and (before.method, before.fields) == (rules.method, rules.fields):
        return before
    return msgspec.structs.replace(rules, blog=blog_id, version=before.version + 1 if before else 1)
