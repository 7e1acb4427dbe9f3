"""Who wrote the article on a page without rules: nobody, rather than somebody invented."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from posterity.dom import text_of
from posterity.dom.document import TEXT
from posterity.dom.structured_data import types_of
from posterity.extract.found_field import Found
from posterity.extract.hybrid.bylines import is_only_lead, is_person, names_in, opens_byline
from posterity.extract.hybrid.choice import Answer, Candidate, answers_of, best_answer
from posterity.extract.hybrid.learned_weights import AUTHOR
from posterity.extract.hybrid.title import is_site_name
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
    shown = {answer.key for answer in answers if any(each.node >= 0 for each in answer.candidates)}
    keys = [set(answer.key.split("|")) for answer in answers]
    return [
        Answer(answer.key, answer.candidates, answer.signs | set(_bearing(answer, page, near, shown, keys)))
        for answer in answers
    ]


def _candidate(names: Sequence[str], signs: Iterable[str], node: int = -1) -> Iterator[Candidate]:
    if names:
        yield Candidate(tuple(names), "|".join(sorted({letters_and_digits(name) for name in names})), tuple(signs), node)


def _declared(page: PageFacts) -> Iterator[Candidate]:
    metas = page.data.metas
    for name in _METAS:
        contents = metas.get(name, ())
        if name == "twitter:data1" and not opens_byline(page.data.first("twitter:label1")):
            continue
        names = [each for content in contents for each in _names(content)]
        source = name if name in ("author", "article:author", "twitter:data1") else "other"
        yield from _candidate(tuple(dict.fromkeys(names)), (f"meta {source}", "meta"))
        if len(contents) > 1:
            yield from _candidate(tuple(_names(contents[0])), (f"meta {source} first",))
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
                names += _names(each)
    return tuple(dict.fromkeys(names))


def _names(text: str) -> tuple[str, ...]:
    return () if "://" in text else names_in(text)


def _marked(page: PageFacts, title: int) -> Iterator[Candidate]:
    """Names in elements that call themselves an author or a byline."""
    tree = page.tree
    seen: set[str] = set()
    for node, marks in page.author_nodes[:_MAX_PLACES]:
        if tree.end[node] - node > _MAX_NODES or tree.tag[node] in ("img", "script", "style", "svg", "form", "input"):
            continue
        first = marks[0] not in seen
        seen.update(marks)
        signs = (*(f"is {mark}" for mark in marks), *_place_signs(page, node, title), *(("first marked",) if first else ()))
        attrs = tree.attrs[node]
        if attrs.get("itemprop") and "author" in (attrs.get("itemprop") or ""):
            signs = ("itemprop", *signs)
            if content := attrs.get("content"):
                yield from _candidate(_names(content), signs, node)
        if "author" in (attrs.get("rel") or "").split():
            signs = ("rel", *signs)
        yield from _names_below(page, node, signs)


def _names_below(page: PageFacts, node: int, signs: tuple[str, ...]) -> Iterator[Candidate]:
    tree = page.tree
    lines = text_of(tree, node).split("\n")
    if sum(map(len, lines)) <= _MAX_BYLINE:
        yield from _candidate(_first_names(lines), signs, node)
    links = [each for each in range(node + 1, tree.end[node]) if tree.tag[each] == "a"]
    texts = [one_line(tree.plain(link)) for link in links]
    names = [name for text in texts if text and not is_only_lead(text) for name in names_in(text)]
    if names:
        yield from _candidate(tuple(dict.fromkeys(names)), ("links of marked", *signs[-3:]), node)


def _first_names(lines: Iterable[str]) -> tuple[str, ...]:
    """The names in the first line that holds more than an introduction."""
    for line in lines:
        if line.strip() and not is_only_lead(line):
            return names_in(line)
    return ()


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
                yield from _candidate(names_in(text), ("profile link", *_place_signs(page, node, title)), node)
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
            yield from _candidate(names_in(around), ("spoken", *_place_signs(page, node, title)), node)


def _next_text(page: PageFacts, node: int) -> str:
    texts = page.tree.text
    return next((texts[each] for each in range(node + 1, min(len(texts), node + 12)) if texts[each].strip()), "")


def _near(page: PageFacts, title: int) -> range:
    start = title if title >= 0 else page.article.node
    return range(max(0, start - _BEFORE_TITLE), min(len(page.tree), start + _BEHIND_TITLE))


def _near_text(page: PageFacts, title: int) -> str:
    return letters_and_digits(" ".join(page.tree.text[node] for node in _near(page, title)))


def _place_signs(page: PageFacts, node: int, title: int) -> Iterator[str]:
    tree = page.tree
    yield from (f"in {place}" for place in page.places.of(tree.parent[node]))
    start = title if title >= 0 else page.article.node
    if start - _BEFORE_TITLE <= node < start:
        yield "before title"
    elif start <= node <= start + 40:
        yield "next to title"
    elif start <= node <= start + _BEHIND_TITLE:
        yield "near title"
    if tree.unseen[node]:
        yield "unseen"
    article = page.article.node
    yield "before article" if node < article else "in article" if node < tree.end[article] else "after article"


def _bearing(answer: Answer, page: PageFacts, near: str, shown: set[str], keys: Sequence[set[str]]) -> Iterator[str]:
    """Signs that compare the names with what else is known of the page."""
    names = answer.candidates[0].value
    own = set(answer.key.split("|"))
    if all(key in near for key in own):
        yield "told near title"
    if any(is_site_name(name, page) for name in names):
        yield "is site"
    if all(map(is_person, names)):
        yield "person"
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
