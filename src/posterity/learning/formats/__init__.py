"""Learned rules in the languages of other software, one file for each."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from posterity.errors import InputError
from posterity.model import RuleSet

FORMATS: dict[str, str] = {
    "json": "posterity.learning.formats.own_json:written",
    "ftr": "posterity.learning.formats.full_text_rss:written",
    "miniflux": "posterity.learning.formats.miniflux:written",
    "css": "posterity.learning.formats.css:written",
    "webpoet": "posterity.learning.formats.web_poet:written",
}


def written_rules(rules: RuleSet, name: str) -> str:
    """Return the rules in the format of this name, or raise `InputError` with the names there are."""
    if name not in FORMATS:
        raise InputError(f"There is no rule format {name!r}. Choose one of: {', '.join(FORMATS)}.")
    module, _, function = FORMATS[name].partition(":")
    written: Callable[[RuleSet], str] = getattr(importlib.import_module(module), function)
    return written(rules)
