"""The statistics of an update: new, edited, deleted and restored posts, and their previous versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import msgspec

from posterity import clock
from posterity.archive import Archive
from posterity.archive.blogs import Seen
from posterity.blog.profile import widened_scope
from posterity.classify.page_kind import kind_of_page
from posterity.config import LearnSettings
from posterity.crawl.quiet_update import AGAIN
from posterity.discover.without_feed import entries_from_pages
from posterity.dom import Document, document_of, readable_document, text_of
from posterity.errors import NoBlog, NotInArchive
from posterity.extraction import Context, extract_posts
from posterity.extraction.blog_fields import with_agreed_fields
from posterity.extraction.feed import learn
from posterity.learning.layouts import Agreement, agreement, with_former
from posterity.model import Blog, Feed, FeedEntry, Page, Post, RuleSet
from posterity.model.page import NO_FEED
from posterity.model.report import UpdateReport
from posterity.text.normal_form import one_line, token_f1, word_counts
from posterity.urls import Scope, canonical_url, lies_in, place_key

_NEVER = datetime.min.replace(tzinfo=UTC)
# Kinds of `Seen`, besides `AGAIN`: a post that responded, one that is given up for now.
RESPONDED, GIVEN_UP = "post", "given up"


class KnownPost(msgspec.Struct, frozen=True, kw_only=True):
    """A stored post, without its text; `entry` has the fields that came from its feed.

    `failed_before` is the status of its last request if that failed, 0 for no response; `is_pending` means that it is
    to be requested again because of that.
    """

    id: str
    url: str
    published: datetime | None
    visited_at: datetime
    entry: FeedEntry | None
    is_gone: bool
    failed_before: int | None = None
    is_pending: bool = False

    @property
    def place(self) -> str:
        """The URL key of the post."""
        return place_key(self.url)


class KnownBlog:
    """One blog as in the archive. Everything fetched until `completed_at` has been processed."""

    def __init__(self, archive: Archive, blog: Blog, rules: RuleSet) -> None:
        self.blog, self.rules = blog, rules
        report = archive.report(blog.id)
        ends = [moment for moment in (report.ended_at if report else None, blog.updated_at) if moment]
        self.completed_at = max(ends, default=None)
        self.dates: list[datetime] = []
        self.tags: set[str] = set()
        self._by_place: dict[str, KnownPost] = {}
        self._by_id: dict[str, KnownPost] = {}
        gone = {tombstone.id for tombstone in archive.tombstones(blog.id)}
        seen = archive.seen(blog.id)
        self._pending = {place_key(url) for url, response in seen.items() if response.kind == AGAIN}
        for post in archive.posts_of(blog.id):
            self._add(post, is_gone=post.id in gone, seen=seen.get(post.url))

    @classmethod
    def of(cls, archive: Archive, name: str) -> KnownBlog:
        """Return the blog with this id, URL or host name."""
        blog = archive.blog(name)
        if (rules := archive.rules(blog.id)) is None:
            raise NotInArchive(f"The archive has no rules for {blog.url}. Run `posterity harvest {blog.url}` first.")
        return cls(archive, blog, rules)

    def __iter__(self) -> Iterator[KnownPost]:
        return iter(self._by_id.values())

    def at(self, place: str) -> KnownPost | None:
        """Return the post with this URL key."""
        return self._by_place.get(place)

    def at_url(self, url: str) -> KnownPost | None:
        """Return the post at this URL."""
        return self._by_place.get(place_key(url))

    def is_pending(self, url: str) -> bool:
        """Return whether a request for the URL failed and is to be repeated."""
        return place_key(url) in self._pending

    def was_elsewhere(self, url: str) -> bool:
        """Return whether a post was stored from the same path of a host that the blog has left."""
        hosts = (urlsplit(former).netloc for former in self.blog.former_urls)
        return any(self.at_url(urlsplit(url)._replace(netloc=host).geturl()) for host in hosts)

    def with_id(self, post_id: str) -> KnownPost | None:
        """Return the post with this id."""
        return self._by_id.get(post_id)

    @property
    def scope(self) -> Scope:
        """The scope of the blog: below its home page, or its hosts if a post is stored from elsewhere."""
        return widened_scope(Scope.of(self.blog.url), (post.url for post in self))

    def is_below_post(self, url: str) -> bool:
        """Return whether the URL is below that of a post: an attachment, a page of its comments."""
        return lies_in(url, self._by_place)

    def _add(self, post: Post, *, is_gone: bool, seen: Seen | None) -> None:
        origin = post.provenance.get("text")
        visits = [moment for moment in (origin.at if origin else None, seen.fetched_at if seen else None) if moment]
        known = KnownPost(
            id=post.id,
            url=post.url,
            published=post.published,
            visited_at=max(visits, default=_NEVER),
            entry=_told_by_feed(post),
            is_gone=is_gone,
            failed_before=seen.status if seen and seen.kind in (AGAIN, GIVEN_UP) else None,
            is_pending=seen is not None and seen.kind == AGAIN,
        )
        self._by_id[post.id] = known
        for url in (post.canonical_url or post.url, post.url):
            self._by_place[place_key(url)] = known
        self.tags.update(post.tags)
        if post.published:
            self.dates.append(post.published)


_SHARED_FIELDS = ("title", "authors", "published", "tags")  # of feed entries and records


def _told_by_feed(post: Post) -> FeedEntry | None:
    """Return what the record has from the feed, so that later its page alone gives the same record."""
    told = {field for field, origin in post.provenance.items() if origin.method == "feed-entry"}
    if not told:
        return None
    kept = {name: getattr(post, name) for name in _SHARED_FIELDS if name in told}
    return FeedEntry(link=post.url, updated=post.modified if "modified" in told else None, **kept)


_GONE = (404, 410)
_SAME_TEXT = 0.5  # word F1: edited posts are above, other posts on the same subject are below


class UpdateStats:
    """The counters of an update, which also stores failures, tombstones and moves."""

    def __init__(self, archive: Archive, known: KnownBlog) -> None:
        self.archive, self.known = archive, known
        self.started_at = clock.now()
        self.relearned = False
        self.counts: Counter[str] = Counter()
        self._came_from: dict[str, KnownPost] = {}
        self._stored: dict[str, str] = {}
        self._new: dict[str, int] = {}

    def expect_move(self, post: KnownPost, page: Page) -> None:
        """Note that a stored post was requested: if its page redirects or declares another URL, the post has moved."""
        self._came_from[canonical_url(page.url)] = post

    def origin_of(self, page: Page) -> KnownPost | None:
        """Return the stored post whose URL led to this page."""
        return self._came_from.get(canonical_url(page.url))

    def note_response(self, post: KnownPost, page: Page) -> None:
        """Record that a post's page was returned."""
        self.mark(post.url, page.status, page.fetched_at, RESPONDED)

    def failed(self, post: KnownPost, status: int, at: datetime) -> bool:
        """Record that a post's page was not returned; return whether it is gone now.

        404 or 410 in two updates make a tombstone. Other failures are retried once and then left to the samples.
        """
        before = post.failed_before
        if post.is_gone:
            self.mark(post.url, status, at, GIVEN_UP)
            return False
        if status in _GONE and before in _GONE:
            self.archive.mark_gone(post.id, status, at)
            self.mark(post.url, status, at, GIVEN_UP)
            self.counts["gone"] += 1
            return True
        self.mark(post.url, status, at, AGAIN if before is None or status in _GONE else GIVEN_UP)
        self.counts["missing"] += status in _GONE
        return False

    def stored(self, post: Post, state: str) -> None:
        """Count a stored post by the kind of its change."""
        known = self.known.with_id(post.id)
        if known is not None and known.is_gone:
            self.counts["back"] += 1
        self._stored[post.url] = post.id
        if state == "new":
            self._new[post.id] = len(post.comments)
        elif state == "changed":
            self._count_edit(post)

    def settle_moves(self) -> None:
        """Make old posts point to those found at their new URLs, which then do not count as new."""
        for url, origin in self._came_from.items():
            post = self._post_behind(url)
            if post is None or post.id == origin.id or not _is_same_text(self.archive.post(origin.id), post):
                continue
            self.archive.mark_moved(origin.id, post.id)
            self.counts["moved"] += 1
            self._new.pop(post.id, None)

    def report(self, ended_because: str, **facts: Any) -> UpdateReport:
        """Return the report of the update."""
        counts = self.counts + Counter(new=len(self._new), comments=sum(self._new.values()))
        return UpdateReport(
            blog=self.known.blog.id,
            url=self.known.blog.url,
            started_at=self.started_at,
            ended_at=clock.now(),
            ended_because=ended_because,
            relearned=self.relearned,
            **(dict(counts) | facts),
        )

    def _count_edit(self, post: Post) -> None:
        """Count the edit of a post; new comments alone are not an edit."""
        *_, before, now = self.archive.history(post.id).revisions
        known = {comment.id for comment in before.post.comments}
        self.counts["comments"] += sum(comment.id not in known for comment in now.post.comments)
        self.counts["edited"] += now.kind != "commented"

    def _post_behind(self, url: str) -> Post | None:
        try:
            return self.archive.post(self._stored.get(url, url))
        except NotInArchive:
            return None

    def mark(self, url: str, status: int, at: datetime, kind: str) -> None:
        """Store a response, and whether its URL is to be requested again."""
        self.archive.mark_seen(self.known.blog.id, Seen(url=url, status=status, fetched_at=at, kind=kind))


def _is_same_text(before: Post, now: Post) -> bool:
    """Return whether two posts have mostly the same words: themes declare wrong URLs, blogs redirect deleted posts."""
    return token_f1(word_counts(before.text), word_counts(now.text)) >= _SAME_TEXT


def settle_moves(archive: Archive, blog: Blog) -> None:
    """Make posts on hosts that the blog has left point to the same posts at the same paths of its current host."""
    host = urlsplit(blog.url).netloc
    former = {urlsplit(url).netloc for url in blog.former_urls} - {host}
    posts = {place_key(post.url): post for post in archive.posts_of(blog.id)} if former else {}
    for before in posts.values():
        parts = urlsplit(before.url)
        now = posts.get(place_key(parts._replace(netloc=host).geturl())) if parts.netloc in former else None
        if now is not None and _is_same_text(before, now):
            archive.mark_moved(before.id, now.id)


Evidence = tuple[Page, FeedEntry]
MAX_PAGES = 12
# One page on which the rules fail may be of another kind; two indicate a new theme.
_LEAST_FAILING = 2


def evidence_of_pages(pages: Iterable[Page], tags: AbstractSet[str]) -> list[Evidence]:
    """Return the new pages that look like posts without rules, each with what it declares.

    `tags` are those of the blog's stored posts.
    """
    posts = [(page, document) for page in pages if (document := _post_document(page)) is not None]
    documents = [document for _, document in posts]
    found = zip(posts, entries_from_pages(documents), _known_tags(documents, tags), strict=True)
    return [
        (page, _complete_entry(msgspec.structs.replace(entry, tags=entry.tags or known), document, page))
        for (page, document), entry, known in found
    ]


def _known_tags(documents: Sequence[Document], tags: AbstractSet[str]) -> list[tuple[str, ...]]:
    """Return the blog's tags that each page links to more often than other pages do: lists of all tags are on each."""
    counts = [Counter(filter(tags.__contains__, _link_texts(document))) for document in documents]
    usual = {tag: min(count[tag] for count in counts) for tag in tags} if counts else {}
    return [tuple(tag for tag, number in count.items() if number > usual[tag]) for count in counts]


def _link_texts(document: Document) -> list[str]:
    return [one_line(text_of(tree)) for tree in document.all("a[href]")]


def _post_document(page: Page) -> Document | None:
    document = readable_document(page.body, page.url, page.content_type)
    return document if document is not None and kind_of_page(document)[0] == "post" else None


def _complete_entry(entry: FeedEntry, document: Document, page: Page) -> FeedEntry:
    """Return what a page declares about itself, completed by what can be extracted without rules."""
    for post in extract_posts(document, context=Context(fetched_at=page.fetched_at))[:1]:
        found = {name: getattr(entry, name) or getattr(post, name) for name in ("authors", "published", "tags")}
        entry = msgspec.structs.replace(entry, content=post.html, **found)
    return entry


def evidence_of_posts(archive: Archive, pages: Iterable[tuple[KnownPost, Page]]) -> list[Evidence]:
    """Return the current pages of stored posts, each with the fields in the archive."""
    found = []
    for known, page in pages:
        post = archive.post(known.id)
        same = {name: getattr(post, name) for name in _SHARED_FIELDS}
        language = post.language_declared or post.language
        found.append((page, FeedEntry(link=page.url, content=post.html, language=language, **same)))
    return found


def has_drifted(found: Agreement) -> bool:
    """Return whether rules fail on most pages, and on enough, if the blog's own posts are the evidence."""
    return found.drifted and len(found.failing) >= _LEAST_FAILING


def feed_of_blog(blog: Blog) -> Feed:
    """Return a substitute for the feed of a blog without one."""
    return Feed(url=blog.url, format=NO_FEED, home=blog.url)


def agreement_on(rules: RuleSet, feed: Feed, evidence: Sequence[Evidence]) -> Agreement:
    """Return how well the rules agree with the feed on these pages."""
    return agreement(rules, _feed_of(feed, evidence), _bodies(evidence))


def further_pages(feed: Feed, evidence: Sequence[Evidence]) -> list[FeedEntry]:
    """Return feed entries whose pages would add to the evidence, as far as there is room."""
    have = {canonical_url(entry.link or "") for _, entry in evidence}
    others = [entry for entry in feed.entries if entry.link and canonical_url(entry.link) not in have]
    return others[: max(0, MAX_PAGES - len(evidence))]


def relearned_rules(
    rules: RuleSet, feed: Feed, fresh: Sequence[Evidence], others: Sequence[Evidence], settings: LearnSettings
) -> RuleSet | None:
    """Return rules that agree better with the fresh pages than the present rules, and include these; None if none do.

    Rules are learned from all current pages first. If only the newest pages have the new layout, the others outweigh
    them, so rules are also learned from these alone.
    """
    best, most = None, _score(agreement_on(rules, feed, fresh))
    for evidence in ([*fresh, *others], fresh):
        for learned in _learn_rules(feed, evidence, settings):
            candidate = with_former(learned, rules)
            score = _score(agreement_on(candidate, feed, fresh))
            if score > most:
                best, most = candidate, score
    return best


def _learn_rules(feed: Feed, evidence: Sequence[Evidence], settings: LearnSettings) -> Iterator[RuleSet]:
    """Yield the rules learned from the pages, if any can be."""
    if not evidence:
        return
    try:
        rules = learn(_feed_of(feed, evidence), _bodies(evidence), now=evidence[0][0].fetched_at, settings=settings)
    except NoBlog:
        return
    yield with_agreed_fields(rules, feed, [(document_of(page.body, page.url), entry) for page, entry in evidence])


def _score(found: Agreement) -> int:
    return found.pages - len(found.failing)


def _feed_of(feed: Feed, evidence: Sequence[Evidence]) -> Feed:
    """Return the feed with these entries only, each linked to the URL of its page."""
    entries = tuple(msgspec.structs.replace(entry, link=page.url) for page, entry in evidence)
    return msgspec.structs.replace(feed, entries=entries)


def _bodies(evidence: Sequence[Evidence]) -> dict[str, bytes | str]:
    return {page.url: page.body for page, _ in evidence}
