"""Who wrote the article on a page without rules: nobody, rather than somebody invented."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.extract.found_field import Found
from posterity.extract.hybrid.author_candidates import (
    SHOWN,
    bare_names,
    declared_authors,
    linked_authors,
    marked_authors,
    owners,
    spoken_authors,
)
from posterity.extract.hybrid.byline_words import MENU_WORD
from posterity.extract.hybrid.bylines import has_given_name, is_organisation, is_person
from posterity.extract.hybrid.choice import Answer, answers_of, best_answer, found_by
from posterity.extract.hybrid.kind_signs import kind_signs
from posterity.extract.hybrid.learned_weights import learned_weights
from posterity.extract.hybrid.site_name import is_site_name
from posterity.extract.hybrid.zones import NOT_OF_ARTICLE, signs_of_places
from posterity.text.normal_form import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from posterity.extract.hybrid.page_facts import PageFacts
    from posterity.extract.hybrid.zones import Surroundings

# In logits. By cross-validation on wcxb_dev, against 0.5 this trades 2 points of invented names for 3 of right ones.
EAGERNESS = 0.9
# A page of a known blog has an author nearly always, so a name is likelier than none.
_EAGERNESS_ON_BLOGS = 2.0
_STRONG = frozenset({"rel", "itemprop", "is author-name", "is byline", "is author", "profile slug", "spoken"})
# The site's own name is given as author by software that knows nobody: of its signs only these count.
_SITE_SIGNS = frozenset(
    {
        *("declared only", "declared and shown", "declared twice", "first marked", "at next to title", "meta author"),
        *("ld article", "rel", "itemprop", "owner"),
        *(f"{source}, next to title" for source in ("spoken", "rel", "is author-name", "is byline", "is author")),
    }
)
# Kinds of sources that err in their own ways, by which of them agree.
_TELLERS = {
    **dict.fromkeys(("rel", "itemprop", "is author-name", "is byline", "is author"), "mark"),
    **dict.fromkeys(("profile slug", "profile link"), "profile"),
    **dict.fromkeys(("bare known", "bare"), "name"),
    **dict.fromkeys(("is contributor", "is user", "is vcard", "is some-author", "is about-author"), "vague mark"),
    **dict.fromkeys(("spoken", "links", "owner")),
}
_MANY_PLACES = 3
_LONGEST_TEXT = 120  # names stand in short texts


def authors_on(page: PageFacts, around: Surroundings, *, of_blog: bool = False) -> Found | None:
    """Return the authors, or None when the page does not say who wrote it."""
    choice = best_answer(
        author_answers(page, around), learned_weights("author"), _EAGERNESS_ON_BLOGS if of_blog else EAGERNESS
    )
    return None if choice is None else Found({"authors": choice.answer.candidates[0].value}, found_by(choice))


def author_answers(page: PageFacts, around: Surroundings) -> list[Answer]:
    """Return every set of names that may be the authors, with the signs for it."""
    answers = answers_of(
        [
            *declared_authors(page),
            *marked_authors(page, around.title),
            *linked_authors(page, around),
            *spoken_authors(page, around),
            *bare_names(page, around),
            *owners(page),
        ]
    )
    answers = [answer for answer in answers if not _is_menu_entry(answer)]
    title = letters_and_digits(f"{page.data.title} {page.tree.plain(around.title) if around.title >= 0 else ''}")
    near = letters_and_digits(" ".join(text for _, text in around.near_title if len(text) <= _LONGEST_TEXT))
    keys = [frozenset(answer.key.split("|")) for answer in answers]
    of_page = frozenset(_signs_of_page(answers, page))
    return [
        Answer(answer.key, answer.candidates, _own_signs(answer, page) | of_page | {*_against(own, keys, near, title)})
        for answer, own in zip(answers, keys, strict=True)
    ]


def _own_signs(answer: Answer, page: PageFacts) -> frozenset[str]:
    """Who tells the names, and what they look like."""
    names: Sequence[str] = answer.candidates[0].value
    person = all(map(is_person, names))
    of_site = any(is_site_name(name, page.site_names) for name in names)
    sources = _signs_of_sources(answer, person=person, of_site=of_site)
    return sources | {_told_by(answer), *_signs_of_names(names, person=person, of_site=of_site)}


def _is_menu_entry(answer: Answer) -> bool:
    """Words of menus, which nothing on the page calls an author: "Request Demo" below "user-menu"."""
    if not any(map(MENU_WORD.search, answer.candidates[0].value)):
        return False
    return not any(sign.startswith(("meta ", "ld ")) or sign.split(",")[0] in _STRONG for sign in answer.signs)


def _signs_of_sources(answer: Answer, *, person: bool, of_site: bool) -> frozenset[str]:
    signs = {sign for sign in answer.signs if ", " not in sign}
    declared = sum(sign.startswith(("meta ", "ld ")) for sign in signs)
    shown = set(signs_of_places(answer.signs, SHOWN))
    if declared:
        signs.add("declared and shown" if shown else "declared only")
    if declared > 1:
        signs.add("declared twice")
    signs |= shown
    # Places that agree add up to less than their sum: a template repeats itself.
    places = f"{min(len(signs & _STRONG), _MANY_PLACES)} places"
    signs.add(f"{places} and declared" if declared else places)
    signs.add(f"{places} of a person" if person else f"{places} of other")
    if of_site:
        return frozenset({"is site", *(f"site {sign}" for sign in signs & _SITE_SIGNS)})
    return frozenset(signs)


def _told_by(answer: Answer) -> str:
    """Which kinds of sources agree on the names."""
    tellers = set()
    for sign in answer.signs:
        source, _, zone = sign.partition(", ")
        if source.startswith(("meta ", "ld ")):
            tellers.add(source.partition(" ")[0])
        elif source in _TELLERS and zone not in NOT_OF_ARTICLE:
            tellers.add(_TELLERS[source] or source)
    return f"told by {' + '.join(sorted(tellers)) or 'nobody'}"


def _signs_of_names(names: Sequence[str], *, person: bool, of_site: bool) -> Iterator[str]:
    """What the names themselves look like. Some sites are called after the person who writes them."""
    given = all(map(has_given_name, names))
    looks = {
        "person": person and not of_site,
        "given name": given and not of_site,
        "person with given name": person and given and not of_site,
        "site of a person": person and given and of_site,
        "menu word": any(map(MENU_WORD.search, names)),
        "organisation": any(map(is_organisation, names)),
        "one word": any(" " not in name for name in names),
        "has digit": any(char.isdigit() for name in names for char in name),
        "lower case": not any(name[:1].isupper() for name in names),
        "several names": len(names) > 1,
        "many names": len(names) > 3,
    }
    return (sign for sign, holds in looks.items() if holds)


def _against(own: frozenset[str], keys: Sequence[frozenset[str]], near: str, title: str) -> Iterator[str]:
    """How the names relate to the other answers and to the text near the title."""
    if all(key in near for key in own):
        yield "told near title"
    if any(key in title for key in own):
        yield "told in title"
    if any(own < other for other in keys):
        yield "part of other"
    if any(other < own for other in keys):
        yield "holds other"
    if any(not own & other and any(mine in theirs for mine in own for theirs in other) for other in keys):
        yield "inside other"


def _signs_of_page(answers: Sequence[Answer], page: PageFacts) -> Iterator[str]:
    """What kind of page it is, and how many people it names."""
    people = sum(any(sign.split(",")[0] in _STRONG for sign in answer.signs) for answer in answers)
    if people > 4:
        yield "many shown"
    elif people == 1:
        yield "only shown"
    yield from kind_signs(page)
    if page.date_nodes or page.tree.nodes_by_tag.get("time"):
        yield "dated page"
