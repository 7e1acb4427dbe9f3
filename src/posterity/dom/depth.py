"""A guard against pages that nest without end, before the parser meets them.

The parser's time grows with the square of the depth, so a page of a few hundred kilobytes made of `<div>` alone
would hold it for minutes. Counting the tags first costs a fraction of parsing and happens on large pages only.
"""

from __future__ import annotations

import re

_TAG = re.compile(
    r"<(/?)(?!(?:p|li|td|th|tr|dt|dd|option|br|img|hr|input|meta|link|source|wbr|area|col|param)\b)[a-z][^\s/>]*",
    re.IGNORECASE,
)


def deeper_than(markup: str, max_depth: int) -> bool:
    """Tell whether elements nest deeper than this. Tags that close by themselves are not counted."""
    if markup.count("<") <= max_depth:
        return False
    depth = 0
    for match in _TAG.finditer(markup):
        if not match.group(1):
            depth += 1
            if depth > max_depth:
                return True
        elif depth:
            depth -= 1
    return False
