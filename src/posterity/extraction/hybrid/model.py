"""The learned model of article text, two forests and a table of names; the choice of blocks; the weights of fields.

All nodes of one depth of a symmetric tree ask the same question, so a tree is a row of questions, and the answers are
the number of a leaf, bit by bit. A page is a few array operations. Trained by `tools/train_article.py`, which writes
the file that is read here, once.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from posterity.extraction.hybrid.blocks import BlockPage, Blocks, NameTable, Numbers
from posterity.extraction.hybrid.features import context_features, features

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


ARTICLE_WEIGHTS = "article_weights.npz"
SCORE_STEP = 0.04  # scores of names are kept as small whole numbers of this
_ROWS = 512  # at a time, so that a page of any length needs no more memory
_IMPOSSIBLE = 0.004  # blocks that the first look rules out get no second


class Forest:
    """Trees with `depth` questions each: which column, above which value; and what the leaves add."""

    def __init__(self, columns: NDArray[np.intp], borders: Numbers, leaf_values: Numbers, bias: float) -> None:
        trees, self._depth = columns.shape
        # The first questions of all trees, then their second ones; many trees ask the same, which is computed once.
        questions, self._question_of = np.unique(
            np.stack((columns.T.ravel(), borders.T.ravel())), axis=1, return_inverse=True
        )
        self._columns, self._borders = questions[0].astype(np.intp), questions[1].astype(np.float32).reshape(-1, 1)
        self._leaf_values = leaf_values.ravel()
        self._offsets = np.arange(trees, dtype=np.intp).reshape(-1, 1) * leaf_values.shape[1]
        self._bias = np.float32(bias)

    def probabilities(self, table: Numbers) -> Numbers:
        """Return for each row how likely it is article text; quicker where columns lie together in memory."""
        columns = np.ascontiguousarray(table.T)
        parts = [self._sums(columns[:, start : start + _ROWS]) for start in range(0, len(table), _ROWS)]
        found: Numbers = 1 / (1 + np.exp(-np.concatenate(parts), dtype=np.float32))
        return found

    def _sums(self, columns: Numbers) -> Numbers:
        above = (columns.take(self._columns, axis=0) > self._borders).view(np.uint8)
        bits = above.take(self._question_of, axis=0).reshape(self._depth, len(self._offsets), columns.shape[1])
        leaf = bits[0].copy()
        for bit in bits[1:]:
            # Sums of small numbers are several times quicker than shifts of them.
            leaf += leaf
            leaf += bit
        sums: Numbers = self._leaf_values.take(leaf + self._offsets).sum(axis=0, dtype=np.float32) + self._bias
        return sums


class ArticleModel:
    """The whole model as it lies in the package."""

    def __init__(self, weights: Mapping[str, NDArray[np.generic]]) -> None:
        words = bytes(weights["names"]).decode().split("\n")
        scores = (np.asarray(weights["scores"], np.float32) * SCORE_STEP).tolist()
        self.names = NameTable(dict(zip(words, scores, strict=True)))
        self._first, self._second = _forest(weights, "first"), _forest(weights, "second")
        # How often a choice with this expected F1 had a token F1 of .9: two columns, see `article`.
        self.calibration: Numbers = np.asarray(weights["calibration"], np.float32)

    def probabilities(self, page: BlockPage, titles: Sequence[str], summary: str) -> Numbers:
        """Return for each block how likely it belongs to the article."""
        table, _ = features(page, titles, summary)
        found = self._first.probabilities(table)
        context, _ = context_features(page, found)
        possible = found > _IMPOSSIBLE
        if possible.any():
            both = np.concatenate((table.T, context.T))[:, possible].T
            found[possible] = self._second.probabilities(both)
        return found

    def confidence(self, expected: float) -> float:
        """Return the probability that the choice is right, nine words of ten."""
        return round(float(np.interp(expected, self.calibration[0], self.calibration[1])), 3)


def _forest(weights: Mapping[str, NDArray[np.generic]], name: str) -> Forest:
    return Forest(
        np.asarray(weights[f"{name}_columns"], np.intp),
        np.asarray(weights[f"{name}_borders"], np.float32),
        np.asarray(weights[f"{name}_leaves"], np.float32),
        float(weights[f"{name}_bias"]),
    )


@cache
def article_model() -> ArticleModel:
    """Return the model, read from the package the first time."""
    with files(__package__).joinpath(ARTICLE_WEIGHTS).open("rb") as file, np.load(file) as weights:
        return ArticleModel(dict(weights))


_LONG = 40  # characters; what is shorter may rightly stand on a page twice


def chosen_blocks(likely: Numbers, chars: Numbers) -> tuple[NDArray[np.bool_], float]:
    """Return which blocks to take, and the F1 that is to be expected of them."""
    order = np.argsort(-likely, kind="stable")
    weighted = likely * chars
    found, taken = np.cumsum(weighted[order]), np.cumsum(chars[order])
    expected = 2 * found / (taken + weighted.sum())
    best = int(np.argmax(expected))
    chosen = np.zeros(len(likely), bool)
    chosen[order[: best + 1]] = True
    return chosen, float(expected[best])


def drop_repeated(chosen: NDArray[np.bool_], blocks: Blocks) -> None:
    """Take each longer text once: pages carry the same article for wide and for narrow screens.

    What comes again beside itself, in the same element, comes again because its author wrote it twice; so does code.
    """
    tree = blocks.tree
    first: dict[str, int] = {}
    for number in np.flatnonzero(chosen).tolist():
        text, holder = blocks.texts[number], blocks.holder[number]
        if len(text) >= _LONG and tree.tag[holder] != "pre":
            around = tree.parent[holder]
            chosen[number] = first.setdefault(text, around) == around


FIELD_WEIGHTS = "field_weights.json"


@cache
def learned_weights(field: str) -> dict[str, float]:
    """Return the weights of the features of "title", "author" or "date"."""
    return _all_weights()[field]


@cache
def _all_weights() -> dict[str, dict[str, float]]:
    text = files(__package__).joinpath(FIELD_WEIGHTS).read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, float]])
