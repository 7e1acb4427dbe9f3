"""Detects the language of a text, which may differ from the one that its page declares.

Many templates declare English whatever the language of the blog. The language model takes most of a second to load, so
it is used only if the script of the text, or the lack of English function words, contradicts the declaration.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from posterity.text.normal_form import beginning_without_urls, is_language_doubtful, primary_language

_MIN_LETTERS = 20
# Below this the result is often wrong: numbers, code, names.
_MIN_CONFIDENCE = 0.5


class DetectedLanguage(msgspec.Struct, frozen=True):
    """A BCP 47 language tag and its confidence, 0 to 1."""

    language: str
    confidence: float


def detect_language(text: str) -> DetectedLanguage | None:
    """Return the language of the text, or None if the text is too short or ambiguous."""
    beginning = beginning_without_urls(text)
    if sum(char.isalpha() for char in beginning) < _MIN_LETTERS:
        return None
    language, confidence = _identifier().classify(beginning)
    if confidence < _MIN_CONFIDENCE:
        return None
    return DetectedLanguage(primary_language(language), round(float(confidence), 3))


def same_language(left: str, right: str) -> bool:
    """Return whether two tags name the same language, regardless of country and script."""
    return primary_language(left) == primary_language(right)


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


# To contradict a declaration, a text needs this many letters, and both halves of it must be in the same language: in
# lists of names and in code, the detected language varies.
_MIN_CONTRADICTING_LETTERS = 100
_MIN_CONTRADICTING_CONFIDENCE = 0.9


def contradicting_language(text: str, declared: str) -> DetectedLanguage | None:
    """Return the language of the text if it certainly differs from the declared one, else None."""
    beginning = beginning_without_urls(text)
    letters = sum(char.isalpha() for char in beginning)
    if letters < _MIN_CONTRADICTING_LETTERS or not is_language_doubtful(text, declared):
        return None
    whole, *halves = (detect_language(part) for part in (beginning, *_halves(beginning)))
    if whole is None or whole.confidence < _MIN_CONTRADICTING_CONFIDENCE or same_language(whole.language, declared):
        return None
    return whole if all(half and half.language == whole.language for half in halves) else None


def _halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]
