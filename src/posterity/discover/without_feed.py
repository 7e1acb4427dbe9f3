"""Finds the posts of a blog without a feed: groups of URLs with the same form, and what their pages declare."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from posterity.dom import Document, text_of
from posterity.dom.document import JsonLd, authors_of, declared_person_names, json_ld, types_of
from posterity.dom.terms import declared_terms
from posterity.lexicon import any_of, declarations, url_words
from posterity.model import FeedEntry
from posterity.text.dates import read_dates
from posterity.text.normal_form import one_line
from posterity.urls import Scope
from posterity.urls.kinds import ESCAPED_QUESTION, day_in_url, is_listing, is_service_page

_OTHER_FOLDER = re.compile(rf"/(?:{any_of(url_words('service.folder', 'service.not_of_blog'))})(?:/|$)", re.IGNORECASE)
_MIN_GROUP = 2
_MAX_PAGE_DIGITS = 4


def post_groups(scope: Scope, urls: Collection[str], *, listings: bool = False) -> list[list[str]]:
    """Return groups of URLs that may be posts, the likeliest first, from the blog's folder or else from its host.

    Posts may be outside the folder of the page that lists them. With `listings`, URLs that look like listings are used
    if there are no others: posts may have URLs like those of monthly archives (/archives/14.html).
    """
    return (
        likely_posts(filter(scope.includes, urls))
        or likely_posts(filter(scope.is_on_host, urls))
        or (likely_posts(filter(scope.includes, urls), listings=True) if listings else [])
    )


def likely_posts(urls: Iterable[str], *, listings: bool = False) -> list[list[str]]:
    """Return groups of URLs of the same shape, the likeliest posts first; none without a group of at least two.

    With `listings`, URLs that look like listings are included.
    """
    candidates = [url for url in dict.fromkeys(urls) if _may_be_post(url, listings=listings)]
    found: dict[tuple[str, ...], list[str]] = {}
    for shape in (_shape, _rough_shape):
        groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for url in candidates:
            asked = ESCAPED_QUESTION.sub("?", url)  # mirrors keep it in file names
            groups[shape(_path(asked), urlsplit(asked).query)].append(url)
        for group in sorted(map(_without_numbers, groups.values()), key=_weight, reverse=True):
            if len(group) >= _MIN_GROUP:
                found.setdefault(tuple(group), group)
    return [group for group in found.values() if not _numbers_lists(group, found)]


def _numbers_lists(urls: list[str], groups: Collection[tuple[str, ...]]) -> bool:
    """Whether these are the numbered pages (/1/, /2/, /3/) of a list with more URLs."""
    last = [urlsplit(url).path.rstrip("/").rpartition("/")[2] for url in urls]
    if not all(name.isdecimal() and len(name) < _MAX_PAGE_DIGITS for name in last):
        return False
    numbers = set(map(int, last))
    is_row = min(numbers) in (1, 2) and max(numbers) - min(numbers) < 2 * len(numbers)
    return is_row and any(len(group) > len(urls) for group in groups)


def _may_be_post(url: str, *, listings: bool) -> bool:
    if is_service_page(url) or _OTHER_FOLDER.search(_path(url)):
        return False
    return listings or not is_listing(url.replace("#", ""))


def _path(url: str) -> str:
    """The path, with the fragment as the route of a single-page application."""
    parts = urlsplit(url)
    return unquote(parts.path + (f"#{parts.fragment}" if parts.fragment else ""))


def _without_numbers(urls: list[str]) -> list[str]:
    """Without bare numbers if most URLs have names: then /2/ is a page of a list."""
    named = [url for url in urls if not urlsplit(url).path.rstrip("/").rpartition("/")[2].isdecimal()]
    return named if 2 * len(named) > len(urls) else urls


def _weight(urls: list[str]) -> float:
    """Favours large groups with dates in the URLs or names of several words."""
    dated = sum(day_in_url(url) is not None or bool(re.search(r"/(?:19|20)\d{2}/", url)) for url in urls)
    wordy = sum(len(re.findall(r"[^\W\d_]{2,}", unquote(url.rstrip("/").rpartition("/")[2]))) >= 2 for url in urls)
    numbered = sum(bool(re.search(r"(?:[?&]|%3f)p=\d+(?:\.html?)?$", url, re.IGNORECASE)) for url in urls)
    return dated * 2.0 + wordy + numbered * 2.0 + len(urls) * 0.1


def _shape(path: str, query: str) -> tuple[str, ...]:
    """The folders above the page with digits made equal, and the depth: siblings have the same shape."""
    folders = path.strip("/").split("/")
    kept = [re.sub(r"\d+", "0", folder) for folder in folders[:-1]]
    return (*kept, str(len(folders)), _query_shape(query))


def _query_shape(query: str) -> str:
    """The query with digits made equal, or "*" for a bare page name: wiki.pl?SaltAndStone."""
    return re.sub(r"\d+", "0", query) if "=" in query or not query[:1].isalpha() else "*"


def _rough_shape(path: str, query: str) -> tuple[str, ...]:
    """The first folder and the depth, for blogs with a folder per post."""
    folders = path.strip("/").split("/")
    return (*folders[:-1][:1], str(len(folders)), _query_shape(query))


# Separators between the title of a post and the name of its blog.
_SEPARATOR = re.compile(r"(?:(?<!\s)\s++)?[|»«·:]\s*|(?<!\s)\s++[-–—]\s+")
_POST_TYPES = frozenset(declarations("type.listed_post"))
_FEW_PAGES, _MANY_TERMS = 3, 5


def entries_from_pages(documents: Iterable[Document]) -> list[FeedEntry]:
    """Return an entry for each page with the title, date, authors and tags that it declares."""
    entries, titles = [], []
    for document in documents:
        items = json_ld(document)
        facts = next((item for item in items if _POST_TYPES.intersection(types_of(item))), {})
        entries.append(_declared_entry(document, facts, items))
        titles.append(_titles(document, facts))
    more = {"tags": ()} if _are_all_terms([entry.tags for entry in entries]) else {}
    pairs = zip(entries, _own_titles(titles), strict=True)
    return [msgspec.structs.replace(entry, title=title, **more) for entry, title in pairs]


def _are_all_terms(tags: Sequence[Collection[str]]) -> bool:
    """Whether the pages share many terms, which are then the blog's: a tag cloud, or keywords for search engines."""
    return len(tags) >= _FEW_PAGES and len(set(tags[0]).intersection(*tags)) >= _MANY_TERMS


def _own_titles(titles: Sequence[Sequence[str]]) -> list[str | None]:
    """Each page's first candidate title without the parts that most pages share, or None if nothing is left.

    "Bread | Tides" and "Salt | Tides" become "Bread" and "Salt". If nothing is left, posts have no titles.
    """
    pages = Counter(part for page in titles for part in {part for title in page for part in _parts(title)})
    few = max(1, len(titles) / 2)
    own = ([_without_ends(title, lambda part: pages[part] > few) for title in page] for page in titles)
    return [next(filter(None, rest), None) for rest in own]


def _parts(title: str) -> list[str]:
    return [title, *_SEPARATOR.split(title)]


def _without_ends(title: str, is_shared: Callable[[str], bool]) -> str:
    """The title without shared parts at its ends; empty when all parts are shared."""
    parts = re.split(f"({_SEPARATOR.pattern})", title)
    while parts and (not parts[0] or is_shared(parts[0])):
        parts = parts[2:]
    while parts and (not parts[-1] or is_shared(parts[-1])):
        parts = parts[:-2]
    return "".join(parts)


def _declared_entry(document: Document, facts: dict[str, Any], items: JsonLd) -> FeedEntry:
    return FeedEntry(
        link=document.url,
        published=_publication_date(document, facts),
        authors=tuple(declared_person_names(authors_of(facts), items)),
        tags=declared_terms(document),
        language=document.language,
    )


def _titles(document: Document, facts: dict[str, Any]) -> list[str]:
    """Candidate titles of the page, likeliest first.

    Headings that are part of <title> come first, longest first, as the other may be the author; then metadata, <title>,
    and all headings, for blogs with only their name in <title>.
    """
    page_title = one_line(" ".join(text_of(tree) or tree.plain(0) for tree in document.all("head > title")[:1]))
    headings = [one_line(text_of(tree)) for tree in document.all("h1, h2")]
    declared = [facts.get("headline"), *document.attributes("meta[property='og:title']", "content")]
    named = [one_line(title) for title in declared if isinstance(title, str)]
    in_title = sorted((heading for heading in headings if heading in page_title), key=len, reverse=True)
    found = [*in_title, *named, page_title, *headings]
    return list(dict.fromkeys(filter(None, found)))


def _publication_date(document: Document, facts: dict[str, Any]) -> datetime | None:
    declared = [facts.get("datePublished")]
    declared += document.attributes("meta[property='article:published_time'], meta[itemprop=datePublished]", "content")
    declared += document.attributes("time[datetime]", "datetime")
    for value in declared:
        readings = read_dates(value) if isinstance(value, str) else ()
        if readings:
            moment = readings[0].moment
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    day = day_in_url(document.url)
    return day[0] if day else None
