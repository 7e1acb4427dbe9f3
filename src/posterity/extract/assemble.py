"""From the node that a method chose to the post record: text, HTML, Markdown, media and links of one subtree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posterity.dom.clean_html import html_of_steps
from posterity.dom.declared import declared_address, declared_summary
from posterity.dom.links import absolute, elements_of, links_of, media_source
from posterity.dom.markdown import markdown_of_steps
from posterity.dom.plain_text import text_of_steps
from posterity.dom.walk import steps
from posterity.model import Media, Post, Provenance, post_id
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from posterity.dom import Document, Tree

# Some blogs give the same sentence on every page, and others the beginning of the article.
_DESCRIPTION = Provenance(method="declared", rule="meta description", confidence=0.7)
_MEDIA_TAGS = frozenset({"img", "audio", "video", "source"})


def article_fields(tree: Tree, base_url: str, node: int = 0, skip: frozenset[int] = frozenset()) -> dict[str, Any]:
    """Return the fields of `Post` that follow from the article's subtree, `skip` and all below it left out."""
    walked = steps(tree, node, skip)
    return {
        "text": text_of_steps(tree, walked),
        "html": html_of_steps(tree, walked, base_url),
        "markdown": markdown_of_steps(tree, walked, base_url),
        "media": media_of(tree, base_url, node, skip),
        "links": links_of(tree, base_url, node, skip),
    }


def media_of(tree: Tree, base_url: str, node: int = 0, skip: frozenset[int] = frozenset()) -> tuple[Media, ...]:
    """Return the pictures, sounds and films in the subtree, each address once, in order."""
    found: dict[str, Media] = {}
    for index in elements_of(tree, _MEDIA_TAGS, node, skip):
        if (url := absolute(base_url, media_source(tree, index))) and url not in found:
            found[url] = Media(url=url, alt=(tree.attrs[index].get("alt") or "").strip() or None)
    return tuple(found.values())


def post_from(document: Document, fields: dict[str, Any], provenance: dict[str, Provenance]) -> Post:
    """Return the record of a page: its address and id, what the page says of itself, and the fields that were found."""
    url = canonical_url(document.url)
    canonical = declared_address(document) or url
    declared: dict[str, Any] = {"language": document.language}
    if "summary" not in fields and (summary := declared_summary(document)):
        declared["summary"] = summary
        provenance = {**provenance, "summary": _DESCRIPTION}
    return Post(
        id=post_id(canonical),
        url=url,
        canonical_url=canonical,
        provenance=provenance,
        **{**declared, **fields},
    )
