"""Learned rules in the formats of other software."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from posterity.errors import InputError
from posterity.model import RuleSet

FORMATS: dict[str, str] = {
    "json": "posterity.learning.formats.writers:own_json",
    "ftr": "posterity.learning.formats.writers:full_text_rss",
    "miniflux": "posterity.learning.formats.writers:miniflux_settings",
    "css": "posterity.learning.formats.writers:css_lines",
    "webpoet": "posterity.learning.formats.writers:web_poet_module",
}


def written_rules(rules: RuleSet, name: str) -> str:
    """Return the rules in the format of this name, or raise `InputError` with the known names."""
    if name not in FORMATS:
        raise InputError(f"There is no rule format {name!r}. Choose one of: {', '.join(FORMATS)}.")
    module, _, function = FORMATS[name].partition(":")
    written: Callable[[RuleSet], str] = getattr(importlib.import_module(module), function)
    return written(rules)
