"""Search services behind one small interface: a query in, hits out. SearXNG is built in, others come as plugins.

A plugin is a function in the entry-point group `posterity.search` of any installed package: it takes what stands
behind the colon of `--search NAME:ADDRESS` and the function that fetches an address, and returns a `SearchService`.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlencode

import msgspec

from posterity.errors import InputError, Unreachable, UsageError
from posterity.urls import is_http_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from posterity.model import Page

GROUP = "posterity.search"
_MAX_RESULT_PAGES = 20


class Hit(msgspec.Struct, frozen=True):
    """One result: its address and what the service shows of it. More fields of an answer are passed over."""

    url: str = ""
    title: str = ""
    content: str = ""


class SearchService(Protocol):
    """Whatever answers queries."""

    def hits(self, query: str, count: int) -> Iterator[Hit]:
        """Yield up to so many results, the best first; `Unreachable` or `InputError` when there is no answer."""


class _Answer(msgspec.Struct):
    results: list[Hit] = []
    unresponsive_engines: list[list[str]] = []  # each its name and what happened


class Searxng:
    """A SearXNG instance with the format `json` switched on (its settings.yml, search.formats)."""

    def __init__(self, address: str, fetch: Callable[[str], Page]) -> None:
        self._address = address.rstrip("/").removesuffix("/search")
        self._fetch = fetch

    def hits(self, query: str, count: int) -> Iterator[Hit]:
        """Yield the results page by page, as the instance gives them."""
        seen: set[str] = set()
        for number in range(1, _MAX_RESULT_PAGES + 1):
            fresh = [hit for hit in self._page(query, number) if hit.url not in seen]
            for hit in fresh:
                seen.add(hit.url)
                yield hit
                if len(seen) >= count:
                    return
            if not fresh:
                return

    def _page(self, query: str, number: int) -> list[Hit]:
        asked = urlencode({"q": query, "format": "json", "pageno": number, "categories": "general"})
        try:
            page = self._fetch(f"{self._address}/search?{asked}")
        except Unreachable as problem:
            if problem.status == 403:
                raise InputError(
                    f"The search service {self._address} does not give JSON. Its settings.yml must list json under "
                    "search.formats; many public instances do not."
                ) from problem
            raise
        try:
            answer = msgspec.json.decode(page.body, type=_Answer)
        except msgspec.MsgspecError as problem:
            raise InputError(f"{self._address} does not answer as SearXNG does: {problem}.") from problem
        if answer.unresponsive_engines and not answer.results and number == 1:
            engines = "; ".join(map(": ".join, answer.unresponsive_engines))
            raise InputError(f"The engines behind {self._address} do not answer ({engines}). Try later, or others.")
        return answer.results


def search_service(name: str, fetch: Callable[[str], Page]) -> SearchService:
    """Return the service of a name: the address of a SearXNG instance, or PLUGIN:ADDRESS."""
    if is_http_url(name):
        return Searxng(name, fetch)
    plugin, _, address = name.partition(":")
    known = {point.name: point for point in entry_points(group=GROUP)}
    if plugin not in known:
        names = f" Installed plugins: {', '.join(sorted(known))}." if known else ""
        raise UsageError(
            f"There is no search service {name!r}. Give the address of a SearXNG instance, or PLUGIN:ADDRESS.{names}"
        )
    made: SearchService = known[plugin].load()(address, fetch)
    return made
