"""One page over HTTP, for `posterity extract URL`: robots.txt obeyed, our name given, size bounded.

A crawl goes through Scrapy (`fetch`); for a page or two, the standard library is enough and starts at once. robots.txt
is read once per host, as RFC 9309 has it: none there (4xx) allows everything, one that cannot be read allows nothing.
"""

from __future__ import annotations

import os
import urllib.request
from datetime import UTC, datetime
from functools import lru_cache
from http.client import HTTPException
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit

from protego import Protego

from posterity.config import CONTACT_VARIABLE, CrawlSettings, user_agent
from posterity.errors import PageTooLarge, RefusedByRobots, Unreachable, UnreadablePage
from posterity.model import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from posterity.render.pool import Browser

_SETTINGS = CrawlSettings()
_USER_AGENT = user_agent(os.environ.get(CONTACT_VARIABLE, ""))
_MAX_ROBOTS_BYTES = 512 * 1024  # RFC 9309, 2.5: at least 500 kibibytes must be read
_PAGE_TYPES = ("html", "xml", "text/plain")


def fetch_page(url: str) -> Page:
    """Return the page at this address, or raise `Unreachable`, `RefusedByRobots` or `UnreadablePage`."""
    check_robots(url)
    page = _fetched(url, _SETTINGS.max_page_bytes, check_robots)
    kind = page.content_type.lower()
    if kind and not any(name in kind for name in _PAGE_TYPES):
        raise UnreadablePage(f"{url} is not a web page: its type is {page.content_type}.")
    return page


def rendered_page(browser: Browser, url: str) -> Page:
    """Return the page at this address as it is drawn, or raise what `fetch_page` does."""
    check_robots(url)
    rendered = browser.rendered(url)
    if rendered.status >= 400:
        raise Unreachable(f"{url} answers {rendered.status}.", rendered.status)
    return rendered.page()


def page_browser(url: str) -> Browser:
    """Return a browser for pages like this one, under our name."""
    from posterity.render.pool import Browser

    return Browser(url, _USER_AGENT)


def fetch_feed(url: str) -> Page:
    """Return the feed at this address; it may be of any type."""
    check_robots(url)
    return _fetched(url, _SETTINGS.max_page_bytes, check_robots)


def fetch_answer(url: str) -> Page:
    """Return what a service answers that the user named: robots.txt is for crawlers, not for such questions."""
    return _fetched(url, _SETTINGS.max_page_bytes, lambda _: None)


def check_robots(url: str) -> None:
    """Raise `RefusedByRobots` when the host's rules forbid the address, or cannot be read."""
    parts = urlsplit(url)
    if not _rules_of(f"{parts.scheme}://{parts.netloc}").can_fetch(url, _USER_AGENT):
        raise RefusedByRobots(f"{parts.scheme}://{parts.netloc}/robots.txt forbids {url}.")


@lru_cache(maxsize=256)
def _rules_of(host: str) -> Any:
    try:
        page = _fetched(f"{host}/robots.txt", _MAX_ROBOTS_BYTES, lambda _: None, cut=True)
    except Unreachable as problem:
        if 400 <= problem.status < 500:
            return Protego.parse("")
        if not problem.status:
            raise
        raise RefusedByRobots(
            f"{host}/robots.txt answers {problem.status}, and rules that cannot be read forbid everything. "
            "Try again later."
        ) from problem
    return Protego.parse(page.body.decode("utf-8", "replace"))


def _fetched(url: str, max_bytes: int, allow: Callable[[str], None], *, cut: bool = False) -> Page:
    request = urllib.request.Request(  # noqa: S310 - the opener below knows HTTP only
        _sendable(url), headers={"User-Agent": _USER_AGENT, "Accept": "text/html,*/*;q=0.8"}
    )
    try:
        with _opener(allow).open(request, timeout=_SETTINGS.timeout_s) as answer:
            body = answer.read(max_bytes + 1)
            headers, final_url = answer.headers, answer.url
    except HTTPError as problem:
        problem.close()
        raise Unreachable(f"{url} answers {problem.code} {problem.reason}.", problem.code) from problem
    except (URLError, HTTPException, OSError, ValueError) as problem:
        from posterity.crawl.http import connection_problem

        raise Unreachable(connection_problem(problem, urlsplit(url).netloc)) from problem
    if len(body) > max_bytes and not cut:
        raise PageTooLarge(f"{url} has more than {max_bytes:,} bytes.")
    from posterity.archive.warc_reader import decoded_body

    return Page(
        url=final_url,
        requested_url=url,
        status=200,
        content_type=headers.get("Content-Type", ""),
        body=decoded_body(body[:max_bytes], headers.get("Content-Encoding", "")),
        fetched_at=datetime.now(UTC),
    )


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to where robots.txt lets us go."""

    def __init__(self, allow: Callable[[str], None]) -> None:
        self._allow = allow

    def redirect_request(self, *arguments: Any) -> urllib.request.Request | None:
        self._allow(arguments[-1])
        return super().redirect_request(*arguments)


def _opener(allow: Callable[[str], None]) -> urllib.request.OpenerDirector:
    """Without the handlers for files and FTP: a redirect must not read the disk."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.UnknownHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirects(allow),
    ):
        opener.add_handler(handler)
    return opener


def _sendable(url: str) -> str:
    """Return the address as it goes over the wire: what people copy from a browser may hold any letter."""
    parts = urlsplit(url)
    host = parts.netloc.encode("idna").decode() if not parts.netloc.isascii() else parts.netloc
    safe = "/?&=%:;+,@!$'()*~[]-._"
    return parts._replace(
        netloc=host, path=quote(parts.path, safe), query=quote(parts.query, safe), fragment=""
    ).geturl()
