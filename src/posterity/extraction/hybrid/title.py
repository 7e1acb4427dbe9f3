"""The title of the article on a page without rules: its candidates and the choice among them."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from urllib.parse import unquote, urljoin, urlsplit

from posterity.dom import Document, Tree
from posterity.dom.document import types_of
from posterity.dom.tree import TEXT
from posterity.extraction.bylines import heading_text, is_only_date, parts_of_heading
from posterity.extraction.hybrid import candidates as scoring
from posterity.extraction.hybrid.candidates import (
    FieldCandidate,
    PageFacts,
    ScoredValue,
    is_key_of_site,
    is_site_name,
    names_of,
    title_patterns,
)
from posterity.extraction.hybrid.model import learned_weights
from posterity.extraction.record import FoundFields
from posterity.lexicon import any_of, declarations, declared_names, url_words
from posterity.model import Provenance
from posterity.text.normal_form import letters_and_digits, one_line

_MAX_PARTS = 6
# Kinds of parts of headings by tag; all other tags are inline.
_PARTS = {TEXT: "text", "span": "span", "div": "block", "p": "block", "small": "small", "a": "link", "strong": "strong"}


def heading_parts(tree: Tree, node: int, key: str) -> Iterator[FieldCandidate]:
    """Yield the parts of a heading, except those equal to the whole (`key`); nothing if it has only one part."""
    parts = parts_of_heading(tree, node)
    if not 1 < len(parts) <= _MAX_PARTS:
        return
    tag, longest = tree.tag[node], max(len(text) for _, text in parts)
    for place, (child, text) in enumerate(parts):
        part_key = letters_and_digits(text)
        if part_key and part_key != key:
            where = "first" if place == 0 else "last" if place == len(parts) - 1 else "inner"
            size = "longest" if len(text) == longest else "shorter"
            kind = _PARTS.get(tree.tag[child], "inline")
            patterns = (f"part {mark}" for mark in title_patterns(names_of(tree.attrs[child])))
            yield FieldCandidate(
                text, part_key, (f"{tag} part", f"{where} part", f"{size} {kind} part", *patterns), node
            )


_METAS = declared_names("meta_title")
# JSON-LD objects whose names are not titles of the page.
_NO_TITLE = frozenset(declarations("type.no_title"))
_HEADINGS = ("h1", "h2", "h3")
_MAX_HEADINGS = 30
_ABOUT_OTHERS = frozenset({"comments", "frame", "aside", "others"})  # places behind the beginning of an article
_MAX_TITLE = 300
_FIRST_LINKS = 15  # a site's name is in its header
_MAX_NAME = 60
_CLOSE = 200  # characters between a site's name and the title: a motto, a date
_OPENING = 12  # nodes: a heading this near to the article's start opens it
# Separators between a title and the name of its site or section; without spaces on Chinese pages.
_SEPARATOR = re.compile(
    r"(?<!\s)\s++[|❘│┃¦–—·•・»«›‹>/~:⋆★☆✔◆■-]++\s++|(?:(?<!\s)\s++)?(?:[|»«｜]|::)\s*+|:\s++|(?<=[^\x00-\x7f])[-_－—]+(?=[^\x00-\x7f])"
)

# Prefilter: most URLs have a path, and this regex is cheaper than splitting the URL.
_DEEPER = re.compile(r"(?:https?://[^/?#\s]*)?/[^/?#\s]")
# "../../", "../../index.html" in copies of blogs: the front page, or the list with the post
_UPWARDS = re.compile(r"(?:\.{1,2}/)*\.{1,2}(?:/(?:index\.html?)?)?", re.IGNORECASE)
_FEED_TYPE = re.compile(r"(?:rss|atom)\+xml")
# What software adds to the site's name: "Tides » Feed", "Tides » Bread Comments Feed", "Tides - Atom", "Tides RSS". Two
# separators follow the title of a post: "Bread » Tides » RSS 2.0".
_OF_FEED = re.compile(r"((?:(?! [»›|–—-] ).)+?) (?:[»›|–—-] (?:(?! [»›|–—-] ).)*|(?:RSS|Atom|Feed)\b.*)", re.IGNORECASE)
_KINDS = {":": "colon", **dict.fromkeys("|｜❘│┃¦", "bar"), "-": "dash", **dict.fromkeys("–—", "long dash")}


def declared_titles(page: PageFacts, site: frozenset[str]) -> Iterator[FieldCandidate]:
    """Yield the titles in <meta>, JSON-LD and <title>, whole and in parts; `site` are the site's names."""
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


def headings(page: PageFacts, site: frozenset[str]) -> Iterator[FieldCandidate]:
    """Yield the texts of headings, whole and in parts, with features of tag, names and position."""
    tree = page.tree
    nodes = sorted(node for tag in _HEADINGS for node in tree.nodes_by_tag.get(tag, ()))[:_MAX_HEADINGS]
    seen: set[str] = set()
    whole = {letters_and_digits(text) for text in (page.data.title, page.data.first("og:title"))}
    declared = whole | _segments(page.data.title)
    for node in nodes:
        text = heading_text(tree, node)
        key = letters_and_digits(text)
        if not key or len(text) > _MAX_TITLE:
            continue
        if key not in declared and node > page.article.node and not _ABOUT_OTHERS.isdisjoint(page.places.of(node)):
            continue  # "Cancel reply", "Post navigation"
        tag = tree.tag[node]
        if _links_home(page, node):
            yield FieldCandidate(text, key, ("links home",), node)
        else:
            first = () if tag in seen else (f"{tag} first",)
            only = (f"{tag} only",) if len(tree.nodes_by_tag[tag]) == 1 else ()
            features = tuple(f"{tag} {feature}" for feature in _heading_features(page, node))
            seen.add(tag)
            parts = list(heading_parts(tree, node, key))
            if parts:
                features += (f"{tag} of parts", *(f"{tag} of {part.features[2]}" for part in parts))
            yield FieldCandidate(text, key, (tag, *features, *first, *only), node)
            yield from parts
        for variant in _variants(text, "heading", site) if "&" in text or _SEPARATOR.search(text) else ():
            if variant.key != key:
                yield FieldCandidate(variant.value, variant.key, (*variant.features, f"{tag} cut"), node)


def _variants(text: str, source: str, site: frozenset[str]) -> Iterator[FieldCandidate]:
    """Yield the text, and its parts before and after separators."""
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
    yield from _candidate(text, source, "whole", (*with_site, *_kept_cuts(cuts)))
    yield from _candidate(text[: last.start()], source, "before-last", (*without_last, *_kept_cuts(cuts[:-1])))
    yield from _candidate(text[first.end() :], source, "after-first", (*without_first, *_kept_cuts(cuts[1:])))
    if len(cuts) > 1:
        yield from _candidate(text[: first.start()], source, "first", (*without_last, f"cut at {_kind_of(first)}"))
        yield from _candidate(text[last.end() :], source, "last", (*without_first, f"cut at {_kind_of(last)}"))


def _kept_cuts(cuts: Iterable[re.Match[str]]) -> Iterator[str]:
    return (f"keeps {_kind_of(cut)}" for cut in cuts)


def _kind_of(cut: re.Match[str]) -> str:
    """Return the kind of separator: a site's name follows a bar, but a subtitle follows a colon."""
    return _KINDS.get(cut.group().strip()[:1], "mark")


def _candidate(text: str, source: str, part: str, more: tuple[str, ...]) -> Iterator[FieldCandidate]:
    key = letters_and_digits(text)
    if key and len(text) <= _MAX_TITLE:
        yield FieldCandidate(text, key, (f"{source} {part}", part, *more))


def home_names(page: PageFacts) -> frozenset[str]:
    """Return the texts of the first links to the front page, mostly the site's name, as letters and digits.

    Also what the titles of feeds begin with: "Tides » Feed", "Tides - Atom".
    """
    tree = page.tree
    links = tree.nodes_by_tag.get("a", ())[:_FIRST_LINKS]
    texts = [one_line(tree.plain(node)) for node in links if _is_home(tree.attrs[node].get("href"), page.url)]
    heads = [tree.attrs[node] for node in tree.nodes_by_tag.get("link", ())]
    feeds = [one_line(head.get("title") or "") for head in heads if _FEED_TYPE.search(head.get("type") or "")]
    texts += [found[1] for feed in feeds if (found := _OF_FEED.fullmatch(feed))]
    return frozenset(letters_and_digits(text) for text in texts if 0 < len(text) <= _MAX_NAME) - {""}


def name_above_title(page: PageFacts) -> frozenset[str]:
    """Return the heading that ends <title> if another one below it has the rest of <title>, as letters and digits.

    Blogs whose name is not a link have "Bread | Tides" with the headings "Tides" and "Bread".
    """
    tree, title = page.tree, one_line(page.data.title)
    cuts = list(_SEPARATOR.finditer(title))
    if not cuts:
        return frozenset()
    name, own = letters_and_digits(title[cuts[-1].end() :]), letters_and_digits(title[: cuts[-1].start()])
    nodes = sorted(node for tag in _HEADINGS for node in tree.nodes_by_tag.get(tag, ()))[:_MAX_HEADINGS]
    keys = {node: letters_and_digits(heading_text(tree, node)) for node in nodes}
    above = next((node for node in nodes if keys[node] == name and own), len(tree))
    for node in nodes[bisect_right(nodes, above) :]:
        if sum(len(tree.text[each].strip()) for each in range(tree.end[above], node)) > _CLOSE:
            break
        if own in (keys[node], *(part.key for part in heading_parts(tree, node, keys[node]))):
            return frozenset({name})
    return frozenset()


def _links_home(page: PageFacts, node: int) -> bool:
    """Whether the heading contains a link to the front page or is in one."""
    tree = page.tree
    nodes = (tree.parent[node], *range(node, min(tree.end[node], node + 4)))
    links = (tree.attrs[each] for each in nodes if tree.tag[each] == "a")
    return any(link.get("rel") == "home" or _is_home(link.get("href"), page.url) for link in links)


def _is_home(href: str | None, url: str) -> bool:
    if not href or href.startswith("#") or _DEEPER.match(href):
        return False
    if _UPWARDS.fullmatch(href):
        return _target(url, href) != _target(url, "")
    try:
        parts = urlsplit(href)
        host = parts.hostname or ""
    except ValueError:  # an invalid URL: http://[::1
        return False
    return parts.path in ("", "/") and host in url


def _target(url: str, href: str) -> tuple[str, str] | None:
    """Return the path and query of a link's target, or None if the URL is invalid."""
    try:
        target = urlsplit(urljoin(url, href))
    except ValueError:  # an invalid URL: http://[::1
        return None
    return unquote(target.path).removesuffix("index.html").rstrip("/"), target.query


def _links_to_itself(page: PageFacts, node: int) -> bool:
    """Whether the whole heading is a link to its own page."""
    tree = page.tree
    link = next((each for each in range(node, min(tree.end[node], node + 4)) if tree.tag[each] == "a"), None)
    href = tree.attrs[link].get("href") if link is not None else None
    if link is None or not href or "#" in href:
        return False
    target = _target(page.url, href)
    if target is None or target != _target(page.url, ""):
        return False
    return letters_and_digits(tree.plain(link)) == letters_and_digits(heading_text(tree, node))


def _heading_features(page: PageFacts, node: int) -> Iterator[str]:
    tree = page.tree
    for near in (node, tree.parent[node]):
        attrs = tree.attrs[near]
        yield from title_patterns(names_of(attrs)) if attrs else ()
    yield from (f"in {place}" for place in page.places.of(tree.parent[node]))
    article, end = page.article.node, tree.end[page.article.node]
    if node < article:
        yield "before article"
    elif node < end:
        yield "opens article" if node - article < _OPENING else "in article"
    else:
        yield "after article"


_FORUM = re.compile(rf"/(?:{any_of(url_words('page.thread'))})/|{any_of(url_words('page.thread_script'))}")
_WORD = re.compile(r"[^\W_]+")
_NAMES_SITE = frozenset({"links home", "with site"})
_SOURCES = frozenset({"og", "twitter", "ld", "title", "meta", "h1", "h2", "h3"})
_OF_ARTICLE = ("before article", "opens article", "in article")
_CUT_PARTS = frozenset({"before-last", "after-first", "first", "last"})
NONE_MARGIN = 9.0  # nearly every page has a title, so the most likely one is nearly always given
# Features whose weight depends on the kind of page: of some the heading is the title, of others <title>.
_BY_KIND = frozenset(
    (
        "h1|h1 first|h1 only|h1 entry-title|h2 first|title first|title whole|title alone|title before-last|"
        "og whole|og alone|og before-last|is site"
    ).split("|")
)


def title_on(page: PageFacts, *, of_blog: bool = False, explain: bool = False) -> tuple[FoundFields, int] | None:
    """Return the title and its node (-1 if it is only declared), or None if nothing looks like a title.

    The site's name is not a title, as posts may have none, except in a heading of a page alone.
    """
    weights = learned_weights("title")
    choice = scoring.best_value(title_values(page, of_blog=of_blog), weights, NONE_MARGIN)
    if choice is None:
        return None
    candidates = choice.value.candidates
    # The visible spelling, if there is one.
    shown = next((each for each in candidates if each.node >= 0), candidates[0])
    node = node_of_title(page, choice.value)
    provenance = scoring.provenance_of(choice, page, node, weights if explain else None)
    return FoundFields({"title": shown.value}, provenance), node


def node_of_title(page: PageFacts, title: ScoredValue) -> int:
    """Return the heading with the title, preferably an <h1>, or -1; lists of articles may repeat it."""
    tree = page.tree
    nodes = sorted({each.node for each in title.candidates if each.node >= 0})
    seen = [node for node in nodes if not tree.unseen[node]] or nodes
    return next((node for node in seen if tree.tag[node] == "h1"), seen[0] if seen else -1)


def title_values(page: PageFacts, *, of_blog: bool = False) -> list[ScoredValue]:
    """Return every text that may be the title, with its features."""
    kind = _kind_of_page(page)
    names = _names_beside_title(page, page.site_names | home_names(page) | name_above_title(page))
    values = scoring.scored_values([*declared_titles(page, names), *headings(page, names)])
    if kind != "root":
        own = [value for value in values if not _names_site(value, names)]
        values = _of_own_heading(page, own or [value for value in values if not of_blog and _is_in_heading(value)])
    segments = _segments(page.data.title)
    if shown := [value.candidates[0].value for value in values if _is_shown_segment(value, segments)]:
        own_words = frozenset(_words(" ".join(shown)))
        values = [value for value in values if not _is_only_cut(value) and not _is_elsewhere(value, own_words)]
    elif kind != "root":
        values = _without_parts_of_shown(page.tree, values)
    declared = {"title": letters_and_digits(page.data.title), "og": letters_and_digits(page.data.first("og:title"))}
    values = _without_taglines(page, values, declared.values())
    title_words = frozenset(_words(page.data.title))
    slug = _slug_words(page.path)
    signed = []
    for value in values:
        words = _words(value.candidates[0].value)
        features = {*value.features, *_against(value.key, declared), *_wording(words, title_words, slug)}
        if is_key_of_site(value.key, names):
            features.add("is site")
        features |= set(_agreement(value))
        features |= {f"{kind}: {feature}" for feature in features & _BY_KIND}
        signed.append(ScoredValue(value.key, value.candidates, frozenset(features)))
    return signed


def _names_beside_title(page: PageFacts, names: frozenset[str]) -> frozenset[str]:
    """Return the site's names without the title of the page, if the site has another name.

    Themes declare the title as the name of an application, or link to the front page with it: "Bread, back to home".
    """
    tree, declared = page.tree, {letters_and_digits(page.data.first("og:title")), *_segments(page.data.title)}
    shown = (node for node in tree.nodes_by_tag.get("h1", ()) if not _links_home(page, node))
    of_host = {letters_and_digits(label) for label in (page.host, *page.host.split("."))}
    surely = of_host | {letters_and_digits(page.data.first("og:site_name"))} - {""}
    for own in {letters_and_digits(heading_text(tree, node)) for node in shown} & declared:
        others = frozenset(name for name in names if not is_key_of_site(own, (name,)))
        if others - of_host and not is_key_of_site(own, surely):
            names = others
    return names


def _without_taglines(page: PageFacts, values: list[ScoredValue], declared: Collection[str]) -> list[ScoredValue]:
    """Return the values without headings that equal <title> or og:title except for a <small> part."""
    tree = page.tree
    parts = (each for value in values if value.key in declared for each in value.candidates)
    named = (each.node for each in parts if each.features[0].endswith(" part"))
    nodes = {node for node in named if "small" in tree.tag[node : tree.end[node]]}
    return [
        value
        for value in values
        if value.key in declared
        or not all(each.node in nodes and each.features[0] in _HEADINGS for each in value.candidates)
    ]


def _of_own_heading(page: PageFacts, values: list[ScoredValue]) -> list[ScoredValue]:
    """Return the values that match a heading that links to its own page, if there is one, and without bare dates.

    Themes often link a post's title to the post, even on its own page. A date is only a title if <title> has it.
    """
    nodes = {each.node for value in values for each in value.candidates if each.node >= 0}
    own = {letters_and_digits(heading_text(page.tree, node)) for node in nodes if _links_to_itself(page, node)}
    declared = letters_and_digits(page.data.title)
    kept = [
        value
        for value in values
        if (not own or any(value.key in key or key in value.key for key in own))
        and (value.key in declared or not is_only_date(value.candidates[0].value))
    ]
    return kept or values


def _segments(title: str) -> frozenset[str]:
    """Return what remains of <title> when parts are cut off at separators, as letters and digits."""
    title = one_line(title)
    cuts = list(_SEPARATOR.finditer(title))[:_MAX_PARTS]
    starts, ends = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(title)]
    runs = (title[start:end] for start in starts for end in ends if start < end)
    return frozenset(map(letters_and_digits, runs)) - {letters_and_digits(title), ""}


def _is_shown_segment(value: ScoredValue, segments: frozenset[str]) -> bool:
    """Whether the value is a part of <title> and the text of a heading."""
    is_heading = any(f"{tag} {place}" in value.features for tag in _HEADINGS for place in _OF_ARTICLE)
    return is_heading and value.key in segments


def _without_parts_of_shown(tree: Tree, values: list[ScoredValue]) -> list[ScoredValue]:
    """Return the values without cut parts of one that is on the page unchanged: "Bread - a history".

    An og:title that is <title> without the site's name counts as on the page.
    """
    texts = {value.candidates[0].value: value.key for value in values}
    runs = (tree.text[node].strip() for node in tree.runs if tree.tag[tree.parent[node]] != "title")
    shown = {texts[text] for text in runs if text in texts}
    shown |= {value.key for value in values if {"og whole", "cut site"} <= value.features}
    return [
        value
        for value in values
        if value.key in shown or not _is_only_cut(value) or not any(value.key in other for other in shown)
    ]


def _is_elsewhere(value: ScoredValue, own_words: frozenset[str]) -> bool:
    """Whether the value is only in headings, and has no word of the title: a motto, the heading of a menu."""
    return all(each.node >= 0 for each in value.candidates) and own_words.isdisjoint(_words(value.candidates[0].value))


def _is_in_heading(value: ScoredValue) -> bool:
    """Whether the value is on the page, not only declared or in a link to the front page."""
    return any(each.node >= 0 and "links home" not in each.features for each in value.candidates)


def _is_only_cut(value: ScoredValue) -> bool:
    """Whether all sources have the value only as a part of <title>, og:title or a heading."""
    return all(_CUT_PARTS.intersection(each.features) for each in value.candidates)


def _agreement(value: ScoredValue) -> Iterator[str]:
    """Yield features of how many sources have this title, and whether an <h1> is among them."""
    sources = _SOURCES & {candidate.features[0].split()[0] for candidate in value.candidates}
    yield f"{len(sources)} sources"
    yield f"{len(sources)} sources, {'with' if 'h1' in sources else 'without'} h1"


def _kind_of_page(page: PageFacts) -> str:
    if page.is_front:
        return "root"
    declared, types = page.data.first("og:type").lower(), page.data.types
    if types & scoring.FORUM_TYPES or _FORUM.search(page.url):
        return "forum"
    if "Product" in types or "product" in declared:
        return "product"
    if declared == "article" or types & scoring.ARTICLE_TYPES or "article:published_time" in page.data.metas:
        return "article"
    return "other"


def _names_site(value: ScoredValue, names: frozenset[str]) -> bool:
    """Whether the value is the site's name, or has it at one end."""
    return bool(_NAMES_SITE & value.features) or is_key_of_site(value.key, names)


def _against(key: str, declared: dict[str, str]) -> Iterator[str]:
    """Yield features of how the value relates to <title> and og:title."""
    for name, other in declared.items():
        if not other or key == other:
            continue
        if key in other:
            place = "starts" if other.startswith(key) else "ends" if other.endswith(key) else "in"
            yield f"{place} {name}"
        elif other in key:
            yield f"holds {name}"


def _wording(words: list[str], title_words: frozenset[str], slug: frozenset[str]) -> Iterator[str]:
    """Yield features of the value's length, and of its words in <title> and the URL."""
    if len(words) < 2:
        yield "one word"
    elif len(words) < 4:
        yield "few words"
    elif len(words) > 20:
        yield "many words"
    if title_words:
        yield f"words {_how_many(sum(word in title_words for word in words) / max(1, len(words)))}"
    if slug:
        yield f"slug {_how_many(len(slug.intersection(words)) / len(slug))}"


def _how_many(share: float) -> str:
    return "all" if share > 0.99 else "most" if share > 0.5 else "some" if share > 0 else "none"


def _slug_words(path: str) -> frozenset[str]:
    parts = [part for part in unquote(path).split("/") if part]
    words = [word for word in _words(parts[-1].rsplit(".", 1)[0]) if not word.isdigit()] if parts else []
    return frozenset(words) if len(words) > 1 else frozenset()


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


_MIN_PAGES = 3
# A site's name needs a separator: "The tides" and "The bread" only start alike.
_NAME_SEPARATOR = re.compile(r"(?:(?<!\s)\s++)?(?<![:|»«›‹·•/–—~-])[:|»«›‹·•/–—~-]++\s++|(?<!\s)\s++[:|»«›‹·•/–—~-]++")
_MOST = 0.8  # of the pages; error and home pages have other titles
_BY_FRAME = 0.6  # confidence


def title_without_site_name(title: str, site: tuple[Document, ...], frame: tuple[str, str] | None = None) -> str:
    """Return the title without the start or end that most pages' <title> shares, unless nothing is left.

    Of a `frame` with the names of a section and of the blog, another section may have that of the blog.
    """
    before, after = site_frame(site) if frame is None else frame
    starts = (before[: cut.end()] for cut in _NAME_SEPARATOR.finditer(before) if before.endswith(" "))
    ends = (after[cut.start() :] for cut in _NAME_SEPARATOR.finditer(after))
    rest = title.removeprefix(max(filter(title.startswith, starts), key=len, default=""))
    return rest.removesuffix(next(filter(rest.endswith, ends), "")).strip() or title


def names_site(title: str, frame: tuple[str, str]) -> bool:
    """Return whether the title is what the <title> of all pages of the blog begins or ends with."""
    return letters_and_digits(title) in {letters_and_digits(name) for name in frame} - {""}


def framed_title(document: Document, frame: tuple[str, str]) -> FoundFields | None:
    """Return what the <title> has besides the names of the blog, for pages that show no title; None without names."""
    titles = [one_line(tree.plain(0)) for tree in document.all("head > title", 1)]
    own = [title_without_site_name(title, (), frame) for title in titles]
    if own == titles or names_site(own[0], frame):
        return None
    return FoundFields({"title": own[0]}, Provenance(method="page", rule="title in its frame", confidence=_BY_FRAME))


@lru_cache(maxsize=2)  # every page of a site is extracted with the same tuple
def site_frame(site: tuple[Document, ...]) -> tuple[str, str]:
    """Return the start and the end, with separators, that the <title> of most pages shares."""
    titles = Counter(one_line(tree.plain(0)) for each in site if (tree := each.first("head > title")) is not None)
    if len(titles) < _MIN_PAGES:  # all posts of a microblog may have the name of the blog alone
        shared = max(titles, key=lambda title: titles[title], default="")
        return (shared, "") if titles[shared] >= max(_MIN_PAGES, _MOST * titles.total()) else ("", "")
    before = Counter(title[: mark.end()] for title in titles for mark in _NAME_SEPARATOR.finditer(title))
    after = Counter(title[mark.start() :] for title in titles for mark in _NAME_SEPARATOR.finditer(title))
    return _longest(before, len(titles)), _longest(after, len(titles))


def _longest(ends: Counter[str], titles: int) -> str:
    shared = (end for end, count in ends.items() if count >= _MOST * titles)
    return max(shared, key=len, default="")
