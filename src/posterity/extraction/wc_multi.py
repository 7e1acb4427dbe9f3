"""Method `wc-multi`: removes what a page shares with another page of its site; the rest is the article.

Web Content Cleaning (document 002), section 2.4. Menus, headers and footers come from templates, so they have the same
structure and text on both pages. Both are walked in parallel (`parting_pairs`); where they differ, the common text is
removed (`clean_lowest_level`, `cut_common`). The modes of Table 3.3 are options (`wc_options`) and combine freely.

Where the thesis leaves a choice:

- The output is the remaining text below the node where the walk began. The thesis converts the nodes at which the
  pages differ one by one; these contain all remaining text, and one record is more readable than several.
- The page to compare with is `context.reference`, else the page of median size of `context.site` (`reference_page`).
  Without either, the page is cleaned alone. A page is never compared with itself.
- `prune` and `fromtarget` together compare the structure of the two target nodes, because these are cleaned.
- `sparse` checks the target node of the page before anything is removed, as in wc-single.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from posterity.dom import Document, Tree
from posterity.dom.tree import TEXT, node_path
from posterity.extraction import wc_density
from posterity.extraction.method import Context
from posterity.extraction.record import fields_of_kept, fields_of_node, visible_texts
from posterity.model import Post, Provenance

SIMILAR_LEVELS = 1  # not in the thesis


class Pair(NamedTuple):
    """A node of the page and its counterpart in the reference page."""

    doc: int
    ref: int


def visible_items(tree: Tree, node: int) -> list[int]:
    """Return the level of a node: its visible child elements and its texts except white space."""
    tags, texts, unseen = tree.tag, tree.text, tree.unseen
    return [
        child for child in tree.children(node) if not unseen[child] and (tags[child] != TEXT or texts[child].strip())
    ]


def is_equal_level(doc_tree: Tree, doc_level: list[int], ref_tree: Tree, ref_level: list[int]) -> bool:
    """Return whether two levels have the same sequence of tags and text nodes."""
    if len(doc_level) != len(ref_level):
        return False
    return all(doc_tree.tag[doc] == ref_tree.tag[ref] for doc, ref in zip(doc_level, ref_level, strict=True))


def parting_pairs(doc_tree: Tree, doc_node: int, ref_tree: Tree, ref_node: int) -> Iterator[Pair]:
    """Yield, in document order, the pairs at which the parallel walk ends: two texts, or elements that differ."""
    stack = [Pair(doc_node, ref_node)]
    while stack:
        pair = stack.pop()
        if doc_tree.tag[pair.doc] == TEXT:
            yield pair
            continue
        doc_level, ref_level = visible_items(doc_tree, pair.doc), visible_items(ref_tree, pair.ref)
        if is_equal_level(doc_tree, doc_level, ref_tree, ref_level):
            stack += map(Pair, reversed(doc_level), reversed(ref_level))
        else:
            yield pair


def is_similar_by_child_count(
    doc_tree: Tree, doc_node: int, ref_tree: Tree, ref_node: int, levels: int = SIMILAR_LEVELS
) -> bool:
    """Return whether two nodes have the same numbers of visible items on the first levels below them."""
    pairs = [Pair(doc_node, ref_node)]
    for _ in range(levels):
        below: list[Pair] = []
        for pair in pairs:
            doc_level, ref_level = visible_items(doc_tree, pair.doc), visible_items(ref_tree, pair.ref)
            if len(doc_level) != len(ref_level):
                return False
            below += map(Pair, doc_level, ref_level)
        pairs = below
    return True


MIN_WORDS = 2  # the shortest phrases the thesis names: "posted by", "send mail"
_WORD = re.compile(r"\S+")


def common_parts(doc_str: str, ref_words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans of `doc_str` that the other text has at the same edge, as start and end positions.

    The other text is given as words, so that a text compared with many others is split once.
    """
    matches = list(_WORD.finditer(doc_str))
    doc_words = [match.group() for match in matches]
    most = min(len(doc_words), len(ref_words))
    before = _count_shared(doc_words, ref_words, most, from_end=False)
    after = _count_shared(doc_words, ref_words, most - before, from_end=True)
    if before + after == len(doc_words) or doc_words == ref_words:
        return [(matches[0].start(), matches[-1].end())] if matches else []
    parts = [(matches[0].start(), matches[before].start())] if before else []
    return [*parts, (matches[-after - 1].end(), matches[-1].end())] if after else parts


def without(text: str, parts: list[tuple[int, int]]) -> str:
    """Return the text without these spans."""
    kept, position = [], 0
    for start, end in parts:
        kept.append(text[position:start])
        position = end
    return "".join([*kept, text[position:]])


def edges(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return keys such that two texts have a common part iff they share a key; that of the whole text comes first."""
    keys: list[tuple[str, ...]] = [("whole", *words)] if words else []
    if len(words) >= MIN_WORDS:
        keys += [("first", *words[:MIN_WORDS]), ("last", *words[-MIN_WORDS:])]
    return keys


def _count_shared(left: Sequence[str], right: Sequence[str], most: int, *, from_end: bool) -> int:
    """Return how many words the lists share at one edge, or 0 if there are fewer than `MIN_WORDS`."""
    count = 0
    while count < most and left[edge := -count - 1 if from_end else count] == right[edge]:
        count += 1
    return count if count >= MIN_WORDS else 0


# The remaining text nodes of the page, with the rest of their texts.
Kept: TypeAlias = "dict[int, str]"
_Key: TypeAlias = "tuple[str, ...]"


def clean_lowest_level(doc_tree: Tree, doc_list: list[int], ref_tree: Tree, ref_list: list[int], kept: Kept) -> None:
    """Remove from `kept` the texts that the two lists of items share."""
    places = _places(ref_tree, ref_list)
    j = 0
    for doc in doc_list:
        k = min(
            (k for key in _shareable(doc_tree, doc) if (k := _first_from(places.get(key), j)) is not None), default=None
        )
        if k is None:
            continue
        _delete_equal_parts(doc_tree, doc, ref_tree, ref_list[k], kept)
        j = k + 1


def cut_common(doc_tree: Tree, doc: int, ref_words: list[str], kept: Kept) -> None:
    """Remove from `kept` the parts that a text of the page shares with one of the reference page."""
    text = doc_tree.text[doc]
    rest = without(text, common_parts(text, ref_words))
    if rest.strip():
        kept[doc] = rest
    else:
        kept.pop(doc, None)


def _delete_equal_parts(doc_tree: Tree, doc: int, ref_tree: Tree, ref: int, kept: Kept) -> None:
    words_of = {node: ref_tree.text[node].split() for node in visible_texts(ref_tree, ref)}
    first_with: dict[_Key, int] = {}
    for node, words in words_of.items():
        for key in edges(words):
            first_with.setdefault(key, node)
    for node in visible_texts(doc_tree, doc):
        whole, *partial = edges(doc_tree.text[node].split())
        partner = first_with.get(whole)
        if partner is None:
            partner = min((first_with[key] for key in partial if key in first_with), default=None)
        if partner is not None:
            cut_common(doc_tree, node, words_of[partner], kept)


def _places(tree: Tree, items: list[int]) -> dict[_Key, list[int]]:
    """Return for each shareable key the ascending positions of the items with it."""
    places: dict[_Key, list[int]] = defaultdict(list)
    for position, item in enumerate(items):
        for key in _shareable(tree, item):
            places[key].append(position)
    return places


def _shareable(tree: Tree, item: int) -> Iterator[_Key]:
    """Yield keys such that two items of the same tag share text iff they share a key."""
    tag = tree.tag[item]
    for node in visible_texts(tree, item):
        for key in edges(tree.text[node].split()):
            yield (tag, *key)


def _first_from(positions: list[int] | None, least: int) -> int | None:
    if not positions:
        return None
    found = bisect_left(positions, least)
    return positions[found] if found < len(positions) else None


def middle(sizes: Sequence[int]) -> int | None:
    """Return the index of the entry of median size, or None if there are no entries."""
    by_size = sorted(range(len(sizes)), key=sizes.__getitem__)
    return by_size[len(by_size) // 2] if by_size else None


def reference_page(pages: Sequence[Document], cleaned: Document | None = None) -> Document | None:
    """Return the page of median size except the page to clean, or None if there is no other.

    This measures every page; to clean a whole site, call it once and pass the result on.
    """
    others = [page for page in pages if cleaned is None or not is_same_page(page, cleaned)]
    found = middle([page.count("*") for page in others])
    return None if found is None else others[found]


def is_same_page(left: Document, right: Document) -> bool:
    """Return whether two documents are the same object or have the same URL."""
    return left is right or bool(left.url and left.url == right.url)


CONFIDENCE = 0.66  # F-score of WCC without modes on the Silver standard, Table 3.3
SINGLE_CONFIDENCE = 0.63  # of WCC1 on the same pages, Table 3.2


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the post; nothing if no text is left, or if the page is sparse and `sparse` is set."""
    options = wc_density.wc_options(context.options)
    found = wc_density.statistics(document.tree)
    target = wc_density.target_node(document.tree, found)
    if not found.chars[target] or (options.sparse and wc_density.is_sparse(found, target)):
        return ()
    reference = None if options.singlemode else _reference(document, context)
    if reference is None:
        mode = "single mode" if options.singlemode else "no reference page"
        return _cleaned_alone(document, target, found, options, mode)
    doc_node, ref_node = _beginnings(document.tree, reference.tree, target, options)
    if options.prune and not is_similar_by_child_count(document.tree, doc_node, reference.tree, ref_node):
        return _cleaned_alone(document, target, found, options, "unlike the reference page")
    kept = diff_clean(document.tree, doc_node, reference.tree, ref_node)
    left = sum(map(len, kept.values()))
    provenance = Provenance(
        method="wc-multi",
        rule=f"{document.tree.path(doc_node)}: {left} of {found.chars[doc_node]} characters not in the reference page",
        node=node_path(document.tree, doc_node),
        confidence=CONFIDENCE,
    )
    return wc_density.post_of(document, fields_of_kept(document.tree, document.base_url, kept), provenance, options)


def diff_clean(doc_tree: Tree, doc_node: int, ref_tree: Tree, ref_node: int) -> Kept:
    """Return the texts below the page's node without the parts they share with the reference page's node."""
    kept: Kept = {node: doc_tree.text[node] for node in visible_texts(doc_tree, doc_node)}
    for pair in parting_pairs(doc_tree, doc_node, ref_tree, ref_node):
        if doc_tree.tag[pair.doc] == TEXT:
            cut_common(doc_tree, pair.doc, ref_tree.text[pair.ref].split(), kept)
        else:
            doc_list, ref_list = visible_items(doc_tree, pair.doc), visible_items(ref_tree, pair.ref)
            clean_lowest_level(doc_tree, doc_list, ref_tree, ref_list, kept)
    return kept


def _reference(document: Document, context: Context) -> Document | None:
    if context.reference is not None and not is_same_page(context.reference, document):
        return context.reference
    return reference_page(context.site, document)


def _beginnings(tree: Tree, ref_tree: Tree, target: int, options: wc_density.WcOptions) -> tuple[int, int]:
    """Return the nodes at which the walk starts in both pages."""
    if options.fromtarget:
        return target, wc_density.target_node(ref_tree, wc_density.statistics(ref_tree))
    return wc_density.body_of(tree), wc_density.body_of(ref_tree)


def _cleaned_alone(
    document: Document, target: int, found: wc_density.Statistics, options: wc_density.WcOptions, why: str
) -> tuple[Post, ...]:
    rule = f"{why}, so cleaned alone: {document.tree.path(target)}, {found.density(target):.1f} characters a tag"
    node = node_path(document.tree, target)
    provenance = Provenance(method="wc-multi", rule=rule, node=node, confidence=SINGLE_CONFIDENCE)
    return wc_density.post_of(document, fields_of_node(document.tree, document.base_url, target), provenance, options)
