"""Addresses that are never worth a visit: copies of a page, endless spaces, files that are no pages."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import parse_qsl, urlsplit

# Each shows a page again that has an address of its own: reply forms, share links, print views, sessions.
_COPY_PARAMETERS = frozenset(
    (
        "replytocom share showcomment print like_comment unapproved moderation-hash sid phpsessid jsessionid "
        "sessionid m nb openidserver reverse-paginate redirect_to amp"
    ).split()
)
# An ending of letters is a file's, and only these are pages.
_FILE = re.compile(r"\.([a-z]{1,5}\d?)$", re.IGNORECASE)
_PAGE_ENDINGS = frozenset("html htm xhtml shtml php asp aspx jsp jsf cfm cgi pl do md".split())
_NEVER = re.compile(
    r"/wp-(?:admin|login|json|content|includes)\b|/xmlrpc\.php|/cgi-bin/|/feeds?/?$|/trackback/?$|/amp/?$|/print/?$|/embed/?$|/search(?:/|$)|/cart/?$|"
    r"/(?:log|sign)-?(?:in|out|up)/?$|comment-page-\d+",
    re.IGNORECASE,
)
_KEPT_QUESTION = re.compile("%3f", re.IGNORECASE)
_MAX_LENGTH = 1000
_MAX_DEPTH = 16


def is_trap(url: str) -> bool:
    """Tell whether the address is a copy, no page, or a step into an endless space."""
    if len(url) > _MAX_LENGTH:
        return True
    # Mirrors keep the question mark in file names.
    parts = urlsplit(_KEPT_QUESTION.sub("?", url))
    ending = _FILE.search(parts.path)
    if (ending and ending.group(1).lower() not in _PAGE_ENDINGS) or _NEVER.search(parts.path):
        return True
    if parts.query and _COPY_PARAMETERS & {key.lower() for key, _ in parse_qsl(parts.query, keep_blank_values=True)}:
        return True
    folders = [folder for folder in parts.path.split("/") if folder]
    # Relative links on a page that answers everywhere: /a/b/a/b/a/b/...
    return len(folders) > _MAX_DEPTH or any(count > 3 for count in Counter(folders).values())
