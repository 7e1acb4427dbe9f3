"""Every text on a page that may be its title: what the page declares, its headings, and parts of both."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from posterity.dom import text_of
from posterity.dom.structured_data import types_of
from posterity.extract.hybrid.choice import Candidate
from posterity.extract.hybrid.heading_parts import heading_parts
from posterity.extract.hybrid.marks import names_of, title_marks
from posterity.extract.hybrid.site_name import is_site_name
from posterity.text.normal_form import letters_and_digits, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.extract.hybrid.page_facts import PageFacts

_METAS = {
    "og": ("og:title",),
    "twitter": ("twitter:title",),
    "meta": (
        "title", "dc.title", "dcterms.title", "parsely-title", "sailthru.title", "citation_title", "headline", "name",
    ),
}  # fmt: skip
# JSON-LD objects whose names are not titles of the page.
_NO_TITLE = frozenset({"WebSite", "Organization", "Person", "BreadcrumbList", "ImageObject", "SearchAction"})
_HEADINGS = ("h1", "h2", "h3")
_MAX_HEADINGS = 30
_MAX_TITLE = 300
_FIRST_LINKS = 15  # a site's name stands in its header
_MAX_NAME = 60
_OPENING = 12  # nodes: a heading this near to the article's beginning opens it
# What stands between a title and the name of its site or section; Chinese pages write it without spaces.
_SEPARATOR = re.compile(
    r"\s+[|–—·•»«›‹>/~:⋆★✔-]+\s+|\s*[|»«｜]\s*|\s*::\s*|:\s+|(?<=[^\x00-\x7f])[-_－—]+(?=[^\x00-\x7f])"
)

# Most addresses lead to some page of a site: to see that takes a fraction of taking them apart.
_DEEPER = re.compile(r"(?:https?://[^/?#\s]*)?/[^/?#\s]")
_KINDS = {":": "colon", "|": "bar", "｜": "bar", "-": "dash", "–": "long dash", "—": "long dash"}


def declared_titles(page: PageFacts, site: frozenset[str]) -> Iterator[Candidate]:
    """Yield the titles in <meta>, JSON-LD and <title>, whole and in parts; `site` are the names of the site."""
    for source, names in _METAS.items():
        if text := page.data.first(*names):
            yield from _variants(text, source, site)
    for item in page.data.items:
        headline, name = item.get("headline"), item.get("name")
        if isinstance(headline, str):
            yield from _variants(headline, "ld", site)
        elif isinstance(name, str) and not _NO_TITLE.intersection(types_of(item)):
            yield from _variants(name, "ld name", site)
    if page.data.title:
        yield from _variants(page.data.title, "title", site)


def headings(page: PageFacts, site: frozenset[str]) -> Iterator[Candidate]:
    """Yield the texts of headings, whole and in parts, with what they are and where they stand."""
    tree = page.tree
    nodes = sorted(node for tag in _HEADINGS for node in tree.nodes_by_tag.get(tag, ()))[:_MAX_HEADINGS]
    seen: set[str] = set()
    for node in nodes:
        text = one_line(text_of(tree, node))
        key = letters_and_digits(text)
        if not key or len(text) > _MAX_TITLE:
            continue
        tag = tree.tag[node]
        if _links_home(page, node):
            yield Candidate(text, key, ("links home",), node)
        else:
            first = () if tag in seen else (f"{tag} first",)
            only = (f"{tag} only",) if len(tree.nodes_by_tag[tag]) == 1 else ()
            signs = tuple(f"{tag} {sign}" for sign in _signs_of_heading(page, node))
            seen.add(tag)
            parts = list(heading_parts(tree, node, key))
            if parts:
                signs += (f"{tag} of parts", *(f"{tag} of {part.signs[2]}" for part in parts))
            yield Candidate(text, key, (tag, *signs, *first, *only), node)
            yield from parts
        for variant in _variants(text, "heading", site):
            if variant.key != key:
                yield Candidate(variant.value, variant.key, (*variant.signs, f"{tag} cut"), node)


def _variants(text: str, source: str, site: frozenset[str]) -> Iterator[Candidate]:
    """The text as it is, and without what stands before or behind its separators."""
    text = one_line(html.unescape(text) if "&" in text else text)  # some pages escape twice
    cuts = list(_SEPARATOR.finditer(text))
    if not cuts:
        yield from _candidate(text, source, "alone", ())
        return
    first, last = cuts[0], cuts[-1]
    site_first = is_site_name(text[: first.start()], site)
    site_last = is_site_name(text[last.end() :], site)
    without_first = ("cut site" if site_first else f"cut at {_kind_of(first)}",)
    without_last = ("cut site" if site_last else f"cut at {_kind_of(last)}",)
    with_site = ("with site",) if site_first or site_last else ()
    yield from _candidate(text, source, "whole", (*with_site, *_kept(cuts)))
    yield from _candidate(text[: last.start()], source, "before-last", (*without_last, *_kept(cuts[:-1])))
    yield from _candidate(text[first.end() :], source, "after-first", (*without_first, *_kept(cuts[1:])))
    if len(cuts) > 1:
        yield from _candidate(text[: first.start()], source, "first", (*without_last, f"cut at {_kind_of(first)}"))
        yield from _candidate(text[last.end() :], source, "last", (*without_first, f"cut at {_kind_of(last)}"))


def _kept(cuts: Iterable[re.Match[str]]) -> Iterator[str]:
    return (f"keeps {_kind_of(cut)}" for cut in cuts)


def _kind_of(cut: re.Match[str]) -> str:
    """What separates: a bar sets a site's name apart, behind a colon a title goes on."""
    return _KINDS.get(cut.group().strip()[:1], "mark")


def _candidate(text: str, source: str, part: str, more: tuple[str, ...]) -> Iterator[Candidate]:
    key = letters_and_digits(text)
    if key and len(text) <= _MAX_TITLE:
        yield Candidate(text, key, (f"{source} {part}", part, *more))


def home_names(page: PageFacts) -> frozenset[str]:
    """Return the letters and digits of what the first links to the site's front page say: mostly its name."""
    tree = page.tree
    links = tree.nodes_by_tag.get("a", ())[:_FIRST_LINKS]
    texts = (one_line(tree.plain(node)) for node in links if _is_home(tree.attrs[node].get("href"), page.url))
    return frozenset(letters_and_digits(text) for text in texts if 0 < len(text) <= _MAX_NAME) - {""}


def _links_home(page: PageFacts, node: int) -> bool:
    """Whether the heading is a link to the site's front page, or stands in one."""
    tree = page.tree
    nodes = (tree.parent[node], *range(node, min(tree.end[node], node + 4)))
    return any(_is_home(tree.attrs[each].get("href"), page.url) for each in nodes if tree.tag[each] == "a")


def _is_home(href: str | None, url: str) -> bool:
    if not href or href.startswith("#") or _DEEPER.match(href):
        return False
    try:
        parts = urlsplit(href)
        host = parts.hostname or ""
    except ValueError:  # an address that nobody could open: http://[::1
        return False
    return parts.path in ("", "/") and host in url


def _signs_of_heading(page: PageFacts, node: int) -> Iterator[str]:
    tree = page.tree
    for near in (node, tree.parent[node]):
        attrs = tree.attrs[near]
        yield from title_marks(names_of(attrs)) if attrs else ()
    yield from (f"in {place}" for place in page.places.of(tree.parent[node]))
    article, end = page.article.node, tree.end[page.article.node]
    if node < article:
        yield "before article"
    elif node < end:
        yield "opens article" if node - article < _OPENING else "in article"
    else:
        yield "after article"
