"""The settings of a feed in Miniflux: scraper rules name the article, rewrite rules remove parts of it.

A JSON object with the names that Miniflux's API has for them (PUT /v1/feeds/ID).
"""

from __future__ import annotations

import msgspec

from posterity.learning.formats.selectors import out_rules_of, rules_of
from posterity.model import RuleSet


def written(rules: RuleSet) -> str:
    """Return the settings as JSON."""
    removed = ", ".join(rule.css for rule in out_rules_of(rules))
    settings = {
        "feed_url": rules.feed_url or "",
        "crawler": True,
        "scraper_rules": ", ".join(rule.css for rule in rules_of(rules, "text")),
        "rewrite_rules": f"remove({_quoted(removed)})" if removed else "",
    }
    return msgspec.json.format(msgspec.json.encode(settings), indent=2).decode() + "\n"


def _quoted(selectors: str) -> str:
    return '"' + selectors.replace('"', "'") + '"'
