"""The books of one harvest: what was promised by whom, what came, what was kept, what is missing and why."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from posterity.discover.completeness import estimated_posts
from posterity.model import HarvestReport, MissingPost, SourceCount, blog_id
from posterity.urls import canonical_url, lies_in, place_key

if TYPE_CHECKING:
    from posterity.model import MissingMedia, Page, Post, PostEstimate, Rejected

_MIN_TEXT = 80


class CrawlStats:
    """Counts as the crawl goes; `report` closes the books."""

    def __init__(self, url: str, started_at: datetime | None = None) -> None:
        self.url = url
        self.started_at = started_at or datetime.now(UTC)
        self.pages = self.comments = self.media = self.errors = 0
        self.requests = self.bytes = self.media_requests = self.media_bytes = 0
        self.delay_s = 0.0
        self.missing_media: list[MissingMedia] = []
        self._optouts: Counter[str] = Counter()
        self._discovered: set[str] = set()
        self._linked: set[str] = set()
        self._promised: dict[str, tuple[str, str]] = {}
        self._named_by: dict[str, set[str]] = defaultdict(set)
        self._kept: dict[str, set[str]] = {}
        self._places: set[str] = set()
        self._taken_for_posts: set[str] = set()  # stored, or about to be
        self._sighted: set[int | str] = set()
        self._states: Counter[str] = Counter()
        self._rejected: dict[str, Rejected] = {}

    @property
    def posts(self) -> int:
        """How many posts are stored."""
        return len(self._kept)

    @property
    def known(self) -> int:
        """How many addresses have come up."""
        return len(self._discovered)

    def add_listed(self, url: str, source: str, *, waiting: bool = False) -> str:
        """A source names the address of a post; `waiting`: nobody has asked for it yet. Returns the source."""
        key = place_key(url)
        if not waiting:
            self._discovered.add(key)
        self._named_by[source].add(key)
        self._promised.setdefault(key, (url, source))
        return source

    def source_of(self, url: str) -> str | None:
        """Return who named the address first, or None."""
        promised = self._promised.get(place_key(url))
        return promised[1] if promised else None

    def waiting(self) -> list[str]:
        """Return the promised addresses that nobody has asked for yet."""
        return [url for key, (url, _) in self._promised.items() if key not in self._discovered]

    def listed_by(self, source: str) -> int:
        """Return how many posts a source named."""
        return len(self._named_by.get(source, ()))

    def promised(self) -> dict[str, int]:
        """Return how many posts every source has named so far."""
        return {source: len(named) for source, named in self._named_by.items()}

    def has_post(self, url: str) -> bool:
        """Tell whether the address is a stored post's."""
        return place_key(url) in self._places

    def take_for_post(self, url: str) -> None:
        """The page at this address is a post, and will be stored when it has been read."""
        self._taken_for_posts.add(place_key(url))

    def is_below_post(self, url: str) -> bool:
        """Tell whether the address lies inside a post's: its second page, an attachment, a page of its comments."""
        return lies_in(url, self._taken_for_posts)

    def knows(self, url: str) -> bool:
        """Tell whether the address has come up."""
        return place_key(url) in self._discovered

    def discover(self, url: str, *, linked: bool = False) -> bool:
        """Tell whether the address comes up for the first time; `linked`: on a page of the blog."""
        key = place_key(url)
        if linked:
            self._linked.add(key)
        if key in self._discovered:
            return False
        self._discovered.add(key)
        return True

    def answered(self, body_bytes: int, *, media: bool) -> None:
        """An answer came over the network; those for media are counted apart."""
        if media:
            self.media_requests += 1
            self.media_bytes += body_bytes
        else:
            self.requests += 1
            self.bytes += body_bytes

    def arrived(self, page: Page) -> None:
        """A page came in, with an error status or not."""
        self.pages += 1
        self._discovered.add(place_key(page.url))

    def rejected(self, rejected: Rejected) -> None:
        """An address gave no post."""
        self._rejected[place_key(rejected.url)] = rejected

    def first_sight(self, post: Post) -> bool:
        """Tell whether no other address gave this post before: the same place, or the same title, text and date.

        From now on it has been seen.
        """
        marks: set[int | str] = {post.id, _content(post)}
        is_first = marks.isdisjoint(self._sighted)
        self._sighted |= marks
        return is_first

    def stored(self, post: Post, state: str) -> None:
        """A post is in the archive."""
        self._kept[post.id] = {place_key(post.url), place_key(post.canonical_url or post.url)}
        self._places |= self._kept[post.id]
        self._taken_for_posts |= self._kept[post.id]
        self._states[state] += 1
        self.comments += len(post.comments)
        self.media += sum(medium.file is not None for medium in post.media)
        if asked := post.provenance.get("optout"):
            self._optouts.update((asked.rule or "").split(", "))

    def report(self, blog: str, ended_because: str) -> HarvestReport:
        """Return the completeness report."""
        new = Counter(source for _, source in self._promised.values())
        missing = [
            MissingPost(url=url, reason=why.reason, detail=why.detail)
            for key, (url, _) in self._promised.items()
            if key not in self._places and (why := self._rejected.get(key)) and why.reason != "duplicate"
        ]
        return HarvestReport(
            blog=blog or blog_id(canonical_url(self.url)),
            url=self.url,
            started_at=self.started_at,
            ended_at=datetime.now(UTC),
            ended_because=ended_because,
            sources=tuple(
                SourceCount(source=source, promised=len(named), new=new[source])
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
            estimate=self._estimate(),
        )

    def _estimate(self) -> PostEstimate | None:
        """How many posts there probably are: what the blog lists itself against what its pages link to."""
        named = set().union(*(places for source, places in self._named_by.items() if source != "links"))
        listed = [not places.isdisjoint(named) for places in self._kept.values()]
        linked = [not places.isdisjoint(self._linked) for places in self._kept.values()]
        both = sum(one and other for one, other in zip(listed, linked, strict=True))
        return estimated_posts(sum(listed), sum(linked), both)


def _content(post: Post) -> int:
    """One number for a post's title, text and date; a post with hardly any text is only equal to itself."""
    return hash((post.title, post.text, post.published) if len(post.text) >= _MIN_TEXT else post.id)
