"""The learned model of article text: features of blocks, two forests, a table of names; and the choice of blocks.

The features of all blocks are a table of numbers: text, position, surroundings, neighbours. Sums over an element are
differences of running sums over blocks, so they cost the same for elements of any size. While it is filled, the table
has a row for each feature and a column for each block, so that whole rows are written at once.

All nodes of one depth of a symmetric tree have the same condition, so a tree is a row of conditions, and their results
are the bits of a leaf's number. Scoring a page takes a few array operations. `tools/train_article.py` trains the model
and writes the file that is read here, once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec
import numpy as np
from numpy.typing import NDArray

from posterity.dom import Tree
from posterity.extraction.hybrid.blocks import (
    KIND_NAMES,
    LEVELS,
    PLACES,
    WANTED_KINDS,
    BlockPage,
    Blocks,
    Flags,
    Indices,
    NameTable,
    Numbers,
)

TEXT_FEATURES = (
    "words", "stops", "commas", "capital", "small", "ends_sentence", "digits", "ends_colon", "copyright", "bars",
    "starts_small",
)  # fmt: skip
_SAMPLE = 16  # first words of a block whose case and length are counted
_START = 80  # first characters of a block in which digits are counted
_COMPARED = 30  # first words of a block that are compared with the page's summary
_MAX_SMALL = 3  # characters of a small word
_KNOWN, _UPPER, _TITLE, _LOWER, _DIGIT, _SPACE, _LINE_END, _STOP, _FULL_STOP, _COMMA, _BAR, _END, _COLON = (
    1 << bit for bit in range(13)
)
_OF_KIND = {
    _SPACE: " ", _LINE_END: "\n", _STOP: ".?!。", _FULL_STOP: "。", _COMMA: ",、，",
    _BAR: "|»·→", _END: '.!?。！？…:;"”»)', _COLON: ":",
}  # fmt: skip
_COUNTED_KINDS = _SPACE | _LINE_END | _STOP | _COMMA | _BAR | _DIGIT
_kinds = np.zeros(0x110000, np.uint16)  # by code point; 0 until first use


class Characters:
    """The concatenated characters of all texts, with the positions of texts and words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        # A line end separates texts; after the last there are as many as a small word has characters.
        self._joined = "\n".join((*texts, "\n" * _MAX_SMALL))
        codes = np.frombuffer(self._joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        self._kinds = _kinds[codes]
        if not self._kinds.all():
            _classify_characters(set(codes[self._kinds == 0].tolist()))
            self._kinds = _kinds[codes]
        self.lengths: Indices = np.fromiter(map(len, texts), np.intp, len(texts))
        self._ends: Indices = np.cumsum(self.lengths + 1) - 1
        self._starts: Indices = self._ends - self.lengths
        # The positions of all counted characters, found in one pass.
        self._counted: Indices = np.flatnonzero(self._kinds & _COUNTED_KINDS > 0)
        self._counted_kinds = self._kinds[self._counted]
        # Words start with their text or after a space. Texts have single spaces, only between words.
        self._words: Indices = np.append(0, self._positions_of(_SPACE | _LINE_END)[:-_MAX_SMALL] + 1)
        self._first_word: Indices = np.searchsorted(self._words, self._starts)
        self._word_count: Indices = np.searchsorted(self._words, self._ends) - self._first_word

    def features(self) -> Numbers:
        """Return a row for each of `TEXT_FEATURES` and a column for each text."""
        kinds, starts, ends = self._kinds, self._starts, self._ends
        stops, figures = self._positions_of(_STOP), self._positions_of(_DIGIT)
        # A stop ends a sentence if a space follows, or in scripts without spaces.
        stops = stops[kinds[stops] & _FULL_STOP | kinds[stops + 1] & _SPACE > 0]
        begun = np.minimum(self.lengths, _START)
        capital, small = self._sample_words()
        last, first = kinds[ends - 1], kinds[starts]
        rows = np.empty((len(TEXT_FEATURES), len(starts)), np.float32)
        rows[0] = self._word_count
        rows[1] = self._count(stops)
        rows[2] = self._count(self._positions_of(_COMMA))
        rows[3], rows[4] = capital, small
        rows[5] = last & _END > 0
        rows[6] = (np.searchsorted(figures, starts + begun) - np.searchsorted(figures, starts)) / begun
        rows[7] = last & _COLON > 0
        rows[8] = self._copyright()
        rows[9] = self._count(self._positions_of(_BAR))
        rows[10] = first & _LOWER > 0
        return rows

    def share_in(self, known: Collection[str]) -> Numbers | None:
        """Return the share of known words among the first words of each text, or None if no words are known."""
        if not known:
            return None
        longer = np.flatnonzero(self._word_count > _COMPARED)
        cuts = self._words[self._first_word[longer] + _COMPARED] - self._starts[longer]
        begun = list(self._texts)
        for number, cut in zip(longer.tolist(), cuts.tolist(), strict=True):
            begun[number] = begun[number][:cut]
        # Lowered separately, because only texts with non-ASCII letters are slow to lower.
        words = "\n".join(map(str.lower, begun)).split()
        known_words = np.fromiter(map(known.__contains__, words), np.intp, len(words))
        counts = np.minimum(self._word_count, _COMPARED)
        return np.add.reduceat(known_words, np.cumsum(counts) - counts) / counts

    def _sample_words(self) -> tuple[Numbers, Numbers]:
        """Return the shares of capitalised and of small words among the first words of each text."""
        counts = np.minimum(self._word_count, _SAMPLE)
        begins = np.cumsum(counts) - counts
        number = np.arange(int(counts.sum())) + np.repeat(self._first_word - begins, counts)
        at, length = self._words[number], self._words[number + 1] - self._words[number] - 1
        first, second, third = self._kinds[at], self._kinds[at + 1], self._kinds[at + 2]
        # After a shorter word comes a space or line end, which is neither upper nor lower case.
        third = np.where(length > _MAX_SMALL - 1, third, 0)
        letters = first | second | third
        small = (length <= _MAX_SMALL) & (letters & _LOWER > 0) & (letters & _TITLE == 0)
        capital = first & _UPPER > 0
        return (
            np.add.reduceat(capital, begins, dtype=np.intp) / counts,
            np.add.reduceat(small, begins, dtype=np.intp) / counts,
        )

    def _positions_of(self, kind: int) -> Indices:
        return self._counted[self._counted_kinds & kind > 0]

    def _count(self, at: Indices) -> Indices:
        """Return the number of these positions in each text."""
        counted: Indices = np.searchsorted(at, self._ends) - np.searchsorted(at, self._starts)
        return counted

    def _copyright(self) -> Flags | float:
        if "©" not in self._joined and "(c)" not in self._joined:
            return 0.0
        return np.array(["©" in text or "(c)" in text for text in self._texts])


def _classify_characters(codes: set[int]) -> None:
    """Add the kinds of new characters to the table."""
    for code in codes:
        character = chr(code)
        kind = _KNOWN | _UPPER * character.isupper() | _LOWER * character.islower() | _DIGIT * character.isdecimal()
        kind |= _TITLE * character.istitle()
        _kinds[code] = kind | sum(bit for bit, those in _OF_KIND.items() if character in those)


_NAMED_LEVELS = 5  # of `LEVELS`, those with separate features for names and first blocks
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_TITLE_BITS = sum(1 << PLACES.index(tag) for tag in _HEADINGS[:4])
_H1 = 1 << PLACES.index("h1")
_SHARED_KINDS = (*range(WANTED_KINDS), KIND_NAMES.index("comment"))  # whose share of the page is a feature
_OF_NEIGHBOURS = ("letters", "linked", "ends_sentence", "share_1", "names_sum", "in_p", "said")
_NEAR = (-2, -1, 1, 2)
_WIDE = ("share", "linked", "sentences")  # of all levels
_WIDER = ("paragraphs", "mean", "blocks", "place")  # of all but the innermost
COLUMNS = (
    *TEXT_FEATURES, "letters", "linked", "word_length",
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


def features(page: BlockPage, titles: Sequence[str], summary: str) -> tuple[Numbers, list[str]]:
    """Return a row per block, and the names of the columns."""
    table = np.empty((len(COLUMNS), len(page.blocks)), np.float32)
    characters = Characters(page.blocks.texts)
    _add_texts(page, characters, table)
    _add_positions(page, titles, table)
    known_words = characters.share_in(set(summary.split()))
    table[_ROW["summarised"]] = -1.0 if known_words is None else known_words
    _add_places(page, table)
    _add_kinds(page, table)
    _add_names(page, table)
    _add_levels(page, table)
    _add_labels(page, table)
    _add_neighbours(table)
    return table.T, list(COLUMNS)


def _add_texts(page: BlockPage, characters: Characters, table: Numbers) -> None:
    chars, words = page.chars, table[_ROW["words"]]
    table[: len(TEXT_FEATURES)] = characters.features()
    table[_ROW["letters"]] = np.log1p(chars)
    table[_ROW["linked"]] = page.links / chars
    table[_ROW["word_length"]] = chars / words
    table[_ROW["commas"]] /= words
    words[:] = np.log1p(words)


def _add_positions(page: BlockPage, titles: Sequence[str], table: Numbers) -> None:
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


def heading_blocks(page: BlockPage) -> list[int]:
    """Return the blocks in headings (h1 to h4) that can be the page's title."""
    return np.flatnonzero(page.blocks.places[page.holders] & _TITLE_BITS).tolist()


def title_block(page: BlockPage, titles: Sequence[str]) -> int:
    """Return the heading with the longest text that a declared title contains, else the first <h1>, else -1."""
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


def _add_places(page: BlockPage, table: Numbers) -> None:
    blocks = page.blocks
    inner = blocks.places[[spots[0] for spots in blocks.text_nodes]]
    first = _ROW[f"in_{PLACES[0]}"]
    table[first : first + len(PLACES)] = inner >> np.arange(len(PLACES))[:, np.newaxis] & 1
    pictures = np.bincount(np.array(blocks.pictures, np.intp), minlength=len(blocks) + 1)
    table[_ROW["pictures_before"]] = np.minimum(pictures[: len(blocks)], 5)


def _add_kinds(page: BlockPage, table: Numbers) -> None:
    """Add the share of the page in the innermost element of each kind; -1 means none, 1 a wrapper."""
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


def _add_names(page: BlockPage, table: Numbers) -> None:
    path = page.blocks.path
    first = _ROW["names_sum"]
    table[first : first + 3] = path[page.holders].T
    sums = path[:, 0][page.chain[:_NAMED_LEVELS]]
    first = _ROW["names_1"]
    table[first : first + _NAMED_LEVELS - 1] = sums[:-1] - sums[1:]


def _add_levels(page: BlockPage, table: Numbers) -> None:
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


def _add_labels(page: BlockPage, table: Numbers) -> None:
    """Add scores of short texts: the block's, that of the heading above it, those of its ancestors' first blocks."""
    blocks = page.blocks
    count = len(blocks)
    scores = np.array(blocks.label_scores, np.float32)
    first = _ROW[f"in_{_HEADINGS[0]}"]
    numbers = np.arange(count)
    above = np.maximum.accumulate(np.where(table[first : first + len(_HEADINGS)].any(0), numbers, -1))
    table[_ROW["said"]] = scores
    table[_ROW["heading_said"]] = np.where(above >= 0, scores[np.maximum(above, 0)], 0)
    table[_ROW["since_heading"]] = np.where(above >= 0, numbers - above, -1)
    seen: dict[str, int] = {}
    table[_ROW["again"]] = [seen.setdefault(text, number) != number for number, text in enumerate(blocks.texts)]
    first = _ROW["begins_1"]
    begins = np.minimum(page.low[page.chain[1:_NAMED_LEVELS]], count - 1)
    table[first : first + _NAMED_LEVELS - 1] = scores[begins]


def _add_neighbours(table: Numbers) -> None:
    values = table[[_ROW[name] for name in _OF_NEIGHBOURS]]
    rows = table[_ROW[f"{_OF_NEIGHBOURS[0]}_{_NEAR[0]:+d}"] :].reshape(len(_OF_NEIGHBOURS), len(_NEAR), -1)
    for number, shift in enumerate(_NEAR):
        shift_into(rows[:, number], values, shift)


def shift_into(rows: Numbers, values: Numbers, shift: int) -> None:
    """Write the values of the blocks `shift` positions later to rows; -1 beyond the page's ends."""
    if shift > 0:
        rows[..., :-shift], rows[..., -shift:] = values[..., shift:], -1
    else:
        rows[..., -shift:], rows[..., :-shift] = values[..., :shift], -1


_NEAR_FIRST_PASS = (-3, -2, -1, 1, 2, 3)
_WINDOWS = (3, 8)
CONTEXT_COLUMNS = (
    "first", "logit", *(f"{name}_{level}" for level in range(LEVELS) for name in ("density", "mass")),
    *(f"first_{shift:+d}" for shift in _NEAR_FIRST_PASS), "mass_until", "mass_before",
    *(f"{side}_{window}" for window in _WINDOWS for side in ("left", "right")),
    "same_kind", "same_kind_count", "highest", "page_mass",
)  # fmt: skip
_CONTEXT = {name: row for row, name in enumerate(CONTEXT_COLUMNS)}


def context_features(page: BlockPage, first: Numbers) -> tuple[Numbers, list[str]]:
    """Return a row per block, from the first forest's probabilities, and the names of the columns."""
    weighted = first * page.chars
    mass, chars = page.sums(weighted), page.sums(page.chars)
    total = max(float(weighted.sum()), 1e-3)
    count = len(first)
    table = np.empty((len(CONTEXT_COLUMNS), count), np.float32)
    table[_CONTEXT["first"]], table[_CONTEXT["logit"]] = first, np.log((first + 1e-3) / (1 - first + 1e-3))
    inside = page.within(mass, page.chain)
    around = table[_CONTEXT["density_0"] :][: 2 * LEVELS]
    around[::2], around[1::2] = inside / np.maximum(page.within(chars, page.chain), 1), inside / total
    for row, shift in enumerate(_NEAR_FIRST_PASS, _CONTEXT[f"first_{_NEAR_FIRST_PASS[0]:+d}"]):
        shift_into(table[row], first, shift)
    table[_CONTEXT["mass_until"]] = np.cumsum(weighted) / total
    table[_CONTEXT["mass_before"]] = table[_CONTEXT["mass_until"]] - weighted / total
    here = np.arange(count)
    for window in _WINDOWS:
        low, high = np.maximum(here - window, 0), np.minimum(here + 1 + window, count)
        table[_CONTEXT[f"left_{window}"]] = (mass[here] - mass[low]) / np.maximum(chars[here] - chars[low], 1)
        table[_CONTEXT[f"right_{window}"]] = (mass[high] - mass[here + 1]) / np.maximum(
            chars[high] - chars[here + 1], 1
        )
    kind = page.alike
    density = np.bincount(kind, weighted) / np.maximum(np.bincount(kind, page.chars), 1)
    table[_CONTEXT["same_kind"]] = density[kind]
    table[_CONTEXT["same_kind_count"]] = np.log1p(np.bincount(kind)[kind])
    table[_CONTEXT["highest"]] = first.max()
    table[_CONTEXT["page_mass"]] = np.log1p(total)
    return table.T, list(CONTEXT_COLUMNS)


ARTICLE_WEIGHTS = "article_weights.npz"
SCORE_STEP = 0.04  # scores of names are stored as multiples of this
_ROWS = 512  # processed at a time, so that memory does not grow with the page
_IMPOSSIBLE = 0.004  # blocks ruled out by the first forest are not passed to the second


class Forest:
    """Symmetric trees with one condition per depth (column above border) and the values of their leaves."""

    def __init__(self, columns: NDArray[np.intp], borders: Numbers, leaf_values: Numbers, bias: float) -> None:
        trees, self._depth = columns.shape
        # The first conditions of all trees, then their second ones; conditions shared by trees are computed once.
        questions, self._question_of = np.unique(
            np.stack((columns.T.ravel(), borders.T.ravel())), axis=1, return_inverse=True
        )
        self._columns, self._borders = questions[0].astype(np.intp), questions[1].astype(np.float32).reshape(-1, 1)
        self._leaf_values = leaf_values.ravel()
        self._offsets = np.arange(trees, dtype=np.intp).reshape(-1, 1) * leaf_values.shape[1]
        self._bias = np.float32(bias)

    def probabilities(self, table: Numbers) -> Numbers:
        """Return for each row the probability that it is article text; faster if columns are contiguous in memory."""
        columns = np.ascontiguousarray(table.T)
        parts = [self._sums(columns[:, start : start + _ROWS]) for start in range(0, len(table), _ROWS)]
        found: Numbers = 1 / (1 + np.exp(-np.concatenate(parts), dtype=np.float32))
        return found

    def _sums(self, columns: Numbers) -> Numbers:
        above = (columns.take(self._columns, axis=0) > self._borders).view(np.uint8)
        bits = above.take(self._question_of, axis=0).reshape(self._depth, len(self._offsets), columns.shape[1])
        leaf = bits[0].copy()
        for bit in bits[1:]:
            # Addition of small integers is several times faster than shifting them.
            leaf += leaf
            leaf += bit
        sums: Numbers = self._leaf_values.take(leaf + self._offsets).sum(axis=0, dtype=np.float32) + self._bias
        return sums


class ArticleModel:
    """The whole model, read from the weights in the package."""

    def __init__(self, weights: Mapping[str, NDArray[np.generic]]) -> None:
        words = bytes(weights["names"]).decode().split("\n")
        scores = (np.asarray(weights["scores"], np.float32) * SCORE_STEP).tolist()
        self.names = NameTable(dict(zip(words, scores, strict=True)))
        self._first, self._second = _forest(weights, "first"), _forest(weights, "second")
        # Two rows: expected F1, and how often choices with it had a token F1 of .9.
        self.calibration: Numbers = np.asarray(weights["calibration"], np.float32)

    def probabilities(self, page: BlockPage, titles: Sequence[str], summary: str) -> Numbers:
        """Return for each block the probability that it belongs to the article."""
        table, _ = features(page, titles, summary)
        found = self._first.probabilities(table)
        context, _ = context_features(page, found)
        possible = found > _IMPOSSIBLE
        if possible.any():
            both = np.concatenate((table.T, context.T))[:, possible].T
            found[possible] = self._second.probabilities(both)
        return found

    def confidence(self, expected: float) -> float:
        """Return the probability that the choice has a token F1 of at least .9."""
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
    """Return the model; the file is read on first use."""
    with files(__package__).joinpath(ARTICLE_WEIGHTS).open("rb") as file, np.load(file) as weights:
        return ArticleModel(dict(weights))


_LONG = 40  # characters; shorter texts may occur twice in an article


def chosen_blocks(likely: Numbers, chars: Numbers) -> tuple[NDArray[np.bool_], float]:
    """Return the choice of blocks with the highest expected F1, and that F1."""
    order = np.argsort(-likely, kind="stable")
    weighted = likely * chars
    found, taken = np.cumsum(weighted[order]), np.cumsum(chars[order])
    expected = 2 * found / (taken + weighted.sum())
    best = int(np.argmax(expected))
    chosen = np.zeros(len(likely), bool)
    chosen[order[: best + 1]] = True
    return chosen, float(expected[best])


def drop_repeated(chosen: NDArray[np.bool_], blocks: Blocks) -> None:
    """Remove the second copy of an article from `chosen`, on pages that have one for wide and one for narrow screens.

    The copy repeats blocks in the same order. A single repeated text is the author's, unless it is the larger part of
    all; so are siblings with equal texts, and code.
    """
    tree = blocks.tree
    first: dict[tuple[str, bool], int] = {}
    numbers = (number for number in np.flatnonzero(chosen).tolist() if len(blocks.texts[number]) >= _LONG)
    long = [number for number in numbers if tree.tag[blocks.elements[number]] != "pre"]
    run: list[int] = []  # repeated texts in the order of their originals
    runs = [run]
    original = -1
    for place, number in enumerate(long):
        # A table of contents repeats the headings.
        key = blocks.texts[number], tree.tag[blocks.elements[number]] in _HEADINGS
        earlier = first.setdefault(key, place)
        is_again = (
            earlier != place and tree.parent[blocks.elements[long[earlier]]] != tree.parent[blocks.elements[number]]
        )
        if not is_again or earlier != original + 1:
            run = []
            runs.append(run)
        if is_again:
            run.append(number)
        original = earlier if is_again else -1
    chars = {number: len(blocks.texts[number]) for number in long}
    total = sum(chars.values())
    for run in runs:
        again = sum(chars[number] for number in run)
        if len(run) > 1 or 2 * again > total - again:
            chosen[run] = False


FIELD_WEIGHTS = "field_weights.json"


@cache
def learned_weights(field: str) -> dict[str, float]:
    """Return the weights of the features of "title", "author" or "date"."""
    return _all_weights()[field]


@cache
def _all_weights() -> dict[str, dict[str, float]]:
    text = files(__package__).joinpath(FIELD_WEIGHTS).read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, float]])


_DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description"})
_TITLES = frozenset({"og:title", "twitter:title"})


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
