"""Correction of a rule by pointing at an element: finds the selector that fits most stored pages, and what it changes.

A user clicks the element that is the title, author, date or article of a page. Each selector of the element (id,
classes, path) is tried on other pages. The one with plausible values on most of them is proposed, with the values of
every page before and after. Nothing is saved until the user confirms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Literal

import msgspec

from posterity.archive import Archive, Filters
from posterity.archive.overview import newest_posts
from posterity.dom import Document, parse
from posterity.dom.tree import matches
from posterity.errors import ArchiveError, InputError, NotInArchive, UnreadablePage
from posterity.extraction import Context, extract_posts
from posterity.learning.rule_selection import kind_names, names_of
from posterity.model import FieldRule, Page, Post, Rule, RuleSet
from posterity.text.dates import read_dates

CorrectedField = Literal["text", "title", "authors", "published", "out"]
_MAX_TITLE, _MAX_AUTHOR = 300, 100  # characters; a longer text is a paragraph
_SHOWN = 140


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of a rule on one page: the values before and after, and whether the rule's is plausible."""

    url: str
    before: str
    after: str
    fits: bool


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A corrected rule set, and its results on the pages on which it was tried."""

    field: CorrectedField
    rule: str
    fits: int
    pages: int
    rules: RuleSet
    trials: tuple[Trial, ...]

    @property
    def verdict(self) -> str:
        """The summary shown to the user."""
        return f"fits {self.fits} of {self.pages} pages"


def proposal(page: Page, node: int, field: CorrectedField, rules: RuleSet, others: Iterable[Page]) -> Proposal:
    """Return the best rule for the selected element, tried on this page and the others."""
    document = parse(page.body, page.url, page.content_type)
    tree = document.tree
    if not 0 < node < len(tree) or tree.tag[node].startswith("#"):
        raise InputError("There is no such element on the page. Point at one of the outlined page.")
    documents = [document]
    for other in others:
        with suppress(UnreadablePage):
            documents.append(parse(other.body, other.url, other.content_type))
    # OUT rules apply inside the article, where a path from the root of the page finds nothing.
    names = kind_names(tree, node) if field == "out" else names_of(tree, node)
    # A rule selects its first match; an OUT rule removes all matches.
    named = [rule for rule in names if node in matches(tree, rule)[: None if field == "out" else 1]]
    if not named:
        raise InputError("This element has no name that would find it again. Point at the one around it.")
    languages = rules.languages or ("en",)
    tried = [(rule, _pages_that_fit(documents, rule, field, languages)) for rule in named]
    # Among equally good selectors, the first is the most stable.
    rule, fitting = max(tried, key=lambda trial: sum(trial[1]))
    corrected = correct_rules(rules, field, rule, sum(fitting), len(documents))
    pairs = zip(documents, fitting, strict=True)
    trials = tuple(_trial(one, field, rules, corrected, fits=fits) for one, fits in pairs)
    return Proposal(field=field, rule=rule.css, fits=sum(fitting), pages=len(documents), rules=corrected, trials=trials)


def correct_rules(rules: RuleSet, field: CorrectedField, rule: Rule, fits: int, pages: int) -> RuleSet:
    """Return the rule set with this rule as the first of its field, in every layout."""
    own_rule = FieldRule(rule=rule, confidence=round(fits / pages, 4) if pages else 0.0, pages=fits, of_pages=pages)

    def with_rule(fields: dict[str, tuple[FieldRule, ...]]) -> dict[str, tuple[FieldRule, ...]]:
        kept = tuple(one for one in fields.get(field, ()) if one.rule != rule)
        return {**fields, field: (own_rule, *kept)}

    layouts = tuple(msgspec.structs.replace(one, fields=with_rule(one.fields)) for one in rules.layouts)
    return msgspec.structs.replace(rules, fields=with_rule(rules.fields), layouts=layouts)


def _pages_that_fit(
    documents: Sequence[Document], rule: Rule, field: CorrectedField, languages: Sequence[str]
) -> list[bool]:
    """Return for every page whether the rule gives a plausible value of the field."""
    nodes = [next(iter(matches(document.tree, rule)), None) for document in documents]
    trees = [(document.tree, node) for document, node in zip(documents, nodes, strict=True)]
    texts = [" ".join(tree.plain(node).split()) if node is not None else "" for tree, node in trees]
    # A text on many pages is the name of the blog or boilerplate, not the title or text of a post.
    usual = {text for text, count in Counter(texts).items() if count > max(1, len(documents) // 4)}
    match field:
        case "title":
            return [0 < len(text) <= _MAX_TITLE and text not in usual for text in texts]
        case "text":
            return [bool(text) and text not in usual for text in texts]
        case "authors":
            return [0 < len(text) <= _MAX_AUTHOR for text in texts]
        case "published":
            stamps = [tree.attrs[node].get("datetime") or "" if node is not None else "" for tree, node in trees]
            pairs = zip(texts, stamps, strict=True)
            return [bool(read_dates(f"{text[:_SHOWN]} {stamp}", languages=languages)) for text, stamp in pairs]
        case "out":
            return [node is not None for node in nodes]


def _trial(document: Document, field: CorrectedField, before: RuleSet, after: RuleSet, *, fits: bool) -> Trial:
    old, new = _value(document, field, before), _value(document, field, after)
    return Trial(url=document.url, before=old[:_SHOWN], after=new[:_SHOWN], fits=fits)


def _value(document: Document, field: CorrectedField, rules: RuleSet) -> str:
    found = extract_posts(document, method="feed", context=Context(rules=rules))
    if not found:
        return ""
    value = getattr(found[0], "text" if field == "out" else field)
    if field == "authors":
        return ", ".join(value)
    if field == "published":
        return value.date().isoformat() if value else ""
    return " ".join((value or "").split())


SAMPLE = 40


def page_of_post(archive: Archive, post: Post) -> Page:
    """Return the page that the article was extracted from, or the latest stored response of the post's URL."""
    for field in ("text", *post.provenance):
        origin = post.provenance.get(field)
        if origin is not None and origin.warc:
            return archive.read_page(origin.warc)
    if (found := archive.earlier_response(post.url, None)) is None:
        raise NotInArchive(f"The archive contains no page of {post.url}.")
    return archive.read_page(f"{found.file}#{found.offset}")


def pages_to_try(archive: Archive, blog_id: str, first: str) -> list[Page]:
    """Return the page of a post, followed by pages of other posts, sampled evenly from the blog's newest posts."""
    pages = [page_of_post(archive, archive.post(first))]
    lines = []
    place = None
    while True:
        some, place = newest_posts(archive, Filters(blog_id=blog_id), 200, place)
        lines += [line.id for line in some]
        if place is None or len(lines) >= 20 * SAMPLE:
            break
    step = max(1, len(lines) // SAMPLE)
    for post_id in lines[::step]:
        if post_id != first and len(pages) < SAMPLE:
            with suppress(ArchiveError):  # taken down or damaged: the other pages suffice
                pages.append(page_of_post(archive, archive.post(post_id)))
    return pages
