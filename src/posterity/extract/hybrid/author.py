"""Who wrote the article on a page without rules: nobody, rather than somebody invented."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from posterity.dom import text_of
from posterity.dom.document import TEXT
from posterity.dom.structured_data import types_of
from posterity.extract.found_field import Found
from posterity.extract.hybrid.bylines import is_only_lead, is_organisation, is_person, names_in, opens_byline
from posterity.extract.hybrid.choice import Answer, Candidate, answers_of, best_answer
from posterity.extract.hybrid.learned_weights import AUTHOR
from posterity.extract.hybrid.title import is_site_name
from posterity.learn.author import is_role
from posterity.model import Provenance
from posterity.text.normal_form import letters_and_digits, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from posterity.extract.hybrid.page_facts import PageFacts

_METAS = (
    "author", "article:author", "article:author:name", "og:author", "og:article:author", "dc.creator", "dcterms.creator",
    "dc.contributor", "parsely-author", "sailthru.author", "byl", "citation_author", "twitter:creator:name", "cxenseparse:author",
    "article.author", "creator", "authors", "shareaholic:article_author_name", "twitter:data1", "vf:author", "rbauthors",
)  # fmt: skip
_ARTICLE_TYPES = frozenset({"Article", "NewsArticle", "BlogPosting", "TechArticle", "ReportageNewsArticle", "OpinionNewsArticle"})
_FORUM_TYPES = frozenset({"DiscussionForumPosting", "QAPage", "Question"})
_PROFILE = re.compile(
    r"/(?:authors?|autor(?:en|es|i)?|auteurs?|people|person|profiles?|users?|staff|by|contributors?|redakt\w*|team|writers?|journalist\w*|members?|u)/"
    r"|[?&]author=|/@"
)
_MAX_NODES = 40
_MAX_BYLINE = 140
_MAX_PLACES = 60
_BEFORE_TITLE = 50
_BEHIND_TITLE = 160


def authors_on(page: PageFacts, title: int) -> Found | None:
    """Return the authors, or None when the page does not say who wrote it."""
    choice = best_answer(author_answers(page, title), AUTHOR)
    if choice is None:
        return None
    rule = ", ".join(sorted({candidate.signs[0] for candidate in choice.answer.candidates})[:4])
    names = choice.answer.candidates[0].value
    return Found({"authors": names}, Provenance(method="page", rule=rule, confidence=choice.confidence))


def author_answers(page: PageFacts, title: int) -> list[Answer]:
    """Return every set of names that may be the authors, with the signs for it."""
    candidates = [*_declared(page), *_marked(page, title), *_profiles(page, title), *_spoken(page, title)]
    answers = answers_of(candidates)
    near = _near_text(page, title)
    shown = {answer.key for answer in answers if any(sign.split(",")[0] in _STRONG for sign in answer.signs)}
    keys = [set(answer.key.split("|")) for answer in answers]
    return [
        Answer(answer.key, answer.candidates, _signs(answer, page) | set(_bearing(answer, page, near, shown, keys)))
        for answer in answers
    ]


_STRONG = frozenset({"rel", "itemprop", "is author-name", "is byline", "is author", "profile slug", "spoken"})
_SOURCES = (
    "rel", "itemprop", "is author-name", "is byline", "is author", "spoken", "profile slug", "profile link", "links", "piece", "is contributor", "is user",
    "is vcard", "is some-author", "is about-author", "bare",
)  # fmt: skip
_SITE_SIGNS = frozenset({"declared only", "declared and shown", "declared twice", "first marked", "spoken, next to title", "rel, next to title", "is author-name, next to title", "is byline, next to title", "is author, next to title", "at next to title", "meta author", "ld article", "rel", "itemprop"})
_ZONES = (
    "next to title", "before title", "near title", "end of article", "in article", "far before", "far behind",
    "next to title aside", "before title aside", "near title aside", "end of article aside", "in article aside", "far before aside", "far behind aside",
    "comments", "unseen",
)  # fmt: skip


def _signs(answer: Answer, page: PageFacts) -> frozenset[str]:
    shown = {tuple(sign.split(", ", 1)) for sign in answer.signs if ", " in sign}
    signs = {sign for sign in answer.signs if ", " not in sign}
    declared = sum(sign.startswith(("meta ", "ld ")) for sign in signs)
    signs |= {source for source, _ in shown} | {f"at {zone}" for _, zone in shown}
    if shown:
        source, zone = min(shown, key=lambda pair: (_ZONES.index(pair[1]), _SOURCES.index(pair[0])))
        signs.add(f"{source}, {zone}")
        if declared:
            signs.add("declared and shown")
    elif declared:
        signs.add("declared only")
    if declared > 1:
        signs.add("declared twice")
    if any(is_site_name(name, page) for name in answer.candidates[0].value):
        return frozenset({"is site", *(f"site {sign}" for sign in signs if sign in _SITE_SIGNS)})
    return frozenset(signs)


def _candidate(names: Sequence[str], signs: Iterable[str], node: int = -1) -> Iterator[Candidate]:
    if names:
        yield Candidate(tuple(names), "|".join(sorted({letters_and_digits(name) for name in names})), tuple(signs), node)


def _declared(page: PageFacts) -> Iterator[Candidate]:
    metas = page.data.metas
    for name in _METAS:
        contents = metas.get(name, ())
        if name == "twitter:data1" and not opens_byline(page.data.first("twitter:label1")):
            continue
        names = [each for content in contents for each in _names(content, page)]
        source = name if name in ("author", "article:author", "twitter:data1") else "other"
        yield from _candidate(tuple(dict.fromkeys(names)), (f"meta {source}", "meta"))
        if len(contents) > 1:
            yield from _candidate(tuple(_names(contents[0], page)), (f"meta {source} first",))
    for item in page.data.items:
        types = types_of(item)
        kind = "article" if _ARTICLE_TYPES.intersection(types) else "forum" if _FORUM_TYPES.intersection(types) else "other"
        yield from _candidate(_names_of_item(page, item.get("author")), (f"ld {kind}", "ld"))
        yield from _candidate(_names_of_item(page, item.get("creator")), ("ld creator",))


def _names_of_item(page: PageFacts, authors: object) -> tuple[str, ...]:
    names: list[str] = []
    for author in authors if isinstance(authors, list) else [authors]:
        name: Any = page.data.resolved(author).get("name") if isinstance(author, dict) else author
        for each in name if isinstance(name, list) else [name]:
            if isinstance(each, str):
                names += _names(each, page)
    return tuple(dict.fromkeys(names))


def _names(text: str, page: PageFacts) -> tuple[str, ...]:
    return () if "://" in text else names_in(text, page.languages)


def _marked(page: PageFacts, title: int) -> Iterator[Candidate]:
    """Names in elements that call themselves an author or a byline."""
    tree = page.tree
    seen: set[str] = set()
    for node, marks in page.author_nodes[:_MAX_PLACES]:
        if tree.end[node] - node > _MAX_NODES or tree.tag[node] in ("img", "script", "style", "svg", "form", "input"):
            continue
        first = marks[0] not in seen
        seen.update(marks)
        attrs = tree.attrs[node]
        sources = [f"is {mark}" for mark in marks]
        if "author" in (attrs.get("itemprop") or "").split():
            sources.append("itemprop")
        if "author" in (attrs.get("rel") or "").split():
            sources.append("rel")
        signs = (*_with_zone(page, node, title, sources), *(("first marked",) if first else ()))
        if "itemprop" in sources and (content := attrs.get("content")):
            yield from _candidate(_names(content, page), signs, node)
        yield from _names_below(page, node, title, signs)


def _names_below(page: PageFacts, node: int, title: int, signs: tuple[str, ...]) -> Iterator[Candidate]:
    tree = page.tree
    text = text_of(tree, node).strip().replace("\n", " | ")
    if len(text) <= _MAX_BYLINE:
        yield from _candidate(names_in(text, page.languages), signs, node)
    pieces = (one_line(tree.text[each]) for each in range(node, tree.end[node]) if tree.tag[each] == TEXT)
    piece = next((piece for piece in pieces if piece and not is_only_lead(piece)), "")
    if piece != text:
        yield from _candidate(names_in(piece, page.languages), _with_zone(page, node, title, ["piece"]), node)
    links = [each for each in range(node + 1, tree.end[node]) if tree.tag[each] == "a"]
    texts = [one_line(tree.plain(link)) for link in links]
    names = [name for text in texts if text and not is_only_lead(text) for name in names_in(text, page.languages)]
    if names:
        yield from _candidate(tuple(dict.fromkeys(names)), _with_zone(page, node, title, ["links"]), node)


def _profiles(page: PageFacts, title: int) -> Iterator[Candidate]:
    """Names that are links to somebody's page on the site."""
    tree = page.tree
    count = 0
    for node in tree.nodes_by_tag.get("a", ()):
        href = tree.attrs[node].get("href")
        if href and _PROFILE.search(href):
            text = one_line(tree.plain(node))
            if 0 < len(text) <= _MAX_BYLINE:
                count += 1
                names = names_in(text, page.languages)
                slugged = any(word in letters_and_digits(href) for name in names for word in map(letters_and_digits, name.split()) if len(word) > 2)
                source = "profile slug" if slugged else "profile link"
                if slugged or all(map(is_person, names)):
                    yield from _candidate(names, _with_zone(page, node, title, [source]), node)
                if count > _MAX_PLACES:
                    return


def _spoken(page: PageFacts, title: int) -> Iterator[Candidate]:
    """Names behind words such as "by", near the title or at either end of the article."""
    tree = page.tree
    for node in _near(page, title):
        text = tree.text[node]
        if tree.tag[node] == TEXT and 2 <= len(text) <= _MAX_BYLINE and opens_byline(text):
            around = one_line(tree.plain(tree.parent[node]))
            if is_only_lead(text) or len(around) > _MAX_BYLINE:
                around = f"{one_line(text)} {_next_text(page, node)}" if is_only_lead(text) else text
            names = names_in(around, page.languages)
            if all(name[:1].upper() == name[:1] and len(name.split()) <= 4 for name in names):
                yield from _candidate(names, _with_zone(page, node, title, ["spoken"]), node)
        elif 5 <= len(text) <= 50 and is_person(one_line(text)) and page.places.of(node) & {"header"}:
            yield from _candidate(names_in(text, page.languages), _with_zone(page, node, title, ["bare"]), node)


def _next_text(page: PageFacts, node: int) -> str:
    texts = page.tree.text
    return next((texts[each] for each in range(node + 1, min(len(texts), node + 12)) if texts[each].strip()), "")


def _near(page: PageFacts, title: int) -> range:
    start = title if title >= 0 else page.article.node
    return range(max(0, start - _BEFORE_TITLE), min(len(page.tree), start + _BEHIND_TITLE))


def _near_text(page: PageFacts, title: int) -> str:
    return letters_and_digits(" ".join(page.tree.text[node] for node in _near(page, title)))


def _with_zone(page: PageFacts, node: int, title: int, sources: Iterable[str]) -> tuple[str, ...]:
    """Where a name is shown: signs "source, zone"."""
    zone = _zone(page, node, title)
    places = page.places.of(page.tree.parent[node])
    if "comments" in places:
        zone = "comments"
    elif places & {"others", "aside", "frame"}:
        zone = f"{zone} aside"
    if page.tree.unseen[node]:
        zone = "unseen"
    return tuple(f"{source}, {zone}" for source in sources)


def _zone(page: PageFacts, node: int, title: int) -> str:
    start = title if title >= 0 else page.article.node
    if start - _BEFORE_TITLE <= node < start:
        return "before title"
    if start <= node <= start + 40:
        return "next to title"
    if start <= node <= start + _BEHIND_TITLE:
        return "near title"
    article, end = page.article.node, page.tree.end[page.article.node]
    if end - 20 < node < end + 60:
        return "end of article"
    return "far before" if node < start else "in article" if article <= node < end else "far behind"


def _bearing(answer: Answer, page: PageFacts, near: str, shown: set[str], keys: Sequence[set[str]]) -> Iterator[str]:
    """Signs that compare the names with what else is known of the page."""
    names = answer.candidates[0].value
    own = set(answer.key.split("|"))
    if all(key in near for key in own):
        yield "told near title"
    if all(map(is_person, names)):
        yield "person"
    if any(map(is_organisation, names)):
        yield "organisation"
    if any(map(is_role, names)):
        yield "role"
    if any(len(name.split()) == 1 for name in names):
        yield "one word"
    if any(char.isdigit() for name in names for char in name):
        yield "has digit"
    if not any(name[:1].isupper() for name in names):
        yield "lower case"
    if len(names) > 1:
        yield "several names"
    if len(names) > 3:
        yield "many names"
    if any(own < other for other in keys):
        yield "part of other"
    if any(other < own for other in keys):
        yield "holds other"
    if any(own != other and not own & other and any(a in b for a in own for b in other) for other in keys):
        yield "inside other"
    if len(shown) > 4:
        yield "many shown"
    elif len(shown) == 1:
        yield "only shown"
    if any("published_time" in name for name in page.data.metas) or page.data.first("og:type") == "article":
        yield "article page"
    if any(_ARTICLE_TYPES.intersection(types_of(item)) for item in page.data.items):
        yield "page of an article"
    if any(_FORUM_TYPES.intersection(types_of(item)) for item in page.data.items):
        yield "page of a forum"
