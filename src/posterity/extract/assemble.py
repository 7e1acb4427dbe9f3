"""From the node that a method chose to the post record: text, HTML, Markdown, media and links of one subtree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posterity.dom import markdown_of, text_of
from posterity.dom.clean_html import html_of
from posterity.dom.declared import declared_address
from posterity.dom.links import absolute, image_source, links_of
from posterity.model import Media, Post, Provenance, post_id
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from posterity.dom import Document, Tree

_MEDIA_TAGS = frozenset({"img", "audio", "video", "source"})


def article_fields(tree: Tree, base_url: str, node: int = 0, skip: frozenset[int] = frozenset()) -> dict[str, Any]:
    """Return the fields of `Post` that follow from the article's subtree, `skip` and all below it left out."""
    return {
        "text": text_of(tree, node, skip),
        "html": html_of(tree, base_url, node, skip),
        "markdown": markdown_of(tree, base_url, node, skip),
        "media": media_of(tree, base_url, node, skip),
        "links": links_of(tree, base_url, node, skip),
    }


def media_of(tree: Tree, base_url: str, node: int = 0, skip: frozenset[int] = frozenset()) -> tuple[Media, ...]:
    """Return the pictures, sounds and films in the subtree, each address once, in order."""
    found: dict[str, Media] = {}
    index, stop = node, tree.end[node]
    while index < stop:
        if index in skip:
            index = tree.end[index]
            continue
        if tree.tag[index] in _MEDIA_TAGS and (url := absolute(base_url, image_source(tree.attrs[index]))):
            found.setdefault(url, Media(url=url, alt=(tree.attrs[index].get("alt") or "").strip() or None))
        index += 1
    return tuple(found.values())


def post_from(document: Document, fields: dict[str, Any], provenance: dict[str, Provenance]) -> Post:
    """Return the record of a page: its address and id, what the page says of itself, and the fields that were found."""
    url = canonical_url(document.url)
    canonical = declared_address(document) or url
    return Post(
        id=post_id(canonical),
        url=url,
        canonical_url=canonical,
        provenance=provenance,
        **{"language": document.language, **fields},
    )
