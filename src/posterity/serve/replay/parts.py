"""Which elements of a page a record was made of: by the nodes in its provenance, else by the rules of its blog.

Records that were stored before provenance had nodes have outlines where a rule matches. A value that no visible element
gave, such as a date in the metadata, has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from posterity.dom import Document
from posterity.dom.tree import TEXT, matches, node_at
from posterity.extraction.comments import comment_roots
from posterity.model import FieldRule, Post, Provenance, RuleSet
from posterity.text.normal_form import letters_and_digits

KINDS = ("article", "title", "author", "date", "tags", "comment", "removed")
_MIN_RUN = 3  # letters; shorter runs stand anywhere


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
    """Return the parts of the record that its page shows, in the order of the page."""
    found = _Finder(document, post, rules).parts()
    unique = {part.node: part for part in sorted(found, key=lambda part: KINDS.index(part.kind), reverse=True)}
    return sorted(unique.values(), key=lambda part: part.node)


class _Finder:
    """One record on one page."""

    def __init__(self, document: Document, post: Post, rules: RuleSet | None) -> None:
        self.tree, self.post = document.tree, post
        self._known = {str(rule.rule): rule for rule in _all_rules(rules)} if rules else {}
        self._learned = rules

    def parts(self) -> list[PagePart]:
        article = self._node("text") if self.post.text else None
        found = [self._part("article", "text", article)]
        found.append(self._part("title", "title", self._visible("title")))
        found.append(self._part("author", "authors", self._visible("authors")))
        found.append(self._part("date", "published", self._visible("published")))
        found += [self._part("tags", "tags", node) for node in self._nodes("tags")]
        found += [self._part("comment", "comments", node) for node in self._comments()]
        parts = [part for part in found if part is not None]
        if article is not None:
            taken = {part.node for part in parts}
            parts += [self._removed_part(node) for node in self._removed_nodes(article, taken)]
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

    def _nodes(self, field: str) -> list[int]:
        """Return the elements that gave a field of the record."""
        origin = self._origin(field)
        if origin is None or not getattr(self.post, field):
            return []
        node = node_at(self.tree, origin.node) if origin.node else None
        if node is not None:
            return [node]
        used = self._known.get(origin.rule) if origin.rule else None
        # What came from the feed has no rule of its own, but stands where the rules find it on other pages.
        learned = self._learned.rules_for(field)[:1] if self._learned else ()
        return [node for one in ([used] if used else learned) for node in matches(self.tree, one.rule)]

    def _node(self, field: str) -> int | None:
        return next(iter(self._nodes(field)), None)

    def _visible(self, field: str) -> int | None:
        return next((node for node in self._nodes(field) if not self.tree.unseen[node]), None)

    def _comments(self) -> Iterator[int]:
        if not self.post.comments:
            return
        learned = self._learned.rules_for("comment_text") if self._learned else ()
        named = [node for rule in learned[:1] for node in matches(self.tree, rule.rule)]
        yield from named if len(named) >= len(self.post.comments) else sorted(comment_roots(self.tree))

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

    def _removed_nodes(self, article: int, taken: set[int]) -> Iterator[int]:
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


def _all_fields(rules: RuleSet | None) -> list[Mapping[str, tuple[FieldRule, ...]]]:
    return [rules.fields, *(layout.fields for layout in rules.layouts)] if rules else []


def _all_rules(rules: RuleSet) -> Iterator[FieldRule]:
    for fields in _all_fields(rules):
        for some in fields.values():
            yield from some
