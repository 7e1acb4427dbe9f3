"""The figures of a quality report, counted as posts pass: nothing of a text is kept.

Lengths are kept as numbers, four bytes a post, so that medians are exact.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from statistics import median
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from posterity.corpus.language import identified, same_language
from posterity.corpus.near_duplicates import NearDuplicate, near_duplicates
from posterity.text.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from posterity.corpus.near_duplicates import NearDuplicates
    from posterity.model import Post

# What a linguist asks of a record; `comments` and `media` may rightly be absent and stand apart.
FIELDS = ("title", "authors", "published", "language", "tags", "text")
SHOWN = 20
_CONFIDENCE_STEPS = 10

Lengths: TypeAlias = "array[int]"


class BlogFigures(msgspec.Struct, kw_only=True):
    """What is counted of one blog."""

    posts: int = 0
    words: int = 0
    comments: int = 0
    first: "datetime | None" = None
    last: "datetime | None" = None


class FieldFigures(msgspec.Struct, kw_only=True):
    """How often a field is there, which methods gave it, and how sure they were, in ten steps."""

    present: int = 0
    methods: Counter[str] = msgspec.field(default_factory=Counter)
    confidences: Counter[int] = msgspec.field(default_factory=Counter)
    confidence_sum: float = 0.0
    told: int = 0

    @property
    def mean(self) -> float | None:
        """The mean confidence of the values that have one."""
        return self.confidence_sum / self.told if self.told else None


class Figures:
    """All counters together; `add` takes a post."""

    def __init__(self, seen: NearDuplicates) -> None:
        self.lengths: Lengths = array("I")
        self.comments_a_post: Lengths = array("I")
        self.blogs: dict[str, BlogFigures] = defaultdict(BlogFigures)
        self.months: Counter[str] = Counter()
        self.undated = 0
        self.day_only = 0
        self.languages: Counter[str] = Counter()
        self.guessed_languages = 0
        # Declared language and the one that the text is in, where they differ.
        self.disagreements: Counter[tuple[str, str]] = Counter()
        self.authors: Counter[str] = Counter()
        self.commenters: Counter[str] = Counter()
        self.licenses: Counter[str] = Counter()
        self.media = 0
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
        self.media += len(post.media)
        self._count_time(post)
        self._count_language(post)
        self._count_blog(post, length)
        for name, field in self.fields.items():
            _count_field(field, post, name)
        repeated = self._seen.repeated(post)
        if repeated is not None:
            self.duplicate_count += 1
            if len(self.duplicates) < SHOWN:
                self.duplicates.append(repeated)

    @property
    def posts(self) -> int:
        """How many posts there are."""
        return len(self.lengths)

    @property
    def words(self) -> int:
        """How many words all of them have."""
        return sum(self.lengths)

    @property
    def median_length(self) -> float:
        """The length of the middle post, in words."""
        return median(self.lengths) if self.lengths else 0

    def _count_time(self, post: Post) -> None:
        if post.published is None:
            self.undated += 1
        else:
            self.months[f"{post.published:%Y-%m}"] += 1
            self.day_only += post.published_precision == "day"

    def _count_language(self, post: Post) -> None:
        found = identified(post.text)
        if post.language is None:
            self.guessed_languages += found is not None
            self.languages[found.language if found else "unknown"] += 1
            return
        self.languages[post.language.replace("_", "-").partition("-")[0].lower()] += 1
        if found is not None and not same_language(found.language, post.language):
            self.disagreements[post.language, found.language] += 1

    def _count_blog(self, post: Post, length: int) -> None:
        blog = self.blogs[post.blog or ""]
        blog.posts += 1
        blog.words += length
        blog.comments += len(post.comments)
        if post.published is not None:
            blog.first = min(blog.first or post.published, post.published)
            blog.last = max(blog.last or post.published, post.published)


def _count_field(field: FieldFigures, post: Post, name: str) -> None:
    if not getattr(post, name):
        return
    field.present += 1
    source = post.provenance.get(name)
    if source is not None:
        field.methods[source.method] += 1
        field.confidences[min(_CONFIDENCE_STEPS - 1, int(source.confidence * _CONFIDENCE_STEPS))] += 1
        field.confidence_sum += source.confidence
        field.told += 1


def counted(posts: Iterable[Post]) -> Figures:
    """Return the figures of the posts."""
    with near_duplicates() as seen:
        figures = Figures(seen)
        for post in posts:
            figures.add(post)
    return figures
