"""The article's node on a page: by the full text of the feed, or by the distribution of the page's own text.

With a full feed: Dice on bigram sets finds the neighbourhood in one pass (Algorithm 2), and word F1 decides
among its best nodes, because bigram sets of long texts are all alike. With a summary the feed only shows where the
article begins, and with titles not even that; then the node wins that holds most of the text which is on no
other page of the blog, and little else.
"""

from __future__ import annotations

import heapq
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple
from zlib import crc32

from posterity.dom import Tree
from posterity.lexicon import any_of, part_names, words_for
from posterity.text.dates import is_date_line
from posterity.text.normal_form import forms_of, letters_and_digits, single_spaced, word_counts, words_of_comparable

_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
_OTHER_TAGS = frozenset({"aside", "footer", "form", "nav", "button", "label", "dialog"})
_COMMENT_WORDS = any_of((*part_names("comment.section"), *words_for("name.comments")))
_OTHER_WORDS = any_of((_COMMENT_WORDS, *part_names("other.article_part")))
_OTHER_NAMES = re.compile(rf"(?:^|[-_ ])(?:{_OTHER_WORDS})(?:$|[-_ ])", re.IGNORECASE)
_COMMENT_HEADING = re.compile(rf"(?:{_COMMENT_WORDS})(?:$|[-_ ])", re.IGNORECASE)
_ARTICLE_NAMES = frozenset(part_names("article.element"))
# A text on more than this share of the pages belongs to the template; so does a sentence on a few of them, who one of
# several authors is.
_TEMPLATE_SHARE = 0.3
_SENTENCE, _FEW_PAGES = 50, 3
_LINK_WEIGHT = 0.2
_LABEL, _COUNT, _LETTER = 30, re.compile(r"^\d+|\d+(?=\W*$)"), re.compile(r"[^\W\d_]")
_CONTENT_IDS = part_names("article.content_id")


def run_keys(tree: Tree) -> list[int]:
    """Return a number for each of the tree's text runs (`Tree.runs`), the same for labels that differ in a count."""
    texts = forms_of([tree.text[node] for node in tree.runs], single_spaced)
    return [_checksum(_without_counts(text) if len(text) <= _LABEL else text) for text in texts]


def _without_counts(text: str) -> str:
    """Return a label with other numbers, "2 comments" or "5-minute read", as one and the same; a bare number stays."""
    return _COUNT.sub("0", text) if _LETTER.search(text) else text


def text_keys(tree: Tree) -> set[int]:
    """Return a number for every distinct visible text run of the page."""
    return set(run_keys(tree))


def template_of(trees: Iterable[Tree]) -> Counter[int]:
    """Return the number of pages that contain each text run."""
    counts: Counter[int] = Counter()
    for tree in trees:
        counts.update(text_keys(tree))
    return counts


def own_text_mass(tree: Tree, template: Counter[int], pages: int, title: str = "") -> tuple[list[float], list[float]]:
    """Return for every node the amount of the page's own text below it, and the amount of all text, in characters.

    The title is on no other page, and yet it is not the article: on a page with a film and no words it would win.
    Nor is the line with its date.
    """
    is_title = _title_test(title)
    size = len(tree)
    own, total = [0.0] * size, [0.0] * size
    is_other, in_link = _other_parts(tree)
    for node, key in zip(tree.runs, run_keys(tree), strict=True):
        text = tree.text[node]
        total[node] = len(text.strip()) * (_LINK_WEIGHT if in_link[node] else 1.0)
        count = template.get(key, 0)
        is_repeated = is_template(count, pages) or (count >= _FEW_PAGES and len(text) >= _SENTENCE)
        if not is_other[node] and not is_repeated and not is_title(text) and not is_date_line(text):
            own[node] = total[node]
    return tree.summed(own), tree.summed(total)


def _title_test(title: str) -> Callable[[str], bool]:
    wanted = letters_and_digits(title)
    longest = 2 * len(title) + 16

    def is_title(text: str) -> bool:
        return bool(wanted) and len(text) <= longest and letters_and_digits(text) == wanted

    return is_title


def is_template(count: int, pages: int) -> bool:
    """Return whether a text on `count` of the pages belongs to the template."""
    return count > max(1, int(pages * _TEMPLATE_SHARE))


def in_other_part(tree: Tree) -> list[bool]:
    """Return for every node whether it is inside a part that is named as something else than content."""
    return _other_parts(tree)[0]


def _other_parts(tree: Tree) -> tuple[list[bool], list[bool]]:
    """For every node: is it inside a part that is named as something else than content; is it inside a link.

    Comments may have no part of their own: then they are below their heading.
    """
    size = len(tree)
    is_other, in_link = [False] * size, [False] * size
    wrappers = _around_content(tree)
    below_heading: set[int] = set()
    for node in range(1, size):
        parent, tag, attrs = tree.parent[node], tree.tag[node], tree.attrs[node]
        is_other[node] = is_other[parent] or tag in _OTHER_TAGS or (bool(attrs) and _named_other(tag, attrs))
        if tag in _HEADINGS and _COMMENT_HEADING.match(attrs.get("id") or ""):
            below_heading.add(parent)
        is_other[node] = is_other[node] or parent in below_heading
        in_link[node] = in_link[parent] or tag == "a"
        if node in wrappers:
            is_other[node] = False
    return is_other, in_link


def _around_content(tree: Tree) -> set[int]:
    """What the page itself calls its content, and all around it: called after the sidebar beside it, it is none.

    Platforms that are made of widgets have the post in one too.
    """
    named = [*tree.nodes_by_tag.get("main", ()), *tree.nodes_by_declaration.get("itemprop=articleBody", ())]
    named += [node for name in _CONTENT_IDS for node in tree.nodes_by_id.get(name, ())]
    only = [tree.nodes_by_tag.get("article", ()), *(tree.nodes_by_class.get(name, ()) for name in _ARTICLE_NAMES)]
    named += [nodes[0] for nodes in only if len(nodes) == 1]
    return tree.around(named)


def _named_other(tag: str, attrs: dict[str, str | None]) -> bool:
    # Themes put the names of all features on <body> and <article> ("has-sidebar", "comments-open").
    # And spans of highlighted code are called "comment".
    if tag in ("html", "body", "main", "article", "span", "code", "pre", "em", "strong", "i", "b"):
        return False
    name, classes = attrs.get("id"), attrs.get("class")
    return (name is not None or classes is not None) and _names_other(name or "", classes or "")


@lru_cache(maxsize=4096)  # the elements of a page have some tens of different names, the same on the next page
def _names_other(name: str, classes: str) -> bool:
    # A theme may call the article's own element after what else it holds: "entry share".
    return _OTHER_NAMES.search(f"{name} {classes}") is not None and not _ARTICLE_NAMES.intersection(classes.split())


def _checksum(text: str) -> int:
    """The same number for the same text on every machine; Python's own hash differs from run to run."""
    data = text.encode("utf-8", "surrogatepass")
    return crc32(data) << 32 | crc32(data[::-1])


class _CountedSpan(NamedTuple):
    """The words from `start` to `end`, how often each is there, and how many of them the target has too."""

    start: int
    end: int
    counts: Counter[str]
    common: int


def word_scores(tree: Tree, seen: SeenText, nodes: Sequence[int], target: str) -> dict[int, float]:
    """Return the word F1 of the nodes against the target, as `token_f1` gives it."""
    wanted = word_counts(target)
    found, place = _words(tree, seen, nodes)
    spans = {node: (place[node], place[tree.end[node]]) for node in nodes}
    common: dict[tuple[int, int], int] = {}
    counted: list[_CountedSpan] = []
    for start, end in sorted(set(spans.values()), key=lambda span: span[1] - span[0]):
        counted.append(_count_span(found, start, end, wanted, counted))
        common[start, end] = counted[-1].common
    total = wanted.total()
    return {
        node: 2 * common[span] / (span[1] - span[0] + total) if common[span] else 0.0 for node, span in spans.items()
    }


def _words(tree: Tree, seen: SeenText, nodes: Sequence[int]) -> tuple[list[str], dict[int, int]]:
    """The words of the page in order, as far as the nodes reach, and how many are before each node's edges."""
    edges = sorted({edge for node in nodes for edge in (node, tree.end[node])})
    found: list[str] = []
    place = dict.fromkeys(edges[:1], 0)
    for left, right in pairwise(edges):
        first, last = bisect_left(seen.nodes, left), bisect_left(seen.nodes, right)
        found += words_of_comparable("\n".join(seen.texts[first:last]))
        place[right] = len(found)
    return found, place


def _count_span(
    found: list[str], start: int, end: int, wanted: Counter[str], smaller: Sequence[_CountedSpan]
) -> _CountedSpan:
    inside = [each for each in smaller if start <= each.start and each.end <= end]
    inner = max(inside, key=lambda each: each.end - each.start, default=_CountedSpan(start, start, Counter(), 0))
    if 2 * (inner.end - inner.start) < end - start:
        counts = Counter(found[start:end])
        return _CountedSpan(
            start, end, counts, sum(min(count, wanted[word]) for word, count in counts.items() if word in wanted)
        )
    counts, common = inner.counts.copy(), inner.common
    for word in chain(found[start : inner.start], found[inner.end : end]):
        so_far = counts.get(word, 0)
        common += so_far < wanted.get(word, 0)
        counts[word] = so_far + 1
    return _CountedSpan(start, end, counts, common)


# Nodes this far below the best Dice cannot win by words either.
MARGIN = 0.15
# How many nodes are compared word by word: an article and its wrappers are rarely more.
_SHORT_LIST = 12


def whole_text_scores(tree: Tree, seen: SeenText, near: Mapping[int, float], target: str) -> dict[int, float]:
    """Return the word F1 against the target of the nodes that come near it by Dice."""
    able = (node for node in near if _can_hold_article(tree, node))
    return word_scores(tree, seen, heapq.nlargest(_SHORT_LIST, able, key=lambda node: (near[node], node)), target)


def own_text_scores(tree: Tree, template: Counter[int], pages: int, title: str, around: int | None) -> dict[int, float]:
    """Return for nodes how well they hold the page's own text and nothing else: F1 of share held and share own.

    If the feed has the article's beginning, `around` is the node where it is, and only this node and those that it
    is in are candidates.
    """
    own, total = own_text_mass(tree, template, pages, title)
    all_own = own[0] if own else 0
    if not all_own:
        return {}
    candidates = range(len(tree)) if around is None else _upwards(tree, around)
    scores = {
        node: 2 * own[node] / (all_own + total[node])
        for node in candidates
        # Many posts of one paragraph do not make the paragraph the article's place.
        if own[node] and tree.tag[node] != "p" and _can_hold_article(tree, node)
    }
    best = heapq.nlargest(_SHORT_LIST, scores, key=lambda node: (scores[node], node))
    return {node: scores[node] for node in best}


def _upwards(tree: Tree, node: int) -> Iterable[int]:
    while node >= 0:
        yield node
        node = tree.parent[node]


def _can_hold_article(tree: Tree, node: int) -> bool:
    return tree.tag[node] not in ("#text", "html", "head", "title", "meta") and not tree.unseen[node]


class SeenText(NamedTuple):
    """The text nodes that a reader sees, in document order, and the comparable form of each."""

    nodes: list[int]
    texts: list[str]


def seen_text(tree: Tree) -> SeenText:
    """Return what a reader sees of the page."""
    return SeenText(tree.runs, forms_of([tree.text[node] for node in tree.runs]))
