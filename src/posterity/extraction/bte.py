"""Method `bte`: the section of a page with the most words inside it and the most tags outside it.

Body Text Extraction of Finn, Kushmerick and Smyth as document 002 gives it in section 1.2. The page is a sequence B
of N tokens, 0 for a word and 1 for a tag, and the article runs from token i to token j where

    T(i, j) = sum of B_n for n < i  +  sum of (1 - B_n) for i <= n <= j  +  sum of B_n for n > j

is greatest. Summing for every pair is cubic. But the first and last sums together are all tags minus those inside, so

    T(i, j) = (number of tags in the page)  +  sum of (1 - 2 B_n) for i <= n <= j

and only the last sum depends on i and j: this is the subarray with the greatest sum in a sequence of +1 (word) and -1
(tag), which one pass finds. With S_n the sum of the first n tokens, the sum of a span is S_(j+1) - S_i: for every j
the best i is where S was smallest so far. A span that starts or ends inside a text node improves with the rest of its
words, so only whole text nodes need to be considered.

Where the paper leaves a choice:

- Ties. The paper describes the span with the fewest tags inside, so among equal T the fewest tags win, then the first
  in the page.
- Tags. An element counts as two tags, its start and its end, even if the source omits the end; a void element (<br>,
  <img>) counts as one. The tree is the browser's; the paper's was TagSoup's.
- Precleaning (section 2.1) drops scripts, styles and comments before counting. Other elements that are never rendered
  are dropped too, and so is the head: only the body is read.
- Words are separated by white space. A script written without spaces has few words and many tags; the paper offers no
  solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from posterity.dom import Document, Tree
from posterity.dom.tree import TEXT, node_path
from posterity.extraction.method import Context
from posterity.extraction.record import common_ancestor, fields_of_kept, post_from
from posterity.model import Post, Provenance

CONFIDENCE = 0.83  # F-score of BTE on the CleanEval Gold standard, Table 3.1
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)


class Run(NamedTuple):
    """A text node: the number of tags since the previous one, and its number of words (at least one)."""

    node: int
    tags: int
    words: int


class TokenSpan(NamedTuple):
    """The text nodes from run `i` to run `j`, both included; `gain` is words inside minus tags inside."""

    i: int
    j: int
    gain: int


def posts(document: Document, context: Context) -> tuple[Post, ...]:  # noqa: ARG001 (the interface of all methods)
    """Return the post made of the best span, or nothing for a page without words."""
    tree = document.tree
    runs = token_runs(tree)
    span = best_span(runs)
    if span is None:
        return ()
    kept = {run.node: tree.text[run.node] for run in runs[span.i : span.j + 1]}
    fields = fields_of_kept(tree, document.base_url, kept)
    if not fields["text"]:
        return ()
    rule = f"text {span.i + 1} to {span.j + 1} of {len(runs)}: {span.gain} more words than tags"
    node = node_path(tree, common_ancestor(tree, min(kept), max(kept)))
    provenance = Provenance(method="bte", rule=rule, node=node, confidence=CONFIDENCE)
    return (post_from(document, fields, {"text": provenance}),)


def token_runs(tree: Tree) -> list[Run]:
    """Return the words and preceding tags of each text node in the body; tags after the last text are dropped."""
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


def best_span(runs: Sequence[Run]) -> TokenSpan | None:
    """Return the span with the greatest T, in one pass, or None if there are no words."""
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
