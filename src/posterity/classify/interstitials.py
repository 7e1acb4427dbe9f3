"""Detects interstitials: pages that a server sends with status 200 instead of the requested ones.

Examples are bot checks, maintenance notices, database errors and consent walls. Such a page has no article where the
blog's posts have theirs, few words and hardly any links to the blog, and is the same at every URL.
"""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import msgspec

from posterity.classify.page_kind import has_article, is_soft_404
from posterity.discover.links import page_links
from posterity.dom import Document
from posterity.model import Rejected, RuleSet
from posterity.text.normal_form import one_line, words
from posterity.urls import Scope, place_key
from posterity.urls.kinds import is_service_page

_MAX_WORDS = 400
_MAX_LINKS = 2  # to pages of the blog other than its home page; its own pages have menus, dates, adjacent posts
_MAX_NAME = 80  # characters
_MAX_GROUPS, _MAX_DISTINCT = 500, 20


class _PageGroup(msgspec.Struct):
    """The words and images of a page at one or more URLs, without the words of the URLs."""

    words: frozenset[str]
    of_urls: frozenset[str]
    is_expected: bool  # whether a post should be at one of the URLs
    urls: dict[str, str]  # by place


class Interstitials:
    """The pages of one blog that may be interstitials, grouped by their words."""

    def __init__(self) -> None:
        self._groups: list[_PageGroup] = []

    def add(
        self, document: Document, rules: RuleSet, scope: Scope, title: str | None = None, *, is_expected: bool
    ) -> int:
        """Return the number of URLs at which a page with these words was found, 0 if it cannot be an interstitial.

        `is_expected` means that a post, with this `title` if known, should be at the URL. At other URLs, pages with
        little text may have the same words without being interstitials.
        """
        if not may_be_interstitial(document, rules, scope, title):
            return 0
        group = self._with_words_of(document)
        group.urls[place_key(document.url)] = document.url
        group.is_expected = group.is_expected or is_expected
        return len(group.urls) if group.is_expected and group.words else 0

    @property
    def has_many_candidates(self) -> bool:
        """Whether there are so many different candidates that the blog itself has pages with little text."""
        return len(self._groups) > _MAX_DISTINCT

    def urls(self) -> list[str]:
        """Return the URLs of interstitials: of pages with the same words at several URLs, one of them of a post."""
        shared = (group for group in self._groups if group.is_expected and group.words and len(group.urls) > 1)
        return [url for group in shared for url in group.urls.values()]

    def _with_words_of(self, document: Document) -> _PageGroup:
        """The group of the page's words, added if new; words with digits are left out, as they vary by request."""
        own = frozenset(words(unquote(urlsplit(document.url).path)))
        found = frozenset(filter(str.isalpha, _words_shown(document)))
        found = (found - own) | frozenset(document.attributes("img[src]", "src"))
        for group in self._groups:
            if (found ^ group.words) <= own | group.of_urls:
                return group
        new = _PageGroup(words=found, of_urls=own, is_expected=False, urls={})
        if len(self._groups) < _MAX_GROUPS:
            self._groups.append(new)
        return new


def may_be_interstitial(document: Document, rules: RuleSet, scope: Scope, title: str | None = None) -> bool:
    """Return whether the page by itself may be an interstitial; `title` is that of the expected post."""
    if not rules.rules_for("text") or has_article(document, rules) or is_soft_404(document):
        return False
    text = _words_shown(document)
    if not 0 < len(text) <= _MAX_WORDS:
        return False
    if title and any(_contains(shown, words(title)) for shown in (text, words(name_of_page(document)))):
        return False
    own, hosts = place_key(document.url), scope.with_host(document.url)
    places = {place_key(url) for url in page_links(document) if hosts.is_on_host(url) and not is_service_page(url)}
    return sum(place != own and "/" in place for place in places) <= _MAX_LINKS


def rejected_interstitial(url: str, document: Document) -> Rejected:
    """Return the rejection of an interstitial at the URL."""
    detail = f'the server shows "{name_of_page(document)}" in its place'
    return Rejected(url=url, reason="interstitial", detail=detail)


def name_of_page(document: Document) -> str:
    """Return the page's title or heading, else the beginning of its text, shortened for a message."""
    named = (one_line(tree.plain(0)) for tree in document.all("title, h1, h2", 3))
    name = next(filter(None, named), "") or one_line(document.tree.plain(0))
    return name if len(name) <= _MAX_NAME else f"{name[:_MAX_NAME]}…"


def _words_shown(document: Document) -> list[str]:
    """The visible words."""
    tree = document.tree
    return words(" ".join(tree.text[node] for node in tree.runs if not tree.unseen[node]))


def _contains(text: list[str], part: list[str]) -> bool:
    size = len(part)
    return size > 1 and any(text[start : start + size] == part for start in range(len(text) - size + 1))
