"""The second look at every block: what the first look found around it, in its containers and in elements of its kind.

A short line or a list item says little by itself. Whether its neighbours, its container and the other elements of its
kind are article says much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posterity.extract.hybrid.block_features import shift_into
from posterity.extract.hybrid.block_page import LEVELS

if TYPE_CHECKING:
    from posterity.extract.hybrid.block_page import Page
    from posterity.extract.hybrid.block_surroundings import Numbers

_NEAR = (-3, -2, -1, 1, 2, 3)
_WINDOWS = (3, 8)
CONTEXT_COLUMNS = (
    "first", "logit", *(f"{name}_{level}" for level in range(LEVELS) for name in ("density", "mass")),
    *(f"first_{shift:+d}" for shift in _NEAR), "mass_until", "mass_before",
    *(f"{side}_{window}" for window in _WINDOWS for side in ("left", "right")),
    "same_kind", "same_kind_count", "highest", "page_mass",
)  # fmt: skip
_ROW = {name: row for row, name in enumerate(CONTEXT_COLUMNS)}


def context_features(page: Page, first: Numbers) -> tuple[Numbers, list[str]]:
    """Return a row per block from the first look's probabilities, and the names of the columns."""
    weighted = first * page.chars
    mass, chars = page.sums(weighted), page.sums(page.chars)
    total = max(float(weighted.sum()), 1e-3)
    count = len(first)
    table = np.empty((len(CONTEXT_COLUMNS), count), np.float32)
    table[_ROW["first"]], table[_ROW["logit"]] = first, np.log((first + 1e-3) / (1 - first + 1e-3))
    inside = page.within(mass, page.chain)
    around = table[_ROW["density_0"] :][: 2 * LEVELS]
    around[::2], around[1::2] = inside / np.maximum(page.within(chars, page.chain), 1), inside / total
    for row, shift in enumerate(_NEAR, _ROW[f"first_{_NEAR[0]:+d}"]):
        shift_into(table[row], first, shift)
    table[_ROW["mass_until"]] = np.cumsum(weighted) / total
    table[_ROW["mass_before"]] = table[_ROW["mass_until"]] - weighted / total
    here = np.arange(count)
    for window in _WINDOWS:
        low, high = np.maximum(here - window, 0), np.minimum(here + 1 + window, count)
        table[_ROW[f"left_{window}"]] = (mass[here] - mass[low]) / np.maximum(chars[here] - chars[low], 1)
        table[_ROW[f"right_{window}"]] = (mass[high] - mass[here + 1]) / np.maximum(chars[high] - chars[here + 1], 1)
    kind = page.alike
    density = np.bincount(kind, weighted) / np.maximum(np.bincount(kind, page.chars), 1)
    table[_ROW["same_kind"]] = density[kind]
    table[_ROW["same_kind_count"]] = np.log1p(np.bincount(kind)[kind])
    table[_ROW["highest"]] = first.max()
    table[_ROW["page_mass"]] = np.log1p(total)
    return table.T, list(CONTEXT_COLUMNS)
