"""Finds the article's node on a page, by the full text of the feed or by the text that is unique to the page.

With a full-text feed, Dice on bigram sets finds the best nodes in one pass (Algorithm 2; BlogForever paper, 1.4): the
sets are united bottom-up, so every character of the page is read once, and nodes with much less text than the target
are merged into their ancestors. Then word F1 picks among them, because the bigram sets of long texts are nearly equal.
A summary only locates the beginning of the article, and a title not even that. Then the node wins that holds most of
the text found on no other page of the blog, and little else.
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
from posterity.text import normal_form
from posterity.text.bigrams import BigramBits, dice
from posterity.text.dates import is_date_line

_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
_OTHER_TAGS = frozenset({"aside", "footer", "form", "nav", "button", "label", "dialog"})
_COMMENT_WORDS = any_of((*part_names("comment.section"), *words_for("name.comments")))
_OTHER_WORDS = any_of((_COMMENT_WORDS, *part_names("other.article_part")))
_OTHER_NAMES = re.compile(rf"(?:^|[-_ ])(?:{_OTHER_WORDS})(?:$|[-_ ])", re.IGNORECASE)
_COMMENT_HEADING = re.compile(rf"(?:{_COMMENT_WORDS})(?:$|[-_ ])", re.IGNORECASE)
_ARTICLE_NAMES = frozenset(part_names("article.element"))
# A text on more than this share of the pages belongs to the template. So does a long text on a few pages, such as the
# biography of one of several authors.
_TEMPLATE_SHARE = 0.3
_SENTENCE, _FEW_PAGES = 50, 3
_LINK_WEIGHT = 0.2
_LABEL, _COUNT, _LETTER = 30, re.compile(r"^\d+|\d+(?=\W*$)"), re.compile(r"[^\W\d_]")
_CONTENT_IDS = part_names("article.content_id")


def run_keys(tree: Tree) -> list[int]:
    """Return a key for each of the tree's text runs (`Tree.runs`), the same for labels that differ only in a count."""
    texts = normal_form.forms_of([tree.text[node] for node in tree.runs], normal_form.single_spaced)
    # The count of a label is zeroed ("2 comments", "5-minute read"); a bare number stays.
    labels = (_COUNT.sub("0", text) if len(text) <= _LABEL and _LETTER.search(text) else text for text in texts)
    return list(map(_checksum, labels))


def text_keys(tree: Tree) -> set[int]:
    """Return the keys of the page's distinct visible text runs."""
    return set(run_keys(tree))


def template_of(trees: Iterable[Tree]) -> Counter[int]:
    """Return the number of pages that contain each text run."""
    counts: Counter[int] = Counter()
    for tree in trees:
        counts.update(text_keys(tree))
    return counts


def own_text_mass(tree: Tree, template: Counter[int], pages: int, title: str = "") -> tuple[list[float], list[float]]:
    """Return for every node the characters of text unique to the page below it, and the characters of all text.

    The title and the date line do not count although no other page has them: on a page with only a video, the title
    would win as the article.
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
    wanted = normal_form.letters_and_digits(title)
    longest = 2 * len(title) + 16

    def is_title(text: str) -> bool:
        return bool(wanted) and len(text) <= longest and normal_form.letters_and_digits(text) == wanted

    return is_title


def is_template(count: int, pages: int) -> bool:
    """Return whether a text on `count` of the pages belongs to the template."""
    return count > max(1, int(pages * _TEMPLATE_SHARE))


def in_other_part(tree: Tree) -> list[bool]:
    """Return for every node whether it is inside a part whose tag or name marks it as something other than content."""
    return _other_parts(tree)[0]


def _other_parts(tree: Tree) -> tuple[list[bool], list[bool]]:
    """Return for every node whether it is inside a part that is not content, and whether it is inside a link.

    Comments may have no container: then they are the siblings that follow their heading.
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
    """The elements that the page marks as content, and their ancestors, which are content whatever their names.

    A wrapper may be named after the sidebar that it also holds, and widget-based platforms put the post in a widget.
    """
    named = [*tree.nodes_by_tag.get("main", ()), *tree.nodes_by_declaration.get("itemprop=articleBody", ())]
    named += [node for name in _CONTENT_IDS for node in tree.nodes_by_id.get(name, ())]
    only = [tree.nodes_by_tag.get("article", ()), *(tree.nodes_by_class.get(name, ()) for name in _ARTICLE_NAMES)]
    named += [nodes[0] for nodes in only if len(nodes) == 1]
    return tree.around(named)


def _named_other(tag: str, attrs: dict[str, str | None]) -> bool:
    # Themes list all features as classes of <body> and <article> ("has-sidebar", "comments-open"), and highlighted
    # code has spans of class "comment".
    if tag in ("html", "body", "main", "article", "span", "code", "pre", "em", "strong", "i", "b"):
        return False
    name, classes = attrs.get("id"), attrs.get("class")
    return (name is not None or classes is not None) and _names_other(name or "", classes or "")


@lru_cache(maxsize=4096)  # a blog's pages share a few dozen distinct names
def _names_other(name: str, classes: str) -> bool:
    # A theme may also name the article's element after other things in it: "entry share".
    return _OTHER_NAMES.search(f"{name} {classes}") is not None and not _ARTICLE_NAMES.intersection(classes.split())


def _checksum(text: str) -> int:
    """A stable hash: Python's `hash` of a string differs from run to run."""
    data = text.encode("utf-8", "surrogatepass")
    return crc32(data) << 32 | crc32(data[::-1])


class _CountedSpan(NamedTuple):
    """The words from `start` to `end`, their counts, and how many of them the target shares."""

    start: int
    end: int
    counts: Counter[str]
    common: int


def word_scores(tree: Tree, seen: SeenText, nodes: Sequence[int], target: str) -> dict[int, float]:
    """Return the word F1 of the nodes against the target, as computed by `token_f1`."""
    wanted = normal_form.word_counts(target)
    found, place = _words(tree, seen, nodes)
    spans = {node: (place[node], place[tree.end[node]]) for node in nodes}
    common: dict[tuple[int, int], int] = {}
    counted: list[_CountedSpan] = []
    for start, end in sorted(set(spans.values()), key=lambda span: span[1] - span[0]):
        counted.append(_count_span(found, start, end, wanted, counted))
        common[start, end] = counted[-1].common
    total = wanted.total()
    return {node: 2 * common[span] / max(1, span[1] - span[0] + total) for node, span in spans.items()}


def _words(tree: Tree, seen: SeenText, nodes: Sequence[int]) -> tuple[list[str], dict[int, int]]:
    """The words of the page in order, up to the end of the last node, and the index of the first word at each edge."""
    edges = sorted({edge for node in nodes for edge in (node, tree.end[node])})
    found: list[str] = []
    place = dict.fromkeys(edges[:1], 0)
    for left, right in pairwise(edges):
        first, last = bisect_left(seen.nodes, left), bisect_left(seen.nodes, right)
        found += normal_form.words_of_comparable("\n".join(seen.texts[first:last]))
        place[right] = len(found)
    return found, place


def _count_span(
    found: list[str], start: int, end: int, wanted: Counter[str], smaller: Sequence[_CountedSpan]
) -> _CountedSpan:
    inside = [each for each in smaller if start <= each.start and each.end <= end]
    inner = max(inside, key=lambda each: each.end - each.start, default=_CountedSpan(start, start, Counter(), 0))
    if 2 * (inner.end - inner.start) < end - start:
        counts = Counter(found[start:end])
        common = sum(min(count, wanted[word]) for word, count in counts.items() if word in wanted)
        return _CountedSpan(start, end, counts, common)
    counts, common = inner.counts.copy(), inner.common
    for word in chain(found[start : inner.start], found[inner.end : end]):
        so_far = counts.get(word, 0)
        common += so_far < wanted.get(word, 0)
        counts[word] = so_far + 1
    return _CountedSpan(start, end, counts, common)


# Nodes this far below the best Dice do not win by word F1 either.
MARGIN = 0.15
# Nodes compared word by word; an article and its wrappers are rarely more.
_SHORT_LIST = 12


def whole_text_scores(tree: Tree, seen: SeenText, near: Mapping[int, float], target: str) -> dict[int, float]:
    """Return the word F1 against the target, for the nodes with the highest Dice in `near`."""
    able = (node for node in near if _can_hold_article(tree, node))
    return word_scores(tree, seen, heapq.nlargest(_SHORT_LIST, able, key=lambda node: (near[node], node)), target)


def own_text_scores(tree: Tree, template: Counter[int], pages: int, title: str, around: int | None) -> dict[int, float]:
    """Return for the best nodes the F1 of two shares: of the unique text they hold, and of their text that is unique.

    If the feed has the article's beginning, `around` is the node with that text, and only this node and its ancestors
    are candidates.
    """
    own, total = own_text_mass(tree, template, pages, title)
    all_own = own[0] if own else 0
    if not all_own:
        return {}
    candidates = range(len(tree)) if around is None else tree.around([around])
    scores = {
        node: 2 * own[node] / (all_own + total[node])
        for node in candidates
        # However many posts have a single paragraph, <p> is not the article's node.
        if own[node] and tree.tag[node] != "p" and _can_hold_article(tree, node)
    }
    best = heapq.nlargest(_SHORT_LIST, scores, key=lambda node: (scores[node], node))
    return {node: scores[node] for node in best}


def _can_hold_article(tree: Tree, node: int) -> bool:
    return tree.tag[node] not in ("#text", "html", "head", "title", "meta") and not tree.unseen[node]


class SeenText(NamedTuple):
    """The visible text nodes in document order, and the comparable form of each."""

    nodes: list[int]
    texts: list[str]


def seen_text(tree: Tree) -> SeenText:
    """Return the visible text of the page."""
    return SeenText(tree.runs, normal_form.forms_of([tree.text[node] for node in tree.runs]))


# The best nodes of most pages reach this score; where none does, the page is scored again with the score they reached.
_EXPECTED_BEST = 0.6
_ROUNDING = 1e-6


def near_best(tree: Tree, seen: SeenText, target: str, margin: float, bits: BigramBits) -> dict[int, float]:
    """Return the Dice similarity to the target of the best node and of all nodes within the margin of it."""
    bits.forget_many()
    wanted = bits.of_all((normal_form.comparable(target),))
    most = _most_bigrams(tree, seen)
    least = _EXPECTED_BEST
    scores = _scores(tree, seen, _with_at_least(most, least, wanted), bits, wanted)
    best = max(scores.values(), default=0.0)
    if best - margin < least:
        least = max(0.0, best - margin)
        scores = _scores(tree, seen, _with_at_least(most, least, wanted), bits, wanted)
        best = max(scores.values(), default=0.0)
    return {node: score for node, score in scores.items() if score and score >= best - margin}


def node_bigrams(tree: Tree, bits: BigramBits) -> list[int]:
    """Return the bigram set of every node's text, the union of those of its text nodes."""
    sets = [0] * len(tree)
    for node in tree.runs:
        sets[node] = bits.of(normal_form.comparable(tree.text[node]))
    # Children come after their parents in document order, so counting down is a post-order traversal.
    for node in range(len(sets) - 1, 0, -1):
        if sets[node]:
            sets[tree.parent[node]] |= sets[node]
    return sets


def _most_bigrams(tree: Tree, seen: SeenText) -> list[int]:
    """An upper bound on each node's number of bigrams: the pairs of adjacent characters in its text."""
    most = [0] * len(tree)
    for node, text in zip(seen.nodes, seen.texts, strict=True):
        most[node] = max(0, len(text) - 1)
    return tree.summed(most)


def _with_at_least(most: list[int], least: float, wanted: int) -> list[int]:
    """The nodes that can reach the score `least`: with n bigrams, Dice is at most 2n / (n + wanted)."""
    enough = max(1.0, least * wanted.bit_count() / (2 - least) - _ROUNDING)
    return [node for node, size in enumerate(most) if size >= enough]


def _scores(tree: Tree, seen: SeenText, nodes: list[int], bits: BigramBits, wanted: int) -> dict[int, float]:
    sets = {node: bits.of_all(texts) for node, texts in _texts_by_holder(tree, seen, nodes)}
    above = _nearest_above(tree, nodes)
    for node in reversed(nodes):
        if above[node] >= 0:
            sets[above[node]] |= sets[node]
    return {node: dice(found, wanted) for node, found in sets.items()}


def _texts_by_holder(tree: Tree, seen: SeenText, nodes: list[int]) -> Iterable[tuple[int, list[str]]]:
    """For each of the nodes, the texts that are in it and in none of the given nodes below it."""
    texts: dict[int, list[str]] = {node: [] for node in nodes}
    open_nodes: list[int] = []
    upcoming = iter([*nodes, len(tree)])
    begins = next(upcoming)
    for run, text in zip(seen.nodes, seen.texts, strict=True):
        while begins <= run:
            open_nodes.append(begins)
            begins = next(upcoming)
        while open_nodes and tree.end[open_nodes[-1]] <= run:
            open_nodes.pop()
        if open_nodes:
            texts[open_nodes[-1]].append(text)
    return texts.items()


def _nearest_above(tree: Tree, nodes: list[int]) -> dict[int, int]:
    """For each of the nodes, given in document order, its nearest ancestor among them, or -1."""
    above: dict[int, int] = {}
    open_nodes: list[int] = []
    for node in nodes:
        while open_nodes and tree.end[open_nodes[-1]] <= node:
            open_nodes.pop()
        above[node] = open_nodes[-1] if open_nodes else -1
        open_nodes.append(node)
    return above
