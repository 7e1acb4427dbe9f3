"""The links to posts of a blog without a feed: the largest group of URLs with the same form."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from posterity.dom import Document, text_of
from posterity.dom.metadata import JsonLd, declared_person_names, json_ld, types_of
from posterity.dom.terms import declared_terms
from posterity.lexicon import any_of, declarations, url_words
from posterity.model import FeedEntry
from posterity.text.dates import read_dates
from posterity.text.normal_form import one_line
from posterity.urls import Scope
from posterity.urls.kinds import day_in_url, is_listing, is_service_page

_OTHER_FOLDER = re.compile(rf"/(?:{any_of(url_words('service.folder', 'service.not_of_blog'))})(?:/|$)", re.IGNORECASE)
_MIN_GROUP = 2
_MAX_PAGE_DIGITS = 4
_KEPT_QUESTION = re.compile("%3f", re.IGNORECASE)  # mirrors keep the question mark in names of files


def post_groups(scope: Scope, urls: Collection[str], *, listings: bool = False) -> list[list[str]]:
    """Return groups of URLs that may be posts, the likeliest first; where the blog's folder has none, its host's.

    A list of posts may be in a folder of its own. `listings`: where the host has none either, URLs that look like
    those of lists count too, as posts may be called like months of an archive: /archives/14.html.
    """
    return (
        likely_posts(filter(scope.includes, urls))
        or likely_posts(filter(scope.is_on_host, urls))
        or (likely_posts(filter(scope.includes, urls), listings=True) if listings else [])
    )


def likely_posts(urls: Iterable[str], *, listings: bool = False) -> list[list[str]]:
    """Return the groups of URLs of one shape, the likeliest posts first; none when nothing stands out.

    `listings`: URLs that look like those of lists count too.
    """
    candidates = [url for url in dict.fromkeys(urls) if _may_be_post(url, listings=listings)]
    found: dict[tuple[str, ...], list[str]] = {}
    for shape in (_shape, _rough_shape):
        groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for url in candidates:
            asked = _KEPT_QUESTION.sub("?", url)
            groups[shape(_path(asked), urlsplit(asked).query)].append(url)
        for group in sorted(map(_without_numbers, groups.values()), key=_weight, reverse=True):
            if len(group) >= _MIN_GROUP:
                found.setdefault(tuple(group), group)
    return [group for group in found.values() if not _numbers_lists(group, found)]


def _numbers_lists(urls: list[str], groups: Collection[tuple[str, ...]]) -> bool:
    """Return whether these are the pages of a list of other URLs, of which there are more: /1/, /2/, /3/."""
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
    """The path, with a script's route."""
    parts = urlsplit(url)
    return unquote(parts.path + (f"#{parts.fragment}" if parts.fragment else ""))


def _without_numbers(urls: list[str]) -> list[str]:
    """Where posts have names, /2/ is a page of a list."""
    named = [url for url in urls if not urlsplit(url).path.rstrip("/").rpartition("/")[2].isdecimal()]
    return named if 2 * len(named) > len(urls) else urls


def _weight(urls: list[str]) -> float:
    """Many URLs, with dates in them or names of several words."""
    dated = sum(day_in_url(url) is not None or bool(re.search(r"/(?:19|20)\d{2}/", url)) for url in urls)
    wordy = sum(len(re.findall(r"[^\W\d_]{2,}", unquote(url.rstrip("/").rpartition("/")[2]))) >= 2 for url in urls)
    numbered = sum(bool(re.search(r"(?:[?&]|%3f)p=\d+(?:\.html?)?$", url, re.IGNORECASE)) for url in urls)
    return dated * 2.0 + wordy + numbered * 2.0 + len(urls) * 0.1


def _shape(path: str, query: str) -> tuple[str, ...]:
    """The folders but the last word for word, digits made equal: siblings have the same shape."""
    folders = path.strip("/").split("/")
    kept = [re.sub(r"\d+", "0", folder) for folder in folders[:-1]]
    return (*kept, str(len(folders)), _query_shape(query))


def _query_shape(query: str) -> str:
    """The query with digits made equal; the name of a page, which is no parameter, is open: wiki.pl?SaltAndStone."""
    return re.sub(r"\d+", "0", query) if "=" in query or not query[:1].isalpha() else "*"


def _rough_shape(path: str, query: str) -> tuple[str, ...]:
    """The first folder and how deep it goes, for posts that have a folder each."""
    folders = path.strip("/").split("/")
    return (*folders[:-1][:1], str(len(folders)), _query_shape(query))


# Between the title of a post and the name of its blog.
_SEPARATOR = re.compile(r"(?:(?<!\s)\s++)?[|»«·:]\s*|(?<!\s)\s++[-–—]\s+")
_POST_TYPES = frozenset(declarations("type.listed_post"))
_FEW_PAGES, _MANY_TERMS = 3, 5


def entries_from_pages(documents: Iterable[Document]) -> list[FeedEntry]:
    """Return for each page what it declares of itself: title, date, author and tags."""
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
    """Return whether the pages have many terms in common: those of the whole blog, as a cloud or for search engines."""
    return len(tags) >= _FEW_PAGES and len(set(tags[0]).intersection(*tags)) >= _MANY_TERMS


def _own_titles(titles: Sequence[Sequence[str]]) -> list[str | None]:
    """Of the titles that each page could have, the first that few other pages have.

    "Bread | Tides" beside "Salt | Tides" is "Bread". What all pages have is the name of a blog whose posts have no
    titles.
    """
    pages = Counter(part for page in titles for part in {part for title in page for part in _parts(title)})
    few = max(1, len(titles) / 2)
    own = ([_without_ends(title, lambda part: pages[part] > few) for title in page] for page in titles)
    return [next(filter(None, rest), None) for rest in own]


def _parts(title: str) -> list[str]:
    return [title, *_SEPARATOR.split(title)]


def _without_ends(title: str, is_shared: Callable[[str], bool]) -> str:
    """The title without the parts at its ends that other pages have too; nothing when all of it is shared."""
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
        authors=tuple(declared_person_names(facts.get("author"), items)),
        tags=declared_terms(document),
        language=document.language,
    )


def _titles(document: Document, facts: dict[str, Any]) -> list[str]:
    """Titles that the page could have, likeliest first.

    A heading that is in its <title> is one; of two, the other is the author. Then its metadata, its
    <title>, and any heading, for blogs that have their name in every <title>.
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
