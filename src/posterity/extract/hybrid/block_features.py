"""What is known of every block, as a table of numbers: its text, its place, its surroundings, its neighbours.

All languages alike: sentences are told by punctuation, small words by their length. Sums over any element are
differences of running sums over blocks, so an element of any size costs the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from posterity.extract.hybrid.block_kinds import KIND_NAMES, WANTED_KINDS
from posterity.extract.hybrid.block_surroundings import PLACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from posterity.extract.hybrid.blocks import Blocks

Numbers: TypeAlias = "NDArray[np.floating[Any]]"
Indices: TypeAlias = "NDArray[np.intp]"

LEVELS = 6  # elements around a block that are looked at, each strictly larger than the one before
_SENTENCE_END = re.compile(r"[.!?。！？…:;\"”»)]$")
_DIGIT = re.compile(r"\d")
_SAMPLE = 16  # words of a block that are looked at one by one


class Page:
    """A page's blocks with the running sums over them, and the chain of ever larger elements around each."""

    def __init__(self, blocks: Blocks) -> None:
        tree = blocks.tree
        self.blocks = blocks
        texts = blocks.texts
        self.chars: Numbers = np.fromiter(map(len, texts), np.float32, len(texts))
        self.links: Numbers = np.array(blocks.links, np.float32)
        before = np.array(blocks.before, np.intp)
        self.low: Indices = before[:-1]
        self.high: Indices = before[np.array(tree.end, np.intp)]
        self.chain: list[Indices] = self._chain(np.array(tree.parent, np.intp), np.array(blocks.holder, np.intp))
        self.total = float(self.chars.sum())

    def _chain(self, parents: Indices, holders: Indices) -> list[Indices]:
        """Return for each level the element around each block; equal in size to none of the levels below."""
        parents = np.maximum(parents, 0)
        wide = self.high - self.low
        top = np.where(wide == wide[parents], parents, np.arange(len(parents)))
        for _ in range(7):  # 2 ** 7 wrappers around the same text are more than any page has
            top = top[top]
        above = parents[top]
        chain = [holders]
        for _ in range(1, LEVELS):
            chain.append(above[chain[-1]])
        return chain

    def sums(self, values: Numbers) -> Numbers:
        """Return the running sums of a value over the blocks, for `within`."""
        return np.concatenate(([0.0], np.cumsum(values, dtype=np.float64))).astype(np.float32)

    def within(self, sums: Numbers, nodes: Indices) -> Numbers:
        """Return the sum of a value over the blocks inside each node."""
        return sums[self.high[nodes]] - sums[self.low[nodes]]


def features(page: Page, titles: Sequence[str], summary: str) -> tuple[Numbers, list[str]]:
    """Return a row per block, and the names of the columns."""
    columns: dict[str, Numbers] = {}
    columns |= _of_text(page)
    columns |= _of_position(page, titles, summary)
    columns |= _of_places(page)
    columns |= _of_kinds(page)
    columns |= _of_surroundings(page, columns)
    columns |= _of_labels(page, columns)
    columns |= _of_neighbours(columns)
    return np.column_stack(list(columns.values())).astype(np.float32), list(columns)


def _of_text(page: Page) -> dict[str, Numbers]:
    rows = []
    for text in page.blocks.texts:
        words = text.split(None, _SAMPLE)[:_SAMPLE]
        count = len(words)
        capital = small = 0
        for word in words:
            capital += word[0].isupper()
            small += len(word) < 4 and word.islower()
        stops = text.count(". ") + text.count("? ") + text.count("! ") + text.count("。")
        commas = text.count(",") + text.count("、") + text.count("，")
        rows.append((
            text.count(" ") + 1,
            stops,
            commas,
            capital / count,
            small / count,
            _SENTENCE_END.search(text) is not None,
            len(_DIGIT.findall(text[:80])) / min(80, len(text)),
            text[-1] == ":",
            "©" in text or "(c)" in text,
            text.count("|") + text.count("»") + text.count("·") + text.count("→"),
            text[0].islower(),
        ))  # fmt: skip
    table = np.array(rows, np.float32).reshape(len(rows), 11)
    names = "words stops commas capital small ends_sentence digits ends_colon copyright bars starts_small".split()
    found: dict[str, Numbers] = {name: table[:, at] for at, name in enumerate(names)}
    chars = page.chars
    found["letters"] = np.log1p(chars)
    found["linked"] = page.links / chars
    found["word_length"] = chars / found["words"]
    found["commas"] = found["commas"] / found["words"]
    found["words"] = np.log1p(found["words"])
    return found


def _of_position(page: Page, titles: Sequence[str], summary: str) -> dict[str, Numbers]:
    count, total = len(page.chars), page.total
    running = np.cumsum(page.chars)
    place = np.arange(count, dtype=np.float32)
    title = _title_block(page, titles)
    known = set(summary.split())
    said = [
        sum(word in known for word in words) / len(words) if known and (words := text.lower().split()[:30]) else -1.0
        for text in page.blocks.texts
    ]
    return {
        "place": place / count,
        "chars_before": running / total,
        "chars_after": np.log1p(total - running),
        "blocks_after": np.log1p(count - place),
        "from_title": np.clip(place - title, -50, 300) if title >= 0 else np.full(count, -100, np.float32),
        "chars_from_title": (running - running[max(title, 0)]) / total,
        "summarised": np.array(said, np.float32),
        "page_chars": np.full(count, np.log1p(total), np.float32),
        "page_linked": np.full(count, page.links.sum() / total, np.float32),
        "page_blocks": np.full(count, np.log1p(count), np.float32),
    }


def _title_block(page: Page, titles: Sequence[str]) -> int:
    """Return the heading that says what <title> says, else the first <h1>, else -1."""
    blocks = page.blocks
    wanted = [title.casefold() for title in titles]
    heading_bits = sum(1 << PLACES.index(tag) for tag in ("h1", "h2", "h3", "h4"))
    first_h1, best, best_length = -1, -1, 0
    h1 = 1 << PLACES.index("h1")
    for number, holder in enumerate(blocks.holder):
        bits = blocks.places[holder]
        if not bits & heading_bits:
            continue
        folded = blocks.texts[number].casefold()
        length = len(folded) * (1 + bool(bits & h1))
        if length > best_length and len(folded) > 3 and any(folded in title for title in wanted):
            best, best_length = number, length
        if first_h1 < 0 and bits & h1:
            first_h1 = number
    return best if best >= 0 else first_h1


def _of_places(page: Page) -> dict[str, Numbers]:
    blocks = page.blocks
    inner = blocks.places[[spots[0] for spots in blocks.spots]]
    found = {f"in_{tag}": (inner >> bit & 1).astype(np.float32) for bit, tag in enumerate(PLACES)}
    pictures = np.bincount(np.array(blocks.pictures, np.intp), minlength=len(blocks) + 1)[: len(blocks) + 1]
    found["pictures_before"] = np.minimum(pictures[:-1], 5).astype(np.float32)
    return found


def _of_kinds(page: Page) -> dict[str, Numbers]:
    """How much of the page stands in the innermost element called so: all of it means a wrapper; -1 means none."""
    blocks = page.blocks
    count = len(blocks)
    shares = np.full((count, len(KIND_NAMES)), -1, np.float32)
    sums = page.sums(page.chars)
    for number, holder in enumerate(blocks.holder):
        for bit, node in blocks.kinds[holder].items():
            shares[number, bit] = node
    inside = shares >= 0
    nodes = np.maximum(shares, 0).astype(np.intp)
    shares = np.where(inside, page.within(sums, nodes) / page.total, -1).astype(np.float32)
    found = {f"called_{kind}": shares[:, bit] for bit, kind in enumerate(KIND_NAMES)}
    innermost = np.where(inside, nodes, -1)
    wanted, unwanted = innermost[:, :WANTED_KINDS].max(1), innermost[:, WANTED_KINDS:].max(1)
    found["unwanted_inside"] = np.sign(unwanted - wanted).astype(np.float32)
    bodies = np.unique(innermost[:, 0])
    found["bodies"] = np.full(count, len(bodies) - (bodies[0] < 0), np.float32)
    for bit in (*range(WANTED_KINDS), KIND_NAMES.index("comment")):
        share = float((page.chars * inside[:, bit]).sum()) / page.total
        found[f"page_{KIND_NAMES[bit]}"] = np.full(count, share, np.float32)
    path = blocks.path[blocks.holder]
    found |= {"names_sum": path[:, 0], "names_worst": path[:, 1], "names_best": path[:, 2]}
    totals = blocks.path[:, 0]
    for level in range(1, 5):
        found[f"names_{level}"] = totals[page.chain[level - 1]] - totals[page.chain[level]]
    return found


def _of_surroundings(page: Page, columns: dict[str, Numbers]) -> dict[str, Numbers]:
    chars, links = page.sums(page.chars), page.sums(page.links)
    sentences = page.sums(columns["stops"] * (columns["linked"] < 0.5) + columns["ends_sentence"])
    paragraphs = page.sums(page.chars * columns["in_p"] * (columns["linked"] < 0.5))
    found: dict[str, Numbers] = {}
    for level in range(LEVELS):
        nodes = page.chain[level]
        inside = page.within(chars, nodes)
        number = page.high[nodes] - page.low[nodes]
        found[f"share_{level}"] = inside / page.total
        found[f"linked_{level}"] = page.within(links, nodes) / np.maximum(inside, 1)
        found[f"sentences_{level}"] = page.within(sentences, nodes) / np.maximum(number, 1)
        if level:
            found[f"paragraphs_{level}"] = page.within(paragraphs, nodes) / np.maximum(inside, 1)
            found[f"mean_{level}"] = np.log1p(inside / np.maximum(number, 1))
            found[f"blocks_{level}"] = np.log1p(number).astype(np.float32)
            found[f"place_{level}"] = (np.arange(len(nodes)) - page.low[nodes]) / np.maximum(number, 1)
    return found


def _of_labels(page: Page, columns: dict[str, Numbers]) -> dict[str, Numbers]:
    """What the words of short texts say: the block's own, those of the heading above it, those that begin its parts."""
    blocks = page.blocks
    count = len(blocks)
    said = np.array(blocks.said, np.float32)
    headings = sum(columns[f"in_{tag}"] for tag in ("h1", "h2", "h3", "h4", "h5", "h6")) > 0
    numbers = np.arange(count)
    above = np.maximum.accumulate(np.where(headings, numbers, -1))
    seen: dict[str, int] = {}
    again = np.zeros(count, np.float32)
    for number, text in enumerate(blocks.texts):
        if seen.setdefault(text, number) != number:
            again[number] = 1.0
    found = {
        "said": said,
        "heading_said": np.where(above >= 0, said[np.maximum(above, 0)], 0),
        "since_heading": np.where(above >= 0, numbers - above, -1).astype(np.float32),
        "again": again,
    }
    for level in range(1, 5):
        found[f"begins_{level}"] = said[np.minimum(page.low[page.chain[level]], count - 1)]
    return found


def _of_neighbours(columns: dict[str, Numbers]) -> dict[str, Numbers]:
    found: dict[str, Numbers] = {}
    for name in ("letters", "linked", "ends_sentence", "share_1", "names_sum", "in_p", "said"):
        for shift in (-2, -1, 1, 2):
            found[f"{name}_{shift:+d}"] = shifted(columns[name], shift)
    return found


def shifted(values: Numbers, shift: int) -> Numbers:
    """Return the value of the block that stands `shift` further on; -1 beyond the page's ends."""
    moved = np.full(len(values), -1, np.float32)
    if shift > 0:
        moved[:-shift] = values[shift:]
    else:
        moved[-shift:] = values[:shift]
    return moved
