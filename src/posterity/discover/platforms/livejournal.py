"""LiveJournal, Dreamwidth and other sites with the same software: the calendar pages of a journal.

Follows their source (github.com/dreamwidth/dreamwidth, cgi-bin: DW/Controller/Journal.pm, LJ/S2/YearPage.pm,
LJ/S2/MonthPage.pm): `/calendar` (on Dreamwidth a redirect to `/archive`) and `/YYYY/` link to the other years and to
the days with entries, `/YYYY/MM/` to every public entry of the month, as `/NUMBER.html` or `/YYYY/MM/DD/SLUG.html`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from posterity.discover.platforms.listing import MAX_PAGES, ListedPost, ListedPosts, Steps
from posterity.discover.platforms.values import host_of, is_below, path_of, text_of, url_of
from posterity.dom import Document, parse
from posterity.errors import PosterityError

_SITES = ("livejournal.com", "dreamwidth.org", "insanejournal.com", "deadjournal.com")
# Hosts on which the journal's name is the first part of the path.
_SHARED_HOSTS = frozenset(f"{name}.{site}" for name in ("users", "community", "syndicated") for site in _SITES)
_ENTRY = re.compile(r"(?:\d+|\d{4}/\d\d/\d\d/[a-z0-9_-]+)\.html")
_DATE_PAGE = re.compile(r"((?:19|20)\d\d)/(?:(0[1-9]|1[0-2])/(?:\d\d/)?)?")
name = "livejournal"


def detect(home: Document) -> bool:
    """Return whether the host is a subdomain of a known site."""
    return is_below(host_of(home.url), *_SITES)


def listing(home: Document) -> Steps:
    """Walk from the calendar to all years and from them to all months with entries."""
    found = ListedPosts()
    # `journal` is the common prefix of the journal's URLs, or empty.
    host = host_of(home.url)
    user = path_of(home.url).strip("/").partition("/")[0] if host in _SHARED_HOSTS else ""
    journal = url_of(home.url, f"/{user}/" if user else "/") or ""
    queue = [f"{journal}calendar"] if journal else []
    queue += _date_pages(home, journal)
    known = set(queue)
    for asked, url in enumerate(queue):  # grows in the loop
        if asked >= MAX_PAGES:
            break
        page = _page((yield url), url)
        if page is None:
            found.failed.append(url)
            continue
        found.add(_entries(page, journal))
        new = [each for each in _date_pages(page, journal) if each not in known]
        known.update(new)
        queue += new
    return found.listing()


def _page(body: bytes | None, url: str) -> Document | None:
    try:
        return parse(body, url) if body else None
    except PosterityError:
        return None


def _links(page: Document, journal: str) -> Iterator[tuple[str, str | None]]:
    """The linked paths below the journal with the texts of their links; http and https are treated alike."""
    prefix = journal.partition("://")[2]
    for link in page.all("a[href]"):
        url = url_of(page.base_url, link.attrs[0].get("href"))
        place = re.split(r"[?#]", (url or "").partition("://")[2], maxsplit=1)[0]
        if place.startswith(prefix):
            yield place.removeprefix(prefix), text_of(link.plain(0))


def _date_pages(page: Document, journal: str) -> list[str]:
    """The pages of years and months that the page links to; links to days are replaced by their month."""
    matches = [match for path, _ in _links(page, journal) if (match := _DATE_PAGE.fullmatch(path))]
    return list(dict.fromkeys(f"{journal}{match[1]}/" + (f"{match[2]}/" if match[2] else "") for match in matches))


def _entries(page: Document, journal: str) -> list[ListedPost]:
    """The entries that the page links to; the first link to an entry is its title, later ones lead to comments."""
    titles: dict[str, str | None] = {}
    for path, text in _links(page, journal):
        if _ENTRY.fullmatch(path):
            titles.setdefault(f"{journal}{path}", text)
    return [ListedPost(url=url, title=title) for url, title in titles.items()]
