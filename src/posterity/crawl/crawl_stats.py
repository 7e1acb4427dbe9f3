"""The statistics of one crawl, and the certificate made of them: what became of every URL that a source named.

Sources name URLs: feeds, sitemaps, platform lists, links that look like posts. At the end each is exactly one of:
stored, another URL of a stored post, not a post, not fetched, refused, failed (`model.report.OUTCOMES`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime

from posterity import clock
from posterity.model import HarvestReport, MissingMedia, MissingPost, Page, Post, Rejected, SourceCount, blog_id
from posterity.model.report import OUTCOMES
from posterity.text.normal_form import count_of
from posterity.urls import canonical_url, lies_in, place_key

_MIN_CHILDREN = 3
EMPTY = "the response is empty"  # why a URL gave no page
# Sources that list posts and nothing else; a sitemap and links also name other pages.
_POST_LISTS = frozenset({"feed", "paged feed", "platform"})


def _may_pass(why: Rejected | None) -> bool:
    """Return whether a failure may be over at the next try: an error of the server's program, an empty response.

    Overload and broken connections have been tried again at once, as politely as the host asks.
    """
    return why is not None and (why.reason, why.detail) in (("httpError", "500"), ("networkError", EMPTY))


class CrawlStats:
    """Counts as the crawl goes; `report` makes the certificate."""

    def __init__(self, url: str, started_at: datetime | None = None) -> None:
        self.url = url
        self.started_at = started_at or clock.now()
        self.pages = self.comments = self.media = self.errors = 0
        self.requests = self.bytes = self.media_requests = self.media_bytes = self.texts_from_feed = 0
        self.delay_s = 0.0
        self.missing_media: list[MissingMedia] = []
        self.notes: list[str] = []
        self.missing_comment_feeds: list[str] = []
        self.gave_up = False
        self._optouts: Counter[str] = Counter()
        self._discovered: set[str] = set()
        self._listed: dict[str, tuple[str, str]] = {}
        self._named_by: dict[str, set[str]] = defaultdict(set)
        self._expected: set[str] = set()
        self._redirects: dict[str, str] = {}
        self._posts: set[str] = set()
        self._own_places: set[str] = set()
        self._places: set[str] = set()
        self._accepted: set[str] = set()  # stored, or about to be
        self._children: Counter[str] = Counter()
        self._in_lists: set[str] = set()
        self._in_post_lists: set[str] = set()
        self._others: dict[str, str] = {}  # visited pages that are neither posts nor lists, by place
        self._states: Counter[str] = Counter()
        self._rejected: dict[str, Rejected] = {}

    @property
    def posts(self) -> int:
        """How many posts are stored."""
        return len(self._posts)

    @property
    def known(self) -> int:
        """How many URLs have come up."""
        return len(self._discovered)

    def add_listed(self, url: str, source: str, *, waiting: bool = False, expected: bool = True) -> str:
        """Note that a source names the URL; return the source.

        `waiting`: nobody has asked for it yet. `expected`: it is expected to be a post.
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
        return source

    def source_of(self, url: str) -> str | None:
        """Return the source that named the URL first, or None."""
        listed = self._listed.get(place_key(url))
        return listed[1] if listed else None

    def is_named_by(self, url: str, source: str) -> bool:
        """Return whether this source names the URL."""
        return place_key(url) in self._named_by.get(source, ())

    def is_listed_post(self, url: str) -> bool:
        """Return whether a list of posts names the URL: a feed or the platform."""
        key = place_key(url)
        return key in self._expected and any(key in self._named_by.get(source, ()) for source in _POST_LISTS)

    def is_expected(self, url: str) -> bool:
        """Return whether the URL is expected to be a post: a list of posts names it, or a sitemap and its shape."""
        return place_key(url) in self._expected

    def is_named(self, url: str) -> bool:
        """Return whether a list of the blog names the URL as a post; links alone do not."""
        key = place_key(url)
        return key in self._expected and any(
            key in named for source, named in self._named_by.items() if source != "links"
        )

    def waiting(self) -> list[str]:
        """Return the listed URLs that nobody has asked for yet."""
        return [url for key, (url, _) in self._listed.items() if key not in self._discovered]

    def worth_another_try(self) -> list[str]:
        """Return the URLs expected to be posts at which the server failed, which may have passed."""
        return [
            url
            for key, (url, _) in self._listed.items()
            if key in self._expected and key not in self._places and _may_pass(self._rejected.get(key))
        ]

    def failure_at(self, url: str) -> Rejected | None:
        """Return why the page of a post could not be fetched; None if it could, or if something forbids it."""
        key = place_key(url)
        rejected = None if key in self._accepted else self._rejected.get(key)
        return rejected if rejected is not None and rejected.reason in ("httpError", "networkError") else None

    def listed_by(self, source: str) -> int:
        """Return how many URLs a source named."""
        return len(self._named_by.get(source, ()))

    def listed(self) -> dict[str, int]:
        """Return how many URLs every source has named so far."""
        return {source: len(named) for source, named in self._named_by.items()}

    def has_post(self, url: str) -> bool:
        """Return whether the URL is a stored post's."""
        return place_key(url) in self._places

    def accept(self, url: str) -> None:
        """Note that the page at this URL is a post and will be stored when it has been read."""
        self._accepted.add(place_key(url))

    def is_below_post(self, url: str) -> bool:
        """Return whether the URL lies below a post's: its second page, an attachment, a page of its comments."""
        return lies_in(url, self._accepted)

    def knows(self, url: str) -> bool:
        """Return whether the URL has come up."""
        return place_key(url) in self._discovered

    def discover(self, url: str) -> bool:
        """Return whether the URL comes up for the first time."""
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
        """Return whether several known URLs lie right below this one, as below /posts/."""
        return self._children[place_key(url)] >= _MIN_CHILDREN

    def add_linked_by_list(self, urls: Iterable[str], *, of_posts: bool = False) -> list[str]:
        """Note the URLs that a list links to as its records; `of_posts`: they are expected to be posts.

        Return those that were expected to be none until now, and were visited as such.
        """
        keys = {place_key(url): url for url in urls}
        self._in_lists |= keys.keys()
        if not of_posts:
            return []
        new = keys.keys() - self._in_post_lists
        self._in_post_lists |= new
        return [keys[key] for key in sorted(new) if key in self._others]

    def taken_for_others(self) -> list[str]:
        """Return the URLs of pages that were visited and judged to be neither posts nor lists."""
        return list(self._others.values())

    def is_in_post_list(self, url: str) -> bool:
        """Return whether a list that is known to be of posts links to the URL as one of its records."""
        return place_key(url) in self._in_post_lists

    def is_linked_by_list(self, url: str) -> bool:
        """Return whether a list of posts links to the URL as one of its records."""
        return place_key(url) in self._in_lists

    def count_response(self, body_bytes: int, *, media: bool) -> None:
        """Count a response from the network; those for media are counted apart."""
        if media:
            self.media_requests += 1
            self.media_bytes += body_bytes
        else:
            self.requests += 1
            self.bytes += body_bytes

    def arrived(self, page: Page) -> None:
        """Count a page, whatever its status."""
        self.pages += 1
        asked, came = place_key(page.requested_url), place_key(page.url)
        self._discovered |= {asked, came}
        if asked != came:
            self._redirects[asked] = came

    def forget_visits(self) -> None:
        """Begin again: pages that were visited may be something else, now that they are rendered."""
        self._discovered.clear()
        self._rejected.clear()
        self._children.clear()

    def note(self, text: str, may_help: bool) -> None:
        """Note what of a list of posts could not be read, and whether trying again may help."""
        self.notes.append(text)
        self.gave_up = self.gave_up or may_help

    def _counted_notes(self) -> list[str]:
        """What has happened several times, as one note each."""
        feeds = list(dict.fromkeys(self.missing_comment_feeds))
        some = f", {feeds[0]} and others" if len(feeds) > 1 else f", {feeds[0]}" if feeds else ""
        notes = [f"{count_of(len(feeds), 'comment feed')} could not be read{some}"] if feeds else []
        if self.texts_from_feed:
            pages = (
                "the page of 1 post does"
                if self.texts_from_feed == 1
                else f"the pages of {self.texts_from_feed} posts do"
            )
            notes.append(f"{pages} not show the text that the feed lists: taken from the feed")
        return notes

    def moved(self, url: str, to: str) -> None:
        """Note that what a source lists at one URL is at another one."""
        self._redirects[place_key(url)] = place_key(to)
        self._rejected.pop(place_key(url), None)

    def listed_at(self, url: str, to: str) -> None:
        """Note that what sources list at one URL is at another one, which counts as the listed one from now on."""
        self.moved(url, to)
        old, new = place_key(url), place_key(to)
        if old == new or old not in self._listed:
            return
        _, source = self._listed.pop(old)
        self._listed.setdefault(new, (to, source))
        for names in (*self._named_by.values(), self._expected):
            if old in names:
                names.remove(old)
                names.add(new)

    def rejected(self, rejected: Rejected) -> None:
        """Note why a URL gave no post."""
        key = place_key(rejected.url)
        self._rejected[key] = rejected
        if rejected.reason == "notPost" and rejected.detail == "other":
            self._others[key] = rejected.url

    def stored(self, post: Post, state: str) -> None:
        """Count a post that is in the archive now."""
        own = place_key(post.url)
        self._posts.add(post.id)
        self._own_places.add(own)
        places = {own, place_key(post.canonical_url or post.url)}
        self._places |= places
        for place in places:
            self._others.pop(place, None)
        self._accepted |= places
        self._states[state] += 1
        self.comments += len(post.comments)
        self.media += sum(medium.file is not None for medium in post.media)
        if asked := post.provenance.get("optout"):
            self._optouts.update((asked.rule or "").split(", "))

    def report(self, blog: str, ended_because: str, *, no_rules: str = "") -> HarvestReport:
        """Return the completeness report."""
        new = Counter(source for _, source in self._listed.values())
        fates = {key: self._fate(key, url, ended_because) for key, (url, _) in self._listed.items()}
        missing = [
            MissingPost(url=url, reason=fate.reason, detail=fate.detail)
            for key, (url, _) in self._listed.items()
            if isinstance(fate := fates[key], Rejected)
            and key in self._expected
            and OUTCOMES[fate.reason] not in ("alias", "notPost")
        ]
        return HarvestReport(
            blog=blog or blog_id(canonical_url(self.url)),
            url=self.url,
            started_at=self.started_at,
            ended_at=clock.now(),
            ended_because=ended_because,
            sources=tuple(
                SourceCount(source=source, listed=len(named), new=new[source])
                for source, named in self._named_by.items()
            ),
            posts=self.posts,
            new_posts=self._states["new"],
            comments=self.comments,
            media=self.media,
            requests=self.requests,
            bytes=self.bytes,
            missing=tuple(missing),
            media_requests=self.media_requests,
            missing_media=tuple(self.missing_media),
            errors=self.errors,
            optouts=dict(self._optouts),
            delay_s=self.delay_s,
            media_bytes=self.media_bytes,
            outcomes=dict(
                Counter(OUTCOMES[fate.reason] if isinstance(fate, Rejected) else fate for fate in fates.values())
            ),
            no_rules=no_rules,
            notes=tuple(dict.fromkeys([*self.notes, *self._counted_notes()])),
            gave_up=self.gave_up,
        )

    def _fate(self, key: str, url: str, ended_because: str) -> str | Rejected:
        """Return "stored" or "alias", or why the URL gave no post of its own."""
        if key in self._own_places:
            return "stored"
        end = self._redirects.get(key, key)
        if key in self._places or end in self._places:
            return "alias"
        why = self._rejected.get(key) or self._rejected.get(end)
        if why is None and lies_in(url, self._accepted):
            return "alias"
        return why or Rejected(url=url, reason="givenUp", detail=ended_because)
