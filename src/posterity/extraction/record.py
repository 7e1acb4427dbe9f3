"""From the node that a method chose to the post record: text, HTML, Markdown, media and links of one subtree."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from itertools import accumulate
from typing import Any

from posterity.dom import Document, Tree
from posterity.dom.links import absolute, elements_of, links_of, media_source
from posterity.dom.markdown import markdown_of_steps
from posterity.dom.metadata import declared_summary, declared_url
from posterity.dom.plain_text import html_of_steps, steps, text_of_steps
from posterity.dom.tree import TEXT
from posterity.model import Media, Post, Provenance, TracedProvenance, post_id
from posterity.urls import canonical_url

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
    """Return the pictures, sounds and films in the subtree, each URL once, in order."""
    found: dict[str, Media] = {}
    for index in elements_of(tree, _MEDIA_TAGS, node, skip):
        if (url := absolute(base_url, media_source(tree, index))) and url not in found:
            found[url] = Media(url=url, alt=(tree.attrs[index].get("alt") or "").strip() or None)
    return tuple(found.values())


def post_from(document: Document, fields: dict[str, Any], provenance: dict[str, Provenance]) -> Post:
    """Return the record of a page: its URL and id, what the page declares of itself, and the fields that were found."""
    url = canonical_url(document.url)
    canonical = declared_url(document) or url
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


def trace_lines(post: Post) -> list[str]:
    """Return for people what decided each field of a post that was extracted with `Context(explain=True)`."""
    lines: list[str] = []
    for field, source in post.provenance.items():
        if source.node:
            lines.append(f"{field}: {source.node}")
        if isinstance(source, TracedProvenance):
            lines += [f"{field}: odds x {change.factor:.4g}, {change.reason}" for change in source.trace]
    return lines


def visible_texts(tree: Tree, node: int = 0) -> list[int]:
    """Return the text nodes below a node that a reader sees and that hold more than white space."""
    tags, texts, unseen = tree.tag, tree.text, tree.unseen
    return [
        i
        for i in range(node, tree.end[node])
        if tags[i] == TEXT and not unseen[i] and not texts[i].isspace() and texts[i]
    ]


def fields_of_kept(tree: Tree, base_url: str, kept: Mapping[int, str]) -> dict[str, Any]:
    """Return the article's fields from the text nodes that stay and their texts; no text gives no fields."""
    if not kept:
        return {}
    node = common_ancestor(tree, min(kept), max(kept))
    texts = tree.text.copy()
    for lost in range(node, tree.end[node]):
        if tree.tag[lost] == TEXT:
            texts[lost] = kept.get(lost, " ")  # a space, so that the words around it do not grow together
    reading = with_forms_open(tree)
    reading.text = texts
    return article_fields(reading, base_url, node, emptied(tree, node, kept))


def fields_of_node(tree: Tree, base_url: str, node: int) -> dict[str, Any]:
    """Return the article's fields from one subtree, taken whole."""
    return article_fields(with_forms_open(tree), base_url, node)


def common_ancestor(tree: Tree, first: int, last: int) -> int:
    """Return the smallest element around two nodes, `first` not after `last` in the document."""
    node = tree.parent[first]
    while tree.end[node] <= last:
        node = tree.parent[node]
    return node


def emptied(tree: Tree, node: int, kept: Mapping[int, str]) -> frozenset[int]:
    """Return the outermost elements below a node that had visible text and kept none of it."""
    had = [0] * len(tree)
    for index in visible_texts(tree, node):
        had[index] = 1
    had_before = list(accumulate(had, initial=0))
    kept_before = list(accumulate((index in kept for index in range(len(tree))), initial=0))
    lost: list[int] = []
    index, stop, ends = node + 1, tree.end[node], tree.end
    while index < stop:
        end = ends[index]
        if kept_before[end] == kept_before[index] and had_before[end] > had_before[index]:
            lost.append(index)
            index = end
        else:
            index += 1
    return frozenset(lost)


def with_forms_open(tree: Tree) -> Tree:
    """Return a shallow copy in which a form is an ordinary block.

    Some platforms put the whole page into one <form>; read as a form, it would be left out, the article with it.
    """
    reading = copy(tree)
    if "form" in tree.tag:
        reading.tag = ["div" if tag == "form" else tag for tag in tree.tag]
    return reading
