"""The title of the article on a page without rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from posterity.dom import text_of
from posterity.extract.found_field import Found
from posterity.extract.hybrid.choice import Answer, Candidate, Choice, answers_of, best_answer
from posterity.extract.hybrid.learned_weights import TITLE
from posterity.extract.hybrid.marks import names_of, title_marks
from posterity.model import Provenance
from posterity.text.normal_form import letters_and_digits, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.extract.hybrid.page_facts import PageFacts

_METAS = {
    "og": ("og:title",),
    "twitter": ("twitter:title",),
    "meta": (
        "title", "dc.title", "dcterms.title", "parsely-title", "sailthru.title", "citation_title", "headline", "name",
    ),
}  # fmt: skip
_HEADINGS = ("h1", "h2", "h3")
_MAX_HEADINGS = 30
_MAX_TITLE = 300
# What stands between a title and the name of its site or section; Chinese pages write it without spaces.
_SEPARATOR = re.compile(r"\s+[|–—·•»«›‹>/~:⋆★✔-]+\s+|\s*[|»«｜]\s*|\s*::\s*|:\s+|(?<=[^\x00-\x7f])[-_－—]+(?=[^\x00-\x7f])")
_WORD = re.compile(r"[^\W_]+")
_SITE_KINDS = frozenset({"WebSite", "Organization", "Person", "BreadcrumbList", "ImageObject", "SearchAction"})


def title_on(page: PageFacts) -> tuple[Found, int] | None:
    """Return the title and the node that shows it (-1: none does), or None when nothing looks like one."""
    choice = best_answer(title_answers(page), TITLE)
    if choice is None:
        return None
    shown = _shown_best(choice)
    rule = ", ".join(sorted(candidate.signs[0] for candidate in choice.answer.candidates)[:4])
    provenance = Provenance(method="page", rule=rule, confidence=choice.confidence)
    return Found({"title": shown.value}, provenance), max(candidate.node for candidate in choice.answer.candidates)


def _shown_best(choice: Choice) -> Candidate:
    """The spelling that readers see, where there is one."""
    return next((each for each in choice.answer.candidates if each.node >= 0), choice.answer.candidates[0])


def title_answers(page: PageFacts) -> list[Answer]:
    """Return every text that may be the title, with the signs for it."""
    candidates = [*_declared(page), *_headings(page)]
    told = {
        "title": letters_and_digits(page.data.title),
        "og": letters_and_digits(page.data.first("og:title")),
    }
    slug = _slug_words(page.url)
    kind = _page_kind(page)
    answers = answers_of(candidates)
    if kind != "root":
        answers = [each for each in answers if not _names_site(each, page)] or answers
    return [
        _by_kind(Answer(answer.key, answer.candidates, answer.signs | set(_bearing(answer, told, slug, page))), kind)
        for answer in answers
    ]


def _names_site(answer: Answer, page: PageFacts) -> bool:
    return "links home" in answer.signs or is_site_name(answer.candidates[0].value, page)


def _page_kind(page):
    if len(urlsplit(page.url).path) < 4:
        return "root"
    return {"article": "article"}.get(page.data.first("og:type").lower(), "other")


def _by_kind(answer, kind):
    return Answer(answer.key, answer.candidates, answer.signs | {f"{kind}: {sign}" for sign in answer.signs if sign in KINDED})


KINDED = {"h1", "h1 first", "h1 only", "title first", "title whole", "title before-last", "og whole", "og alone", "title alone",  "og before-last", "h2 first", "is site", "h1 entry-title"}


def _declared(page: PageFacts) -> Iterator[Candidate]:
    for source, names in _METAS.items():
        if text := page.data.first(*names):
            yield from _variants(text, source, page)
    for item in page.data.items:
        headline, name = item.get("headline"), item.get("name")
        if isinstance(headline, str):
            yield from _variants(headline, "ld", page)
        elif isinstance(name, str) and not _SITE_KINDS.intersection(_types(item)):
            yield from _variants(name, "ld name", page)
    if page.data.title:
        yield from _variants(page.data.title, "title", page)


def _types(item: dict[str, object]) -> list[str]:
    types = item.get("@type")
    return [str(name) for name in types] if isinstance(types, list) else [str(types)]


def _variants(text: str, source: str, page: PageFacts) -> Iterator[Candidate]:
    """The text as it is, and without what stands before or behind its separators."""
    text = one_line(_unescaped(text))
    cuts = [match.span() for match in _SEPARATOR.finditer(text)]
    if not cuts:
        yield from _candidate(text, source, "alone", ())
        return
    (first, after_first), (last, after_last) = cuts[0], cuts[-1]
    named = is_site_name(text[:first], page) or is_site_name(text[after_last:], page)
    yield from _candidate(text, source, "whole", ("with site",) if named else ())
    yield from _candidate(text[:last], source, "before-last", _cut_site(text[after_last:], page))
    yield from _candidate(text[after_first:], source, "after-first", _cut_site(text[:first], page))
    if len(cuts) > 1:
        yield from _candidate(text[:first], source, "first", _cut_site(text[after_last:], page))
        yield from _candidate(text[after_last:], source, "last", _cut_site(text[:first], page))


def _candidate(text: str, source: str, part: str, more: tuple[str, ...]) -> Iterator[Candidate]:
    key = letters_and_digits(text)
    if key and len(text) <= _MAX_TITLE:
        yield Candidate(text, key, (f"{source} {part}", part, *more))


def _cut_site(cut: str, page: PageFacts) -> tuple[str, ...]:
    return ("cut site",) if is_site_name(cut, page) else ("cut other",)


def is_site_name(text: str, page: PageFacts) -> bool:
    """Tell whether a text is what the site calls itself, or the most of it."""
    key = letters_and_digits(text)
    return any(_much_the_same(key, name) for name in page.site_names)


def _much_the_same(left: str, right: str) -> bool:
    short, long = sorted((left, right), key=len)
    return short in long and len(short) > 0.6 * len(long)


def _unescaped(text: str) -> str:
    """Some pages escape twice."""
    if "&" not in text:
        return text
    import html

    return html.unescape(text)


def _headings(page: PageFacts) -> Iterator[Candidate]:
    tree = page.tree
    nodes = sorted(node for tag in _HEADINGS for node in tree.nodes_by_tag.get(tag, ()))[:_MAX_HEADINGS]
    counts = {tag: len(tree.nodes_by_tag.get(tag, ())) for tag in _HEADINGS}
    seen: set[str] = set()
    for node in nodes:
        text = one_line(text_of(tree, node))
        key = letters_and_digits(text)
        if not key or len(text) > _MAX_TITLE:
            continue
        tag = tree.tag[node]
        if _links_home(page, node):
            yield Candidate(text, key, ("links home",), node)
            yield from (variant for variant in _variants(text, "heading", page) if variant.key != key)
            continue
        signs = [tag, *(f"{tag} {sign}" for sign in _heading_signs(page, node))]
        if counts[tag] == 1:
            signs.append(f"{tag} only")
        if tag not in seen:
            signs.append(f"{tag} first")
            seen.add(tag)
        yield Candidate(text, key, tuple(signs), node)
        for variant in _variants(text, "heading", page):
            if variant.key != key:
                yield Candidate(variant.value, variant.key, (*variant.signs, f"{tag} cut"), node)
        for child in tree.children(node):
            part = one_line(tree.plain(child))
            if part and part != text and (part_key := letters_and_digits(part)):
                yield Candidate(part, part_key, ("heading part", f"{tag} part"), node)


def _links_home(page: PageFacts, node: int) -> bool:
    """Whether the heading is a link to the site's front page, or stands in one."""
    tree = page.tree
    nodes = [tree.parent[node], *range(node, min(tree.end[node], node + 4))]
    hrefs = [tree.attrs[each].get("href") for each in nodes if tree.tag[each] == "a"]
    return any(href is not None and urlsplit(href).path in ("", "/") and not href.startswith("#") and (urlsplit(href).hostname or "") in page.url for href in hrefs)


def _heading_signs(page: PageFacts, node: int) -> Iterator[str]:
    tree = page.tree
    for near in (node, tree.parent[node]):
        attrs = tree.attrs[near]
        yield from title_marks(names_of(attrs)) if attrs else ()
    yield from (f"in {place}" for place in page.places.of(tree.parent[node]))
    article, end = page.article.node, tree.end[page.article.node]
    if node < article:
        yield "before article"
    elif node < end:
        yield "opens article" if node - article < 12 else "in article"
    else:
        yield "after article"


def _bearing(answer: Answer, told: dict[str, str], slug: frozenset[str], page: PageFacts) -> Iterator[str]:
    """Signs that compare the answer with what else is known of the page."""
    key = answer.key
    for name, other in told.items():
        if other and key != other and key in other:
            place = "starts" if other.startswith(key) else "ends" if other.endswith(key) else "in"
            yield f"{place} {name}"
        elif other and key != other and other in key:
            yield f"holds {name}"
    text = answer.candidates[0].value
    if is_site_name(text, page):
        yield "is site"
    words = [word.casefold() for word in _WORD.findall(text)]
    if len(words) < 2:
        yield "one word"
    elif len(words) < 4:
        yield "few words"
    elif len(words) > 20:
        yield "many words"
    title_words = {word.casefold() for word in _WORD.findall(page.data.title)}
    if title_words:
        share = sum(word in title_words for word in words) / max(1, len(words))
        yield "words all" if share > 0.99 else "words most" if share > 0.6 else "words some" if share > 0.2 else "words none"
    if slug:
        shared = len(slug.intersection(words)) / len(slug)
        yield "slug all" if shared >= 0.99 else "slug most" if shared > 0.5 else "slug some" if shared > 0 else "slug none"


def _slug_words(url: str) -> frozenset[str]:
    parts = [part for part in unquote(urlsplit(url).path).split("/") if part]
    words = [word.casefold() for word in _WORD.findall(parts[-1].rsplit(".", 1)[0])] if parts else []
    words = [word for word in words if not word.isdigit()]
    return frozenset(words) if len(words) > 1 else frozenset()
