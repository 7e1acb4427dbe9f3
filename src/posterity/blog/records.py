"""Which of the stored pages are posts, and the record of each.

Posts that the archive or the feed already knows come first, so that of two addresses of one post the known one stays.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import msgspec

from posterity.blog.profile import told_comments
from posterity.classify import page_kind
from posterity.discover.comments import comment_page_links, comments_in
from posterity.discover.feed import feed_on
from posterity.discover.wordpress import as_comment, comments_url, is_deep, read_comments, with_declared_threads
from posterity.dom import parse
from posterity.errors import UnreadablePage
from posterity.extraction import Context, extract_posts
from posterity.extraction.blog_fields import ListedDates
from posterity.extraction.comments import comments_over
from posterity.model import Rejected
from posterity.urls import canonical_url, lies_in, place_key
from posterity.urls.kinds import is_trap

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from posterity.blog.page_source import PageSource, StoredResponse
    from posterity.blog.profile import BlogProfile, Lookup
    from posterity.dom import Document
    from posterity.model import Comment, FeedEntry, Page, Post, RuleSet


def thread_of(
    document: Document, entry: FeedEntry | None, shown: tuple[Comment, ...], rules: RuleSet, find: Lookup
) -> tuple[Comment, ...]:
    """Return the comments of a post; `shown` are those that its own page shows."""
    told = told_comments(document, find)
    if told is not None and len(told) >= len(shown):
        return told
    comments = comments_over(shown, map(find, comment_page_links(document)), rules)
    if is_deep(comments):
        comments = with_declared_threads(comments, _told_by_interface(document, find))
    if entry is None or not entry.comment_feed or len(comments) >= (entry.comment_count or 0):
        return comments
    feed = feed_on(find(entry.comment_feed))
    return comments_in(feed) if feed is not None and len(feed.entries) > len(comments) else comments


def _told_by_interface(document: Document, find: Lookup) -> Iterator[Comment]:
    for number in count(1):
        url = comments_url(document, number)
        answer = find(url) if url else None
        if answer is None:
            return
        yield from map(as_comment, read_comments(answer.body))


_MIN_TEXT = 80


def posts_on(
    page_source: PageSource, profile: BlogProfile, blog: str, known: AbstractSet[str]
) -> Iterator[Post | Rejected]:
    """Yield the record of every post on the shelf, and why a page that should be one is none.

    `known` are the places of posts that are stored already: they are posts whatever their address looks like.
    """
    # What a feed names is a post; a sample of pages that look like posts may hold one that is none.
    certain = known | profile.entries.keys() | set(profile.evidence if profile.feed else ())
    sights, dates = FirstSeen(), ListedDates(profile.rules)
    undated: list[Post] = []
    for response in candidates(page_source.responses(), profile, certain):
        page = page_source.read(response)
        if page is None:
            continue
        try:
            document = parse(page.body, page.url, page.content_type)
        except UnreadablePage as problem:
            yield Rejected(url=page.url, reason="unreadable", detail=str(problem))
            continue
        key = place_key(page.url)
        if key not in certain and not _is_post(document, profile, sights):
            dates.read(document)
            continue
        post = record_of(page, document, profile, page_source, blog)
        if post is None or (key in known and not _is_by_rules(post)):
            # What is stored was made with rules that knew this page; a reading without any is no better.
            yield Rejected(url=page.url, reason="noArticle", detail="no rule names an article on it")
        elif sights.is_first(post, known=key in known):
            if dates.lacks(post):
                undated.append(post)  # until the lists are read
            else:
                yield dates.dated(post) or post
        else:
            yield Rejected(url=page.url, reason="duplicate", detail=post.canonical_url or "")
    for post in undated:
        yield dates.dated(post) or post


def candidates(
    responses: list[StoredResponse], profile: BlogProfile, certain: AbstractSet[str]
) -> list[StoredResponse]:
    """Return what may be posts: those that are known to be, those whose addresses look like it, then the other pages.

    Within each, a post comes before what lies below it, such as its attachments.
    """
    ranked = []
    for response in responses:
        url = canonical_url(response.url)
        if place_key(url) in certain:
            ranked.append((0, response.url, response))
        elif response.is_page and profile.scope.includes(url) and not is_trap(url):
            ranked.append((1 if profile.pattern.fits(url) else 2, response.url, response))
    return [response for _, _, response in sorted(ranked, key=lambda item: item[:2])]


def record_of(page: Page, document: Document, profile: BlogProfile, page_source: PageSource, blog: str) -> Post | None:
    """Return the record of one page, with the page's place in every field's provenance; None without an article."""
    entry = profile.entries.get(place_key(page.url))
    context = Context(rules=profile.rules, entry=entry, fetched_at=page.fetched_at)
    found = extract_posts(document, context=context)
    if not found:
        return None
    warc = str(page.warc) if page.warc else None
    return msgspec.structs.replace(
        found[0],
        blog=blog,
        comments=thread_of(document, entry, found[0].comments, profile.rules, page_source.page),
        provenance={
            field: msgspec.structs.replace(origin, warc=warc, at=page.fetched_at)
            for field, origin in found[0].provenance.items()
        },
    )


def _is_by_rules(post: Post) -> bool:
    return post.provenance["text"].method == "feed"


class FirstSeen:
    """The posts that have come up: no post comes twice, whatever its address."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._contents: set[int] = set()
        self._places: set[str] = set()

    def is_first(self, post: Post, *, known: bool = False) -> bool:
        """Tell whether the post is there for the first time, and remember it.

        One that is known is not taken for a copy of another with the same words: it was stored as a post of its own.
        """
        content = hash((post.title, post.text, post.published))
        is_copy = content in self._contents and not known and len(post.text) >= _MIN_TEXT
        if post.id in self._ids or is_copy:
            return False
        self._ids.add(post.id)
        self._contents.add(content)
        self._places |= {place_key(post.url), place_key(post.canonical_url or post.url)}
        return True

    def is_below_post(self, url: str) -> bool:
        """Tell whether the address lies inside a post's: an attachment, a page of its comments."""
        return lies_in(url, self._places)


def _is_post(document: Document, profile: BlogProfile, sights: FirstSeen) -> bool:
    return page_kind(document, profile.rules, profile.pattern) == "post" and not sights.is_below_post(document.url)
