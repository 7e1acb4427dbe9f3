"""What the texts of blocks look like, in numbers: capitals, small words, punctuation, figures.

All languages alike: sentences are told by punctuation, small words by their length. The texts of a page are read as one
row of characters, each looked up in a table of what it is. The table is filled as characters are met.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from posterity.extract.hybrid.block_surroundings import Flags, Indices, Numbers

TEXT_SIGNS = (
    "words", "stops", "commas", "capital", "small", "ends_sentence", "digits", "ends_colon", "copyright", "bars",
    "starts_small",
)  # fmt: skip
_SAMPLE = 16  # words of a block that are looked at one by one
_START = 80  # characters at a block's beginning in which figures are counted
_COMPARED = 30  # words at a block's beginning that are looked for in the page's summary
_MAX_SMALL = 3  # characters of a small word
_KNOWN, _UPPER, _TITLE, _LOWER, _DIGIT, _SPACE, _LINE_END, _STOP, _FULL_STOP, _COMMA, _BAR, _END, _COLON = (
    1 << bit for bit in range(13)
)
_OF_KIND = {
    _SPACE: " ", _LINE_END: "\n", _STOP: ".?!。", _FULL_STOP: "。", _COMMA: ",、，",
    _BAR: "|»·→", _END: '.!?。！？…:;"”»)', _COLON: ":",
}  # fmt: skip
_MARK = _SPACE | _LINE_END | _STOP | _COMMA | _BAR | _DIGIT
_kinds = np.zeros(0x110000, np.uint16)  # of every character of Unicode; 0 until it is met


class Characters:
    """The characters of all texts in a row, where texts begin and end, and where words begin."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        # Line ends stand between the texts, and behind the last as many as a small word has characters.
        self._joined = "\n".join((*texts, "\n" * _MAX_SMALL))
        codes = np.frombuffer(self._joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        self._kinds = _kinds[codes]
        if not self._kinds.all():
            _meet(set(codes[self._kinds == 0].tolist()))
            self._kinds = _kinds[codes]
        self.lengths: Indices = np.fromiter(map(len, texts), np.intp, len(texts))
        self._ends: Indices = np.cumsum(self.lengths + 1) - 1
        self._starts: Indices = self._ends - self.lengths
        # All that is counted by its place, found in one go.
        self._marks: Indices = np.flatnonzero(self._kinds & _MARK > 0)
        self._mark_kinds = self._kinds[self._marks]
        # A word begins with its text or behind a space. Texts have single spaces, and only between words.
        self._words: Indices = np.append(0, self._marked(_SPACE | _LINE_END)[:-_MAX_SMALL] + 1)
        self._first_word: Indices = np.searchsorted(self._words, self._starts)
        self._word_count: Indices = np.searchsorted(self._words, self._ends) - self._first_word

    def signs(self) -> Numbers:
        """Return a row for each of `TEXT_SIGNS`, a column for each text."""
        kinds, starts, ends = self._kinds, self._starts, self._ends
        stops, figures = self._marked(_STOP), self._marked(_DIGIT)
        # A stop ends a sentence where a space follows, or where nobody writes spaces.
        stops = stops[kinds[stops] & _FULL_STOP | kinds[stops + 1] & _SPACE > 0]
        begun = np.minimum(self.lengths, _START)
        capital, small = self._sampled()
        last, first = kinds[ends - 1], kinds[starts]
        rows = np.empty((len(TEXT_SIGNS), len(starts)), np.float32)
        rows[0] = self._word_count
        rows[1] = self._count(stops)
        rows[2] = self._count(self._marked(_COMMA))
        rows[3], rows[4] = capital, small
        rows[5] = last & _END > 0
        rows[6] = (np.searchsorted(figures, starts + begun) - np.searchsorted(figures, starts)) / begun
        rows[7] = last & _COLON > 0
        rows[8] = self._copyright()
        rows[9] = self._count(self._marked(_BAR))
        rows[10] = first & _LOWER > 0
        return rows

    def share_in(self, known: Collection[str]) -> Numbers | None:
        """Return the share of the words at each text's beginning that are among the known ones; None for no words."""
        if not known:
            return None
        longer = np.flatnonzero(self._word_count > _COMPARED)
        cuts = self._words[self._first_word[longer] + _COMPARED] - self._starts[longer]
        begun = list(self._texts)
        for number, cut in zip(longer.tolist(), cuts.tolist(), strict=True):
            begun[number] = begun[number][:cut]
        # One by one: only texts with letters beyond ASCII are slow to lower.
        words = "\n".join(map(str.lower, begun)).split()
        told = np.fromiter(map(known.__contains__, words), np.intp, len(words))
        counts = np.minimum(self._word_count, _COMPARED)
        return np.add.reduceat(told, np.cumsum(counts) - counts) / counts

    def _sampled(self) -> tuple[Numbers, Numbers]:
        """The share of capitalised and of small words among the first words of each text."""
        counts = np.minimum(self._word_count, _SAMPLE)
        begins = np.cumsum(counts) - counts
        number = np.arange(int(counts.sum())) + np.repeat(self._first_word - begins, counts)
        at, length = self._words[number], self._words[number + 1] - self._words[number] - 1
        first, second, third = self._kinds[at], self._kinds[at + 1], self._kinds[at + 2]
        # What stands behind a shorter word is a space or a line end, which is neither large nor small.
        third = np.where(length > _MAX_SMALL - 1, third, 0)
        letters = first | second | third
        small = (length <= _MAX_SMALL) & (letters & _LOWER > 0) & (letters & _TITLE == 0)
        capital = first & _UPPER > 0
        return (
            np.add.reduceat(capital, begins, dtype=np.intp) / counts,
            np.add.reduceat(small, begins, dtype=np.intp) / counts,
        )

    def _marked(self, kind: int) -> Indices:
        """Where characters of a kind stand."""
        return self._marks[self._mark_kinds & kind > 0]

    def _count(self, at: Indices) -> Indices:
        """How many of these places each text has."""
        counted: Indices = np.searchsorted(at, self._ends) - np.searchsorted(at, self._starts)
        return counted

    def _copyright(self) -> Flags | float:
        if "©" not in self._joined and "(c)" not in self._joined:
            return 0.0
        return np.array(["©" in text or "(c)" in text for text in self._texts])


def _meet(codes: set[int]) -> None:
    """Fill in what characters are that stand on a page for the first time."""
    for code in codes:
        character = chr(code)
        kind = _KNOWN | _UPPER * character.isupper() | _LOWER * character.islower() | _DIGIT * character.isdecimal()
        kind |= _TITLE * character.istitle()
        _kinds[code] = kind | sum(bit for bit, those in _OF_KIND.items() if character in those)
