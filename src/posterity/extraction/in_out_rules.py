r"""IN/OUT rule files: which block of a domain's pages is the content, and which blocks inside it are not.

Document 004, section 4, Figure 5. The paper defines its gold standard with them. To do the same, look at a few posts
of a blog and write down the markers; `block_of` then gives the content of all its pages.

    (
    addr = .*\.example\.com.*
    in = div|id|content-main
    out = p|class|postmetadata
    in = div|id|content
    out = div|class|navigation
    )

Where the paper leaves a choice:
- `addr` is a regular expression that must match the page's whole URL; the first rule whose `addr` matches is used.
  Several `addr` lines in one rule are alternatives.
- An `out` belongs to the `in` above it. Several `in` are alternatives (themes of one host): the first one found on
  the page is the content block.
- If an `in` matches several elements, the outermost ones are all content, in document order.
- Empty lines and lines that start with `#` are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from posterity.dom import Document, Tree, text_of
from posterity.dom.tree import node_path
from posterity.errors import InputError
from posterity.extraction.e_mcst import Marker, marker_from
from posterity.extraction.method import Context
from posterity.extraction.record import article_fields, post_from
from posterity.model import Post, Provenance

_LINE = re.compile(r"(addr|in|out)\s*=\s*(.+)")


class InBlock(msgspec.Struct, frozen=True):
    """The marker of a content block, and the markers of the blocks inside it that are excluded."""

    marker: Marker
    out: tuple[Marker, ...] = ()


class InOutRule(msgspec.Struct, frozen=True):
    """The rule of one domain."""

    url_patterns: tuple[str, ...]
    blocks: tuple[InBlock, ...]

    def fits(self, url: str) -> bool:
        """Return whether the rule applies to this URL."""
        return any(re.fullmatch(pattern, url) for pattern in self.url_patterns)


def in_out_rules(text: str) -> tuple[InOutRule, ...]:
    """Return the rules of a rule file, or raise `InputError` with the line that cannot be read."""
    rules: list[InOutRule] = []
    url_patterns: list[str] | None = None
    blocks: list[InBlock] = []
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if not line or line.startswith("#"):
            continue
        if line == "(" and url_patterns is None:
            url_patterns, blocks = [], []
        elif line == ")" and url_patterns:
            rules.append(InOutRule(tuple(url_patterns), tuple(blocks)))
            url_patterns = None
        elif url_patterns is not None:
            _read_line(line, number, url_patterns, blocks)
        else:
            raise InputError(
                f"Line {number} of the IN/OUT rules is outside a rule. A rule begins with ( and ends with )."
            )
    if url_patterns is not None:
        raise InputError(
            "The last of the IN/OUT rules is not closed, or has no addr. A rule begins with ( and ends with )."
        )
    return tuple(rules)


def rule_file(rules: Iterable[InOutRule]) -> str:
    """Return the rules as the text of a rule file."""
    lines: list[str] = []
    for rule in rules:
        lines += ["(", *(f"addr = {pattern}" for pattern in rule.url_patterns)]
        for block in rule.blocks:
            lines += [f"in = {block.marker}", *(f"out = {marker}" for marker in block.out)]
        lines.append(")")
    return "\n".join([*lines, ""])


def rule_for(rules: Iterable[InOutRule], url: str) -> InOutRule | None:
    """Return the first rule that applies to this URL, or None."""
    return next((rule for rule in rules if rule.fits(url)), None)


def block_of(rule: InOutRule, document: Document) -> tuple[InBlock, list[int], frozenset[int]] | None:
    """Return the first IN block found on the page, its nodes and the OUT nodes, or None."""
    tree = document.tree
    for block in rule.blocks:
        nodes = tree.outermost(marker_matches(tree, block.marker))
        if nodes:
            return block, nodes, frozenset(node for marker in block.out for node in marker_matches(tree, marker))
    return None


def gold_text(rules: Iterable[InOutRule], document: Document) -> str | None:
    """Return the page's content by the rules, for a gold standard, or None if no rule or marker matches."""
    rule = rule_for(rules, document.url)
    found = block_of(rule, document) if rule else None
    return None if found is None else "\n".join(text_of(document.tree, node, found[2]) for node in found[1])


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the post that the rules in `context.options["rules_text"]` find, or nothing."""
    rule = rule_for(in_out_rules(str(context.options.get("rules_text", ""))), document.url)
    found = block_of(rule, document) if rule else None
    if found is None:
        return ()
    block, nodes, out = found
    parts = [article_fields(document.tree, document.base_url, node, out) for node in nodes]
    fields: dict[str, Any] = {name: "\n\n".join(part[name] for part in parts) for name in ("text", "html", "markdown")}
    fields |= {name: tuple(dict.fromkeys(item for part in parts for item in part[name])) for name in ("media", "links")}
    node = node_path(document.tree, nodes[0])
    provenance = Provenance(method="in-out", rule=str(block.marker), node=node, confidence=1.0)
    return (post_from(document, fields, {"text": provenance}),)


def marker_matches(tree: Tree, marker: Marker) -> list[int]:
    """Return the elements that a marker matches, in document order."""
    if marker.attribute == "class":
        words = marker.value.split()
        candidates = tree.nodes_by_class.get(words[0], []) if words else []
        return [node for node in candidates if tree.tag[node] == marker.tag and set(words) <= set(tree.classes(node))]
    if marker.attribute == "id":
        return [node for node in tree.nodes_by_id.get(marker.value, []) if tree.tag[node] == marker.tag]
    nodes = (node for node, tag in enumerate(tree.tag) if tag == marker.tag)
    return [node for node in nodes if not marker.attribute or tree.attrs[node].get(marker.attribute) == marker.value]


def _read_line(line: str, number: int, url_patterns: list[str], blocks: list[InBlock]) -> None:
    match = _LINE.fullmatch(line)
    if match is None:
        raise InputError(
            f"Line {number} of the IN/OUT rules cannot be read: {line!r}. Write addr = ..., in = ... or out = ..."
        )
    key, value = match.groups()
    if key == "addr":
        _check_pattern(value, number)
        url_patterns.append(value)
    elif key == "in":
        blocks.append(InBlock(marker_from(value)))
    elif blocks:
        blocks[-1] = InBlock(blocks[-1].marker, (*blocks[-1].out, marker_from(value)))
    else:
        raise InputError(f"Line {number} of the IN/OUT rules has an out before any in. Add in = ... above it.")


def _check_pattern(pattern: str, number: int) -> None:
    try:
        re.compile(pattern)
    except re.error as problem:
        raise InputError(f"Line {number} of the IN/OUT rules is not a regular expression: {problem}.") from problem
