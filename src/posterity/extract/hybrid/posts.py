"""Method `hybrid` as a whole: which witness is heard for which field.

The papers leave it as future work to combine their methods, to come near 100 %. Where rules were learned from the
blog's feed they decide; where they find nothing, or there are none, the page itself is asked: its structured data, the
shape of its text, and what it has in common with other pages of its site. Each field says who gave it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posterity.extract import feed
from posterity.extract.assemble import article_fields, post_from
from posterity.extract.comment_place import comment_tree
from posterity.extract.comments import comments_on
from posterity.extract.hybrid.article import article_on
from posterity.extract.hybrid.fields import fields_on
from posterity.extract.hybrid.index import index_posts
from posterity.extract.hybrid.site_article import article_of_site
from posterity.model import Post, Provenance

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.extract.method import Context


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the posts of a front page, or the one post of any other page; nothing where there is no text at all."""
    if context.index:
        return index_posts(document, context)
    by_rules = feed.posts(document, context) if context.rules is not None else ()
    return by_rules or _by_page(document, context)


def _by_page(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the post as the page alone, and the pages of its site, tell it."""
    article = article_of_site(document, article_on(document, context), context.site)
    if article is None:
        return ()
    base_url = document.base_url
    fields: dict[str, Any] = article_fields(document.tree, base_url, article.node, article.left_out)
    provenance = {"text": Provenance(method="hybrid", rule=article.why, confidence=article.confidence)}
    for name, found in fields_on(document, article, context).items():
        fields |= found.fields
        provenance[name] = found.provenance
    place = comment_tree(document)
    comments = comments_on(place, base_url, now=context.fetched_at) if place is not None else ()
    if comments:
        fields["comments"] = comments
        provenance["comments"] = Provenance(method="comment-markup", confidence=0.9)
    return (post_from(document, fields, provenance),)
