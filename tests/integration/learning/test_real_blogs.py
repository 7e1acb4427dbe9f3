"""Rules learned from the feeds of real blogs, against what their posts really contain."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

import pytest

from posterity.dom import parse
from posterity.errors import PosterityError
from posterity.evaluate.datasets import blog_site
from posterity.evaluate.measures.fields import same_day, same_name
from posterity.extraction import Context, extract
from posterity.learning.evidence import matched_pages
from posterity.learning.rule_set import learn_fields as learn
from posterity.text.normal_form import letters_and_digits, token_f1, word_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.evaluate.datasets import Gold, Sample, SampleSite
    from posterity.model import Post

pytestmark = [
    pytest.mark.shared,
    # feedparser warns of its own fallback; what discover makes of it has tests of its own.
    pytest.mark.filterwarnings("ignore:To avoid breaking existing software:DeprecationWarning"),
]

# What is reached today, less a little: blogs weigh the same, posts without a gold value are left out.
FLOORS = {"article": 0.985, "title": 0.985, "date": 0.96, "authors": 0.97, "comments": 0.95}
POSTS_A_BLOG = 40


def test_fields_of_real_blogs(shared_blogs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Report for every field how much is right, the blogs weighing the same, and hold the floors."""
    by_field: dict[str, list[float]] = defaultdict(list)
    lines = []
    for folder in _unpacked(shared_blogs):
        shares = _shares(blog_site(folder))
        for field, share in shares.items():
            by_field[field].append(share)
        lines.append(f"{folder.name:20}" + "  ".join(f"{field} {share:.3f}" for field, share in shares.items()))
    means = {field: mean(shares) for field, shares in by_field.items()}
    with capsys.disabled():
        print("\n".join(["", *lines, str({field: round(value, 4) for field, value in means.items()})]))  # noqa: T201
    assert {field: value for field, value in means.items() if value < FLOORS[field]} == {}


COMPARED = 6  # posts of each blog
SLACK = 0.01  # of the mean token F1: where pages are read together, a line more or less is left out


def test_no_field_is_worse_for_what_is_known_of_the_blog(shared_blogs: Path) -> None:
    """Compare pages read alone with the same pages read together, and by the rules of their blog."""
    worse = [line for folder in _unpacked(shared_blogs) for line in _worse(blog_site(folder))]
    assert worse == []


def _worse(site: SampleSite) -> list[str]:
    samples = site.samples[:: max(1, len(site.samples) // COMPARED)][:COMPARED]
    contexts = {"together": Context(site=tuple(parse(sample.html, sample.url) for sample in samples))}
    if site.evidence is not None:
        with suppress(PosterityError):
            contexts["by rules"] = Context(rules=learn(site.evidence.feed, site.evidence.pages))
    alone = _means(samples, Context())
    return [
        f"{site.name}: {field} {alone[field]:.3f} alone, {value:.3f} {how}"
        for how, context in contexts.items()
        for field, value in _means(samples, context).items()
        if field != "comments" and value < alone[field] - (SLACK if field == "article" else 0)
    ]


def _means(samples: Sequence[Sample], context: Context) -> dict[str, float]:
    right: dict[str, list[float]] = defaultdict(list)
    for sample in samples:
        for field, score in _scores(extract(sample.html, sample.url, context=context), sample.gold).items():
            right[field].append(score)
    return {field: mean(scores) for field, scores in right.items()}


def _unpacked(blogs: Path) -> list[Path]:
    run = subprocess.run(
        [sys.executable, blogs / "serve.py", "--unpack"], capture_output=True, text=True, check=True, timeout=600
    )
    folder = Path(run.stdout.strip().splitlines()[-1])
    return sorted(truth.parent for truth in folder.glob("*/truth.json"))


def _shares(site: SampleSite) -> dict[str, float]:
    """By field, the share that is right; nothing for a blog without a feed of use."""
    if site.evidence is None:
        return {}
    pages = {**site.evidence.pages, **{sample.url: sample.html for sample in site.samples}}
    try:
        rules = learn(site.evidence.feed, pages)
    except PosterityError:
        return {}
    entries = dict(matched_pages(site.evidence.feed.entries, pages))
    right: dict[str, list[float]] = defaultdict(list)
    for sample in site.samples[:POSTS_A_BLOG]:
        post = extract(sample.html, sample.url, context=Context(rules=rules, entry=entries.get(sample.url)))
        for field, score in _scores(post, sample.gold).items():
            right[field].append(score)
    return {field: mean(scores) for field, scores in right.items()}


def _scores(post: Post | None, gold: Gold) -> dict[str, float]:
    scores: dict[str, float] = {}
    if gold.body:
        scores["article"] = token_f1(word_counts(post.text if post else ""), word_counts(gold.body))
    if gold.title:
        scores["title"] = float(same_name(gold.title, post.title if post else None))
    if gold.date:
        given = post.published.isoformat() if post and post.published else None
        scores["date"] = float(same_day(gold.date, given, gold.date_tolerance_h))
    if gold.authors:
        names = set(map(letters_and_digits, post.authors if post else ()))
        scores["authors"] = float(names == set(map(letters_and_digits, gold.authors)))
    if gold.comments:
        scores["comments"] = _found_comments(post, [comment.text for comment in gold.comments])
    return scores


def _found_comments(post: Post | None, wanted: list[str]) -> float:
    """F1 of comments; two are the same when they share most of their words, as where ours leaves out name and date."""
    left = [word_counts(comment.text) for comment in post.comments] if post else []
    given, hits = len(left), 0
    for text in wanted:
        words = word_counts(text)
        best = max(range(len(left)), key=lambda index: token_f1(left[index], words), default=None)
        if best is not None and token_f1(left[best], words) >= 0.5:
            hits += 1
            left.pop(best)
    return 2 * hits / (given + len(wanted))
