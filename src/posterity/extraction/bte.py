"""Method `bte`: the section of a page with the most words inside it and the most tags outside it.

Body Text Extraction of Finn, Kushmerick and Smyth as document 002 gives it in section 1.2. The page is a sequence B
of N tokens, 0 for a word and 1 for a tag, and the article runs from token i to token j where

    T(i, j) = sum of B_n for n < i  +  sum of (1 - B_n) for i <= n <= j  +  sum of B_n for n > j

is greatest. Trying every pair and adding up each time is cubic. But the first and last sums together are all tags
minus those inside, so

    T(i, j) = (number of tags in the page)  +  sum of (1 - 2 B_n) for i <= n <= j

and only the last sum depends on i and j: it is the stretch with the greatest sum in a sequence of +1 (word) and -1
(tag), which one pass finds. With S_n the sum of the first n tokens, the sum of a stretch is S_(j+1) - S_i: at every
j the best i is where S was smallest so far. A stretch that begins or ends inside a text node gets better by taking
in the rest of its words, so it is enough to look at whole text nodes.

Where the text leaves a choice:

- Ties. The stretch is described as the one with the fewest tags inside, so among equal T the fewest tags win, then
  the first in the page.
- Tags. An element counts as two tags, its start and its end, whether or not the source wrote the end; an element
  that has no end (<br>, <img>) counts as one. The tree is the browser's, as it was TagSoup's there.
- Precleaning (section 2.1) drops scripts, styles and comments before anything is counted. Whatever else a browser
  never shows as text goes with them, and so does the head: only the body is read.
- Words are what is between white space. A script written without spaces gives few words and many tags; the
  paper has no remedy for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from posterity.dom.tree import TEXT, node_path
from posterity.extraction.record import common_ancestor, fields_of_kept, post_from
from posterity.model import Post, Provenance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.dom import Document, Tree
    from posterity.extraction.method import Context

CONFIDENCE = 0.83  # F-score of BTE on the CleanEval Gold standard, Table 3.1
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)


class Run(NamedTuple):
    """A text node: how many tags are between it and the one before, and how many words it holds (one or more)."""

    node: int
    tags: int
    words: int


class TokenSpan(NamedTuple):
    """From the text node of run `i` to that of run `j`, both in it; `gain` is words inside minus tags inside."""

    i: int
    j: int
    gain: int


def posts(document: Document, context: Context) -> tuple[Post, ...]:  # noqa: ARG001 (the interface of all methods)
    """Return the post made of the best stretch, or nothing from a page without a word."""
    tree = document.tree
    runs = token_runs(tree)
    stretch = best_stretch(runs)
    if stretch is None:
        return ()
    kept = {run.node: tree.text[run.node] for run in runs[stretch.i : stretch.j + 1]}
    fields = fields_of_kept(tree, document.base_url, kept)
    if not fields["text"]:
        return ()
    rule = f"text {stretch.i + 1} to {stretch.j + 1} of {len(runs)}: {stretch.gain} more words than tags"
    node = node_path(tree, common_ancestor(tree, min(kept), max(kept)))
    provenance = Provenance(method="bte", rule=rule, node=node, confidence=CONFIDENCE)
    return (post_from(document, fields, {"text": provenance}),)


def token_runs(tree: Tree) -> list[Run]:
    """Return the body as tags and words, counted per text node; tags after the last text are left out."""
    tags, ends, texts, unseen = tree.tag, tree.end, tree.text, tree.unseen
    start = tags.index("body") if "body" in tags else 0
    closing = [0] * (len(tree) + 1)
    runs: list[Run] = []
    passed = 0
    for node in range(start, ends[start]):
        passed += closing[node]
        if unseen[node]:
            continue
        if tags[node] != TEXT:
            passed += 1
            closing[ends[node]] += tags[node] not in _VOID
        elif words := len(texts[node].split()):
            runs.append(Run(node, passed, words))
            passed = 0
    return runs


def best_stretch(runs: Sequence[Run]) -> TokenSpan | None:
    """Return the stretch with the greatest T, in one pass, or None when there is no word at all."""
    total = lowest = 0  # S before the current run, and its smallest value so far
    start = start_tags = tags = 0
    best: TokenSpan | None = None
    best_tags = 0
    for index, run in enumerate(runs):
        total -= run.tags
        tags += run.tags
        if index == 0 or total <= lowest:
            lowest, start, start_tags = total, index, tags
        total += run.words
        gain, inside = total - lowest, tags - start_tags
        if best is None or (gain, -inside) > (best.gain, -best_tags):
            best, best_tags = TokenSpan(start, index, gain), inside
    return best
