"""A crawl that stays on the open web: for addresses that a visitor of a server named.

Every connection of Scrapy asks a resolver where its host is. This one refuses hosts that lie on this machine or in a
private network. The connection then goes to the very address that was checked, so a name that changes its mind between
the check and the connection gains nothing, and a redirect is checked like a first request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exceptions import IgnoreRequest
from scrapy.resolver import CachingThreadedResolver
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.error import DNSLookupError

from posterity.urls.public_address import is_public_address

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy import Request
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred

ALLOWED = "POSTERITY_ALLOWED_HOSTS"


class PublicResolver(CachingThreadedResolver):
    """Gives the address of a host only if it is public, or if the host is one that the server's owner allows."""

    allowed: frozenset[str] = frozenset()

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: Any) -> PublicResolver:
        """Return the resolver for a crawl."""
        resolver = super().from_crawler(crawler, reactor)
        resolver.allowed = frozenset(crawler.settings.getlist(ALLOWED))
        return resolver

    def getHostByName(self, name: str, timeout: Sequence[int] = ()) -> Deferred[str]:  # noqa: N802 - Twisted's name
        """Return the checked address of a host."""
        found: Deferred[str] = super().getHostByName(name, timeout)
        if name.lower() not in self.allowed:
            found.addCallback(_checked, name)
        return found


class PublicOnlyMiddleware:
    """Refuses hosts that are written as addresses and so need no resolver."""

    def __init__(self, allowed: frozenset[str]) -> None:
        self._allowed = allowed

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PublicOnlyMiddleware:
        """Return the middleware for a crawl."""
        return cls(frozenset(crawler.settings.getlist(ALLOWED)))

    def process_request(self, request: Request) -> None:
        """Raise for a request that must not leave."""
        host = urlparse_cached(request).hostname or ""
        looks_numeric = ":" in host or host.replace(".", "").isdigit()
        if host.lower() not in self._allowed and looks_numeric and not is_public_address(host):
            raise IgnoreRequest(f"{host} is not a public address")


def _checked(address: str, name: str) -> str:
    if not is_public_address(address):
        raise DNSLookupError(f"{name} is not on the public web")
    return address
