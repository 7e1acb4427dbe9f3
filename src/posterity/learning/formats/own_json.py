"""The rule set as JSON that a person can read and change, and that `posterity extract --rules` reads."""

from __future__ import annotations

import msgspec

from posterity.model import RuleSet, to_json


def written(rules: RuleSet) -> str:
    """Return the rules as indented JSON."""
    return msgspec.json.format(to_json(rules), indent=2).decode()
