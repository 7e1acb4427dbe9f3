"""The charts of a quality report: posts over time, lengths, languages, authors, comments, coverage, confidence."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from posterity.draw.bars import bars_across, bars_upright

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from posterity.corpus.quality_figures import Figures

# Up to five years are shown by month; more, by year.
_MAX_MONTHS = 60
_SHOWN_NAMES = 15
# Comments above this count share the last bar.
_MAX_COMMENTS = 20


def charts(figures: Figures, coverage: Sequence[tuple[str, float]] = ()) -> list[tuple[str, str]]:
    """Return every chart with its caption; `coverage` is the share of each blog's promised posts, in per cent."""
    drawn = [
        _over_time(figures.months),
        _lengths(figures.lengths),
        ("Languages", bars_across("Languages", _most(figures.languages))),
        ("Authors with most posts", bars_across("Authors with most posts", _most(figures.authors))),
        _comments(figures.comments_a_post),
    ]
    if coverage:
        title = "Coverage: per cent of the promised posts that are here"
        drawn.append((title, bars_across(title, sorted(coverage, key=lambda pair: pair[1])[:_SHOWN_NAMES])))
    told = {name: field for name, field in figures.fields.items() if field.told}
    drawn += [
        (
            caption := f"Confidence of {name}: mean {field.mean or 0:.2f} over {field.told:,} posts",
            bars_upright(
                caption,
                [(f"{step / 10:.1f}", field.confidences[step]) for step in range(10)],
                "confidence, from this on",
                "posts",
            ),
        )
        for name, field in told.items()
    ]
    return drawn


def _over_time(months: Counter[str]) -> tuple[str, str]:
    if not months:
        return "Posts over time", bars_upright("Posts over time", [])
    by_month = _months_between(min(months), max(months))
    if len(by_month) <= _MAX_MONTHS:
        title = "Posts by month"
        return title, bars_upright(title, [(month, months[month]) for month in by_month], "month", "posts")
    years: Counter[str] = Counter()
    for month, number in months.items():
        years[month[:4]] += number
    title = "Posts by year"
    span = range(int(min(years)), int(max(years)) + 1)
    return title, bars_upright(title, [(str(year), years[f"{year:04}"]) for year in span], "year", "posts")


def _months_between(first: str, last: str) -> list[str]:
    (year, month), (last_year, last_month) = ((int(part) for part in text.split("-")) for text in (first, last))
    count = (last_year - year) * 12 + last_month - month + 1
    return [f"{year + (month - 1 + n) // 12:04}-{(month - 1 + n) % 12 + 1:02}" for n in range(count)]


def _lengths(lengths: Iterable[int]) -> tuple[str, str]:
    """Lengths in steps that double: texts differ by factors, not by amounts."""
    steps = Counter(length.bit_length() for length in lengths)
    named = [("0" if not step else f"{1 << step - 1:,}+", steps[step]) for step in range(max(steps, default=0) + 1)]
    title = "Lengths of posts"
    return title, bars_upright(title, named, "words, each bar twice as long as the one before", "posts")


def _comments(counts: Iterable[int]) -> tuple[str, str]:
    found = Counter(min(count, _MAX_COMMENTS) for count in counts)
    most = max(found, default=0)
    named = [(f"{n}+" if n == _MAX_COMMENTS else str(n), found[n]) for n in range(most + 1)]
    title = "Comments on a post"
    return title, bars_upright(title, named, "comments", "posts")


def _most(counts: Counter[str]) -> list[tuple[str, float]]:
    """The largest, the rest as one, so that the bars add up."""
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    rest = sum(number for _, number in ranked[_SHOWN_NAMES:])
    others = [(f"{len(ranked) - _SHOWN_NAMES} others", rest)] if rest else []
    return [(name, float(number)) for name, number in [*ranked[:_SHOWN_NAMES], *others]]
