"""From pages to records: which pages are posts, and the record of each.

The crawl, re-extraction and import all make their records here. `make_record` handles one page, `stored_records` all
pages of a `StoredPages`. There, posts that the archive or a feed already knows come first, so that of two URLs of one
post the known one is kept.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from datetime import datetime
from functools import partial
from urllib.parse import urlsplit
from zlib import crc32

import msgspec

from posterity.blog.comments import CommentReader
from posterity.blog.entrance import doubtful_entries
from posterity.blog.lists import NamedUrls, listed_urls
from posterity.blog.optouts import Reservations, page_optouts, reservations_in, reservations_url
from posterity.blog.page_parts import join_parts, part_urls
from posterity.blog.page_source import StoredPages, StoredResponse, run_at_once
from posterity.blog.profile import BlogProfile
from posterity.blog.stored import service_comments
from posterity.classify import page_kind
from posterity.classify.interstitials import Interstitials, rejected_interstitial
from posterity.discover.feed import entry_text
from posterity.discover.links import translations_on
from posterity.dom import Document, parse
from posterity.extraction import Context, extract_posts
from posterity.extraction.blog_fields import ListedDates
from posterity.extraction.record import article_fields, month_of_url
from posterity.model import FeedEntry, Page, Post, Provenance, Rejected, RuleSet
from posterity.model.post import origins_on
from posterity.text.normal_form import words
from posterity.urls import Scope, canonical_url, place_key, post_id
from posterity.urls.kinds import is_listing, is_trap
from posterity.urls.post_pattern import GrowingPattern

_MIN_TEXT = 80
_SKETCH = 48
_SAME_TEXT = 0.5
# Pages, posts and images of WordPress share one sequence of numbers.
_NUMBERED = re.compile(r"\?(?:page_id|attachment_id)=(?=\d+(?:\.html?)?$)")
# An author may publish a text again on another day, under the same name; repeated every day, it is a server error.
_NUMBERS, _MAX_REPEATED = re.compile(r"/\d+(?=/)"), 5
# File servers serve /tides.html at /tides too: feeds of copies use one form, links the other.
_ENDING = re.compile(r"(?:\.html?|/)$", re.IGNORECASE)
_COMMENT_PAGE = re.compile(r"/comment-page-\d+/?$")


def make_record(
    page: Page,
    document: Document,
    *,
    blog: str,
    rules: RuleSet,
    scope: Scope,
    entry: FeedEntry | None,
    optouts: tuple[str, ...],
) -> Post | None:
    """Return the record of one page, with its WARC record in every field's provenance; None without an article.

    `entry` is the page's entry in the feed, `optouts` are the opt-outs that apply to the page.
    """
    # A rule set without fields means extraction without rules.
    context = Context(rules=rules if rules.fields else None, entry=entry, fetched_at=page.fetched_at)
    found = [_with_listed_text(post, document, entry) for post in extract_posts(document, context=context)]
    if not found:
        return None
    origins, folder = dict(found[0].provenance), None
    if found[0].published is None:
        folder = month_of_url(found[0].url, page.fetched_at)
    if folder is not None:
        origins["published"] = folder.provenance
    if optouts:
        origins["optout"] = Provenance(method="page", rule=", ".join(optouts), confidence=1.0)
    warc = str(page.warc) if page.warc else None
    canonical = trusted_canonical(found[0].url, found[0].canonical_url, scope) or found[0].url
    return msgspec.structs.replace(
        found[0],
        id=post_id(canonical),
        canonical_url=canonical,
        blog=blog,
        provenance=origins_on(origins, warc, page.fetched_at),
        **(folder.fields if folder is not None else {}),
    )


# Confidence of a text that only the feed has: it may lack the end, images or code.
_BY_FEED_ALONE = 0.8
FEED_ENTRY = "feed-entry"  # the method of such a field
_MIN_LISTED = 25  # words of a feed entry, which are enough to compare the page with it
_MIN_SHOWN = 0.4  # the least share of these words on the page of the post


def _with_listed_text(post: Post, document: Document, entry: FeedEntry | None) -> Post:
    """Return the post with title and article of its feed entry, if the page shows something else.

    Such a page needs scripts that were not run, or consent.
    """
    if entry is None or not entry.content:
        return post
    text = entry_text(entry)
    expected = set(words(text))
    if len(expected) < _MIN_LISTED or len(post.text) > len(text):
        return post
    if len(expected.intersection(words(document.tree.plain(0)))) >= _MIN_SHOWN * len(expected):
        return post
    listed = record_of_entry(entry, blog="")
    if listed is None:
        return post
    origin = listed.provenance["text"]
    return msgspec.structs.replace(
        post, title=listed.title or post.title, text=listed.text, html=listed.html, markdown=listed.markdown,
        media=listed.media, links=listed.links, provenance=post.provenance | {"text": origin, "title": origin},
    )  # fmt: skip


def record_of_entry(entry: FeedEntry, *, blog: str, at: datetime | None = None) -> Post | None:
    """Return the record of a post whose page is gone, from its feed entry; None if that has no full text."""
    if not entry.link or not entry.content:
        return None
    url = canonical_url(entry.link)
    document = parse(f"<!DOCTYPE html><article>{entry.content}</article>", url)
    fields = article_fields(document.tree, url, document.tree.nodes_by_tag["article"][0])
    if not fields["text"] and not fields["media"]:
        return None
    origin = Provenance(method=FEED_ENTRY, confidence=_BY_FEED_ALONE, at=at)
    given = {name: getattr(entry, name) for name in ("title", "authors", "published", "tags", "language")}
    given["modified"] = entry.updated if entry.updated != entry.published else None
    fields |= {name: value for name, value in given.items() if value}
    return Post(
        id=post_id(url),
        url=url,
        canonical_url=url,
        blog=blog,
        published_precision="minute" if entry.published else None,
        provenance=dict.fromkeys([*filter(fields.__contains__, given), "text"], origin),
        **fields,
    )


_LOCKED, _REMOVED = (401, 402, 403, 451), (404, 410)


def stands_for_page(status: int, *, has_pages: bool) -> bool:
    """Return whether the feed's text replaces a page that could not be fetched; `status` is 0 without a response.

    A page that its author has locked is not replaced, nor is a single one that is gone, since its author removed it.
    If no page is left, the whole blog is gone, and its pages are replaced.
    """
    return status not in (_LOCKED + _REMOVED if has_pages else _LOCKED)


def trusted_canonical(url: str, declared: str | None, scope: Scope) -> str | None:
    """Return the canonical URL that a page declares, if it can be this page's; otherwise None.

    Themes declare the home page, a list or a copy on another host for every post, WordPress the first comment page.
    """
    if not declared or not scope.is_on_host(declared):
        return None
    parts = urlsplit(declared)
    own = canonical_url(parts._replace(path=_COMMENT_PAGE.sub("/", parts.path)).geturl())
    if own == canonical_url(url):
        return own
    is_front = not urlsplit(own).path.strip("/") and not urlsplit(own).query
    return None if is_front or (is_listing(own) and not is_listing(url)) else own


class SeenPosts:
    """The posts found so far, so that no post is stored twice and no two posts become one."""

    def __init__(self) -> None:
        self._sketches: dict[str, frozenset[int]] = {}
        self._owners: dict[int, str] = {}
        self._repeated: Counter[int] = Counter()
        self._places: dict[str, str] = {}

    def checked(self, post: Post, *, is_known: bool = False) -> Post | None:
        """Return the post to store, or None for another URL of a known post.

        Pages with different texts are different posts, whatever canonical URL they declare: such a post keeps its own
        URL. Pages with the same text are one post if the canonical URL or the URL itself shows it; a post that the blog
        lists separately (`is_known`) is kept.
        """
        sketch = _sketch(post)
        known = self._sketches.get(post.id)
        if known is not None:
            own = post_id(canonical_url(post.url))
            if own in self._sketches or _overlap(known, sketch) >= _SAME_TEXT:
                return None
            post = msgspec.structs.replace(post, id=own, canonical_url=canonical_url(post.url))
        content = hash((post.title, post.text, post.published))
        repeated = hash((post.title, post.text, _NUMBERS.sub("/", place_key(post.url))))
        is_copy = content in self._owners or self._repeated[repeated] >= _MAX_REPEATED
        if is_copy and len(post.text) >= _MIN_TEXT and not is_known:
            return None
        other = self._places.setdefault(_ENDING.sub("", _NUMBERED.sub("?p=", post.url)), post.id)
        if other != post.id and _overlap(self._sketches[other], sketch) >= _SAME_TEXT:
            return None
        self._sketches[post.id] = sketch
        self._owners.setdefault(content, post.id)
        self._repeated[repeated] += 1
        return post

    def has_text_of(self, post: Post) -> bool:
        """Return whether a known post has this text, at any URL: feeds of moved blogs have the old URLs."""
        sketch = _sketch(post)
        return any(_overlap(sketch, known) >= _SAME_TEXT for known in self._sketches.values())


def _sketch(post: Post) -> frozenset[int]:
    """Return a sample of the words of title and text, a bottom-k sketch: their smallest checksums."""
    words = {crc32(word.encode("utf-8", "surrogatepass")) for word in f"{post.title} {post.text}".split()}
    return frozenset(sorted(words)[:_SKETCH])


def _overlap(left: frozenset[int], right: frozenset[int]) -> float:
    return len(left & right) / (min(len(left), len(right)) or 1)


def stored_records(
    pages: StoredPages, profile: BlogProfile, blog: str, known: AbstractSet[str], *, is_partial: bool = False
) -> Iterator[Post | Rejected]:
    """Yield the record of every post among stored pages, and why a page that should be a post is not.

    `known` are the URL keys of stored posts: they are posts whatever their URLs look like. `is_partial`: pages may be
    missing without a reason, and the feed replaces them.
    """
    named = _StoredUrls(pages, profile, known)
    seen, dates = SeenPosts(), named.dates
    reservations = _stored_reservations(pages, profile.home_url)
    comments = CommentReader(pages)
    read = partial(make_record, blog=blog, rules=profile.rules, scope=profile.scope, entry=None, optouts=())
    undated: list[Post] = []
    for response in named.candidates():
        page = pages.read(response)
        document = pages.document(page) if page is not None and page.is_html else None
        if page is None or document is None:
            continue
        key = place_key(page.url)
        if several := profile.anchored_posts(page, document, blog):
            yield from several
            continue
        if not named.is_post(document):
            continue
        entry = named.entry_of(page.url)
        post = read(page, document, entry=entry, optouts=page_optouts(page, reservations))
        if post is None or (key in known and profile.rules.fields and post.provenance["text"].method != "feed"):
            # The stored record was made with rules that fitted this page; extraction without rules is no better.
            yield Rejected(url=page.url, reason="noArticle", detail="no rule matches an article on it")
            continue
        named.accept(post.canonical_url or post.url)
        post, _ = run_at_once(join_parts(pages, document, post, read))
        unique = seen.checked(post, is_known=key in known or named.is_listed_post(post.url))
        if unique is None:
            yield Rejected(url=page.url, reason="duplicate", detail=post.canonical_url or "")
            continue
        own = service_comments(document, pages.find)
        if own is None or len(own) < len(post.comments):
            own = run_at_once(comments.all_comments(page, document, entry, post.comments, profile.rules))
        post = msgspec.structs.replace(unique, comments=own)
        if dates.lacks(post):
            undated.append(post)  # until the lists are read
        else:
            yield dates.dated(post) or post
    yield from pages.unreadable
    yield from named.interstitials.values()
    for post in undated:
        yield dates.dated(post) or post
    yield from named.posts_of_feed(blog, seen, is_partial=is_partial)


class _StoredUrls(NamedUrls):
    """What is known about the URLs of stored pages, which are classified in the order of a crawl."""

    def __init__(self, pages: StoredPages, profile: BlogProfile, known: AbstractSet[str]) -> None:
        super().__init__()
        self._pages, self._profile, self._known = pages, profile, known
        self.dates = ListedDates(profile.rules, profile.own_url)
        self._pattern = GrowingPattern(profile.pattern)
        self._home = place_key(profile.home_url)
        self._parts: set[str] = set()  # further parts of posts, which are read together with them
        self._waiting: deque[StoredResponse] = deque()
        self._interstitials = Interstitials()
        self.interstitials: dict[str, Rejected] = {}  # by URL key
        self._held: set[str] = set()  # pages that may be interstitials and have been checked once
        run_at_once(self._read_lists())
        # If a listed URL redirects to another one, the page there is the listed one.
        self._asked: dict[str, list[str]] = defaultdict(list)
        for url in self.urls():
            response = pages.response(url)
            if response is not None and place_key(response.url) != place_key(url):
                self._asked[place_key(response.url)].append(url)

    async def _read_lists(self) -> None:
        pages, profile = self._pages, self._profile
        self.add_feeds(profile.feeds)
        self.add_evidence(profile)
        page = pages.find(profile.home_url)
        home = pages.document(page) if page is not None else None
        async for _ in listed_urls(pages, profile, self, home):
            pass
        for url in self.urls():
            self.listed_at(url, profile.own_url(url))
        if home is not None:
            self.dates.read(home)
            self.note_list(home, profile.own_url, self._pattern)

    def _urls_of(self, url: str) -> list[str]:
        """Return the URLs that lead to a page, its own last."""
        return [*self._asked.get(place_key(url), ()), url]

    def entry_of(self, url: str) -> FeedEntry | None:
        """Return what the feed or the platform lists about the post at this URL, or at one that leads to it."""
        entries, urls = self._profile.entries, self._urls_of(url)
        found = (*(entries.get(place_key(each)) for each in urls), *map(self.listed_entry, urls))
        return next(filter(None, found), None)

    def posts_of_feed(self, blog: str, seen: SeenPosts, *, is_partial: bool) -> Iterator[Post]:
        """Yield the posts that only the feed has: their pages failed, or the blog has no pages left.

        `seen` are the posts found on pages. `is_partial`: missing pages count as failed.
        """
        doubtful = doubtful_entries(self._profile.feeds)
        linked = {entry.link or "": entry for entry in self._profile.entries.values()}
        entries = {canonical_url(url): entry for url, entry in linked.items() if place_key(url) not in doubtful}
        for url, entry in entries.items():
            status, is_hidden = self._pages.failure(url), place_key(url) in self.interstitials
            is_there = self._pages.response(url) is not None and not is_hidden
            may_be_lost = is_hidden or (is_partial and self.is_listed_post(url))
            if is_there or (status is None and self._accepted and not may_be_lost):
                continue
            is_kept = stands_for_page(status or 0, has_pages=bool(self._accepted)) and self._profile.scope.includes(url)
            post = record_of_entry(entry, blog=blog) if is_kept else None
            if post is not None and not seen.has_text_of(post):
                yield post

    def candidates(self) -> Iterator[StoredResponse]:
        """Yield responses that may be posts: listed ones, then those with URLs like posts', then the other pages.

        Within each group, a post comes before what is below it, such as its attachments. Pages that lists or patterns
        found later identify as posts come again.
        """
        ranked = []
        for response in self._pages.responses():
            url = canonical_url(response.url)
            is_known = place_key(url) in self._known
            if is_known or any(map(self.is_listed_post, self._urls_of(url))):
                ranked.append((0, response.url, response))
            elif response.is_page and self._profile.scope.includes(url) and not is_trap(url):
                ranked.append((1 if self._profile.pattern.fits(url) else 2, response.url, response))
            else:
                continue
            self.discover(url)
        self._waiting.extend(response for _, _, response in sorted(ranked, key=lambda item: item[:2]))
        while self._waiting:
            response = self._waiting.popleft()
            if place_key(response.url) not in self._parts:
                yield response

    def is_post(self, document: Document) -> bool:
        """Return whether the page is a post; what it shows about other pages is recorded."""
        key, profile = place_key(document.url), self._profile
        is_post = key in self._known
        if not is_post and self._is_interstitial(document):
            return False
        if not is_post and (key != self._home or self._pattern.fits(document.url)):
            kind = page_kind(document, profile.rules, self._pattern, self.evidence(*self._urls_of(document.url)))
            is_post = kind == "post"
            if not is_post:
                self.rejected(Rejected(url=document.url, reason="notPost", detail=kind))
        if not is_post:
            self.dates.read(document)
            _, again = self.note_list(document, profile.own_url, self._pattern)
        else:
            self.accept(document.url)
            translations = [profile.own_url(url) for url in translations_on(document)]
            again = self.add_linked_by_list(translations, of_posts=True)
            if self._pattern.accept(document.url):
                again += self.taken_for_others(self._pattern)
            self._parts |= set(map(place_key, part_urls(document, document.url).values()))
        responses = (self._pages.response(url) for url in dict.fromkeys(again))
        self._waiting.extend(response for response in responses if response is not None)
        return is_post

    def _is_interstitial(self, document: Document) -> bool:
        """Return whether something else was stored in place of the page; the first such page is checked again later."""
        urls, rules, scope = self._urls_of(document.url), self._profile.rules, self._profile.scope
        entry, is_expected = self.entry_of(document.url), any(map(self.is_expected, urls))
        title = entry.title if entry else None
        count = self._interstitials.add(document, rules, scope, title, is_expected=is_expected)
        if count == 1 and document.url not in self._held:
            self._held.add(document.url)
            response = self._pages.response(document.url)
            self._waiting.extend([response] if response is not None else [])
            return True
        if count > 1:
            self.interstitials |= {place_key(url): rejected_interstitial(url, document) for url in urls}
        return count > 1


def _stored_reservations(pages: StoredPages, home_url: str) -> Reservations:
    page = pages.find(reservations_url(home_url))
    return reservations_in(page) if page is not None else Reservations()
