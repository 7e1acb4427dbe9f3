"""Normal forms that make texts comparable, words, scripts, and a cache (`Remembered`).

White space is collapsed and invisible characters are removed. Languages written without spaces (Chinese, Japanese,
Korean syllables) are counted by character.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Literal, NamedTuple, TypeVar, get_args

from posterity.lexicon import any_of, scripts, words_for

# Unicode normalisation forms.
Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
FORMS: tuple[Form, ...] = get_args(Form)

# Zero-width characters and soft hyphens: feeds drop them, pages keep them.
_INVISIBLE_CHARS = "\u00ad\u200b\u2060\ufeff"
_INVISIBLE = re.compile(f"[{_INVISIBLE_CHARS}]")
_BETWEEN = "\0"  # never occurs in a text, because parsers drop it
# The most frequent characters that are not in NFKC. Replacing them first makes normalisation fifty times faster.
_USUAL_FORMS = [(char, unicodedata.normalize("NFKC", char)) for char in "\u00a0\u2026\u202f\u2009\u2122\u2116\u00b2"]
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
# Typographic characters that are neither letters nor digits; without them, most English text is ASCII.
_TYPOGRAPHY = "\u2018\u2019\u201c\u201d\u2013\u2014\u2022\u00ab\u00bb\u00a9\u2192"
_ASCII_NOT_ALPHANUMERIC = dict.fromkeys(code for code in range(128) if not chr(code).isalnum())


def one_line(text: str) -> str:
    """Return the text on one line, with single spaces and without invisible characters."""
    return single_spaced(text if text.isascii() else _without_invisible(text))


def _without_invisible(text: str) -> str:
    # Checking first is much faster, because most texts have no invisible characters.
    return _INVISIBLE.sub("", text) if any(char in text for char in _INVISIBLE_CHARS) else text


def single_spaced(text: str) -> str:
    """Collapse white space to single spaces, and strip it at both ends."""
    text = text.strip()
    # Line breaks are the most frequent case.
    if "\n" in text:
        text = text.replace("\n", " ")
    # A space is the only printable white space. Checking first takes half the time of splitting.
    return " ".join(text.split()) if "  " in text or not text.isprintable() else text


def comparable(text: str) -> str:
    """Return a form in which variants of the same text are equal: NFKC, case-folded, on one line."""
    if text.isascii():
        return single_spaced(text).lower()
    return one_line(_nfkc(text)).casefold()


def forms_of(texts: Sequence[str], form: Callable[[str], str] = comparable) -> list[str]:
    """Return the form of each text; they are processed as one text, which is much faster."""
    found = [text.strip(" ") for text in form(_BETWEEN.join(texts)).split(_BETWEEN)]
    return found if len(found) == len(texts) else [form(text) for text in texts]


def letters_and_digits(text: str) -> str:
    """Return only the letters and digits, case-folded; they identify a title."""
    return _KEYS[text] if len(text) <= _SHORT else _letters_and_digits(text)


def _letters_and_digits(text: str) -> str:
    if not text.isascii():
        text = without_typography(_nfkc(text).casefold(), "")
    return text.lower().translate(_ASCII_NOT_ALPHANUMERIC) if text.isascii() else _NOT_ALPHANUMERIC.sub("", text)


def count_of(number: int, thing: str, things: str | None = None) -> str:
    """Return a number with its noun: 1 post, 2 posts, 1,200 posts."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def without_typography(text: str, instead: str) -> str:
    """Replace typographic quotes, dashes and the like, which makes most English text ASCII."""
    for mark in _TYPOGRAPHY:
        text = text.replace(mark, instead)
    return text


def _nfkc(text: str) -> str:
    for char, form in _USUAL_FORMS:
        text = text.replace(char, form)
    return unicodedata.normalize("NFKC", text)


_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_ASCII_MARKS = {code: " " for code in range(128) if not chr(code).isalnum()}
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


def words(text: str) -> list[str]:
    """Return the words of the text in order, case-folded."""
    return words_of_comparable(comparable(text))


def words_of_comparable(text: str) -> list[str]:
    """Return the words of a text that is already in its comparable form."""
    if not text.isascii():
        text = without_typography(text, " ")
    return text.translate(_ASCII_MARKS).split() if text.isascii() else _WORD.findall(text)


def word_counts(text: str) -> Counter[str]:
    """Return how often each word occurs in the text."""
    return Counter(words(text))


def token_f1(left: Counter[str], right: Counter[str]) -> float:
    """Return the harmonic mean of precision and recall of two bags of words; 0.0 if either is empty."""
    fewer, more = (left, right) if len(left) <= len(right) else (right, left)
    common = sum(min(count, more[word]) for word, count in fewer.items() if word in more)
    return 2 * common / (left.total() + right.total()) if common else 0.0


def containment(part: Counter[str], whole: Counter[str]) -> float:
    """Return the share of `part` that is also in `whole`."""
    return (part & whole).total() / part.total() if part else 0.0


def any_part(parts: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that matches any of the strings.

    They are grouped by first letter, so that only a few are tried at each position, which halves the time.
    """
    by_first = groupby(sorted(parts), itemgetter(0))
    groups = ((first, "|".join(re.escape(part[1:]) for part in group)) for first, group in by_first)
    return re.compile("|".join(f"{re.escape(first)}(?:{rests})" for first, rests in groups))


# More text makes detection slower but not better: on 747 posts of real blogs, 200 to 4,000 characters gave the same
# results except for mixed texts.
_READ_CHARS = 1_000
# URLs have no language, and a short post may consist mostly of URLs.
_URL = re.compile(r"(?:https?://|www\.)\S+")
# Members of the macrolanguage zho (ISO 639-3), which are not distinguished in writing.
_SAME = {"yue": "zh", "wuu": "zh", "cmn": "zh"}


def primary_language(tag: str) -> str:
    """Return the language of a tag such as pt-BR, without country and script."""
    first = tag.replace("_", "-").partition("-")[0].strip().lower()
    return _SAME.get(first, first)


def beginning_without_urls(text: str) -> str:
    """Return the beginning of a text, without URLs, from which its language is detected."""
    return _URL.sub(" ", text[: 2 * _READ_CHARS])[:_READ_CHARS]


_SCRIPTS = scripts("letters")
_SCRIPT_LETTERS = re.compile("|".join(f"(?P<{name}>[{letters}]+)" for name, letters in _SCRIPTS.items()))
_ANY_SCRIPT = re.compile(f"[{''.join(_SCRIPTS.values())}]+")  # one class is much faster than a pattern for each
_LANGUAGES = {script: frozenset(languages.split()) for script, languages in scripts("languages").items()}
# Languages that are never written in Latin script.
_NEVER_LATIN = frozenset(
    "be bg mk ru uk ar fa ur ps he el ko ja zh th lo km my hi mr ne bn gu ta te kn ml si ka hy am".split()
)
_ENGLISH = frozenset(
    "the of and to in is that it for was on are with as be at this have from or had by but not what all were we when "
    "your can an they you i he she a my so if about out up them some his her which their do has more who will".split()
)
_LETTERS = re.compile(r"[^\W\d_]+")
_FEW_LETTERS = 0.05
_MIN_ENGLISH_SHARE = 0.12  # these words are a third to a half of English prose, and below a tenth of other languages


def is_language_doubtful(text: str, declared: str) -> bool:
    """Return whether the text may be in another language than the declared one; a quick check."""
    text = beginning_without_urls(text)
    language = primary_language(declared)
    found = _LETTERS.findall(text)
    letters = sum(map(len, found))
    counts: Counter[str] = Counter()
    if not text.isascii():
        for match in _SCRIPT_LETTERS.finditer(" ".join(_ANY_SCRIPT.findall(text))):
            counts[str(match.lastgroup)] += len(match[0])
    foreign = sum(count for script, count in counts.items() if language not in _LANGUAGES[script])
    if 2 * foreign > letters or (language == "zh" and counts["Kana"] > letters / 4):
        return True
    if language in _NEVER_LATIN:
        # A post about code may have mostly Latin letters and still be in the declared language.
        return counts.total() - foreign < _FEW_LETTERS * letters
    if language != "en":
        return False
    return sum(map(_ENGLISH.__contains__, map(str.lower, found))) < _MIN_ENGLISH_SHARE * len(found)


_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
MAX_ENTRIES = 32_768  # enough for 200 pages of different sites, each of which adds more than 100 names


class Remembered(dict[_Key, _Value]):
    """A cache: a dictionary that computes missing values and is cleared when it is full.

    Unlike `lru_cache`, it does not thrash when similar pages with slightly too many names follow each other, and a
    look-up takes half the time.
    """

    __slots__ = ("_compute",)

    def __init__(self, compute: Callable[[_Key], _Value]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: _Key) -> _Value:
        if len(self) >= MAX_ENTRIES:
            self.clear()
        found = self[key] = self._compute(key)
        return found


_SHORT = 100  # characters: titles, names and labels, which are compared repeatedly
_KEYS = Remembered(_letters_and_digits)


_ACCOUNT_NAMES = re.compile(rf"(?:{any_of(words_for('byline.account_name', 'byline.placeholder'))})", re.IGNORECASE)
_PLACEHOLDER = re.compile(rf"(?:{any_of(words_for('byline.placeholder', 'byline.label'))})", re.IGNORECASE)


def is_account_name(name: str) -> bool:
    """Return whether the name is that of an account, such as "admin", and not of a person."""
    return _ACCOUNT_NAMES.fullmatch(name.strip()) is not None


def names_nobody(name: str) -> bool:
    """Return whether the text is a placeholder for a name: "Unknown", or the label "Author" itself."""
    return _PLACEHOLDER.fullmatch(name.strip()) is not None


# Control characters, which could control a terminal, and overrides of the text direction, which could disguise a text.
# Escape sequences for colours and bold text, as written by `click.style`, are kept.
_TERMINAL_CONTROL = re.compile(r"\x1b\[(?:0|1|3[0-7])m|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\ud800-\udfff]")


def printable(text: str) -> str:
    """Return the text, which may be from an untrusted page, without characters that are dangerous on a terminal."""
    return _TERMINAL_CONTROL.sub(lambda found: found[0] if len(found[0]) > 1 else "\N{REPLACEMENT CHARACTER}", text)


# Direction marks, soft hyphens and joiners, which are invisible; CLDR's Arabic dates contain them.
_IGNORABLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_NOT_ONE_TO_ONE = re.compile("[\u00ad\u0300-\u036f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_FULL_WIDTH = range(0xFF01, 0xFF5F)
_FULL_WIDTH_SHIFT = 0xFEE0
_SAME_LETTERS = str.maketrans(
    {
        "İ": "i",  # the only capital that lower() turns into two characters
        "ı": "i",  # lower() turns a Turkish I into i, not ı
        "ς": "σ",
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "´": "'",
        "−": "-",
        "\u066b": ".",
    }
)


class _PlainCharacters(dict[int, int]):
    """Plain forms of characters, computed on first use."""

    def __missing__(self, code: int) -> int:
        char = chr(code)
        digit = unicodedata.decimal(char, None)
        if digit is not None:
            plain = ord("0") + digit
        elif code in _FULL_WIDTH:
            plain = code - _FULL_WIDTH_SHIFT
        else:
            plain = ord({"Zs": " ", "Pd": "-"}.get(unicodedata.category(char), char))
        self[code] = plain
        return plain


_PLAIN = _PlainCharacters()


class PlainText(NamedTuple):
    """A plain text; `positions[i]` is the original position of character `i`, None if all are unchanged."""

    text: str
    positions: list[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the original text for a span in this one."""
        if self.positions is None:
            return start, end
        return self.positions[start], self.positions[end - 1] + 1


def plain(text: str) -> str:
    """Return the plain form of a word or pattern, without positions."""
    return plain_text(text).text


def plain_text(text: str) -> PlainText:
    """Return the plain form of a text, with the original positions."""
    if text.isascii():
        return PlainText(text.lower())
    if _NOT_ONE_TO_ONE.search(text) is None:
        return PlainText(_lower(text))
    composed, positions = _compose(text)
    return PlainText(_lower(composed), positions)


def without_accents(word: str) -> str:
    """Return a word without accents: "février" as "fevrier"."""
    stripped = "".join(char for char in unicodedata.normalize("NFD", word) if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFC", stripped)


def _lower(text: str) -> str:
    return text.translate(_SAME_LETTERS).translate(_PLAIN).lower().translate(_SAME_LETTERS)


def _compose(text: str) -> tuple[str, list[int]]:
    chars: list[str] = []
    positions: list[int] = []
    for position, char in enumerate(text):
        if _IGNORABLE.match(char):
            continue
        if chars and unicodedata.combining(char):
            joined = unicodedata.normalize("NFC", chars[-1] + char)
            if len(joined) == 1:
                chars[-1] = joined
                continue
        chars.append(char)
        positions.append(position)
    return "".join(chars), positions
