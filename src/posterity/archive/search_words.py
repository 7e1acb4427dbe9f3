"""Words as the search index knows them, and what a person types into a search field.

Both databases find the same: case and accents do not matter, words are not stemmed (an archive holds any
language), and every character of a script that writes without spaces is a word of its own.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

import msgspec

# Han, Hiragana, Katakana: no spaces between words.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
_UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_QUERY_PART = re.compile(r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')


class Term(msgspec.Struct, frozen=True):
    """Words that stand side by side; with `prefix` the last may go on. `role` says whether they must be there."""

    words: tuple[str, ...]
    prefix: bool = False
    role: Literal["and", "or", "not"] = "and"


def folded(text: str) -> str:
    """Return the text without case and accents."""
    if text.isascii():
        return text.lower()
    combining = unicodedata.combining
    return "".join([char for char in unicodedata.normalize("NFKD", text.casefold()) if not combining(char)])


def index_words(text: str) -> list[str]:
    """Return the words of a text in order, as the index knows them."""
    return _WORD.findall(folded(text))


def spaced(text: str) -> str:
    """Return the text with spaces around every character that is a word of its own."""
    try:
        text.encode("latin-1")  # ten times as fast as looking for what cannot be there
    except UnicodeEncodeError:
        return _UNSPACED_CHARACTER.sub(r" \g<0> ", text)
    return text


def query_terms(query: str) -> list[Term]:
    """Return what a query asks for: words that must all be there, "phrases", -without, one OR another, prefix*."""
    terms: list[Term] = []
    alternative = False
    for match in _QUERY_PART.finditer(query):
        typed = match["phrase"] if match["word"] is None else match["word"]
        if typed == "OR" and match["word"] is not None and terms:
            alternative = True
            continue
        words = tuple(index_words(typed))
        if not words:
            continue
        role: Literal["and", "or", "not"] = "not" if match["minus"] else ("or" if alternative else "and")
        terms.append(Term(words, prefix=match["word"] is not None and typed.endswith("*"), role=role))
        alternative = False
    return terms


def alternatives(terms: list[Term]) -> list[list[Term]]:
    """Return the terms that must be there, each group a list of which one suffices."""
    groups: list[list[Term]] = []
    for term in terms:
        if term.role == "or" and groups:
            groups[-1].append(term)
        elif term.role != "not":
            groups.append([term])
    return groups
