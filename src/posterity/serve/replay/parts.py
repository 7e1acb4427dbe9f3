"""Which elements of a page a record was made of: by the rules in its provenance, else by what the record quotes.

Methods without rules (bte, mcst and others) say what they found and not where; then the text itself is looked up, as
for pages that a person annotated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from posterity.dom import Document
from posterity.dom.tree import TEXT, first_match, matches
from posterity.learning.annotated import QuotedPage, names_day
from posterity.model import FieldRule, Post, Provenance, RuleSet
from posterity.text.normal_form import letters_and_digits

KINDS = ("article", "title", "author", "date", "tags", "comment", "removed")
_MAX_COMMENTS = 80
_MIN_RUN = 3  # letters; shorter runs stand anywhere
_DATE_CHARS, _DATE_NODES = 60, 12  # "posted on Thursday, the 31st of December 2009 at 12:00" and its wrappers


class PagePart(msgspec.Struct, frozen=True, kw_only=True):
    """One element, what it is, and how sure that is."""

    node: int
    kind: str
    method: str = ""
    rule: str | None = None
    confidence: float | None = None

    @property
    def note(self) -> str:
        """The tooltip of the outline."""
        sure = f"{self.confidence:.0%} sure".replace("%", " %") if self.confidence is not None else ""
        return " · ".join(filter(None, (self.kind, self.rule or self.method, sure)))


def parts_on(document: Document, post: Post, rules: RuleSet | None = None) -> list[PagePart]:
    """Return the parts of the record that stand on its page, in the order of the page."""
    found = _Finder(document, post, rules).parts()
    unique = {part.node: part for part in sorted(found, key=lambda part: KINDS.index(part.kind), reverse=True)}
    return sorted(unique.values(), key=lambda part: part.node)


class _Finder:
    """One record on one page."""

    def __init__(self, document: Document, post: Post, rules: RuleSet | None) -> None:
        self.tree, self.post = document.tree, post
        self._known = {str(rule.rule): rule for rule in _all_rules(rules)} if rules else {}
        self._learned = rules

    @cached_property
    def quoted(self) -> QuotedPage:
        return QuotedPage(self.tree)

    def parts(self) -> list[PagePart]:
        article = self._by_rule("text")
        if article is None and self.post.text:
            article = self.quoted.text_node(self.post.text)
        near = article or 0
        found = [self._part("article", "text", article)]
        found.append(self._part("title", "title", self._placed("title", self.post.title, near)))
        author = next(iter(self.post.authors), None)
        found.append(self._part("author", "authors", self._placed("authors", author, near, heading=False)))
        found.append(self._part("date", "published", self._date(near)))
        found += [self._part("tags", "tags", node) for node in self._tags(near)]
        found += [self._part("comment", "comments", node) for node in self._comments()]
        parts = [part for part in found if part is not None]
        if article is not None:
            taken = {part.node for part in parts}
            parts += [self._removed_part(node) for node in self._removed(article, taken)]
        return parts

    def _part(self, kind: str, field: str, node: int | None) -> PagePart | None:
        if node is None:
            return None
        origin = self._origin(field)
        if origin is None:
            return PagePart(node=node, kind=kind)
        return PagePart(node=node, kind=kind, method=origin.method, rule=origin.rule, confidence=origin.confidence)

    def _origin(self, field: str) -> Provenance | None:
        return self.post.provenance.get(field)

    def _by_rule(self, field: str) -> int | None:
        origin = self._origin(field)
        rule = self._known.get(origin.rule) if origin is not None and origin.rule else None
        return first_match(self.tree, rule.rule) if rule is not None else None

    def _placed(self, field: str, value: str | None, near: int, *, heading: bool = True) -> int | None:
        if not value:
            return None
        node = self._by_rule(field)
        if node is not None and self._is_seen(node):
            return node
        return self.quoted.same_text(value, near, headings_first=heading)

    def _date(self, near: int) -> int | None:
        if self.post.published is None:
            return None
        node = self._by_rule("published")
        if node is not None and self._is_seen(node):
            return node
        day = self.post.published.date().isoformat()
        found = self.quoted.date_node(day, near)
        if found is not None and self._is_seen(found[0]):
            return found[0]
        # Pages that declare their date in metadata often show it too, in words.
        shown = [node for node in self._short_elements() if names_day(self.tree.plain(node), day)]
        return min(shown, key=lambda node: (abs(node - near), -node), default=None)

    def _short_elements(self) -> Iterator[int]:
        """Elements that a reader sees and that hold no more than a date does."""
        tree = self.tree
        for node, tag in enumerate(tree.tag):
            if tag != TEXT and tree.end[node] - node <= _DATE_NODES and self._is_seen(node):
                text = tree.plain(node).strip()
                if 0 < len(text) <= _DATE_CHARS:
                    yield node

    def _tags(self, near: int) -> Iterator[int]:
        origin = self._origin("tags")
        rule = self._known.get(origin.rule) if origin is not None and origin.rule else None
        if rule is not None:
            yield from matches(self.tree, rule.rule)
            return
        for tag in self.post.tags[:20]:
            node = self.quoted.same_text(tag, near, headings_first=False)
            if node is not None:
                yield node

    def _comments(self) -> Iterator[int]:
        learned = self._learned.rules_for("comment_text") if self._learned else ()
        named = [node for rule in learned[:1] for node in matches(self.tree, rule.rule)]
        if len(named) >= len(self.post.comments) > 0:
            yield from named
            return
        for comment in self.post.comments[:_MAX_COMMENTS]:
            node = self.quoted.text_node(comment.text)
            if node is not None:
                yield node

    @cached_property
    def _out(self) -> dict[int, FieldRule]:
        """The elements that a learned rule takes out of the article."""
        learned = [one for fields in _all_fields(self._learned) for one in fields.get("out", ())]
        return {node: one for one in reversed(learned) for node in matches(self.tree, one.rule)}

    def _removed_part(self, node: int) -> PagePart:
        inside = range(node, self.tree.end[node])
        rule = next((self._out[one] for one in inside if one in self._out), None)
        if rule is None:
            return PagePart(node=node, kind="removed")
        return PagePart(node=node, kind="removed", method="feed", rule=rule.rule.css, confidence=rule.confidence)

    def _removed(self, article: int, taken: set[int]) -> Iterator[int]:
        """The largest elements inside the article that show text of which the record has nothing."""
        tree, text = self.tree, letters_and_digits(self.post.text)
        shown, kept = [0] * len(tree), [0] * len(tree)
        for node in range(tree.end[article] - 1, article, -1):
            if tree.tag[node] == TEXT and not tree.unseen[node]:
                run = letters_and_digits(tree.text[node])
                shown[node] = len(run)
                kept[node] = len(run) if run[:60] in text else 0
            shown[tree.parent[node]] += shown[node]
            kept[tree.parent[node]] += kept[node]
        node, end = article + 1, tree.end[article]
        while node < end:
            if node in taken or tree.unseen[node]:
                node = tree.end[node]
            elif tree.tag[node] != TEXT and shown[node] >= _MIN_RUN and not kept[node]:
                if not any(node < other < tree.end[node] for other in taken):
                    yield node
                    node = tree.end[node]
                    continue
                node += 1
            else:
                node += 1

    def _is_seen(self, node: int) -> bool:
        return not self.tree.unseen[node]


def _all_fields(rules: RuleSet | None) -> list[Mapping[str, tuple[FieldRule, ...]]]:
    return [rules.fields, *(layout.fields for layout in rules.layouts)] if rules else []


def _all_rules(rules: RuleSet) -> Iterator[FieldRule]:
    for fields in _all_fields(rules):
        for some in fields.values():
            yield from some
