"""One line for every rule: the field, its CSS selector, and after an @ the attribute to read instead of the text."""

from __future__ import annotations

from posterity.learning.formats.selectors import out_rules_of, rules_of
from posterity.model import RuleSet

_FIELDS = ("text", "title", "authors", "published", "tags", "comment_text", "comment_author", "comment_published")


def written(rules: RuleSet) -> str:
    """Return the rules as text."""
    lines = [f"{field}: {rule}" for field in _FIELDS for rule in rules_of(rules, field)]
    lines += [f"out: {rule}" for rule in out_rules_of(rules)]
    return "\n".join(lines) + "\n"
