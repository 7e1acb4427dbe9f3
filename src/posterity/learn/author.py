"""The author's node: where the feed's author is named, near the article, with little else around the name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from posterity.text.normal_form import forms_of, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.dom import Tree
    from posterity.model import FieldRule

_MAX_TEXT = 160
_MAX_CLIMB = 4
_ROLE_NAMES = re.compile(
    r"(?:admin|administrator|root|editor|webmaster|author|user|unknown|anonymous|noreply)", re.IGNORECASE
)
_SAYS_AUTHOR = re.compile(r"author|byline|posted|vcard|\bfn\b|creator|writer|profile|user", re.IGNORECASE)
# A bare name that nothing marks as the author's is often a menu's or the article's own.
_UNMARKED = 0.75
# Words that come before a name in the languages of the trial blogs and their neighbours.
BY = re.compile(
    r"(?:^|\b)(?:by|von|par|por|di|door|av|af|autor|author|автор|作者|著者|글쓴이|yazan|przez)[\s:]*$", re.IGNORECASE
)


def is_role(name: str) -> bool:
    """Tell whether the name is a role of the software and not of a person."""
    return _ROLE_NAMES.fullmatch(name.strip()) is not None


def author_scores(
    tree: Tree, names: Sequence[str], near: Sequence[float], article: int
) -> tuple[dict[int, float], dict[int, float]]:
    """Return how well nodes name the author: by their text, and by their `content` attribute (<meta>)."""
    wanted = [one_line(name).casefold() for name in names if name.strip()]
    sizes = tree.text_sizes
    by_text: dict[int, float] = {}
    by_content: dict[int, float] = {}
    for node, attrs in enumerate(tree.attrs):
        content = attrs.get("content") if attrs else None
        if content and one_line(content).casefold() in wanted:
            by_content[node] = 0.9 * near[node]
    lines = forms_of([tree.text[node] for node in tree.runs], lambda text: one_line(text).casefold())
    for name in wanted:
        for node in [node for node, line in zip(tree.runs, lines, strict=True) if name in line]:
            _climb(tree, node, wanted, near, sizes, by_text)
    for node in by_text:
        if _in_running_text(tree, node, article):
            by_text[node] *= _UNMARKED
    return by_text, by_content


def _climb(
    tree: Tree,
    node: int,
    wanted: list[str],
    near: Sequence[float],
    sizes: Sequence[int],
    scores: dict[int, float],
) -> None:
    """Score the elements around a text run that names the author, as long as they hold little else."""
    for _ in range(_MAX_CLIMB):
        node = tree.parent[node]
        if node <= 0 or node in scores or sizes[node] > 4 * _MAX_TEXT:
            return
        text = one_line(tree.plain(node)).casefold()
        if len(text) > _MAX_TEXT:
            return
        name = max((name for name in wanted if name in text), key=len, default="")
        marked = 1.0 if _is_marked(tree, node, text, name) else _UNMARKED
        scores[node] = (0.6 + 0.4 * len(name) / max(1, len(text))) * marked * near[node]


def _is_marked(tree: Tree, node: int, text: str, name: str) -> bool:
    """The node's or its parent's own names say "author", or the words before the name do."""
    for each in (node, tree.parent[node]):
        attrs = tree.attrs[each]
        if attrs and _SAYS_AUTHOR.search(
            " ".join(attrs.get(key) or "" for key in ("class", "id", "rel", "itemprop", "href"))
        ):
            return True
    return BY.search(text[: text.find(name)]) is not None


def _in_running_text(tree: Tree, node: int, article: int) -> bool:
    """Inside a paragraph of the article: somebody is mentioned, which does not make him the author."""
    if not article < node < tree.end[article]:
        return False
    while node > article:
        if tree.tag[node] == "p":
            return True
        node = tree.parent[node]
    return False


def with_affixes(rule: FieldRule, examples: Sequence[tuple[str, str]]) -> FieldRule:
    """Return the rule with the words that stand around the name on all pages; examples are (text of the node, name)."""
    before, after = [], []
    for text, name in examples:
        start = text.casefold().find(one_line(name).casefold())
        if start >= 0:
            before.append(text[:start][::-1])
            after.append(text[start + len(one_line(name)) :])
    if not before:
        return rule
    return msgspec.structs.replace(rule, before=_shared_start(before)[::-1], after=_shared_start(after))


def _shared_start(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    first, last = min(texts), max(texts)
    same = next((place for place, char in enumerate(first) if last[place : place + 1] != char), len(first))
    return first[:same]
