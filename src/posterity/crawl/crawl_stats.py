"""The statistics of a crawl, and the completeness report: the outcome of every URL that a source listed.

Sources name URLs: feeds, sitemaps, platform lists, links that look like posts. At the end, each has one outcome:
stored, another URL of a stored post, not a post, not fetched, refused, failed (`model.report.OUTCOMES`).
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from posterity import clock
from posterity.archive.blogs import Seen
from posterity.blog.lists import NamedUrls
from posterity.crawl.quiet_update import AGAIN
from posterity.model import HarvestReport, MissingMedia, MissingPost, Page, Post, Rejected, SourceCount
from posterity.model.report import OUTCOMES
from posterity.text.normal_form import count_of
from posterity.urls import Scope, blog_id, canonical_url, lies_in, place_key
from posterity.urls.kinds import is_listing

EMPTY = "the response is empty"  # why a URL gave no page
_GONE_OR_LOCKED = ("401", "404", "410")
_MAX_TRIES = 3
_FAILURES = ("httpError", "interstitial", "networkError")  # of a server, not of a page


def _may_pass(why: Rejected | None) -> bool:
    """Return whether a failure may be temporary: an interstitial, an internal server error, an empty response.

    Requests that met overload or a broken connection have already been retried, at the pace that the host asks for.
    """
    if why is None:
        return False
    return why.reason == "interstitial" or (why.reason, why.detail) in (("httpError", "500"), ("networkError", EMPTY))


# The counts of a crawl that are in its report as they are.
_REPORTED = (
    "posts", "comments", "media", "requests", "bytes", "media_requests", "errors", "delay_s", "media_bytes", "gave_up",
    "never_sampled",
)  # fmt: skip


class CrawlStats(NamedUrls):
    """The counters of a running crawl, from which `report` makes the completeness report."""

    def __init__(self, url: str, started_at: datetime | None = None) -> None:
        super().__init__()
        self.url = url
        self.started_at = started_at or clock.now()
        self.pages = self.comments = self.media = self.errors = 0
        self.requests = self.bytes = self.media_requests = self.media_bytes = self.texts_from_feed = 0
        self.never_sampled = 0
        self.delay_s = 0.0
        self.cut_responses = 0  # shorter than announced
        self.missing_media: list[MissingMedia] = []
        self.notes: list[str] = []
        self.missing_comment_feeds: list[str] = []
        self.gave_up = False
        self.tries: list[int] = []  # the number of stored posts at each retry of failed URLs
        self._optouts: Counter[str] = Counter()
        self._redirects: dict[str, str] = {}
        self._posts: set[str] = set()
        self._own_places: set[str] = set()
        self._places: set[str] = set()
        self._states: Counter[str] = Counter()
        self._rejected: dict[str, Rejected] = {}

    @property
    def posts(self) -> int:
        """The number of stored posts."""
        return len(self._posts)

    @property
    def known(self) -> int:
        """The number of URLs that were requested or queued."""
        return len(self._discovered)

    def waiting(self) -> list[str]:
        """Return the listed URLs that have not been requested or queued yet."""
        return [url for key, (url, _) in self._listed.items() if key not in self._discovered]

    def worth_another_try(self, scope: Scope) -> list[str]:
        """Return the URLs of expected posts and of lists that failed for a reason that may be temporary."""
        expected = ((key, url) for key, (url, _) in self._listed.items() if key in self._expected)
        posts = [url for key, url in expected if key not in self._places and _may_pass(self._rejected.get(key))]
        return posts + [why.url for why in self._failed_lists(scope) if _may_pass(why)]

    def may_try_again(self) -> bool:
        """Return whether to retry failed URLs now, and count the retry: yes as long as the last one brought posts."""
        if self.tries and (len(self.tries) == _MAX_TRIES or self.posts == self.tries[-1]):
            return False
        self.tries.append(self.posts)
        return True

    def unread(self) -> list[Seen]:
        """Return the URLs that the next update must request again, although the server returned a page."""
        pages = (why.url for why in self.failures().values() if why.reason == "interstitial")
        return [Seen(url=url, status=200, fetched_at=clock.now(), kind=AGAIN) for url in pages]

    def failures(self) -> dict[str, Rejected]:
        """Return the failures of the server by URL key; pages that are gone or locked are not failures."""
        failed = ((key, why) for key, why in self._rejected.items() if why.reason in _FAILURES)
        return {key: why for key, why in failed if why.detail not in _GONE_OR_LOCKED}

    def _failed_lists(self, scope: Scope) -> list[Rejected]:
        """Return why pages that may list posts could not be read."""
        posts = self._expected | self._accepted
        failed = (why for key, why in self.failures().items() if key not in posts and scope.includes(why.url))
        return [why for why in failed if why.reason == "interstitial" or is_listing(why.url)]

    def failure_at(self, url: str) -> Rejected | None:
        """Return why the page of a post could not be fetched; None if it could, or if fetching it is forbidden."""
        key = place_key(url)
        rejected = None if key in self._accepted else self._rejected.get(key)
        return rejected if rejected is not None and rejected.reason in _FAILURES else None

    def listed(self) -> dict[str, int]:
        """Return the number of URLs that each source has named so far."""
        return {source: len(named) for source, named in self._named_by.items()}

    def has_post(self, url: str) -> bool:
        """Return whether there is a stored post with this URL."""
        return place_key(url) in self._places

    def count_response(self, body_bytes: int, *, media: bool) -> None:
        """Count a response from the network; those for media are counted separately."""
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
        """Forget all visited pages, which may be different when they are rendered."""
        self._discovered.clear()
        self._rejected.clear()
        self._children.clear()

    def note(self, text: str, may_help: bool) -> None:
        """Add a note about a list of posts that could not be read, and whether trying again may help."""
        self.notes.append(text)
        self.gave_up = self.gave_up or may_help

    def note_failed_lists(self, scope: Scope) -> None:
        """Add a note about lists of posts that could not be read; they matter less if a source names all posts."""
        if failed := self._failed_lists(scope):
            pages, first = count_of(len(failed), "page"), failed[0]
            is_loss = not any(map(self.listed_by, ("sitemap", "platform")))
            why = first.detail.removesuffix(".")
            self.note(f"{pages} that may list posts could not be read, such as {first.url} ({why})", may_help=is_loss)

    def _counted_notes(self) -> list[str]:
        """Return one note for each kind of problem that occurred several times."""
        feeds = list(dict.fromkeys(self.missing_comment_feeds))
        some = f", {feeds[0]} and others" if len(feeds) > 1 else f", {feeds[0]}" if feeds else ""
        notes = [f"{count_of(len(feeds), 'comment feed')} could not be read{some}"] if feeds else []
        if self.cut_responses:
            notes.append(f"{count_of(self.cut_responses, 'response')} shorter than announced: stored as received")
        if self.texts_from_feed:
            many = f"the pages of {self.texts_from_feed} posts do"
            pages = "the page of 1 post does" if self.texts_from_feed == 1 else many
            notes.append(f"{pages} not show the text that the feed lists: taken from the feed")
        return notes

    def moved(self, url: str, to: str) -> None:
        """Record that the page listed at one URL is at another one."""
        self._redirects[place_key(url)] = place_key(to)
        self._rejected.pop(place_key(url), None)

    def listed_at(self, url: str, to: str) -> None:
        """Record that the page listed at one URL is at another one, which replaces it in the lists."""
        self.moved(url, to)
        super().listed_at(url, to)

    def rejected(self, rejected: Rejected) -> None:
        """Record why a URL gave no post."""
        self._rejected[place_key(rejected.url)] = rejected
        super().rejected(rejected)

    def stored(self, post: Post, state: str) -> None:
        """Count a post that has been stored."""
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
        outcomes = {key: self._outcome(key, url, ended_because) for key, (url, _) in self._listed.items()}
        missing = [
            MissingPost(url=url, reason=outcome.reason, detail=outcome.detail)
            for key, (url, _) in self._listed.items()
            if isinstance(outcome := outcomes[key], Rejected)
            and key in self._expected
            and OUTCOMES[outcome.reason] not in ("alias", "notPost")
        ]
        kinds = Counter(OUTCOMES[one.reason] if isinstance(one, Rejected) else one for one in outcomes.values())
        counts = ((source, len(named)) for source, named in self._named_by.items())
        return HarvestReport(
            blog=blog or blog_id(canonical_url(self.url)),
            url=self.url,
            started_at=self.started_at,
            ended_at=clock.now(),
            ended_because=ended_because,
            sources=tuple(SourceCount(source=source, listed=listed, new=new[source]) for source, listed in counts),
            new_posts=self._states["new"],
            missing=tuple(missing),
            missing_media=tuple(self.missing_media),
            optouts=dict(self._optouts),
            outcomes=dict(kinds),
            no_rules=no_rules,
            notes=tuple(dict.fromkeys([*self.notes, *self._counted_notes()])),
            **{name: getattr(self, name) for name in _REPORTED},
        )

    def _outcome(self, key: str, url: str, ended_because: str) -> str | Rejected:
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
