"""Whether a text is a language tag (BCP 47): pages declare their language in many other ways."""

from __future__ import annotations

import re

_TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


def is_language_tag(text: str | None) -> bool:
    """Tell whether XML and books take the text for a language."""
    return text is not None and _TAG.fullmatch(text) is not None
