"""The guard of a crawl: nothing on this machine or in a private network is requested for a blog on the public web.

A page may link or redirect to any address, and its host name may resolve to one: a router, a database, the metadata
service of a cloud. The IP address is judged (`is_public_address`) where the connection is made, so a name that resolves
differently the next time gains nothing. Who harvests a private host, or gives `--allow-private`, means private hosts.
The browser has the same guard in `render.gate`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies

import msgspec
from scrapy.exceptions import IgnoreRequest
from scrapy.resolver import CachingThreadedResolver
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.error import DNSLookupError

from posterity.crawl.state import state_of
from posterity.http_client import is_private_host
from posterity.urls.kinds import is_public_address

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy import Request
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred

    from posterity.config import CrawlSettings

ALLOWED = "POSTERITY_ALLOWED_HOSTS"
REFUSED_STAT = "posterity/private_refused"
_NOT_PUBLIC = "is not on the public web"
_NAMED_HOSTS = 20  # in the report; a page can link to any number


def guarded_settings(crawl: CrawlSettings, url: str) -> CrawlSettings:
    """Return the settings for a crawl that starts here: with the guard, unless it starts at a private host."""
    if crawl.public_only or crawl.allow_private or is_private_host(urlsplit(url).hostname or ""):
        return crawl
    # A proxy of the environment resolves names by itself and is itself often private.
    proxies = [urlsplit(proxy if "://" in proxy else f"http://{proxy}").hostname for proxy in getproxies().values()]
    hosts = (*crawl.allowed_hosts, *(host for host in proxies if host))
    return msgspec.structs.replace(crawl, public_only=True, use_proxy=True, allowed_hosts=hosts)


class PublicResolver(CachingThreadedResolver):
    """Returns the IP address of a host only if it is public, or if the host is one that the server's owner allows."""

    allowed: frozenset[str] = frozenset()

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: Any) -> PublicResolver:
        """Return the resolver for a crawl."""
        resolver = super().from_crawler(crawler, reactor)
        resolver.allowed = frozenset(crawler.settings.getlist(ALLOWED))
        return resolver

    def getHostByName(self, name: str, timeout: Sequence[int] = ()) -> Deferred[str]:  # noqa: N802 - Twisted's name
        """Return the checked IP address of a host."""
        found: Deferred[str] = super().getHostByName(name, timeout)
        if name.lower() not in self.allowed:
            found.addCallback(_checked, name)
        return found


class PublicOnlyMiddleware:
    """Refuses hosts that are written as IP addresses and so need no resolver; counts and names all that are refused."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._allowed = frozenset(crawler.settings.getlist(ALLOWED))
        self._hosts: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PublicOnlyMiddleware:
        """Return the middleware for a crawl."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Raise for a request that must not leave."""
        host = (urlparse_cached(request).hostname or "").lower()
        looks_numeric = ":" in host or host.replace(".", "").isdigit()
        is_local_name = host == "localhost" or host.endswith(".localhost")
        if host not in self._allowed and (is_local_name or (looks_numeric and not is_public_address(host))):
            self._note(host)
            raise IgnoreRequest(f"{host} {_NOT_PUBLIC}")

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Note what the resolver refused."""
        reasons: list[BaseException | None] = [exception, exception.__cause__, exception.__context__]
        if any(_NOT_PUBLIC in str(reason) for reason in reasons if reason is not None):
            self._note((urlparse_cached(request).hostname or "").lower())

    def _note(self, host: str) -> None:
        self.crawler.stats.inc_value(REFUSED_STAT)
        if host in self._hosts or len(self._hosts) >= _NAMED_HOSTS:
            return
        self._hosts.add(host)
        stats = getattr(state_of(self.crawler), "crawl_stats", None)
        if stats is not None:  # a spider of somebody else's project has none
            stats.note(f"{host} {_NOT_PUBLIC} and was not requested (--allow-private requests it)", may_help=False)


def _checked(address: str, name: str) -> str:
    if not is_public_address(address):
        raise DNSLookupError(f"{name} {_NOT_PUBLIC}")
    return address
