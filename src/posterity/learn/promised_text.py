"""What a feed entry promises of the article: all of it, its beginning, or nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from posterity.dom import parse, text_of

if TYPE_CHECKING:
    from posterity.model import FeedEntry

# How feeds say that there is more: an ellipsis at the end, bracketed or not, or a link to read on.
_READ_ON = "read|continue|more|weiter\\w*|lire la suite|leer más|читать далее|続きを読む|阅读全文"
_CUT = re.compile(
    rf"(?:\[?\s*(?:…|\.{{3}}|&hellip;)\s*\]?|(?:{_READ_ON})[^.\n]{{0,60}}(?:→|»|\.{{3}}|…)?)\s*$", re.IGNORECASE
)
# WordPress adds this line under every excerpt and, with some plugins, under whole articles.
_FOOTER = re.compile(
    r"\n[^\n]*(?:appeared first on|erschien zuerst auf|est apparu en premier sur)[^\n]*$", re.IGNORECASE
)


class Promise(msgspec.Struct, frozen=True):
    """The text, and whether the feed claims that it is all of it."""

    text: str
    whole: bool


def promised_text(entry: FeedEntry) -> Promise:
    """Return what the entry says of the article; an empty text when it says nothing."""
    markup = entry.content or entry.summary or ""
    if not markup:
        return Promise("", whole=False)
    text = _FOOTER.sub("", text_of(parse(markup).tree)).strip()
    cut = _CUT.search(text[-120:])
    if cut:
        text = (
            text[: len(text) - (len(text[-120:]) - cut.start())].rstrip()
            if len(text) > 120
            else text[: cut.start()].rstrip()
        )
    return Promise(text, whole=entry.content is not None and cut is None)
