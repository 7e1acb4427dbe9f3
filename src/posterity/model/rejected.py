"""What the web did to us, as a value: why a page did not become a post."""

from __future__ import annotations

from typing import Literal

import msgspec

# Words of Browsertrix where they mean the same (outOfScope, pageLimit, robotsTxt, duplicate).
Reason = Literal[
    "duplicate",
    "error",
    "givenUp",
    "httpError",
    "networkError",
    "noArticle",
    "notHtml",
    "optOut",
    "outOfScope",
    "pageLimit",
    "robotsTxt",
    "unreadable",
]


class Rejected(msgspec.Struct, frozen=True, kw_only=True):
    """An address that gave no post, and why."""

    url: str
    reason: Reason
    detail: str = ""
