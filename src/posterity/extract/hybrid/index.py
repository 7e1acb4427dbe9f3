"""The posts of a front page: titles, dates, links and texts, in order.

Where they are is found by what repeats (`identify.repeated_records`); what a blog's rules name as articles helps to
choose. Each field is looked up at the place that gives it in most of the records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from posterity.dom.rule_match import matches
from posterity.extract.assemble import article_fields
from posterity.extract.hybrid.index_dates import dates_of
from posterity.extract.hybrid.index_fields import address_of, authors_of, title_of
from posterity.extract.hybrid.index_page import IndexPage
from posterity.extract.hybrid.index_text import left_out, text_places
from posterity.identify.page_ink import Ink
from posterity.identify.repeated_records import listing_of
from posterity.model import Post, Provenance, post_id
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from posterity.dom import Document, Tree
    from posterity.extract.found_field import Found
    from posterity.extract.method import Context
    from posterity.identify.repeated_records import Record

_MIN_SCORE = 20.0  # a menu has less
_CONFIDENCE = 0.9


def index_posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return every post on the page with what it shows of it; nothing where no posts are listed."""
    tree, base_url = document.tree, document.base_url
    listing = listing_of(tree, base_url, _named_articles(tree, context))
    if listing.score < _MIN_SCORE:
        return ()
    known = context.rules.languages if context.rules is not None else ()
    languages = tuple(dict.fromkeys((*filter(None, [document.language]), *known))) or ("en",)
    page = IndexPage(tree, Ink(tree, base_url), base_url, listing.records, languages, context.fetched_at)
    addresses = [address_of(page, record) for record in page.records]
    outs = left_out(page, addresses)
    every = zip(
        page.records, addresses, outs, text_places(page, outs), dates_of(page, addresses), authors_of(page), strict=True
    )
    return tuple(_post(document, page, _Told(number, *parts)) for number, parts in enumerate(every, start=1))


def _named_articles(tree: Tree, context: Context) -> list[int]:
    rules = context.rules.rules_for("article") if context.rules is not None else ()
    found = (matches(tree, rule.rule) for rule in rules)
    return next((nodes for nodes in found if len(nodes) > 1), [])


class _Told(NamedTuple):
    """What a record tells of its post."""

    number: int
    record: Record
    address: str | None
    out: frozenset[int]
    text: int | None
    date: Found | None
    author: str | None


def _post(document: Document, page: IndexPage, told: _Told) -> Post:
    record = told.record
    fields = _text_fields(page, record, told.out, told.text)
    provenance = {"text": _by("record", page.spelled(record.roots[0]))}
    title = title_of(page, record)
    if title:
        fields["title"] = title
        provenance["title"] = _by("title", page.spelled(record.anchor or 0))
    if told.author:
        fields["authors"] = (told.author,)
        provenance["authors"] = _by("author", None)
    if told.date is not None:
        fields |= told.date.fields
        provenance["published"] = told.date.provenance
    # Posts without an address of their own share the page's; only the fragment tells them apart.
    anchor = page.tree.attrs[record.roots[0]].get("id") or f"post-{told.number}"
    url = canonical_url(told.address) if told.address else f"{canonical_url(document.url)}#{anchor}"
    return Post(
        id=post_id(url), url=url, canonical_url=url, language=document.language, provenance=provenance, **fields
    )


def _text_fields(page: IndexPage, record: Record, out: frozenset[int], text: int | None) -> dict[str, Any]:
    tree = page.tree
    if text is not None:
        return article_fields(tree, page.base_url, text, out)
    if len(record.roots) == 1:
        return article_fields(tree, page.base_url, record.roots[0], out)
    others = frozenset(tree.children(record.parent)) - frozenset(record.roots)
    return article_fields(tree, page.base_url, record.parent, out | others)


def _by(what: str, rule: str | None) -> Provenance:
    return Provenance(method="index", rule=f"{what}: {rule}" if rule else what, confidence=_CONFIDENCE)
