"""What two distinct levels share is taken out of the page: Algorithm 2 of document 002, `diffCleanLowestLevel`.

The algorithm maps items of the page onto items of the reference page, in order: for each item of the page, the
first item of the reference page after the last one used that has the same tag (or is a text as well) and shares any
part of text. The shared parts are deleted. Trying every item against every other is quadratic, and each trial reads
two subtrees; here the reference page's items are listed once under the texts that they can share, and "the first
after the last used" is a look-up. The outcome is the same.

Where the text leaves a choice:

- What items share. Two texts: a common beginning or end, or all (`wc_strings`). Two elements: what a text somewhere
  inside one shares with a text somewhere inside the other (`deleteEqualNodes`), an equal one if there is, else the
  first. Below a distinct level positions have shifted, so they are not compared.
- A text that stands once in the reference page's item and several times in the page's goes every time: it is
  repeated, whatever the count.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from posterity.extract.kept_text import visible_texts
from posterity.extract.wc_strings import common_parts, edges, without

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.dom import Tree

# The text nodes of the page that are still there, with what is left of each.
Kept: TypeAlias = "dict[int, str]"
_Key: TypeAlias = "tuple[str, ...]"


def clean_lowest_level(doc_tree: Tree, doc_list: list[int], ref_tree: Tree, ref_list: list[int], kept: Kept) -> None:
    """Take out of `kept` what the two lists of items share."""
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
    """Take the parts that a text of the page shares with a text of the reference page out of `kept`."""
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
    """Return for each thing that can be shared the positions, rising, of the items that have it."""
    places: dict[_Key, list[int]] = defaultdict(list)
    for position, item in enumerate(items):
        for key in _shareable(tree, item):
            places[key].append(position)
    return places


def _shareable(tree: Tree, item: int) -> Iterator[_Key]:
    """Yield keys such that two items of the same kind share text exactly when they have one in common."""
    tag = tree.tag[item]
    for node in visible_texts(tree, item):
        for key in edges(tree.text[node].split()):
            yield (tag, *key)


def _first_from(positions: list[int] | None, least: int) -> int | None:
    if not positions:
        return None
    found = bisect_left(positions, least)
    return positions[found] if found < len(positions) else None
