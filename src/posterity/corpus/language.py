"""Which language a text is in, where its page does not say, or says it wrongly.

py3langid, whose model lies in its wheel: nothing is downloaded, and the same text gives the same answer everywhere
(decision 0008).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from posterity.model import Provenance

if TYPE_CHECKING:
    from posterity.model import Post

# Which posts are looked at: those that declare no language, or all of them.
Scope = Literal["missing", "all"]

# More text makes the answer slower and no better: on 747 posts of real blogs, 200 to 4,000 characters gave the same
# answers but for mixed texts.
_READ_CHARS = 1_000
# Addresses are in no language, and a short post may be little else.
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_MIN_LETTERS = 20
# Below this the first guess is often wrong: numbers, code, names.
_MIN_CONFIDENCE = 0.5
# Members of one macrolanguage that are not told apart in writing: in ISO 639-3, all of them are zho.
_SAME = {"yue": "zh", "wuu": "zh", "cmn": "zh"}


class Identified(msgspec.Struct, frozen=True):
    """A language as in BCP 47, and how sure that is, from 0 to 1."""

    language: str
    confidence: float


def identified(text: str) -> Identified | None:
    """Return the language of the text, or None when there is too little of it to tell."""
    beginning = _ADDRESS.sub(" ", text[: 2 * _READ_CHARS])[:_READ_CHARS]
    if sum(char.isalpha() for char in beginning) < _MIN_LETTERS:
        return None
    language, confidence = _identifier().classify(beginning)
    if confidence < _MIN_CONFIDENCE:
        return None
    return Identified(_SAME.get(language, language), round(float(confidence), 3))


def with_language(post: Post, scope: Scope) -> Post:
    """Return the post with the language that its text is in; a declared one stays, unless `scope` is all.

    A declaration that agrees stays as it is: `de-AT` says more than `de`.
    """
    if post.language and scope == "missing":
        return post
    found = identified(post.text)
    if found is None or (post.language and same_language(post.language, found.language)):
        return post
    source = Provenance(method="language-id", confidence=found.confidence)
    return msgspec.structs.replace(post, language=found.language, provenance={**post.provenance, "language": source})


def same_language(left: str, right: str) -> bool:
    """Tell whether two tags name one language, whatever the country or script."""
    first, second = (tag.replace("_", "-").partition("-")[0].lower() for tag in (left, right))
    return _SAME.get(first, first) == _SAME.get(second, second)


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
