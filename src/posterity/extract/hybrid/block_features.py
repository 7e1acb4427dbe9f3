"""What is known of every block, as a table of numbers: its text, its place, its surroundings, its neighbours.

Sums over any element are differences of running sums over blocks, so an element of any size costs the same. The table
has a row for each thing known and a column for each block while it is filled: whole rows are written at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posterity.extract.hybrid.block_kinds import KIND_NAMES, WANTED_KINDS
from posterity.extract.hybrid.block_page import LEVELS, Page
from posterity.extract.hybrid.block_tags import PLACES
from posterity.extract.hybrid.block_text_signs import TEXT_SIGNS, Characters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.extract.hybrid.block_surroundings import Numbers

_NAMED_LEVELS = 5  # of them, those whose names and beginnings are told apart
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_TITLE_BITS = sum(1 << PLACES.index(tag) for tag in _HEADINGS[:4])
_H1 = 1 << PLACES.index("h1")
_SHARED_KINDS = (*range(WANTED_KINDS), KIND_NAMES.index("comment"))  # whose share of the page is told
_OF_NEIGHBOURS = ("letters", "linked", "ends_sentence", "share_1", "names_sum", "in_p", "said")
_NEAR = (-2, -1, 1, 2)
_WIDE = ("share", "linked", "sentences")  # of all levels
_WIDER = ("paragraphs", "mean", "blocks", "place")  # of all but the innermost
COLUMNS = (
    *TEXT_SIGNS, "letters", "linked", "word_length",
    "place", "chars_before", "chars_after", "blocks_after", "from_title", "chars_from_title", "summarised",
    "page_chars", "page_linked", "page_blocks",
    *(f"in_{tag}" for tag in PLACES), "pictures_before",
    *(f"called_{kind}" for kind in KIND_NAMES), "unwanted_inside", "bodies",
    *(f"page_{KIND_NAMES[kind]}" for kind in _SHARED_KINDS),
    "names_sum", "names_worst", "names_best", *(f"names_{level}" for level in range(1, _NAMED_LEVELS)),
    *(f"{name}_0" for name in _WIDE), *(f"{name}_{level}" for level in range(1, LEVELS) for name in _WIDE + _WIDER),
    "said", "heading_said", "since_heading", "again", *(f"begins_{level}" for level in range(1, _NAMED_LEVELS)),
    *(f"{name}_{shift:+d}" for name in _OF_NEIGHBOURS for shift in _NEAR),
)  # fmt: skip
_ROW = {name: row for row, name in enumerate(COLUMNS)}


def features(page: Page, titles: Sequence[str], summary: str) -> tuple[Numbers, list[str]]:
    """Return a row per block, and the names of the columns."""
    table = np.empty((len(COLUMNS), len(page.blocks)), np.float32)
    characters = Characters(page.blocks.texts)
    _tell_texts(page, characters, table)
    _tell_positions(page, titles, table)
    told = characters.share_in(set(summary.split()))
    table[_ROW["summarised"]] = -1.0 if told is None else told
    _tell_places(page, table)
    _tell_kinds(page, table)
    _tell_names(page, table)
    _tell_levels(page, table)
    _tell_labels(page, table)
    _tell_neighbours(table)
    return table.T, list(COLUMNS)


def _tell_texts(page: Page, characters: Characters, table: Numbers) -> None:
    chars, words = page.chars, table[_ROW["words"]]
    table[: len(TEXT_SIGNS)] = characters.signs()
    table[_ROW["letters"]] = np.log1p(chars)
    table[_ROW["linked"]] = page.links / chars
    table[_ROW["word_length"]] = chars / words
    table[_ROW["commas"]] /= words
    words[:] = np.log1p(words)


def _tell_positions(page: Page, titles: Sequence[str], table: Numbers) -> None:
    count, total = len(page.chars), page.total
    running = np.cumsum(page.chars)
    place = np.arange(count, dtype=np.float32)
    title = title_block(page, titles)
    table[_ROW["place"]] = place / count
    table[_ROW["chars_before"]] = running / total
    table[_ROW["chars_after"]] = np.log1p(total - running)
    table[_ROW["blocks_after"]] = np.log1p(count - place)
    table[_ROW["from_title"]] = np.clip(place - title, -50, 300) if title >= 0 else -100
    table[_ROW["chars_from_title"]] = (running - running[max(title, 0)]) / total
    table[_ROW["page_chars"]] = np.log1p(total)
    table[_ROW["page_linked"]] = page.links.sum() / total
    table[_ROW["page_blocks"]] = np.log1p(count)


def heading_blocks(page: Page) -> list[int]:
    """Return the blocks in headings that can be a page's title."""
    return np.flatnonzero(page.blocks.places[page.holders] & _TITLE_BITS).tolist()


def title_block(page: Page, titles: Sequence[str]) -> int:
    """Return the heading that says what <title> says, else the first <h1>, else -1."""
    places = page.blocks.places[page.holders]
    wanted = [title.casefold() for title in titles]
    first_h1, best, best_length = -1, -1, 0
    for number in heading_blocks(page):
        is_h1 = bool(places[number] & _H1)
        folded = page.blocks.texts[number].casefold()
        length = len(folded) * (1 + is_h1)
        if length > best_length and len(folded) > 3 and any(folded in title for title in wanted):
            best, best_length = number, length
        if first_h1 < 0 and is_h1:
            first_h1 = number
    return best if best >= 0 else first_h1


def _tell_places(page: Page, table: Numbers) -> None:
    blocks = page.blocks
    inner = blocks.places[[spots[0] for spots in blocks.spots]]
    first = _ROW[f"in_{PLACES[0]}"]
    table[first : first + len(PLACES)] = inner >> np.arange(len(PLACES))[:, np.newaxis] & 1
    pictures = np.bincount(np.array(blocks.pictures, np.intp), minlength=len(blocks) + 1)
    table[_ROW["pictures_before"]] = np.minimum(pictures[: len(blocks)], 5)


def _tell_kinds(page: Page, table: Numbers) -> None:
    """How much of the page stands in the innermost element called so: all of it means a wrapper; -1 means none."""
    innermost = page.innermost
    inside = innermost >= 0
    shares = np.where(inside, page.within(page.sums(page.chars), np.maximum(innermost, 0)) / page.total, -1)
    first = _ROW[f"called_{KIND_NAMES[0]}"]
    table[first : first + len(KIND_NAMES)] = shares
    wanted, unwanted = innermost[:WANTED_KINDS].max(0), innermost[WANTED_KINDS:].max(0)
    table[_ROW["unwanted_inside"]] = np.sign(unwanted - wanted)
    bodies = set(innermost[0].tolist()) - {-1}
    table[_ROW["bodies"]] = len(bodies)
    for kind in _SHARED_KINDS:
        table[_ROW[f"page_{KIND_NAMES[kind]}"]] = float((page.chars * inside[kind]).sum()) / page.total


def _tell_names(page: Page, table: Numbers) -> None:
    path = page.blocks.path
    first = _ROW["names_sum"]
    table[first : first + 3] = path[page.holders].T
    sums = path[:, 0][page.chain[:_NAMED_LEVELS]]
    first = _ROW["names_1"]
    table[first : first + _NAMED_LEVELS - 1] = sums[:-1] - sums[1:]


def _tell_levels(page: Page, table: Numbers) -> None:
    linked, paragraph, nodes = table[_ROW["linked"]] < 0.5, table[_ROW["in_p"]], page.chain
    chars, links = page.sums(page.chars), page.sums(page.links)
    sentences = page.sums(table[_ROW["stops"]] * linked + table[_ROW["ends_sentence"]])
    paragraphs = page.sums(page.chars * paragraph * linked)
    low, high = page.low[nodes], page.high[nodes]
    inside, number = chars[high] - chars[low], high - low
    some, any_blocks = np.maximum(inside, 1), np.maximum(number, 1)
    wide = (inside / page.total, (links[high] - links[low]) / some, (sentences[high] - sentences[low]) / any_blocks)
    wider = (
        (paragraphs[high] - paragraphs[low]) / some,
        np.log1p(inside / any_blocks),
        np.log1p(number),
        (np.arange(nodes.shape[1]) - low) / any_blocks,
    )
    first, each = _ROW["share_0"], len(_WIDE + _WIDER)
    above = table[first + len(_WIDE) : first + len(_WIDE) + each * (LEVELS - 1)]
    above = above.reshape(LEVELS - 1, each, nodes.shape[1])
    for row, values in enumerate(wide):
        table[first + row] = values[0]
        above[:, row] = values[1:]
    for row, values in enumerate(wider, len(_WIDE)):
        above[:, row] = values[1:]


def _tell_labels(page: Page, table: Numbers) -> None:
    """What the words of short texts say: the block's own, those of the heading above it, those that begin its parts."""
    blocks = page.blocks
    count = len(blocks)
    said = np.array(blocks.said, np.float32)
    first = _ROW[f"in_{_HEADINGS[0]}"]
    numbers = np.arange(count)
    above = np.maximum.accumulate(np.where(table[first : first + len(_HEADINGS)].any(0), numbers, -1))
    table[_ROW["said"]] = said
    table[_ROW["heading_said"]] = np.where(above >= 0, said[np.maximum(above, 0)], 0)
    table[_ROW["since_heading"]] = np.where(above >= 0, numbers - above, -1)
    seen: dict[str, int] = {}
    table[_ROW["again"]] = [seen.setdefault(text, number) != number for number, text in enumerate(blocks.texts)]
    first = _ROW["begins_1"]
    begins = np.minimum(page.low[page.chain[1:_NAMED_LEVELS]], count - 1)
    table[first : first + _NAMED_LEVELS - 1] = said[begins]


def _tell_neighbours(table: Numbers) -> None:
    values = table[[_ROW[name] for name in _OF_NEIGHBOURS]]
    rows = table[_ROW[f"{_OF_NEIGHBOURS[0]}_{_NEAR[0]:+d}"] :].reshape(len(_OF_NEIGHBOURS), len(_NEAR), -1)
    for number, shift in enumerate(_NEAR):
        shift_into(rows[:, number], values, shift)


def shift_into(rows: Numbers, values: Numbers, shift: int) -> None:
    """Write the values of the blocks that stand `shift` further on into rows; -1 beyond the page's ends."""
    if shift > 0:
        rows[..., :-shift], rows[..., -shift:] = values[..., shift:], -1
    else:
        rows[..., -shift:], rows[..., :-shift] = values[..., :shift], -1
