"""The rule files of BlogBuster: which elements contain posts, texts, titles and dates, as editable data.

Document 000, section 4, lists its rules in four steps. Here a rule file is TOML, and each line of the paper's list
is one `RuleStep`: where to search, for which tags, and which attributes must match which patterns. `published.toml`
is the paper's list, `blogs.toml` our own; both are in the package. A modified copy is passed as text.

    match = "value"                  # patterns match whole attribute values, or each "word"
    [[title]]                        # steps of one field are tried in order
    step = "3a"
    where = "children"
    tags = ["h3", "h2", "a"]
    patterns = ["*post-title*", "*entry-title*", "*title*"]

The paper calls its patterns regular expressions, but "post*" and "*hentry*" are globs as in Tcl, its language: `*`
matches any characters, `?` one; matching is case-sensitive.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator
from fnmatch import translate
from functools import lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple

import msgspec

from posterity.dom import Tree, text_of
from posterity.dom.tree import TEXT
from posterity.errors import InputError
from posterity.model import from_toml
from posterity.text.normal_form import one_line

Where = Literal["page", "self", "children", "descendants", "previous-siblings", "before"]
RULE_FILES = ("published", "blogs")


class RuleStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One search step. Without patterns, the tag alone must match."""

    # "previous-siblings" and "before" (anywhere earlier in the page) start with the nearest element.
    where: Where = "page"
    tags: tuple[str, ...] = ("*",)
    # The attributes to match; empty means all.
    attributes: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    # Order of children and descendants: by position in `tags` ("tags") or in document order ("document").
    order: Literal["tags", "document"] = "tags"
    # The attribute with the value; if empty, the value is the element's text.
    read: str = ""
    # Steps from the matched element; one of them must match, too.
    then: tuple[RuleStep, ...] = ()
    # Only for a page's only post; implied by "page".
    alone: bool = False
    # The step's name in explanations.
    step: str = ""


class BlogRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule file. `post` and `text` find posts; the other steps start from a post."""

    name: str = "rules"
    match: Literal["value", "word"] = "value"
    # "first-found": only the first date element is read. "first-readable": the search continues until one parses.
    date_search: Literal["first-found", "first-readable"] = "first-found"
    # Whether title, date and author are removed from the text they are inside.
    fields_leave_text: bool = False
    post: tuple[RuleStep, ...] = ()
    # Parts of the page without posts.
    outside: tuple[RuleStep, ...] = ()
    text: tuple[RuleStep, ...] = ()
    # Parts of a post's text that are not text.
    skip: tuple[RuleStep, ...] = ()
    title: tuple[RuleStep, ...] = ()
    date: tuple[RuleStep, ...] = ()
    author: tuple[RuleStep, ...] = ()
    comment: tuple[RuleStep, ...] = ()
    comment_text: tuple[RuleStep, ...] = ()
    comment_author: tuple[RuleStep, ...] = ()
    comment_date: tuple[RuleStep, ...] = ()


@lru_cache(maxsize=16)
def rules_from_toml(text: str) -> BlogRules:
    """Return the rules in a TOML text, or raise `InputError` with the problem."""
    try:
        return msgspec.convert(from_toml(text, "The rule file"), BlogRules)
    except msgspec.ValidationError as problem:
        raise InputError(
            f"The rule file cannot be used: {problem}. See published.toml for the contents of a rule file."
        ) from problem


def toml_of(name: str) -> str:
    """Return the text of a rule file of the package, or raise `InputError` if there is none of this name."""
    if name not in RULE_FILES:
        raise InputError(f"There is no rule file {name!r}. Choose one of: {', '.join(RULE_FILES)}.")
    return (files("posterity.extraction") / "rule_files" / f"{name}.toml").read_text("utf-8")


@lru_cache(maxsize=len(RULE_FILES))
def rules_named(name: str) -> BlogRules:
    """Return the rules of a rule file of the package."""
    return rules_from_toml(toml_of(name))


# Maximum of elements that one step yields. Real pages need two or three; on a hostile one every post could visit every
# other.
_MAX_OFFERS = 12
# An image counts as one character, so that a post of images is not empty.
_PICTURE = 1


class FoundElement(NamedTuple):
    """An element found by a step, and the step."""

    node: int
    step: RuleStep


class _Listing(NamedTuple):
    """The elements that match one step: by tag in document order, all together, and by parent."""

    by_tag: list[list[int]]
    all: list[int]
    by_parent: dict[int, list[int]]


class PageSearch:
    """One page, indexed for searches. `match` is the rule file's: "value" or "word"."""

    def __init__(self, tree: Tree, match: str) -> None:
        self.tree = tree
        self._by_word = match == "word"
        self._listings: dict[RuleStep, _Listing] = {}
        self._texts: dict[int, str] = {}
        self._nodes_by_tag: dict[str, list[int]] = defaultdict(list)
        self._density = [0] * (len(tree) + 1)
        for node, tag in enumerate(tree.tag):
            if tag != TEXT:
                self._nodes_by_tag[tag].append(node)
            self._density[node + 1] = self._density[node] + (_PICTURE if tag == "img" else len(tree.text[node].strip()))

    def density(self, node: int) -> int:
        """Return the characters of text in the subtree, plus its images."""
        return self._density[self.tree.end[node]] - self._density[node]

    def everywhere(self, steps: tuple[RuleStep, ...]) -> list[FoundElement]:
        """Return all elements of the page that match any of the steps, each once, in document order."""
        first: dict[int, RuleStep] = {}
        for step in steps:
            for node in self._listing(step).all:
                first.setdefault(node, step)
        return [FoundElement(node, first[node]) for node in sorted(first)]

    def inside(self, steps: tuple[RuleStep, ...], node: int) -> list[int]:
        """Return all descendants of the node that match any of the steps."""
        end, found = self.tree.end[node], []
        for step in steps:
            listed = self._listing(step).all
            found += listed[bisect_left(listed, node + 1) : bisect_left(listed, end)]
        return found

    def offers(self, steps: tuple[RuleStep, ...], node: int, *, alone: bool = False) -> Iterator[FoundElement]:
        """Yield the elements that the steps find from a node, in the order of the steps.

        Steps that search the whole page, or have `alone`, apply only if the node is `alone` on the page.
        """
        for step in steps:
            if (step.alone or step.where == "page") and not alone:
                continue
            for offered in self._from(step, node):
                if not step.then:
                    yield FoundElement(offered, step)
                    continue
                for found in self.offers(step.then, offered):
                    yield FoundElement(found.node, _name_step(found.step, step.step))

    def value(self, found: FoundElement) -> str:
        """Return the element's value on one line: the attribute that the step reads, else its text."""
        if found.step.read:
            return one_line(self.tree.attrs[found.node].get(found.step.read) or "")
        # Cached, because one heading may precede a thousand posts.
        known = self._texts.get(found.node)
        if known is None:
            known = self._texts[found.node] = one_line(text_of(self.tree, found.node))
        return known

    def _from(self, step: RuleStep, node: int) -> list[int]:
        listing, tree = self._listing(step), self.tree
        if step.where == "self":
            at = bisect_left(listing.all, node)
            return [node] if at < len(listing.all) and listing.all[at] == node else []
        if step.where == "children":
            mine = listing.by_parent.get(node, [])
            return mine[:_MAX_OFFERS] if step.order == "document" else _by_tags(tree, mine, step.tags)
        if step.where == "previous-siblings":
            return _last_before(listing.by_parent.get(tree.parent[node], []), node)
        if step.where == "before":
            return [earlier for earlier in _last_before(listing.all, node) if tree.end[earlier] <= node]
        start, end = (0, len(tree)) if step.where == "page" else (node + 1, tree.end[node])
        lists = listing.by_tag if step.order == "tags" else [listing.all]
        return [found for listed in lists for found in _between(listed, start, end)][:_MAX_OFFERS]

    def _listing(self, step: RuleStep) -> _Listing:
        known = self._listings.get(step)
        if known is None:
            known = self._listings[step] = self._list_matches(step)
        return known

    def _list_matches(self, step: RuleStep) -> _Listing:
        fits = self._test(step)
        tags = self._nodes_by_tag if "*" in step.tags else dict.fromkeys(step.tags)
        by_tag = [[node for node in self._nodes_by_tag.get(tag, []) if fits(node)] for tag in tags]
        together = sorted(node for listed in by_tag for node in listed)
        by_parent: dict[int, list[int]] = defaultdict(list)
        for node in together:
            by_parent[self.tree.parent[node]].append(node)
        return _Listing([together] if "*" in step.tags else by_tag, together, dict(by_parent))

    def _test(self, step: RuleStep) -> Callable[[int], bool]:
        if not step.patterns:
            return (lambda node: step.read in self.tree.attrs[node]) if step.read else (lambda _node: True)
        attrs = self.tree.attrs
        matches, names, by_word = _matcher(step.patterns), step.attributes, self._by_word
        known: dict[str, bool] = {}

        def fits(node: int) -> bool:
            own = attrs[node]
            for value in [own.get(name) for name in names] if names else own.values():
                if value is None:
                    continue
                if value not in known:
                    known[value] = any(map(matches, value.split())) if by_word else matches(value) is not None
                if known[value]:
                    return True
            return False

        return fits


def _by_tags(tree: Tree, nodes: list[int], tags: tuple[str, ...]) -> list[int]:
    if "*" in tags:
        return nodes[:_MAX_OFFERS]
    return [node for tag in tags for node in nodes if tree.tag[node] == tag][:_MAX_OFFERS]


def _last_before(nodes: list[int], node: int) -> list[int]:
    at = bisect_left(nodes, node)
    return nodes[max(0, at - _MAX_OFFERS) : at][::-1]


def _between(nodes: list[int], start: int, end: int) -> list[int]:
    at = bisect_left(nodes, start)
    return [node for node in nodes[at : at + _MAX_OFFERS] if node < end]


@lru_cache(maxsize=256)
def _matcher(patterns: tuple[str, ...]) -> Callable[[str], re.Match[str] | None]:
    return re.compile("|".join(map(translate, patterns))).match


def _name_step(step: RuleStep, outer: str) -> RuleStep:
    return step if step.step or not outer else _rename_step(step, outer)


@lru_cache(maxsize=256)
def _rename_step(step: RuleStep, name: str) -> RuleStep:
    from msgspec.structs import replace

    return replace(step, step=name)
