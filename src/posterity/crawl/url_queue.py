"""Following a blog's links: what may be visited, how many visits are under way, and whether the next is worth it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from posterity.archive.captures import Capture, captures_of_blog
from posterity.archive.database import date_key
from posterity.discover.url_queue import UrlQueue
from posterity.extraction.blog_fields import ListedDates
from posterity.model import Rejected
from posterity.urls.kinds import is_listing, is_trap
from posterity.urls.post_pattern import GrowingPattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from posterity.archive import Archive
    from posterity.blog.profile import BlogProfile
    from posterity.crawl.crawl_stats import CrawlStats


NOTHING_NEW = "further pages brought no new posts"


class CrawlQueue:
    """Hands out URLs, no more posts at a time than `at_once`, and one other page: it may show that no further
    one is worth a visit."""

    def __init__(
        self, profile: BlogProfile, crawl_stats: CrawlStats, is_barred: Callable[[str], bool], at_once: int
    ) -> None:
        self._scope, self._crawl_stats, self._is_barred = profile.scope, crawl_stats, is_barred
        self.dates = ListedDates(profile.rules)
        self.pattern = GrowingPattern(profile.pattern)
        self._queue = UrlQueue(self.pattern)
        self._queue.posts = len(profile.evidence)
        self._at_once = at_once
        self._posts_under_way = 0
        self._search: str | None = None
        self._may_search = False
        self._settled: set[str] = set()  # URLs about which a further link says nothing new

    def search(self) -> None:
        """From now on look for posts that nothing has named: all that names posts has been asked."""
        self._may_search = True
        self._queue.estimate.knows_list = any(self._crawl_stats.listed_by(name) for name in ("sitemap", "platform"))

    def offer(self, urls: Iterable[str], *, linked: bool) -> int:
        """Take in URLs, named by a source or `linked` by a page; return how many new posts they may bring."""
        expected = 0
        for url in urls:
            if url in self._settled:
                continue
            if not self._crawl_stats.is_named(url) and (not self._scope.includes(url) or is_trap(url)):
                self._settled.add(url)
                if not linked:
                    self._crawl_stats.rejected(
                        Rejected(url=url, reason="notPost", detail="a copy or no page, by its URL")
                    )
            elif self._crawl_stats.discover(url):
                expected += 0 if self._is_barred(url) else self._add(url, linked=linked)
            elif linked:
                self._queue.see_again(url)
                self._settled.add(url)
        return expected

    def _add(self, url: str, *, linked: bool) -> int:
        stats = self._crawl_stats
        in_list = linked and stats.is_in_post_list(url) and not is_listing(url)
        if in_list or (linked and self.pattern.fits(url)):
            stats.add_listed(url, "links")
        return self._queue.add(url, linked=linked, is_expected=in_list or stats.is_named(url))

    def accept(self, url: str) -> bool:
        """Learn that the page at this URL is a post; return whether the pattern of post URLs has grown."""
        return self._queue.accept(url)

    def next_urls(self) -> Iterator[str]:
        """Yield the URLs to visit now."""
        while self._posts_under_way < self._at_once and (url := self._chosen(self._queue.next_post)):
            self._posts_under_way += 1
            yield url
        if self._may_search and not self._posts_under_way and self._search is None:
            self._search = self._chosen(self._queue.next_url) or self._list_with_dates()
            if self._search is not None:
                yield self._search

    def _list_with_dates(self) -> str | None:
        """A list that is worth a visit only because the posts do not tell their dates."""
        url = self.dates.worth_a_visit(self._queue.given_up())
        if url is not None:
            self._queue.take(url)
        return url

    def _chosen(self, choose: Callable[[], str | None]) -> str | None:
        """The next URL, unless its post came under another one meanwhile."""
        while (url := choose()) and self._crawl_stats.has_post(url):
            pass
        return url

    @property
    def is_idle(self) -> bool:
        """Whether all sources have been asked and no visit is under way."""
        return self._may_search and not self._posts_under_way and self._search is None

    def visit_again(self, urls: Iterable[str]) -> None:
        """Put URLs of posts back into the queue, at which the server failed."""
        for url in urls:
            self._queue.add(url, linked=False, is_expected=True)

    def came_back(self, url: str) -> None:
        """The visit to this URL is over."""
        if url == self._search:
            self._search = None
        else:
            self._posts_under_way -= 1

    def learn(self, url: str, *, is_post: bool, expected: int) -> None:
        """The visit to this URL brought a new post or not, and links that may bring so many."""
        self._queue.learn(url, is_post=is_post, named=expected)

    def given_up(self) -> list[str]:
        """Return the URLs that are not worth a visit."""
        return self._queue.given_up()


# After a week the pages may have changed: better to begin anew.
RESUME_WITHIN = timedelta(days=7)
# What may be better on the next try is asked for again.
_PASSING = (0, 408, 425, 429)
_MEDIA = (
    "image/",
    "audio/",
    "video/",
    "font/",
    "text/css",
    "application/pdf",
    "application/font",
    "application/x-font",
)


class Frontier:
    """The start of one harvest, and the responses that an interrupted one left behind, by URL."""

    def __init__(self, archive: Archive, blog_id: str, now: datetime, *, retries: bool = False) -> None:
        """`retries`: go on from the last harvest, however it ended, and ask again for what it could not get."""
        self._archive, self._blog_id, self._retries = archive, blog_id, retries
        last = archive.report(blog_id) if retries else None
        begun = archive.unfinished_since(blog_id) or (last.started_at if last is not None else None)
        self.resumes = begun is not None and (retries or now - begun < RESUME_WITHIN)
        self.started_at = begun if begun and self.resumes else now
        self.answers: dict[str, Capture] = self._since(blog_id) if self.resumes else {}
        archive.mark_unfinished(blog_id, self.started_at)

    @property
    def spent(self) -> tuple[int, int]:
        """How many requests for pages and for media the earlier sittings made."""
        media = sum((one.mime or "").startswith(_MEDIA) for one in self.answers.values())
        return len(self.answers) - media, media

    def finished(self) -> None:
        """The harvest ended by itself: the next one begins anew."""
        self._archive.mark_unfinished(self._blog_id, None)

    def _since(self, blog_id: str) -> dict[str, Capture]:
        with self._archive.database.reading() as connection:
            found = captures_of_blog(connection, blog_id)
        begun = date_key(self.started_at)
        usable = [one for one in found if one.fetched_at >= begun and one.kind in ("response", "revisit")]
        return {
            one.url: one
            for one in sorted(usable, key=lambda one: one.fetched_at)
            if one.status < (400 if self._retries else 500) and one.status not in _PASSING
        }
