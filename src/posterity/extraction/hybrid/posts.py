"""Method `hybrid` as a whole: which source gives which field.

The papers leave it as future work to combine their methods, to come near 100 %. Where rules were learned from the
blog's feed they decide; where they find nothing, or there are none, the page itself is used: its structured data, the
shape of its text, and what it has in common with other pages of its site. The provenance of a field names its source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from posterity.dom import Document, text_of
from posterity.dom.tree import node_path
from posterity.extraction import feed
from posterity.extraction.comments import comments_of_page
from posterity.extraction.feed import add_from_entry
from posterity.extraction.fields import FoundFields, license_at
from posterity.extraction.hybrid.article import Article, article_on
from posterity.extraction.hybrid.author import authors_on
from posterity.extraction.hybrid.date import date_on
from posterity.extraction.hybrid.index import index_posts
from posterity.extraction.hybrid.page_facts import PageFacts, page_facts
from posterity.extraction.hybrid.site import article_of_site, first_named
from posterity.extraction.hybrid.title import title_on, title_without_site_name
from posterity.extraction.hybrid.zones import surroundings
from posterity.extraction.record import article_fields, post_from
from posterity.learning.layouts import fitting
from posterity.model import Post, Provenance, TracedProvenance

if TYPE_CHECKING:
    from collections.abc import Collection

    from posterity.extraction.method import Context


_DECLARED_TAGS = 0.9  # the blog's software writes them from the post's own terms
_ALL = frozenset({"title", "authors", "published", "tags", "license"})


def fields_on(
    document: Document, article: Article, context: Context, wanted: Collection[str] = _ALL
) -> dict[str, FoundFields]:
    """Return the fields of the article that the page has, by name; others are absent.

    Who wants less need not wait for the authors and the date, each of which costs as much as the tree of the page.
    """
    page = page_facts(document, article)
    explain = context.explain
    title = title_on(page, explain=explain)
    around = surroundings(page, title[1] if title is not None else -1)
    of_blog = context.rules is not None
    order = context.rules.date_order if context.rules is not None else None
    found = {
        "title": title[0] if title is not None else None,
        "authors": authors_on(page, around, of_blog=of_blog, explain=explain) if "authors" in wanted else None,
        "published": date_on(page, around, context.fetched_at, order, of_blog=of_blog, explain=explain)
        if "published" in wanted
        else None,
        "tags": _declared_tags(page),
        "license": license_at(page.licenses, document.base_url),
    }
    return {name: value for name, value in found.items() if value is not None and name in wanted}


def _declared_tags(page: PageFacts) -> FoundFields | None:
    """The terms that the page gives one by one; `keywords` are written for search engines, not for readers."""
    tags = tuple(dict.fromkeys(page.data.metas.get("article:tag", ())))
    provenance = Provenance(method="page", rule="meta article:tag", confidence=_DECLARED_TAGS)
    return FoundFields({"tags": tags}, provenance) if tags else None


# Fields that are looked for on the page when no rule has found them.
_GAPS = ("title", "authors", "published")
# Characters of an article that nobody doubts; and of one that may be all there is.
_PLENTY, _LITTLE = 300, 100
# What the page alone finds must be this much longer, and as sure as this, before rules are overruled.
_MUCH_MORE, _SURE = 4, 0.85
# A blog that gave no rule for a field probably does not show it: only what is more likely right than wrong fills a gap.
_LIKELY = 0.5


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the posts of a front page, or the one post of any other page; nothing where there is no text at all."""
    if context.index:
        return index_posts(document, context)
    by_rules = feed.posts(document, context) if context.rules is not None else ()
    if not by_rules:
        return _by_page(document, context, _article(document, context))
    post = by_rules[0]
    missed = _missed_article(post, document, context)
    return (_without_gaps(post, document, context),) if missed is None else _by_page(document, context, missed)


def _article(document: Document, context: Context) -> Article | None:
    return article_of_site(document, article_on(document, explain=context.explain), context.site)


def _missed_article(by_rules: Post, document: Document, context: Context) -> Article | None:
    """Return the article where the rules fit something else: on an older theme, in a part of the site without a feed.

    A photo with a line of text is short as well. There the page alone is not sure of anything longer.
    """
    if len(by_rules.text) >= _PLENTY:
        return None
    tree, much_more = document.tree, _MUCH_MORE * max(len(by_rules.text), _LITTLE)
    # All that stands on the page, with two line ends for each text: many a short post is on a short page.
    if sum(map(len, tree.text)) + 2 * len(tree) <= much_more:
        return None
    article = _article(document, context)
    if article is None or article.confidence < _SURE:
        return None
    return article if len(text_of(tree, article.node, article.left_out)) > much_more else None


def _without_gaps(post: Post, document: Document, context: Context) -> Post:
    """Return the post by rules, with the fields that no rule gave as the page itself has them."""
    if context.rules is None:
        return post
    given_wrongly = ("published",) if context.rules.undated else ()
    gaps = [name for name in _GAPS if not getattr(post, name) and name not in given_wrongly]
    if not gaps:
        return post
    node = first_named(document.tree, fitting(document, context.rules).rules_for("article"))
    if node is None:
        return post
    article = Article(node=node, confidence=post.provenance["text"].confidence, why="")
    found = {
        name: field
        for name, field in fields_on(document, article, context, wanted=gaps).items()
        if field.provenance.confidence >= _LIKELY
    }
    given = {name: value for field in found.values() for name, value in field.fields.items()}
    provenance = post.provenance | {name: field.provenance for name, field in found.items()}
    return msgspec.structs.replace(post, provenance=provenance, **given)


def _article_provenance(document: Document, article: Article) -> Provenance:
    node = node_path(document.tree, article.node)
    if not article.trace:
        return Provenance(method="hybrid", rule=article.why, node=node, confidence=article.confidence)
    return TracedProvenance(
        method="hybrid", rule=article.why, node=node, confidence=article.confidence, trace=article.trace
    )


def _by_page(document: Document, context: Context, article: Article | None) -> tuple[Post, ...]:
    """Return the post as found by the page alone and the pages of its site."""
    if article is None:
        return ()
    base_url = document.base_url
    fields: dict[str, Any] = article_fields(document.tree, base_url, article.node, article.left_out)
    provenance = {"text": _article_provenance(document, article)}
    for name, found in fields_on(document, article, context).items():
        fields |= found.fields
        provenance[name] = found.provenance
    if "title" in fields:
        fields["title"] = title_without_site_name(fields["title"], context.site)
    comments = comments_of_page(document.tree, base_url, now=context.fetched_at)
    if comments:
        fields["comments"] = comments
        provenance["comments"] = Provenance(method="comment-markup", confidence=0.9)
    add_from_entry(document, context, fields, provenance)
    return (post_from(document, fields, provenance),)
