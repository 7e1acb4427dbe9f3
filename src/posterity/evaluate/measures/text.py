"""Measures of text: bags of words, the alignment of CleanEval, 4-grams, segments, cosine and Dice; scores and totals.

The alignment follows the thesis on web cleaning (section 3.1): it counts the fewest "insert word" and "delete word"
steps between the automatically and the manually cleaned text. The words that these steps keep are a longest common
subsequence, so precision = LCS / words given and recall = LCS / words wanted.

Choices where the thesis is ambiguous:
- It used `cleaneval.py`, which aligns with Python's difflib. This matches long runs first and may miss words that an
  optimal alignment keeps; this module computes the optimum, as the thesis defines it.
- Words are those of token F1 (case folded, no punctuation), while the script only splits at white space. A comma
  should not decide whether an article was found.
- "With markup": the marks `<p>`, `<h>` and `<l>` are words of the sequence, as in the script.

The LCS is bit-parallel (Hyyro, "Bit-parallel LCS-length computation revisited", 2004): a row of the table is one int,
so texts of n and m words take n steps on m bits instead of n x m steps.

There are three ways to total the scores of pages: the mean over pages (each page has the same weight), pooled counts
(each segment or comment has the same weight), and the F of mean precision and mean recall. All three are computed from
sums over the pages, which keeps thousands of bootstrap resamples cheap.
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
    """The score of one page by one measure: `hits` of the `given` items are among the `wanted` ones.

    `value` is the page's figure from 0 to 1. A measure without counts leaves the other fields at zero.
    """

    value: float
    hits: float = 0.0
    given: float = 0.0
    wanted: float = 0.0

    @property
    def precision(self) -> float:
        """The share of given items that are right; 0.0 if none were given."""
        return self.hits / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        """The share of wanted items that were given; 0.0 if none were wanted."""
        return self.hits / self.wanted if self.wanted else 0.0


def overlap(hits: float, given: float, wanted: float) -> Score:
    """Return a score whose value is the harmonic mean of precision and recall."""
    return Score(value=f_measure(hits, given, wanted), hits=hits, given=given, wanted=wanted)


def right_or_wrong(right: bool, given: bool) -> Score:
    """Return the score of one wanted item: right, wrong, or not given."""
    return Score(value=float(right), hits=float(right), given=float(given), wanted=1.0)


def f_measure(hits: float, given: float, wanted: float) -> float:
    """Return the harmonic mean of hits/given and hits/wanted; 0.0 without hits."""
    return 2 * hits / (given + wanted) if hits else 0.0


Columns: TypeAlias = "Callable[[Score], tuple[float, ...]]"
Combine: TypeAlias = "Callable[[Sequence[float], int], float]"


class Total(msgspec.Struct, frozen=True):
    """A way to total the scores of pages: sum `columns` over the pages, then `combine` the sums."""

    name: str
    columns: Columns
    combine: Combine

    def of(self, scores: Sequence[Score]) -> float:
        """Return the total of these pages; 0.0 for none."""
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
# As in scrapinghub's benchmark, pages without a prediction are left out of the mean precision.
F_OF_AVERAGES = Total(
    "F of averages", lambda score: (score.precision, float(score.given > 0), score.recall), _f_of_averages
)


CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")
# At most about one word in twenty is missing or superfluous.
NEARLY_ALL = 0.95


# Cached because several measures use the same two texts.
@lru_cache(maxsize=8)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of the text in order."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


@lru_cache(maxsize=8)
def token_counts(text: str) -> Counter[str]:
    """Return the count of each word. The result is cached: do not modify it."""
    return Counter(tokens(text))


def shared_score(given: Counter[str], wanted: Counter[str]) -> Score:
    """Return the overlap of two bags of words."""
    return overlap((given & wanted).total(), given.total(), wanted.total())


def score_tokens(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the token overlap with the gold body; None without a gold body."""
    if not gold.body:
        return None
    return shared_score(token_counts(prediction.text), token_counts(plain_body(gold)))


def score_nearly_all(gold: Gold, prediction: Prediction) -> Score | None:
    """Return 1.0 if token F1 reaches 0.95, else 0.0."""
    score = score_tokens(gold, prediction)
    return None if score is None else Score(value=float(score.value >= NEARLY_ALL))


def plain_body(gold: Gold) -> str:
    """Return the gold text without CleanEval's marks and URL line."""
    body = gold.body or ""
    if not gold.is_marked:
        return body
    return re.sub(r"(?i)<[phl]>", "\n", re.sub(r"(?i)^\s*URL\b[^\n]*\n", "", body))


_MARK = re.compile(r"(<[phl]>)", re.IGNORECASE)


def lcs_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two lists of words."""
    start = _common_start(left, right)
    end = _common_start(left[start:][::-1], right[start:][::-1])
    short, long = sorted((left[start : len(left) - end], right[start : len(right) - end]), key=len)
    # Words on only one side cannot be part of it.
    there = set(long)
    short = [word for word in short if word in there]
    if not short:
        return start + end
    # Only the last row is needed; a deque of length one discards the others.
    return start + end + len(short) - deque(lcs_rows(short, long), maxlen=1)[0].bit_count()


def lcs_rows(short: Sequence[str], long: Sequence[str]) -> Iterator[int]:
    """Yield the table's row after each word of `long`: one bit per word of `short`, zero where the length grows."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(short):
        places[word].append(place)
    matches = {word: sum(1 << place for place in at) for word, at in places.items()}
    all_bits = (1 << len(short)) - 1
    row = all_bits
    for word in long:
        if (match := matches.get(word)) is not None:
            both = row & match
            row = ((row + both) | (row - both)) & all_bits
        yield row


def _common_start(left: Sequence[str], right: Sequence[str]) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(left), len(right)))


def score_alignment(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the score of the word alignment; None without a gold body."""
    if not gold.body:
        return None
    given, wanted = tokens(prediction.text), tokens(plain_body(gold))
    return overlap(lcs_length(given, wanted), len(given), len(wanted))


def score_marked_alignment(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the score of the alignment of words and block marks; None if the gold body has no marks."""
    if not gold.is_marked:
        return None
    given, wanted = _with_marks(prediction.marked), _with_marks(gold.body or "")
    return overlap(lcs_length(given, wanted), len(given), len(wanted))


def _with_marks(text: str) -> list[str]:
    parts = _MARK.split(re.sub(r"(?i)^\s*URL\b[^\n]*\n", "", text))
    return [word for part in parts for word in ([part.lower()] if _MARK.fullmatch(part) else tokens(part))]


IDENTICAL = 0.9  # the paper's threshold for "accepted as identical"


def cosine(left: Counter[str], right: Counter[str]) -> float:
    """Return the cosine similarity of two word counts; 0.0 if one of them is empty."""
    dot = sum(count * right[word] for word, count in left.items() if word in right)
    length = math.sqrt(sum(n * n for n in left.values()) * sum(n * n for n in right.values()))
    return dot / length if length else 0.0


def score_acs(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the cosine similarity of the texts; None without a gold body."""
    if not gold.body:
        return None
    return Score(value=cosine(token_counts(prediction.text), token_counts(plain_body(gold))))


def score_tcs(gold: Gold, prediction: Prediction) -> Score | None:
    """Return 1.0 if the texts are accepted as identical."""
    acs = score_acs(gold, prediction)
    return None if acs is None else Score(value=float(acs.value > IDENTICAL))


_GRAM_WORD = re.compile(r"\w+")
_RUN = 4  # the n of the benchmark's published table


def four_grams(text: str) -> Counter[tuple[str, ...]]:
    """Return the count of each run of four words; a shorter text is one run."""
    words = _GRAM_WORD.findall(text)
    if len(words) < _RUN:
        return Counter([tuple(words)] if words else [])
    return Counter(zip(*(words[start:] for start in range(_RUN)), strict=False))


def score_four_grams(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the overlap of runs of four words; None without a gold body."""
    if not gold.body:
        return None
    given, wanted = four_grams(prediction.text), four_grams(plain_body(gold))
    return overlap((given & wanted).total(), given.total(), wanted.total())


def score_segments(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the wanted segments found, among all listed segments found; None if no segments are listed."""
    if not (gold.segments_with or gold.segments_without):
        return None
    hits = found_in(prediction.text, gold.segments_with)
    return overlap(hits, hits + found_in(prediction.text, gold.segments_without), len(gold.segments_with))


def score_comment_segments(gold: Gold, prediction: Prediction) -> Score | None:
    """Return how many of the listed segments were found in comments; None if none are listed."""
    if not gold.comment_segments:
        return None
    hits = found_in("\n".join(comment.text for comment in prediction.comments), gold.comment_segments)
    return Score(value=hits / len(gold.comment_segments), hits=hits, given=hits, wanted=len(gold.comment_segments))


def found_in(text: str, segments: Iterable[str]) -> int:
    """Return how many of the segments are in the text, ignoring white space."""
    folded = " ".join(text.split())
    return sum(" ".join(segment.split()) in folded for segment in segments)


THRESHOLD = 0.5  # the paper's script, `threshold`
SHORTEST = 20  # the paper's script: only longer gold texts are scored


def score_article_success(gold: Gold, prediction: Prediction) -> Score | None:
    """Return 1.0 if the article passes; None if its gold text is missing or too short."""
    return _success(plain_body(gold), prediction.text)


def score_title_success(gold: Gold, prediction: Prediction) -> Score | None:
    """Return 1.0 if the title passes; None if its gold text is missing or too short."""
    return _success(gold.title or "", prediction.title or "")


def _success(wanted: str, given: str) -> Score | None:
    if len(wanted) <= SHORTEST:
        return None
    return Score(value=float(similarity(wanted + ".", given + ".") > THRESHOLD))
