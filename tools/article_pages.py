"""The annotated pages on which the article model is trained: their blocks, labels, weights and features.

Articles of a few lines are rare in the annotated sets but common in blogs. So every longer article is added a second
time in a shortened form: the same page around a short post.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from copy import copy
from itertools import accumulate
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
import numpy as np
from tools.article_labels import labels, segment_labels

from posterity.classify.page_kind import is_thread
from posterity.dom import parse
from posterity.evaluate.measures.text import plain_body, token_counts, tokens
from posterity.extraction.hybrid.adjustments import power_of_odds
from posterity.extraction.hybrid.blocks import BlockPage, Blocks, NameTable, joined_names, label_words, name_words
from posterity.extraction.hybrid.model import declared_texts, features

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

    from posterity.dom import Tree
    from posterity.evaluate.datasets import Sample

FOLDS = 4
# The weight of a page by its type: blog posts are articles, the other types add variety of layouts. Raising those from
# 0.4 to 0.8 gains 0.01 on other types and costs nothing on articles. A labelled segment weighs as a short paragraph.
_TYPE_WEIGHT = {"article": 1.0, None: 1.0, "documentation": 0.9}
_OTHER_TYPE, _SHORTENED, _SEGMENT = 0.8, 0.6, 0.12
BY_FEED = 0.7  # the weight of a page that is labelled by its feed
_MAX_UNWANTED = 4.0  # the maximum weight of all unwanted blocks of a page together; its article weighs 1.0
_EASY, _EASY_SHARE = 40, 0.3  # unwanted blocks below this many characters are sampled at this rate
_SMOOTHING, _MIN_HOSTS, _MIN_SCORE = 2.0, 3, 0.2
_SHORT = (30, 80, 150, 250, 500)  # characters of a shortened article


class Annotated(msgspec.Struct, kw_only=True):
    """A page with the label of each block (see `article_labels`), and the fold of its host."""

    tree: Any
    blocks: Any
    labels: Any
    fold: int
    host: str
    page_type: str | None
    by_segments: bool
    by_feed: bool = False  # labelled by the blog's feed
    # Whether it is a forum thread. The exponent of its blocks' odds. The words of the annotated text, if all of it is
    # annotated. The titles in its head.
    thread: bool = False
    power: float = 1.0
    wanted: Any = None
    titles: list[str] = []
    shortened: bool = False
    page: Any = None
    table: Any = None
    columns: list[str] = []


def annotated(sample: Sample) -> Annotated | None:
    """Return the page of a sample, or None if it has no text or no annotations of text."""
    document = parse(sample.html, sample.url)
    tree = document.tree
    blocks, gold = Blocks(tree, NameTable({})), sample.gold
    if not len(blocks) or not (gold.body or gold.segments_with or gold.segments_without):
        return None
    if gold.body:
        found = labels(blocks.texts, plain_body(gold))
    else:
        found = segment_labels(blocks.texts, gold.segments_with, gold.segments_without)
    host = urlsplit(sample.url).netloc.removeprefix("www.") or sample.id
    return Annotated(
        tree=tree,
        blocks=blocks,
        labels=np.array(found, np.float32),
        fold=int(hashlib.md5(host.encode()).hexdigest(), 16) % FOLDS,
        host=host,
        page_type=str(sample.tags["page_type"]) if sample.tags.get("page_type") else None,
        by_segments=not gold.body,
        by_feed=sample.tags.get("label") == "feed",
        thread=is_thread(document),
        power=power_of_odds(document),
        wanted=token_counts(plain_body(gold)) if gold.body else None,
        titles=declared_texts(tree)[0],
    )


def read_names(page: Annotated, names: NameTable) -> None:
    """Compute the page's features, with name scores learned on other hosts."""
    read = Blocks(page.tree, names)
    page.blocks.path, page.blocks.label_scores = read.path, list(map(names.score, page.blocks.texts))
    page.page = BlockPage(page.blocks)
    page.table, page.columns = features(page.page, *declared_texts(page.tree))


def name_scores(pages: Iterable[Annotated]) -> dict[str, float]:
    """Return the log odds that text is part of the article, by name of its element and by word of short texts."""
    shares: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for page in pages:
        for word, (found, total) in _under_names(page).items():
            shares[word][page.host].append(found / total)
    scores = {}
    for word, hosts in shares.items():
        if len(hosts) >= _MIN_HOSTS:
            found = sum(sum(values) / len(values) for values in hosts.values())
            scores[word] = math.log((found + _SMOOTHING / 2) / (len(hosts) - found + _SMOOTHING / 2))
    return {word: round(score, 2) for word, score in sorted(scores.items()) if abs(score) > _MIN_SCORE}


def _under_names(page: Annotated) -> dict[str, list[float]]:
    """Return the numbers of article characters and of all labelled characters under each name of a page."""
    tree: Tree = page.tree
    known = page.labels >= 0
    chars = np.array([len(text) for text in page.blocks.texts], float) * known
    wanted, total = (list(accumulate(values, initial=0.0)) for values in (chars * page.labels, chars))
    found: dict[str, list[float]] = {}
    before = page.blocks.before
    for node, attrs in enumerate(tree.attrs):
        low, high = before[node], before[tree.end[node]]
        if attrs and total[high] > total[low] and tree.tag[node] not in ("html", "body"):
            for word in name_words(joined_names(attrs)):
                _add(found, word, wanted[high] - wanted[low], total[high] - total[low])
    for number in np.flatnonzero(known):
        for word in label_words(page.blocks.texts[number]):
            _add(found, word, float(page.labels[number]), 1.0)
    return found


def _add(found: dict[str, list[float]], word: str, wanted: float, total: float) -> None:
    sums = found.setdefault(word, [0.0, 0.0])
    sums[0], sums[1] = sums[0] + wanted, sums[1] + total


def shortened(page: Annotated, rng: random.Random) -> Annotated | None:
    """Return the page with only a few lines of its article, or None if the article is not longer."""
    article = np.flatnonzero(page.labels >= 0.5).tolist()
    if page.by_segments or page.page_type not in (None, "article") or len(article) < 6:
        return None
    texts, kept, size, wanted = page.blocks.texts, set(), 0, rng.choice(_SHORT)
    for number in article[rng.choice((0, 0, 1, 2, 3)) :]:
        kept.add(number)
        size += len(texts[number])
        if size >= wanted:
            break
    keep = [label < 0.5 or number in kept for number, label in enumerate(page.labels)]
    blocks, before = copy(page.blocks), list(accumulate(keep, initial=0))
    for name in ("text_nodes", "texts", "links", "elements", "label_scores"):
        setattr(blocks, name, [value for value, stays in zip(getattr(blocks, name), keep, strict=True) if stays])
    blocks.before = [before[number] for number in page.blocks.before]
    blocks.counts = np.array(blocks.before, np.intp)
    blocks.pictures = [before[number] for number in page.blocks.pictures]
    short = copy(page)
    short.blocks, short.labels, short.shortened = blocks, page.labels[np.array(keep)], True
    short.wanted = Counter(
        word for text, label in zip(blocks.texts, short.labels, strict=True) if label >= 0.5 for word in tokens(text)
    )
    short.page = BlockPage(blocks)
    short.table, _ = features(short.page, *declared_texts(page.tree))
    return short


def weights(page: Annotated, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Return the training weight of each block: its effect on the page's F1, or 0.0 if it has no label."""
    wanted, chars = page.labels >= 0.5, page.page.chars
    # Some annotators leave out program code, which should be extracted.
    known = (page.labels >= 0) & ~((page.table[:, page.columns.index("in_pre")] > 0) & ~wanted)
    if page.by_segments:
        found = np.full(len(chars), _SEGMENT)
    else:
        found = np.minimum(chars / max(float((chars * wanted).sum()), 30.0), 1.0) + 0.002
        unwanted = float((found * ~wanted * known).sum())
        found = np.where(wanted, found, found * min(1.0, _MAX_UNWANTED / max(unwanted, 1e-6)))
        found = found * _TYPE_WEIGHT.get(page.page_type, _OTHER_TYPE) * (_SHORTENED if page.shortened else 1.0)
        found = found * (BY_FEED if page.by_feed else 1.0)
    easy = (chars < _EASY) & ~wanted
    rendered = ~easy | (rng.random(len(chars)) < _EASY_SHARE)
    counted: np.ndarray[Any, Any] = np.where(easy, found / _EASY_SHARE, found) * rendered * known
    return counted


def hosts_apart(pages: Sequence[Annotated], fold: int) -> list[Annotated]:
    """Return the pages of all hosts outside a fold."""
    return [page for page in pages if page.fold != fold]
