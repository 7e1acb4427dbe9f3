"""The second look at every block: what the first look found around it, in its containers and in elements of its kind.

A short line or a list item says little by itself. Whether its neighbours, its container and the other elements of its
kind are article says much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posterity.extract.hybrid.block_features import LEVELS, shifted

if TYPE_CHECKING:
    from posterity.extract.hybrid.block_features import Indices, Numbers, Page

_NEAR = (-3, -2, -1, 1, 2, 3)
_WINDOWS = (3, 8)


def context_features(page: Page, first: Numbers) -> tuple[Numbers, list[str]]:
    """Return a row per block from the first look's probabilities, and the names of the columns."""
    weighted = first * page.chars
    mass, chars = page.sums(weighted), page.sums(page.chars)
    total = max(float(weighted.sum()), 1e-3)
    count = len(first)
    columns: dict[str, Numbers] = {"first": first, "logit": np.log((first + 1e-3) / (1 - first + 1e-3))}
    for level in range(LEVELS):
        inside = page.within(mass, page.chain[level])
        columns[f"density_{level}"] = inside / np.maximum(page.within(chars, page.chain[level]), 1)
        columns[f"mass_{level}"] = inside / total
    columns |= {f"first_{shift:+d}": shifted(first, shift) for shift in _NEAR}
    columns["mass_until"] = np.cumsum(weighted) / total
    columns["mass_before"] = columns["mass_until"] - weighted / total
    here = np.arange(count)
    for window in _WINDOWS:
        low, high = np.maximum(here - window, 0), np.minimum(here + 1 + window, count)
        columns[f"left_{window}"] = (mass[here] - mass[low]) / np.maximum(chars[here] - chars[low], 1)
        columns[f"right_{window}"] = (mass[high] - mass[here + 1]) / np.maximum(chars[high] - chars[here + 1], 1)
    kind = _kinds_of_element(page)
    density = np.bincount(kind, weighted) / np.maximum(np.bincount(kind, page.chars), 1)
    columns["same_kind"] = density[kind].astype(np.float32)
    columns["same_kind_count"] = np.log1p(np.bincount(kind)[kind]).astype(np.float32)
    columns["highest"] = np.full(count, first.max(), np.float32)
    columns["page_mass"] = np.full(count, np.log1p(total), np.float32)
    return np.column_stack(list(columns.values())).astype(np.float32), list(columns)


def _kinds_of_element(page: Page) -> Indices:
    """Return a number for each block, the same for blocks whose element and parent have the same tags and classes."""
    tree = page.blocks.tree
    tags, attrs, parents = tree.tag, tree.attrs, tree.parent
    known: dict[tuple[str, str | None, str, str | None], int] = {}
    numbers = []
    for holder in page.blocks.holder:
        around = max(parents[holder], 0)
        kind = (tags[holder], attrs[holder].get("class"), tags[around], attrs[around].get("class"))
        numbers.append(known.setdefault(kind, len(known)))
    return np.array(numbers, np.intp)
