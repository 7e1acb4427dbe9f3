"""The title of the article on a page without rules: which of its candidates to believe."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from posterity.extract.found_field import Found
from posterity.extract.hybrid.author_candidates import ARTICLE_TYPES, FORUM_TYPES
from posterity.extract.hybrid.choice import Answer, answers_of, best_answer, found_by
from posterity.extract.hybrid.learned_weights import learned_weights
from posterity.extract.hybrid.site_name import is_key_of_site
from posterity.extract.hybrid.title_candidates import declared_titles, headings, home_names
from posterity.text.normal_form import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.extract.hybrid.page_facts import PageFacts

_FORUM = re.compile(r"/(?:t|threads?|topics?|forums?|questions|d)/|viewtopic|showthread|showtopic")
_WORD = re.compile(r"[^\W_]+")
_NAMES_SITE = frozenset({"links home", "with site"})
_SOURCES = frozenset({"og", "twitter", "ld", "title", "meta", "h1", "h2", "h3"})
EAGERNESS = 9.0  # nearly every page has a title: the likeliest is given, with its confidence
# Front pages, articles and other pages differ in whether the heading or <title> tells what they are.
_BY_KIND = frozenset(
    (
        "h1|h1 first|h1 only|h1 entry-title|h2 first|title first|title whole|title alone|title before-last|"
        "og whole|og alone|og before-last|is site"
    ).split("|")
)


def title_on(page: PageFacts) -> tuple[Found, int] | None:
    """Return the title and the node that shows it (-1: none does), or None when nothing looks like one."""
    choice = best_answer(title_answers(page), learned_weights("title"), EAGERNESS)
    if choice is None:
        return None
    candidates = choice.answer.candidates
    # The spelling that readers see, where there is one.
    shown = next((each for each in candidates if each.node >= 0), candidates[0])
    return Found({"title": shown.value}, found_by(choice)), node_of_title(page, choice.answer)


def node_of_title(page: PageFacts, title: Answer) -> int:
    """Return the heading that shows the title, of several the first <h1>, or -1; lists of articles may repeat it."""
    tree = page.tree
    nodes = sorted({each.node for each in title.candidates if each.node >= 0})
    seen = [node for node in nodes if not tree.unseen[node]] or nodes
    return next((node for node in seen if tree.tag[node] == "h1"), seen[0] if seen else -1)


def title_answers(page: PageFacts) -> list[Answer]:
    """Return every text that may be the title, with the signs for it."""
    kind = _kind_of_page(page)
    names = page.site_names | home_names(page)
    answers = answers_of([*declared_titles(page, names), *headings(page, names)])
    if kind != "root":
        answers = [answer for answer in answers if not _names_site(answer, names)] or answers
    told = {"title": letters_and_digits(page.data.title), "og": letters_and_digits(page.data.first("og:title"))}
    title_words = frozenset(_words(page.data.title))
    slug = _slug_words(page.path)
    signed = []
    for answer in answers:
        words = _words(answer.candidates[0].value)
        signs = {*answer.signs, *_against(answer.key, told), *_wording(words, title_words, slug)}
        if is_key_of_site(answer.key, names):
            signs.add("is site")
        signs |= set(_agreement(answer))
        signs |= {f"{kind}: {sign}" for sign in signs & _BY_KIND}
        signed.append(Answer(answer.key, answer.candidates, frozenset(signs)))
    return signed


def _agreement(answer: Answer) -> Iterator[str]:
    """How many sources give this very title, and whether readers see it."""
    sources = _SOURCES & {candidate.signs[0].split()[0] for candidate in answer.candidates}
    yield f"{len(sources)} sources"
    yield f"{len(sources)} sources, {'with' if 'h1' in sources else 'without'} h1"


def _kind_of_page(page: PageFacts) -> str:
    if page.is_front:
        return "root"
    told, types = page.data.first("og:type").lower(), page.data.types
    if types & FORUM_TYPES or _FORUM.search(page.url):
        return "forum"
    if "Product" in types or "product" in told:
        return "product"
    if told == "article" or types & ARTICLE_TYPES or "article:published_time" in page.data.metas:
        return "article"
    return "other"


def _names_site(answer: Answer, names: frozenset[str]) -> bool:
    """The site's name alone, or a text that still has it at one end."""
    return bool(_NAMES_SITE & answer.signs) or is_key_of_site(answer.key, names)


def _against(key: str, told: dict[str, str]) -> Iterator[str]:
    """How the answer relates to <title> and og:title."""
    for name, other in told.items():
        if not other or key == other:
            continue
        if key in other:
            place = "starts" if other.startswith(key) else "ends" if other.endswith(key) else "in"
            yield f"{place} {name}"
        elif other in key:
            yield f"holds {name}"


def _wording(words: list[str], title_words: frozenset[str], slug: frozenset[str]) -> Iterator[str]:
    """How long the answer is, and how many of its words <title> and the address have too."""
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
