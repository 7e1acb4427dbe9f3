"""The article of a page without rules: the node that holds it, and what inside that node is not part of it.

Every block of text is judged by a small model (`model`), twice: by itself and its place, then by what was found
around it. The blocks with the highest expected F1 are the article (`model.chosen_blocks`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from posterity.classify.page_kind import is_thread
from posterity.extraction.hybrid.adjustments import (
    declares_another_kind,
    exclude_comments,
    lower_outside_titled_part,
    lower_theme_lines,
    names_a_body,
    pull_to_even_odds,
    raise_named_body,
    smooth_by_kind,
)
from posterity.extraction.hybrid.blocks import KIND_NAMES, BlockPage, Blocks, Numbers
from posterity.extraction.hybrid.model import article_model, chosen_blocks, drop_repeated
from posterity.model import OddsChange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from posterity.dom import Document, Tree


# Parts whose pictures are icons, faces or other people's: named so, they are no pictures of the article.
_ICONS = frozenset(
    KIND_NAMES.index(kind)
    for kind in ("comment", "side", "navigation", "foot", "share", "related", "about", "advert", "sign_up", "notice")
)


class Cut:
    """The blocks of a page divided into kept and lost ones."""

    def __init__(self, blocks: Blocks, kept: Sequence[bool]) -> None:
        self._blocks, self._tree, self._kept = blocks, blocks.tree, kept
        self._kept_before = list(accumulate(kept, initial=0))
        self.node = self._smallest()
        self.left_out = frozenset(self._lost_texts() | self._lost_pictures())

    def _keeps(self, node: int) -> int:
        """How many blocks of an element are kept."""
        before, ends = self._blocks.before, self._tree.end
        return self._kept_before[before[ends[node]]] - self._kept_before[before[node]]

    def _smallest(self) -> int:
        """The smallest element around all that is kept, with wrappers that add pictures at most."""
        blocks, tree = self._blocks, self._tree
        numbers = [number for number, kept in enumerate(self._kept) if kept]
        last = blocks.spots[numbers[-1]][-1]
        node = blocks.holder[numbers[0]]
        while tree.end[node] <= last:
            node = tree.parent[node]
        before, ends = blocks.before, tree.end
        wide = before[ends[node]] - before[node]
        while (around := tree.parent[node]) > 0 and tree.tag[around] != "body":
            if before[ends[around]] - before[around] != wide:
                break
            node = around
        return node

    def _lost_texts(self) -> set[int]:
        """The largest elements below the node that have words and keep none, else single texts."""
        blocks, tree = self._blocks, self._tree
        lost: set[int] = set()
        passed = first = blocks.before[self.node]
        for number in range(first, blocks.before[tree.end[self.node]]):
            if self._kept[number] or number < passed:
                continue
            element = blocks.holder[number]
            if self._keeps(element) or element <= self.node:
                lost.update(self._largest_inline(spot, element) for spot in blocks.spots[number])
                continue
            while (around := tree.parent[element]) > self.node and not self._keeps(around):
                element = around
            lost.add(element)
            passed = blocks.before[tree.end[element]]
        return lost

    def _largest_inline(self, spot: int, holder: int) -> int:
        """The largest element around a text that is in one block with it: a <font> may hold all blocks of a page."""
        parents = self._tree.parent
        while (around := parents[spot]) != holder and around > self.node and not self._keeps(around):
            spot = around
        return spot

    def _lost_pictures(self) -> set[int]:
        """Elements without words that are named after something else than the article, such as a row of share icons."""
        tree, kinds = self._tree, self._blocks.kinds
        around = kinds[self.node]
        lost: set[int] = set()
        for node in range(self.node + 1, tree.end[self.node]):
            if tree.tag[node] != "img":
                continue
            for bit, named in kinds[node].items():
                if bit in _ICONS and named > around.get(bit, self.node) and not self._keeps(named):
                    lost.add(named)
        return lost


def path_with_names(tree: Tree, node: int) -> str:
    """Return the path of an element, its id or classes behind it, for people who ask why."""
    attrs = tree.attrs[node]
    name = f"#{attrs['id']}" if attrs.get("id") else "".join(f".{token}" for token in tree.classes(node)[:3])
    return f"{tree.path(node)} {name}".strip()


_DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description"})
_TITLES = frozenset({"og:title", "twitter:title"})
_NO_CHANGE = 0.01  # in logits
_NEARLY_SURE = 1e-6  # so that odds are numbers
_STEP_NAMES: dict[Callable[..., None], str] = {
    pull_to_even_odds: "thread or page that declares another kind: nearer to even odds",
    smooth_by_kind: "blocks in elements of the same kind",
    exclude_comments: "comments excluded",
    raise_named_body: "element named as the body of an article",
    lower_outside_titled_part: "part below the title",
    lower_theme_lines: "lines that themes add",
}


class Article(msgspec.Struct, frozen=True, kw_only=True):
    """A node of the document's tree, the nodes below it that are left out, and how sure that is."""

    node: int
    left_out: frozenset[int] = frozenset()
    confidence: float
    why: str
    # What changed the odds of its blocks, where somebody asked.
    trace: tuple[OddsChange, ...] = ()


def article_on(document: Document, *, explain: bool = False) -> Article | None:
    """Return the article of the page, or None when the page has no text."""
    tree, model = document.tree, article_model()
    blocks = Blocks(tree, model.names)
    if not len(blocks):
        return None
    page = BlockPage(blocks)
    titles, summary = declared_texts(tree)
    likely = model.probabilities(page, titles, summary)
    thread, other = is_thread(document), declares_another_kind(document)
    trace = OddsTrace(page.chars) if explain else None
    chosen, expected = article_blocks(page, likely, titles, thread=thread, other=other, trace=trace)
    cut = Cut(blocks, chosen.tolist())
    why = f"{path_with_names(tree, cut.node)}, {int(chosen.sum())} of {len(blocks)} blocks"
    return Article(
        node=cut.node,
        left_out=cut.left_out,
        confidence=model.confidence(expected),
        why=why,
        trace=trace.changes(chosen) if trace is not None else (),
    )


class OddsTrace:
    """The probabilities of all blocks after the model and after each adjustment, for people who ask why."""

    def __init__(self, chars: Numbers) -> None:
        self._chars = chars
        self._states: list[tuple[str, Numbers]] = []

    def add(self, name: str, likely: Numbers) -> None:
        """Keep the probabilities as they are after this step."""
        self._states.append((name, likely.copy()))

    def changes(self, chosen: NDArray[np.bool_]) -> tuple[OddsChange, ...]:
        """Return by how much each step raised the odds of the chosen blocks against the others, in order."""
        changes: list[OddsChange] = []
        before, taken_before = 0.0, None
        for name, likely in self._states:
            taken, _ = chosen_blocks(likely, self._chars)
            advantage = self._advantage(likely, chosen)
            moved = 0 if taken_before is None else int((taken != taken_before).sum())
            if moved or abs(advantage - before) > _NO_CHANGE:
                reason = f"{name}, {moved} of {len(taken)} blocks change sides" if moved else name
                changes.append(OddsChange(reason, round(math.exp(advantage - before), 4)))
            before, taken_before = advantage, taken
        return tuple(changes)

    def _advantage(self, likely: Numbers, chosen: NDArray[np.bool_]) -> float:
        """The mean logit of the chosen blocks minus that of the others, each weighted by its characters."""
        bounded = np.clip(likely.astype(float), _NEARLY_SURE, 1 - _NEARLY_SURE)
        logits = np.log(bounded / (1 - bounded))
        parts = [np.average(logits[part], weights=self._chars[part]) for part in (chosen, ~chosen) if part.any()]
        return float(parts[0] - (parts[1] if len(parts) > 1 else 0.0))


def article_blocks(
    page: BlockPage,
    likely: Numbers,
    titles: Sequence[str],
    *,
    thread: bool,
    other: bool,
    trace: OddsTrace | None = None,
) -> tuple[NDArray[np.bool_], float]:
    """Return which blocks are the article, and the F1 to be expected; `likely` are the model's probabilities.

    On a `thread` of a forum the messages are the content, elsewhere they are comments. An `other` page declares itself
    to be no article.
    """
    steps: list[Callable[[BlockPage, Numbers], None]] = [smooth_by_kind, raise_named_body, lower_theme_lines]
    if not thread:
        steps.insert(1, exclude_comments)
        steps.insert(3, partial(lower_outside_titled_part, titles=titles))
    if thread or (other and not names_a_body(page)):
        steps.insert(0, pull_to_even_odds)
    if trace is not None:
        trace.add("the model", likely)
    for adjust in steps:
        adjust(page, likely)
        if trace is not None:
            trace.add(_STEP_NAMES[getattr(adjust, "func", adjust)], likely)
    chosen, expected = chosen_blocks(likely, page.chars)
    drop_repeated(chosen, page.blocks)
    return chosen, expected


def declared_texts(tree: Tree) -> tuple[list[str], str]:
    """Return the titles and the summary that the page's head declares."""
    titles, summaries = [], []
    for node, tag in enumerate(tree.tag):
        if tag == "body":
            break
        if tag == "title":
            titles.append(tree.plain(node))
        elif tag == "meta":
            attrs = tree.attrs[node]
            name = (attrs.get("property") or attrs.get("name") or "").lower()
            if name in _TITLES:
                titles.append(attrs.get("content") or "")
            elif name in _DESCRIPTIONS:
                summaries.append(attrs.get("content") or "")
    return titles, " ".join(summaries).lower()
