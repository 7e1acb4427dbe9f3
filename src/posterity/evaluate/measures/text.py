"""CleanEval's precision, recall and F: how many words stay when one text is turned into the other word by word.

The thesis on web cleaning (section 3.1) scores by the fewest "insert word" and "delete word" steps between the
automatically and the manually cleaned text. What such steps leave in place is a longest common subsequence, so
precision = LCS / words given and recall = LCS / words wanted.

Ambiguous, and the choice made:
- The thesis used `cleaneval.py`, which aligns with Python's difflib. That finds long runs first and may leave out
  words that an optimal alignment keeps; we compute the optimum that the text defines.
- Words: as in token F1 (case folded, no punctuation), where the script splits at white space only. A comma should
  not decide whether an article was found.
- "With markup": the marks `<p>`, `<h>` and `<l>` are words of the sequence, as in that script.

The LCS runs bit-parallel (Hyyro, "Bit-parallel LCS-length computation revisited", 2004): one row of the table is one
int, so a text of n words against one of m costs n steps on m bits, not n x m.

Scores of many pages become one figure in three ways: the mean over pages (every page alike), the pooled counts (every
segment or comment alike), and the F of the mean precision and the mean recall. All three follow from sums over the
pages, which keeps thousands of bootstrap resamples cheap.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

import msgspec

from posterity.evaluate.datasets import Gold, Prediction
from posterity.text.bigrams import similarity


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The score of one page by one measure. `hits` of the `given` things are among the `wanted` ones.

    `value` is the page's own figure from 0 to 1. A measure without counts leaves the rest at zero.
    """

    value: float
    hits: float = 0.0
    given: float = 0.0
    wanted: float = 0.0

    @property
    def precision(self) -> float:
        """The share of what was given that is right; 0.0 when nothing was given."""
        return self.hits / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        """The share of what was wanted that was given; 0.0 when nothing was wanted."""
        return self.hits / self.wanted if self.wanted else 0.0


def overlap(hits: float, given: float, wanted: float) -> Score:
    """Return the score whose value is the harmonic mean of precision and recall."""
    return Score(value=f_measure(hits, given, wanted), hits=hits, given=given, wanted=wanted)


def right_or_wrong(right: bool, given: bool) -> Score:
    """Return the score of one wanted thing: given and right, given and wrong, or not given."""
    return Score(value=float(right), hits=float(right), given=float(given), wanted=1.0)


def f_measure(hits: float, given: float, wanted: float) -> float:
    """Return the harmonic mean of hits/given and hits/wanted; 0.0 when there is no hit."""
    return 2 * hits / (given + wanted) if hits else 0.0


Columns: TypeAlias = "Callable[[Score], tuple[float, ...]]"
Combine: TypeAlias = "Callable[[Sequence[float], int], float]"


class Total(msgspec.Struct, frozen=True):
    """One way to make one figure of many scores: add up `columns` over the pages, then `combine` the sums."""

    name: str
    columns: Columns
    combine: Combine

    def of(self, scores: Sequence[Score]) -> float:
        """Return the figure for these pages; 0.0 for none."""
        if not scores:
            return 0.0
        return self.combine([sum(column) for column in zip(*map(self.columns, scores), strict=True)], len(scores))


def _f_of_averages(sums: Sequence[float], pages: int) -> float:
    precisions, predicted, recalls = sums
    precision, recall = (precisions / predicted if predicted else 0.0), recalls / pages
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


MEAN = Total("mean", lambda score: (score.value,), lambda sums, pages: sums[0] / pages)
POOLED = Total("pooled", lambda score: (score.hits, score.given, score.wanted), lambda sums, _: f_measure(*sums))
POOLED_RECALL = Total(
    "pooled recall", lambda score: (score.hits, score.wanted), lambda sums, _: sums[0] / sums[1] if sums[1] else 0.0
)
# As in scrapinghub's benchmark, a page without a prediction has no precision and does not count for the mean of it.
F_OF_AVERAGES = Total(
    "F of averages", lambda score: (score.precision, float(score.given > 0), score.recall), _f_of_averages
)


_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
# A page counts as done when no more than about every twentieth word is missing or too much.
NEARLY_ALL = 0.95


# Several measures ask for the words of the same two texts one after the other.
@lru_cache(maxsize=8)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of the text in order."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


@lru_cache(maxsize=8)
def token_counts(text: str) -> Counter[str]:
    """Return how often each word is in the text. Shared between callers: not to be changed."""
    return Counter(tokens(text))


def shared_score(given: Counter[str], wanted: Counter[str]) -> Score:
    """Return the overlap of two bags of words."""
    return overlap((given & wanted).total(), given.total(), wanted.total())


def score_tokens(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the token overlap with the gold body, or None when there is no gold body."""
    if not gold.body:
        return None
    return shared_score(token_counts(prediction.text), token_counts(plain_body(gold)))


def score_nearly_all(gold: Gold, prediction: Prediction) -> Score | None:
    """Return 1.0 where token F1 reaches 0.95."""
    score = score_tokens(gold, prediction)
    return None if score is None else Score(value=float(score.value >= NEARLY_ALL))


def plain_body(gold: Gold) -> str:
    """Return the gold text without CleanEval's marks and without its line with the URL."""
    body = gold.body or ""
    if not gold.is_marked:
        return body
    return re.sub(r"(?i)<[phl]>", "\n", re.sub(r"(?i)^\s*URL\b[^\n]*\n", "", body))


_MARK = re.compile(r"(<[phl]>)", re.IGNORECASE)


def lcs_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Return how many words the longest common subsequence of two texts has."""
    start = _common_start(left, right)
    end = _common_start(left[start:][::-1], right[start:][::-1])
    short, long = sorted((left[start : len(left) - end], right[start : len(right) - end]), key=len)
    # Words that are on one side only cannot be part of it.
    there = set(long)
    short = [word for word in short if word in there]
    if not short:
        return start + end
    # Only the last row is needed; a deque of one lets the others go as they come.
    last = deque(lcs_rows(short, long), maxlen=1)[0]
    return start + end + len(short) - last.bit_count()


def lcs_rows(short: Sequence[str], long: Sequence[str]) -> Iterator[int]:
    """Yield the table's row after each word of `long`: a bit per word of `short`, zero where the length grows."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(short):
        places[word].append(place)
    matches = {word: sum(1 << place for place in at) for word, at in places.items()}
    all_bits = (1 << len(short)) - 1
    row = all_bits
    for word in long:
        match = matches.get(word)
        if match is not None:
            both = row & match
            row = ((row + both) | (row - both)) & all_bits
        yield row


def _common_start(left: Sequence[str], right: Sequence[str]) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(left), len(right)))


def score_alignment(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the alignment of the words, or None when there is no gold body."""
    if not gold.body:
        return None
    given, wanted = tokens(prediction.text), tokens(plain_body(gold))
    return overlap(lcs_length(given, wanted), len(given), len(wanted))


def score_marked_alignment(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the alignment of words and block marks, or None when the gold body has no marks."""
    if not gold.is_marked:
        return None
    given, wanted = _with_marks(prediction.marked), _with_marks(gold.body or "")
    return overlap(lcs_length(given, wanted), len(given), len(wanted))


def _with_marks(text: str) -> list[str]:
    parts = _MARK.split(re.sub(r"(?i)^\s*URL\b[^\n]*\n", "", text))
    return [word for part in parts for word in ([part.lower()] if _MARK.fullmatch(part) else tokens(part))]


IDENTICAL = 0.9  # the paper's threshold for "accepted as identical"


def cosine(left: Counter[str], right: Counter[str]) -> float:
    """Return the cosine of the angle between two word-count vectors; 0.0 when one of them is empty."""
    dot = sum(count * right[word] for word, count in left.items() if word in right)
    length = math.sqrt(sum(n * n for n in left.values()) * sum(n * n for n in right.values()))
    return dot / length if length else 0.0


def score_acs(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the similarity of the texts, or None when there is no gold body."""
    if not gold.body:
        return None
    return Score(value=cosine(token_counts(prediction.text), token_counts(plain_body(gold))))


def score_tcs(gold: Gold, prediction: Prediction) -> Score | None:
    """Return 1.0 when the texts are accepted as identical."""
    acs = score_acs(gold, prediction)
    return None if acs is None else Score(value=float(acs.value > IDENTICAL))


_GRAM_WORD = re.compile(r"\w+")
_RUN = 4  # the n that the benchmark published its table with


def four_grams(text: str) -> Counter[tuple[str, ...]]:
    """Return how often each run of four words is in the text."""
    words = _GRAM_WORD.findall(text)
    if len(words) < _RUN:
        return Counter([tuple(words)] if words else [])
    return Counter(zip(*(words[start:] for start in range(_RUN)), strict=False))


def score_four_grams(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the overlap of runs of four words, or None when there is no gold body."""
    if not gold.body:
        return None
    given, wanted = four_grams(prediction.text), four_grams(plain_body(gold))
    return overlap((given & wanted).total(), given.total(), wanted.total())


def score_segments(gold: Gold, prediction: Prediction) -> Score | None:
    """Return wanted segments found, all listed pieces found, pieces wanted; None when none are listed."""
    if not (gold.segments_with or gold.segments_without):
        return None
    hits = found_in(prediction.text, gold.segments_with)
    return overlap(hits, hits + found_in(prediction.text, gold.segments_without), len(gold.segments_with))


def score_comment_segments(gold: Gold, prediction: Prediction) -> Score | None:
    """Return how many of the listed pieces of comments were found as comments."""
    if not gold.comment_segments:
        return None
    hits = found_in("\n".join(comment.text for comment in prediction.comments), gold.comment_segments)
    return Score(value=hits / len(gold.comment_segments), hits=hits, given=hits, wanted=len(gold.comment_segments))


def found_in(text: str, segments: Iterable[str]) -> int:
    """Return how many of the segments are in the text."""
    folded = " ".join(text.split())
    return sum(" ".join(segment.split()) in folded for segment in segments)


THRESHOLD = 0.5  # the paper's script, `threshold`
SHORTEST = 20  # the paper's script: only gold texts longer than this are scored


def score_article_success(gold: Gold, prediction: Prediction) -> Score | None:
    """Return 1.0 when the article passes; None when its gold text is missing or too short."""
    return _success(plain_body(gold), prediction.text)


def score_title_success(gold: Gold, prediction: Prediction) -> Score | None:
    """Return 1.0 when the title passes; None when its gold text is missing or too short."""
    return _success(gold.title or "", prediction.title or "")


def _success(wanted: str, given: str) -> Score | None:
    if len(wanted) <= SHORTEST:
        return None
    return Score(value=float(similarity(wanted + ".", given + ".") > THRESHOLD))
