"""The lists of a blog: feeds with their older pages, sitemaps, the lists of its platform.

`NamedUrls` gathers what these and the lists on pages show about URLs, so that a crawl and the pipeline over stored
pages classify pages in the same way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import TypeAlias
from urllib.parse import urljoin, urlsplit

import msgspec

from posterity.blog.entrance import doubtful_entries
from posterity.blog.page_source import PageSource, page_or_none
from posterity.blog.profile import BlogProfile
from posterity.classify.page_kind import UrlEvidence
from posterity.classify.repeated_records import listed_links, listing_on
from posterity.discover.feed import feed_on, next_feed_page
from posterity.discover.platforms import ListedPost, Listing, platforms_of
from posterity.discover.sitemap import lists_posts, sitemap_on
from posterity.dom import Document
from posterity.model import Feed, FeedEntry, Page, Rejected, RuleSet
from posterity.text.normal_form import count_of, letters_and_digits
from posterity.urls import Scope, canonical_url, lies_in, place_key
from posterity.urls.kinds import is_in_section, is_listing, is_service_page
from posterity.urls.post_pattern import UrlPattern

# Called with a description of a list that could not be read, and whether trying again may help.
Note: TypeAlias = Callable[[str, bool], None]
_GONE = (404, 410)
_MAX_FILES = 200
_MAX_URLS = 1_000_000  # 200 files of a few hundred kilobytes expand to 40 million
_MAX_FEED_PAGES = 500


async def sitemap_urls(source: PageSource, home_url: str, home: Page | None, note: Note) -> dict[str, bool]:
    """Return the URLs in the blog's sitemaps, and whether they are listed as posts; none if there is no sitemap.

    A part of a sitemap that cannot be read is noted, because its URLs are not known.
    """
    found = await _read_all(source, home_url, source.sitemaps(home_url), note)
    for place in _usual_places(home_url, home) if not found else ():
        found = await _read_all(source, home_url, [place], note)
        if found:
            break
    return found


def _usual_places(home_url: str, home: Page | None) -> list[str]:
    """Return usual URLs of sitemaps: WordPress and its plugins have their own, a blog may have one in its folder."""
    names = ["sitemap.xml"]
    if home is not None and b"/wp-content/" in home.body:
        names += ["wp-sitemap.xml", "sitemap_index.xml"]
    # The front page may redirect to that of one language, whose folder has a sitemap of that language only.
    asked = urlsplit(home.requested_url).path if home is not None else ""
    folders = (urljoin(home_url, place) for place in ("/", urljoin(asked, "."), "."))
    return list(dict.fromkeys(urljoin(folder, name) for folder in folders for name in names))


async def _read_all(source: PageSource, home_url: str, urls: Iterable[str], note: Note) -> dict[str, bool]:
    found: dict[str, bool] = {}
    waiting = list(dict.fromkeys(urls))
    seen, parts = set(waiting), set[str]()
    for _ in range(_MAX_FILES):
        if not waiting or len(found) >= _MAX_URLS:
            break
        part = waiting.pop(0)
        page = await page_or_none(source, part)
        own_part = urljoin(home_url, urlsplit(part)._replace(scheme="", netloc="").geturl())
        if (page is None or page.status >= 400) and own_part != part:  # a copy names the parts of its original
            page = await page_or_none(source, own_part)
        sitemap = sitemap_on(page) if page is not None and page.status < 400 else None
        if sitemap is None:
            if part in parts:
                is_gone = page is not None and page.status in _GONE
                note(f"the part {part} of its sitemap {'is gone' if is_gone else 'could not be read'}", not is_gone)
            continue
        are_posts = part in parts and lists_posts(part)
        found |= {url: are_posts or found.get(url, False) for url in sitemap.pages}
        new = [url for url in sitemap.parts_with_posts if url not in seen]
        seen.update(new)
        parts.update(new)
        waiting += new
    if waiting:
        note(f"{count_of(len(waiting), 'part')} of its sitemaps, such as {waiting[0]}, were skipped: too many", False)
    return found


async def older_entries(source: PageSource, feed: Feed) -> AsyncIterator[Feed]:
    """Yield the older pages of a paged feed, until one has no new entry."""
    seen = {place_key(entry.link) for entry in feed.entries if entry.link}
    count = len(feed.entries)
    asked = {place_key(feed.url)}
    for number in range(1, _MAX_FEED_PAGES):
        url = next_feed_page(feed, number, count)
        if url is None or place_key(url) in asked:
            return
        asked.add(place_key(url))
        response = await page_or_none(source, url)
        page = feed_on(response) if response is not None and response.status < 400 else None
        if page is None:
            return
        new = {place_key(entry.link) for entry in page.entries if entry.link} - seen
        if not new:
            return
        seen |= new
        count += len(page.entries)
        yield page
        feed = page if page.next_url or not feed.next_url else feed


async def platform_posts(source: PageSource, home: Document, note: Note) -> list[ListedPost]:
    """Return the posts that the blog's platform lists; what it announces beyond what could be read is noted."""
    posts: list[ListedPost] = []
    for platform in platforms_of(home):
        listing = platform.listing(home)
        try:
            url = next(listing)
            while True:
                page = await page_or_none(source, url)
                url = listing.send(page.body if page is not None and page.status < 400 else None)
        except StopIteration as end:
            found: Listing = end.value
        posts += found.posts
        total = found.total or 0
        if 0 < len(found.posts) < total:
            note(f"{platform.name} announces {count_of(total, 'post')} and lists {len(found.posts)} of them", True)
    return posts


def links_of(feed: Feed) -> list[str]:
    """Return the canonical URLs of the feed's entries."""
    return [canonical_url(entry.link) for entry in feed.entries if entry.link]


def _keys(names: Iterable[str]) -> set[str]:
    return set(map(letters_and_digits, names))


_MIN_CHILDREN = 3
_MOSTLY_DATED = 0.5
_POSTS_IN_LIST = 3  # one in so many links of a list must be a known post
# Sources that list posts and nothing else; a sitemap and links also name other pages.
_POST_LISTS = frozenset({"feed", "paged feed", "platform"})


class NamedUrls:
    """What is known about the URLs of a blog before their pages are classified, and the results."""

    def __init__(self) -> None:
        self._discovered: set[str] = set()
        self._listed: dict[str, tuple[str, str]] = {}
        self._named_by: dict[str, set[str]] = defaultdict(set)
        self._expected: set[str] = set()
        self._in_lists_of_posts: set[str] = set()  # expected by a feed or the platform, not only by a sitemap
        self._accepted: set[str] = set()  # posts that are stored, or about to be
        self._children: Counter[str] = Counter()
        self._in_lists: set[str] = set()
        self._in_post_lists: set[str] = set()
        self._others: dict[str, str] = {}  # visited pages that are neither posts nor lists, by URL key
        self._entries: dict[str, FeedEntry] = {}  # by URL key

    def evidence(self, *urls: str) -> UrlEvidence:
        """Return what is known of a page; the last URL is its own, the others led to it."""
        own = urls[-1]
        is_listed = any(map(self.is_listed_post, urls))
        return UrlEvidence(
            # A listed URL may lead to a login page.
            is_listed=is_listed and (not is_service_page(own) or self.is_listed_post(own)),
            is_in_list=any(self.is_named(url) or place_key(url) in self._in_lists for url in urls),
            is_section=any(map(self.is_section, urls)),
            is_below_post=self.is_below_post(own),
            is_left_out=self.listed_by("platform") > 0 and not is_listed,
            is_in_sitemap=any(place_key(url) in self._named_by.get("sitemap", ()) for url in urls),
        )

    def add_listed(self, url: str, source: str, *, waiting: bool = False, expected: bool = True) -> str:
        """Record that a source names the URL; return the source.

        `waiting`: it has not been requested yet. `expected`: it is expected to be a post.
        """
        key = place_key(url)
        if not waiting:
            self._discovered.add(key)
        if key not in self._listed:
            self._note_child(key)
        self._named_by[source].add(key)
        self._listed.setdefault(key, (url, source))
        if expected:
            self._expected.add(key)
            if source in _POST_LISTS:
                self._in_lists_of_posts.add(key)
        return source

    def add_feeds(self, feeds: Sequence[Feed]) -> None:
        """Record the URLs in the feeds; they have not been requested yet."""
        doubtful = doubtful_entries(feeds)
        for url in (url for feed in feeds for url in links_of(feed)):
            self.add_listed(url, "feed", waiting=True, expected=place_key(url) not in doubtful)

    def add_entries(
        self, entries: Mapping[str, FeedEntry], feed: Mapping[str, FeedEntry], *, trusted: bool = False
    ) -> None:
        """Record what a list has about posts that are not in the feed, whose entries are given by place.

        Unless the list is `trusted`, authors count if they are those of the feed: of posts by guests a platform may
        list who entered them.
        """
        told = {url: entry for url, entry in entries.items() if entry.authors or entry.tags}
        listed = {
            place_key(url): msgspec.structs.replace(entry, content=None, summary=None) for url, entry in told.items()
        }
        both = [(entry, feed[place]) for place, entry in listed.items() if place in feed and feed[place].authors]
        if not trusted and (not both or any(_keys(one.authors) != _keys(other.authors) for one, other in both)):
            listed = {place: msgspec.structs.replace(entry, authors=()) for place, entry in listed.items()}
        self._entries |= {place: entry for place, entry in listed.items() if place not in feed}

    def listed_entry(self, url: str) -> FeedEntry | None:
        """Return what the platform or an older page of a feed lists about the post at a URL."""
        return self._entries.get(place_key(url))

    def add_sitemap(self, urls: Mapping[str, bool], pattern: UrlPattern, scope: Scope) -> None:
        """Record the URLs in a sitemap, and whether they are listed as posts; they have not been requested yet.

        The pattern is a hint: other pages of a sitemap are visited too, but not reported as missing.
        """
        for url, is_post in urls.items():
            is_likely = pattern.fits(url) or (is_post and not is_listing(url))
            self.add_listed(url, "sitemap", waiting=True, expected=is_likely and scope.includes(url))

    def add_evidence(self, profile: BlogProfile) -> None:
        """Record the pages from which the profile was learned."""
        doubtful = doubtful_entries(profile.feeds)
        for each in profile.evidence:
            is_expected = place_key(each.listed_url) not in doubtful
            self.add_listed(canonical_url(each.page.url), "feed" if profile.feeds else "links", expected=is_expected)
            if each.listed_url:
                self.listed_at(each.listed_url, canonical_url(each.page.url))

    def listed_at(self, url: str, to: str) -> None:
        """Record that the page listed at one URL is at another one, which replaces it in the lists."""
        old, new = place_key(url), place_key(to)
        if old == new or old not in self._listed:
            return
        _, source = self._listed.pop(old)
        self._listed.setdefault(new, (to, source))
        for names in (*self._named_by.values(), self._expected, self._in_lists_of_posts):
            if old in names:
                names.remove(old)
                names.add(new)

    def source_of(self, url: str) -> str | None:
        """Return the source that named the URL first, or None."""
        listed = self._listed.get(place_key(url))
        return listed[1] if listed else None

    def is_listed_post(self, url: str) -> bool:
        """Return whether a list of posts contains the URL: a feed or the platform."""
        return place_key(url) in self._in_lists_of_posts

    def is_expected(self, url: str) -> bool:
        """Return whether the URL is expected to be a post: by a list of posts, or by a sitemap and its form."""
        return place_key(url) in self._expected

    def is_named(self, url: str) -> bool:
        """Return whether a list of the blog contains the URL as a post; links do not count."""
        key = place_key(url)
        return key in self._expected and any(
            key in named for source, named in self._named_by.items() if source != "links"
        )

    def urls(self) -> list[str]:
        """Return the URLs that the sources name."""
        return [url for url, _ in self._listed.values()]

    def listed_by(self, source: str) -> int:
        """Return the number of URLs that a source named."""
        return len(self._named_by.get(source, ()))

    def discover(self, url: str) -> bool:
        """Add the URL; return whether it is new."""
        key = place_key(url)
        if key in self._discovered:
            return False
        self._discovered.add(key)
        self._note_child(key)
        return True

    def _note_child(self, key: str) -> None:
        folder, _, name = key.rpartition("/")
        if not name.isdecimal():
            self._children[folder] += 1

    def is_section(self, url: str) -> bool:
        """Return whether several known URLs are directly below this one, as below /posts/."""
        return self._children[place_key(url)] >= _MIN_CHILDREN

    def accept(self, url: str) -> None:
        """Record that the page at this URL is a post."""
        self._accepted.add(place_key(url))

    def is_below_post(self, url: str) -> bool:
        """Return whether the URL is below a post's: its second page, an attachment, a page of its comments."""
        return lies_in(url, self._accepted)

    def note(self, text: str, may_help: bool) -> None:
        """Called with a description of a list that could not be read, and whether trying again may help."""

    def rejected(self, rejected: Rejected) -> None:
        """Record why a URL gave no post."""
        if rejected.reason == "notPost" and rejected.detail == "other":
            self._others[place_key(rejected.url)] = rejected.url

    def taken_for_others(self, pattern: UrlPattern) -> list[str]:
        """Return the URLs of pages that were classified as neither posts nor lists, but now fit the pattern."""
        return [url for url in self._others.values() if pattern.fits(url)]

    def note_list(
        self, document: Document, own_url: Callable[[str], str], pattern: UrlPattern
    ) -> tuple[list[str], list[str]]:
        """Record the links to the records of a list; return these, and those whose pages are to be classified again.

        If many of the records are posts, the others are expected to be posts too, and may have been classified before.
        """
        records = [own_url(url) for url in listed_links(document)]
        posts = sum(pattern.fits(url) or self.is_expected(url) or place_key(url) in self._accepted for url in records)
        is_of_posts = _POSTS_IN_LIST * posts >= len(records) > posts > 0
        # A list without dates and known posts may be one of projects or friends.
        may_be_posts = posts > 0 or document.fact(listing_on).dated >= _MOSTLY_DATED
        trusted = (url for url in records if may_be_posts or is_in_section(url))
        again = self.add_linked_by_list(trusted, of_posts=is_of_posts)
        return records, [url for url in again if not is_listing(url)]

    def add_linked_by_list(self, urls: Iterable[str], *, of_posts: bool = False) -> list[str]:
        """Record the URLs that a list links to as its records; `of_posts`: they are expected to be posts.

        Return those that were not expected to be posts until now, and were classified as something else.
        """
        keys = {place_key(url): url for url in urls}
        self._in_lists |= keys.keys()
        if not of_posts:
            return []
        new = keys.keys() - self._in_post_lists
        self._in_post_lists |= new
        return [keys[key] for key in sorted(new) if key in self._others]

    def is_in_post_list(self, url: str) -> bool:
        """Return whether a known list of posts links to the URL as one of its records."""
        return place_key(url) in self._in_post_lists


def _entry_of(post: ListedPost) -> FeedEntry:
    return FeedEntry(link=post.url, title=post.title, authors=post.authors, published=post.published, tags=post.tags)


async def listed_urls(
    source: PageSource, profile: BlogProfile, named: NamedUrls, home: Document | None
) -> AsyncIterator[str]:
    """Record and yield the URLs that the blog itself lists: those of its platform, its sitemaps, older feed pages."""
    scope, pattern, own_url = profile.scope, profile.pattern, profile.own_url
    listed = await platform_posts(source, home, named.note) if home is not None else []
    entries = {own_url(canonical_url(post.url)): _entry_of(post) for post in listed}
    named.add_entries(entries, profile.entries)
    for url in filter(scope.includes, entries):
        named.add_listed(url, "platform", waiting=True)
        yield url
    sitemap = {own_url(url): is_post for url, is_post in profile.sitemap.items()}
    named.add_sitemap(sitemap, pattern, scope)
    for feed in profile.feeds:
        is_shorter = max(named.listed_by("platform"), len(sitemap)) > len(feed.entries)
        if is_shorter and (listed or feed is not profile.feed or not _tells_more(feed, profile.rules)):
            continue  # the other list is longer, for fewer requests
        async for page in older_entries(source, feed):
            linked = {own_url(canonical_url(entry.link)): entry for entry in page.entries if entry.link}
            named.add_entries(linked, profile.entries, trusted=True)
            for url in linked:
                named.add_listed(url, "paged feed", waiting=True)
                yield url
    for url in sitemap:
        if scope.includes(url):
            yield url
        else:
            named.rejected(Rejected(url=url, reason="outOfScope", detail="outside the blog"))


def _tells_more(feed: Feed, rules: RuleSet) -> bool:
    """Return whether the entries have tags, or different authors, that no rule finds on their pages."""
    teams = {entry.authors for entry in feed.entries if entry.authors}
    has_tags = any(entry.tags for entry in feed.entries)
    return (len(teams) > 1 and not rules.rules_for("authors")) or (has_tags and not rules.rules_for("tags"))
