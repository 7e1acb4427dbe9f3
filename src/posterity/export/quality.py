"""The format `report`: a quality report of a corpus as one self-contained HTML page.

It shows counts, dates, lengths, languages and authors, the share of the listed posts that are stored, and the
confidence of every field. The same posts give the same page.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from statistics import median
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import msgspec

from posterity.charts import bars_across, bars_upright
from posterity.config import __version__
from posterity.export.near_duplicates import NearDuplicate, NearDuplicates, near_duplicates
from posterity.export.selection import Source, blog_title
from posterity.text.language import detect_language, same_language
from posterity.text.normal_form import count_of, words
from posterity.text.search_words import name_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from posterity.archive import Archive
    from posterity.model import Blog, Post

# Up to five years are shown by month, longer periods by year.
_MAX_MONTHS = 60
_SHOWN_NAMES = 15
# Posts with at least this many comments share the last bar.
_MAX_COMMENTS = 20


def charts(figures: Figures, coverage: Sequence[tuple[str, float]] = ()) -> list[tuple[str, str]]:
    """Return every chart with its caption; `coverage` is the percentage of each blog's listed posts."""
    rendered = [
        _over_time(figures.months),
        _lengths(figures.lengths),
        _titled(bars_across, "Languages", _most(figures.languages)),
        _titled(bars_across, "Authors with most posts", _most(figures.authors)),
        _comments(figures.comments_a_post),
    ]
    if coverage:
        lowest = sorted(coverage, key=lambda pair: pair[1])[:_SHOWN_NAMES]
        rendered.append(_titled(bars_across, "Coverage: per cent of the listed posts that are here", lowest))
    for name, field in figures.fields.items():
        if field.known:
            title = f"Confidence of {name}: mean {field.mean or 0:.2f} over {count_of(field.known, 'post')}"
            steps = [(f"{step / 10:.1f}", field.confidences[step]) for step in range(10)]
            rendered.append(_titled(bars_upright, title, steps, "confidence, from this on", "posts"))
    return rendered


def _titled(chart: Callable[..., str], title: str, *given: Any) -> tuple[str, str]:
    return title, chart(title, *given)


def _over_time(months: Counter[str]) -> tuple[str, str]:
    if not months:
        return _titled(bars_upright, "Posts over time", [])
    by_month = _months_between(min(months), max(months))
    if len(by_month) <= _MAX_MONTHS:
        return _titled(bars_upright, "Posts by month", [(month, months[month]) for month in by_month], "month", "posts")
    years: Counter[str] = Counter()
    for month, number in months.items():
        years[month[:4]] += number
    span = range(int(min(years)), int(max(years)) + 1)
    return _titled(bars_upright, "Posts by year", [(str(year), years[f"{year:04}"]) for year in span], "year", "posts")


def _months_between(first: str, last: str) -> list[str]:
    (year, month), (last_year, last_month) = ((int(part) for part in text.split("-")) for text in (first, last))
    count = (last_year - year) * 12 + last_month - month + 1
    return [f"{year + (month - 1 + n) // 12:04}-{(month - 1 + n) % 12 + 1:02}" for n in range(count)]


def _lengths(lengths: Iterable[int]) -> tuple[str, str]:
    """Return the chart of lengths, on a logarithmic scale."""
    steps = Counter(length.bit_length() for length in lengths)
    named = [("0" if not step else f"{1 << step - 1:,}+", steps[step]) for step in range(max(steps, default=0) + 1)]
    return _titled(bars_upright, "Lengths of posts", named, "words, each bar twice as long as the one before", "posts")


def _comments(counts: Iterable[int]) -> tuple[str, str]:
    found = Counter(min(count, _MAX_COMMENTS) for count in counts)
    named = [(f"{n}+" if n == _MAX_COMMENTS else str(n), found[n]) for n in range(max(found, default=0) + 1)]
    return _titled(bars_upright, "Comments on a post", named, "comments", "posts")


def _most(counts: Counter[str]) -> list[tuple[str, float]]:
    """Return the largest counts, and the sum of the others as one, so that the bars add up."""
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], name_order(pair[0])))
    rest = sum(number for _, number in ranked[_SHOWN_NAMES:])
    others = [(f"{len(ranked) - _SHOWN_NAMES} others", rest)] if rest else []
    return [(name, float(number)) for name, number in [*ranked[:_SHOWN_NAMES], *others]]


# Comments and media are counted separately, because a post need not have any.
FIELDS = ("title", "authors", "published", "language", "tags", "text")
SHOWN = 20
_CONFIDENCE_STEPS = 10

Lengths: TypeAlias = "array[int]"


class BlogFigures(msgspec.Struct, kw_only=True):
    """The counts of one blog."""

    posts: int = 0
    words: int = 0
    comments: int = 0
    first: datetime | None = None
    last: datetime | None = None


class FieldFigures(msgspec.Struct, kw_only=True):
    """How often a field is present, by which methods, and a histogram of their confidence in ten steps."""

    present: int = 0
    methods: Counter[str] = msgspec.field(default_factory=Counter)
    confidences: Counter[int] = msgspec.field(default_factory=Counter)
    confidence_sum: float = 0.0
    known: int = 0

    @property
    def mean(self) -> float | None:
        """The mean confidence of the values that have one."""
        return self.confidence_sum / self.known if self.known else None


class Figures:
    """All counters; `add` counts a post."""

    def __init__(self, seen: NearDuplicates) -> None:
        self.lengths: Lengths = array("I")
        self.comments_a_post: Lengths = array("I")
        self.blogs: dict[str, BlogFigures] = defaultdict(BlogFigures)
        self.months: Counter[str] = Counter()
        self.undated = 0
        self.day_only = 0
        self.languages: Counter[str] = Counter()
        self.guessed_languages = 0
        # The declared and the detected language, where they differ.
        self.disagreements: Counter[tuple[str, str]] = Counter()
        self.authors: Counter[str] = Counter()
        self.commenters: Counter[str] = Counter()
        self.licenses: Counter[str] = Counter()
        self.media = self.embeds = 0
        self.fields = {name: FieldFigures() for name in FIELDS}
        self.duplicates: list[NearDuplicate] = []
        self.duplicate_count = 0
        self._seen = seen

    def add(self, post: Post) -> None:
        """Count one more post."""
        length = len(words(post.text))
        self.lengths.append(length)
        self.comments_a_post.append(len(post.comments))
        self.authors.update(post.authors)
        self.commenters.update(comment.author for comment in post.comments if comment.author)
        self.licenses[post.license or "not stated"] += 1
        embeds = sum(medium.is_embed for medium in post.media)
        self.embeds += embeds
        self.media += len(post.media) - embeds
        self._count_language(post)
        blog = self.blogs[post.blog or ""]
        blog.posts += 1
        blog.words += length
        blog.comments += len(post.comments)
        if post.published is None:
            self.undated += 1
        else:
            self.months[f"{post.published:%Y-%m}"] += 1
            self.day_only += post.published_precision not in (None, "minute")
            blog.first = min(blog.first or post.published, post.published)
            blog.last = max(blog.last or post.published, post.published)
        for name, field in self.fields.items():
            _count_field(field, post, name)
        if (repeated := self._seen.find_or_add(post)) is not None:
            self.duplicate_count += 1
            if len(self.duplicates) < SHOWN:
                self.duplicates.append(repeated)

    @property
    def posts(self) -> int:
        """The number of posts."""
        return len(self.lengths)

    @property
    def words(self) -> int:
        """The number of words of all posts."""
        return sum(self.lengths)

    @property
    def median_length(self) -> float:
        """The median length of a post, in words."""
        return median(self.lengths) if self.lengths else 0

    def _count_language(self, post: Post) -> None:
        found = detect_language(post.text)
        if post.language is None:
            self.guessed_languages += found is not None
            self.languages[found.language if found else "unknown"] += 1
            return
        self.languages[post.language.replace("_", "-").partition("-")[0].lower()] += 1
        declared = post.language_declared or post.language
        if found is not None and not same_language(found.language, declared):
            self.disagreements[declared, found.language] += 1


def _count_field(field: FieldFigures, post: Post, name: str) -> None:
    if not getattr(post, name):
        return
    field.present += 1
    if (source := post.provenance.get(name)) is not None:
        field.methods[source.method] += 1
        field.confidences[min(_CONFIDENCE_STEPS - 1, int(source.confidence * _CONFIDENCE_STEPS))] += 1
        field.confidence_sum += source.confidence
        field.known += 1


def count_figures(posts: Iterable[Post]) -> Figures:
    """Return the figures of the posts."""
    with near_duplicates() as seen:
        figures = Figures(seen)
        for post in posts:
            figures.add(post)
    return figures


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """The posts of one blog, compared with what its sources listed in the last harvest."""

    title: str
    url: str
    figures: BlogFigures
    listed: int | None = None
    missing: int = 0
    reasons: dict[str, int] = {}

    @property
    def share(self) -> float | None:
        """The share of the listed posts that are stored, 0 to 1; None if no source listed any."""
        return 1 - self.missing / self.listed if self.listed else None


def write_quality_report(source: Source, stream: BinaryIO) -> None:
    """Write the report about the posts of an export."""
    from jinja2 import Environment, PackageLoader
    from markupsafe import Markup

    figures = count_figures(source.posts)
    known = {blog.id: blog for blog in source.blogs}
    found = (_coverage(source.archive, known[name], one) for name, one in figures.blogs.items() if name in known)
    covered = sorted(found, key=lambda one: (-one.figures.posts, one.url))
    shares = [(one.title, 100 * one.share) for one in covered if one.share is not None]
    environment = Environment(
        loader=PackageLoader("posterity.export", "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    # Charts are markup in which names are already escaped; the template escapes everything else.
    page = environment.get_template("quality.html").render(
        title=source.title,
        version=__version__,
        made_at=source.made_at,
        figures=figures,
        covered=covered,
        charts=[(caption, Markup(chart)) for caption, chart in charts(figures, shares)],  # noqa: S704
    )
    stream.write(page.encode())


def _coverage(archive: Archive, blog: Blog, figures: BlogFigures) -> Coverage:
    report = archive.report(blog.id)
    missing = report.missing if report else ()
    return Coverage(
        title=blog_title(blog),
        url=blog.url,
        figures=figures,
        listed=(report.posts + len(missing)) if report else None,
        missing=len(missing),
        reasons=dict(Counter(one.reason for one in missing)),
    )
