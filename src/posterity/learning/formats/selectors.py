"""The rules of all layouts as selectors that stand on their own: OUT parts are named from the article down."""

from __future__ import annotations

import msgspec

from posterity.model import Rule, RuleSet


def rules_of(rules: RuleSet, field: str) -> list[Rule]:
    """Return the rules of a field, best first, those of former layouts after the common ones, each once."""
    found = [rule.rule for rule in rules.rules_for(field)]
    for layout in rules.layouts:
        found += [rule.rule for rule in layout.fields.get(field, ())]
    return list(dict.fromkeys(found))


def out_rules_of(rules: RuleSet) -> list[Rule]:
    """Return the OUT rules, each inside the article that it was learned for."""
    sets = [rules, *(rules.with_layout(layout) for layout in rules.layouts)]
    found = [
        _inside(rule.rule, each.rules_for("text")[0].rule)
        for each in sets
        if each.rules_for("text")
        for rule in each.rules_for("out")
    ]
    return list(dict.fromkeys(found))


def _inside(rule: Rule, article: Rule) -> Rule:
    under = _inside(rule.under, article) if rule.under else article
    return msgspec.structs.replace(rule, under=under)
