"""An update of a blog without news, without Scrapy: feed, sitemap and list of changes are unchanged.

Loading Scrapy takes longer than checking a blog for news, and most blogs have none most of the time. In any doubt
(another byte, a redirect, an error, posts that are due), the worker does the update; it finds the responses to the
requests made here in the archive and does not repeat them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from urllib.parse import urljoin, urlsplit

import msgspec
from protego import Protego

from posterity import clock
from posterity.archive import Archive
from posterity.archive.captures import Capture
from posterity.archive.database import date_key
from posterity.archive.warc_reader import NOT_MODIFIED, record_at
from posterity.archive.warc_writer import WarcWriter
from posterity.crawl.jobs import Event, Fetched, Started, UpdateJob
from posterity.discover.schedule import KEPT_RESULTS, Result, due_after
from posterity.errors import ArchiveError, PageTooLarge, Unreachable, UsageError
from posterity.http_client import HttpClient, RawResponse, is_private_host, robots_rules
from posterity.model import Blog, Page, WarcPointer
from posterity.model.report import UpdateReport

_OK = 200
# The kind of `Seen` for URLs to be requested again at the next update.
AGAIN = "again"
USUAL_SITEMAPS = ("/sitemap.xml", "/wp-sitemap.xml", "/sitemap_index.xml")
SAMPLE_EVERY = timedelta(days=30)  # even a blog without news is sampled this often, because edits need not be announced
_FRESH = timedelta(hours=24)  # RFC 9309, 2.4: a cached robots.txt should not be used for longer


def recent_capture(archive: Archive, robots_url: str) -> Capture | None:
    """Return the latest response for a robots.txt; None if it is too old to be used."""
    captures = archive.captures(robots_url)
    is_recent = captures and captures[-1].fetched_at >= date_key(clock.now() - _FRESH)
    return captures[-1] if is_recent else None


def stored_robots(archive: Archive, capture: Capture, agent: str) -> Protego | None:
    """Return the rules in a stored response; None if it failed, was a redirect, or cannot be read."""
    if 400 <= capture.status < 500:
        return robots_rules(capture.status, b"", agent)
    if capture.status not in (_OK, NOT_MODIFIED):
        return None
    try:
        page = archive.read_page(WarcPointer(capture.file, capture.offset, capture.record_id))
    except ArchiveError:
        return None
    return robots_rules(capture.status, page.body, agent)


class EarlierResponses:
    """Earlier responses in the archive; those up to `until` have been processed, later ones have not."""

    def __init__(self, archive: Archive, until: datetime | None) -> None:
        self.archive = archive
        self._until = date_key(until) if until else ""

    def conditions(self, url: str) -> tuple[Page | None, dict[str, str]]:
        """Return the previous page at the URL, and the headers of a conditional request for it."""
        capture = self._last_good(url)
        previous = self._page(capture) if capture else None
        return previous, self._validators(capture) if capture and previous else {}

    def was_requested(self, url: str) -> bool:
        """Return whether the URL has returned a page or redirect before, so that it is not new."""
        return any(capture.status < 400 for capture in self._worked_through(url))

    def was_good(self, url: str) -> bool:
        """Return whether the URL has returned a page before."""
        return self._last_good(url) is not None

    def _worked_through(self, url: str) -> list[Capture]:
        return [capture for capture in self.archive.captures(url) if capture.fetched_at <= self._until]

    def _last_good(self, url: str) -> Capture | None:
        good = [capture for capture in self._worked_through(url) if capture.status in (_OK, NOT_MODIFIED)]
        return good[-1] if good else None

    def _page(self, capture: Capture) -> Page | None:
        """Return the stored page; None if it is missing or was taken down, so that it is requested as new."""
        try:
            return self.archive.read_page(WarcPointer(capture.file, capture.offset, capture.record_id))
        except ArchiveError:
            return None

    def _validators(self, capture: Capture) -> dict[str, str]:
        record = record_at(self.archive.folder.warc_path(capture.file), capture.offset)
        full = self.archive.earlier_response(capture.url, capture.digest) if record.kind == "revisit" else None
        origin = record_at(self.archive.folder.warc_path(full.file), full.offset) if full else record
        asked = {"If-None-Match": "etag", "If-Modified-Since": "last-modified"}
        found = {name: record.http_header(field) or origin.http_header(field) for name, field in asked.items()}
        return {name: value for name, value in found.items() if value}


def quiet_update(archive: Archive, job: UpdateJob, on_event: Callable[[Event], None]) -> UpdateReport | None:
    """Return the report of an update without news; None if there may be news."""
    blog, started_at = archive.blog(job.blog), clock.now()
    if not _may_be_quiet(archive, blog, job, started_at):
        return None
    events: list[Event] = [Started(url=blog.url)]  # sent only if no worker is started, which sends its own
    with archive.warc_writer(blog.id) as writer:
        client = _ConditionalRequests(archive, blog, job, writer, events.append)
        try:
            is_quiet = client.are_all_unchanged()
        except (Unreachable, PageTooLarge, UsageError):
            is_quiet = False
    if not is_quiet:
        return None
    rules = archive.rules(blog.id)
    report = UpdateReport(
        blog=blog.id,
        url=blog.url,
        started_at=started_at,
        ended_at=clock.now(),
        ended_because="every URL that could have news has been visited",
        requests=client.requests,
        bytes=client.bytes,
        rules=rules.version if rules else 0,
    )
    for event in events:
        on_event(event)
    due_at = schedule(archive, msgspec.structs.replace(blog, updated_at=report.ended_at), "quiet")
    return msgspec.structs.replace(report, due_at=due_at)


def schedule(archive: Archive, blog: Blog, result: Result) -> datetime:
    """Store the result of the update and the time of the next one, and return that time."""
    results = (*blog.results, result)[-KEPT_RESULTS:]
    failing_since = (blog.failing_since or clock.now()) if result == "failed" else None
    dates = [post.published for post in archive.posts_of(blog.id, gone=False) if post.published]
    due_at = due_after(blog.schedule, dates, results, clock.now())
    archive.put_blog(msgspec.structs.replace(blog, due_at=due_at, results=results, failing_since=failing_since))
    return due_at


def _may_be_quiet(archive: Archive, blog: Blog, job: UpdateJob, now: datetime) -> bool:
    """Return whether this update has nothing to do except for news in feed, sitemap and list of changes."""
    is_plain = job.since is None and not job.revisit_always and not (job.rotation or blog.rotation)
    if not is_plain or blog.feed_url is None or blog.former_urls or blog.results[-1:] != ("quiet",):
        return False
    seen = archive.seen(blog.id).values()
    latest = max((each.fetched_at for each in seen), default=blog.harvested_at)
    return latest is not None and now - latest < SAMPLE_EVERY and not any(each.kind == AGAIN for each in seen)


class _ConditionalRequests:
    """Requests robots.txt, feed, first sitemap and the platform's list of changes; stores and counts the responses."""

    def __init__(
        self, archive: Archive, blog: Blog, job: UpdateJob, writer: WarcWriter, on_event: Callable[[Event], None]
    ) -> None:
        crawl = job.settings.crawl
        report = archive.report(blog.id)
        ends = [moment for moment in (report.ended_at if report else None, blog.updated_at) if moment]
        self._archive, self._blog, self._writer, self._on_event = archive, blog, writer, on_event
        self._earlier = EarlierResponses(archive, max(ends, default=None))
        host = urlsplit(blog.url).hostname or ""
        self._client = HttpClient(crawl.sent_user_agent, public_only=not (crawl.allow_private or is_private_host(host)))
        self._delay_s = crawl.delay_s
        self.requests = self.bytes = 0

    def are_all_unchanged(self) -> bool:
        """Return whether feed, first sitemap and list of changes are unchanged, and robots.txt allows the requests."""
        feed_url = self._blog.feed_url or ""
        rules = self._rules(feed_url)
        if rules is None or not _is_same_host(feed_url, self._blog.url):
            return False
        self._delay_s = max(self._delay_s, rules.crawl_delay(self._client.agent) or 0.0)
        usual = (urljoin(self._blog.url, place) for place in USUAL_SITEMAPS)
        sitemaps = list(rules.sitemaps) or [url for url in usual if self._earlier.was_good(url)]
        asked = [feed_url, *sitemaps[:1], *([self._blog.changes_url] if self._blog.changes_url else [])]
        return all(
            _is_same_host(url, feed_url) and rules.can_fetch(url, self._client.agent) and self._is_unchanged(url)
            for url in asked
        )

    def _rules(self, url: str) -> Protego | None:
        """Return the host's rules, from the archive unless they are old; None if they are uncertain."""
        place = urljoin(url, "/robots.txt")
        if (recent := recent_capture(self._archive, place)) is not None:
            return stored_robots(self._archive, recent, self._client.agent)
        response = self._response(place, {})
        if response.location is not None:
            return None
        return robots_rules(response.status, response.body, self._client.agent)

    def _is_unchanged(self, url: str) -> bool:
        previous, headers = self._earlier.conditions(url)
        if previous is None:
            return False
        response = self._response(url, headers)
        if response.status == NOT_MODIFIED:
            return bool(headers)
        return response.status == _OK and response.body == previous.body

    def _response(self, url: str, headers: dict[str, str]) -> RawResponse:
        if self.requests and self._delay_s:
            time.sleep(self._delay_s)
        response = self._client.response(url, headers)
        self.requests += 1
        self.bytes += len(response.sent_body)
        self._writer.write_exchange(
            url=url,
            status=response.status,
            reason=response.reason,
            request_headers=response.request_headers,
            response_headers=response.headers,
            body=response.sent_body,
            fetched_at=clock.now(),
        )
        self._on_event(Fetched(url=url, status=response.status, bytes=len(response.body), pages=self.requests, known=0))
        return response


def _is_same_host(url: str, other: str) -> bool:
    return urlsplit(url)[:2] == urlsplit(other)[:2]
