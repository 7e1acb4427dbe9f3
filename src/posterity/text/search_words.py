"""The words of a text for the search index, used both for stored texts and for queries.

Case, compatibility forms, accents, vowel points and invisible characters are ignored. In scripts without spaces between
words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), every character with its marks is indexed as a word, and words
are found as phrases. Korean is split into syllables, because particles follow a noun without a space and compounds are
written with or without one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from posterity.text.normal_form import Remembered

_LATIN_ACCENTED = "\u00df-\u024f\u1e00-\u1eff"
# Marks that are often omitted: accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic and
# Syriac, variation selectors. Marks of Indian and South East Asian scripts are vowels and are kept.
_MARKS_LEFT_OUT = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8"
    "\u06ea-\u06ed\u0730-\u074a\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
)
_INVISIBLE = "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
_TATWEEL = "\u0640"
_LEFT_OUT = re.compile(f"[{_MARKS_LEFT_OUT}{_INVISIBLE}{_TATWEEL}]+")
# Letters that Unicode does not decompose, and variants of a letter that are not distinguished in writing.
_SAME_LETTERS = {
    "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "þ": "th", "æ": "ae", "œ": "oe",
    "й": "й",  # a separate letter, unlike ё
    "ى": "ي", "ی": "ي", "ې": "ي", "ک": "ك", "ة": "ه", "ہ": "ه", "ھ": "ه", "ۀ": "ه", "ە": "ه",
}  # fmt: skip
# The apostrophe of Ukrainian and Hawaiian is a letter in Unicode, but usually typed as a quote.
_APOSTROPHES = re.compile("[\u02bb\u02bc]")


def _folded_letter(char: str) -> str:
    if char in _SAME_LETTERS:
        return _SAME_LETTERS[char]
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    parts = _LEFT_OUT.sub("", unicodedata.normalize("NFD", char))
    return unicodedata.normalize("NFC", "".join(_SAME_LETTERS.get(part, part) for part in parts))


_FOLDED_LETTERS = Remembered(_folded_letter)


def fold_for_search(text: str) -> str:
    """Return the text without case, accents, points and everything else that a search ignores."""
    return text.lower() if text.isascii() else "".join([_FOLDED_LETTERS[char] for char in _case_folded(text)])


def _case_folded(text: str) -> str:
    """Return the text case-folded and normalised; single letters are not folded yet."""
    # Case folding may separate letters from their accents, so the text is normalised before and after it.
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _APOSTROPHES.sub("'", _LEFT_OUT.sub("", text))


def _ranges(characters: list[int]) -> str:
    """Return these characters as ranges of a regular expression's character class."""
    found: list[list[int]] = []
    for code in characters:
        if found and code == found[-1][1] + 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in found)


_MARK_BLOCKS = (range(0x0900, 0x1D00), range(0x302A, 0x309B), range(0xA800, 0xAC00))
_MARKS = _ranges([code for block in _MARK_BLOCKS for code in block if unicodedata.category(chr(code)) in ("Mn", "Mc")])
_BY_CHARACTER = "\u3005-\u3007\u3040-\u3098\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_BY_CHARACTER += "\U00020000-\U0003fffd"
_CLUSTER_BLOCKS = (
    range(0x0E00, 0x0F00),  # Thai, Lao
    range(0x1000, 0x10A0),  # Burmese
    range(0x1780, 0x1800),  # Khmer
    range(0xA980, 0xAA00),  # Javanese, and more of Burmese
    range(0xAA60, 0xAA80),
)
_BY_CLUSTER = _ranges([code for block in _CLUSTER_BLOCKS for code in block if chr(code).isalpha()])
_KHMER_JOINED = "\u17d2[\u1780-\u17b3]"
_LETTER = rf"[^\W_{_BY_CHARACTER}{_BY_CLUSTER}]"
_WORD = re.compile(
    rf"{_LETTER}(?:{_LETTER}|[{_MARKS}])*|[{_BY_CHARACTER}][{_MARKS}]*|[{_BY_CLUSTER}](?:{_KHMER_JOINED}|[{_MARKS}])*"
)
# In texts without characters of these blocks, words are runs of letters and digits, and a simpler pattern is faster.
_NEEDS_MORE = re.compile("[\u0900-\u1cff\u3005-\U0010ffff]")
_SIMPLE_WORD = re.compile(r"[^\W_]+")
_ASCII_SEPARATORS = {code: " " for code in range(128) if not chr(code).isalnum()}
# "and", "in", "like", "for" and the article, which are prefixes in Arabic and Hebrew.
_ARTICLE = re.compile("(?:[وف]?(?:ال|بال|كال|لل)|و)(?=[\u0621-\u064a]{3})|ו?(?:[שמב]|כש)?ה(?=[\u05d0-\u05ea]{3})")


def name_order(name: str) -> tuple[str, str]:
    """Return the sort key of a name: case and accents are compared last, as in the root collation of CLDR."""
    return fold_for_search(name), name


def search_words(text: str) -> list[str]:
    """Return the words of a text in order, as in the index."""
    return words_and_accents(text)[0]


def words_and_accents(text: str) -> tuple[list[str], list[str]]:
    """Return the words of a text as in the index, and the accented forms of its accented Latin words.

    A query with accents matches only the accented form.
    """
    if text.isascii():
        return text.lower().translate(_ASCII_SEPARATORS).split(), []
    folded = _case_folded(text)
    pattern = _WORD if _NEEDS_MORE.search(folded) else _SIMPLE_WORD
    forms = [_FORMS[word] for word in pattern.findall(folded)]
    return [word for word, _ in forms], [accented for _, accented in forms if accented]


def _forms(word: str) -> tuple[str, str]:
    """Return a word as in the index, and its accented form if it has one."""
    folded = _without_article(fold_for_search(word))
    accented = word.replace("ı", "i")
    return folded, accented if _ACCENTED.search(accented) else ""


# A look-up is much faster than folding a word letter by letter.
_FORMS = Remembered(_forms)
_ACCENTED = re.compile(f"[{_LATIN_ACCENTED}]")


def _without_article(word: str) -> str:
    return _ARTICLE.sub("", word, count=1) if "\u05d0" <= word[0] <= "\u064a" and _ARTICLE.match(word) else word


# Prefixes of nouns in Arabic and Hebrew: "and", "in", "for", "like", "from", "that", the article, and combinations.
# Some are removed in the index (`_ARTICLE`); queries also search for forms with the others.
_CLITICS = {
    "\u0590": [and_ + rest for and_ in ("", "ו") for rest in "ה ב ל כ מ ש כש לכש שה שב של שמ שכ".split()] + ["ו"],
    "\u0600": [and_ + rest for and_ in ("", "و", "ف") for rest in "ب ل ك ال بال كال لل".split()] + ["و", "ف"],
}
_SHORTEST_NOUN = 3  # letters that must remain without the prefix; shorter remainders are rarely words


def with_clitics(word: str) -> list[str]:
    """Return the forms of an Arabic or Hebrew word with prefixes such as "and" and "in", as in the index."""
    forms = dict.fromkeys(_FORMS[prefix + word][0] for prefix in _clitics_of(word))
    return [form for form in forms if form != word]


def without_clitics(word: str) -> list[str]:
    """Return the possible forms of an Arabic or Hebrew word without prefixes; not all of them are words."""
    rests = [word.removeprefix(prefix) for prefix in _clitics_of(word) if word.startswith(prefix)]
    return [rest for rest in dict.fromkeys(rests) if len(rest) >= _SHORTEST_NOUN]


def _clitics_of(word: str) -> list[str]:
    is_letters = len(word) > 1 and all("\u05d0" <= char <= "\u05ea" or "\u0621" <= char <= "\u06d5" for char in word)
    return _CLITICS["\u0590" if word < "\u0600" else "\u0600"] if is_letters else []


def misspellings(word: str) -> set[str]:
    """Return every word at edit distance 1: one letter added, removed, replaced or swapped with the next.

    Letters are those of the word's script; scripts that are indexed by character have no misspellings.
    """
    if _WORD.fullmatch(word) is None or re.match(f"[{_BY_CHARACTER}{_BY_CLUSTER}]", word):
        return set()
    letters = {letter for char in word for letter in _letters_of_block(char)}
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    found = {left + letter + right for left, right in cuts for letter in letters}
    found |= {left + letter + right[1:] for left, right in cuts[:-1] for letter in ("", *letters)}
    found |= {left + right[1] + right[0] + right[2:] for left, right in cuts[:-2]}
    return found - {word, ""}


@cache
def _letters_of_block(char: str) -> frozenset[str]:
    """Return the folded letters of the same alphabet: those of the same block of Unicode."""
    block = ord(char) & ~0x7F
    folded = (fold_for_search(chr(code)) for code in range(block, block + 0x80))
    return frozenset(one for one in folded if len(one) == 1 and (one.isalnum() or re.match(f"[{_MARKS}]", one)))


def edit_distance(left: str, right: str) -> int:
    """Return the edit distance of two words, where swapping two adjacent letters counts as one edit."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, one in enumerate(left, 1):
        before, row, above = row, [i], before
        for j, other in enumerate(right, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (one != other))
            if i > 1 and j > 1 and one == right[j - 2] and left[i - 2] == other:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]


class FoundWord(NamedTuple):
    """A word as in the index, and its position in the text."""

    word: str
    start: int
    stop: int


def found_words(text: str) -> list[FoundWord]:
    """Return the words of a text with their positions."""
    if text.isascii():
        return [FoundWord(match[0], match.start(), match.end()) for match in _SIMPLE_WORD.finditer(text.lower())]
    folded, origin = _fold_with_origin(text)
    found = ((match[0], origin[match.start()], origin[match.end()]) for match in _WORD.finditer(folded))
    return [FoundWord(_without_article(word), start, max(start + 1, end)) for word, start, end in found]


# Short pieces, so that the time is linear even for text without spaces; a letter is not separated from its marks.
_PIECE = re.compile(rf"\S{{1,40}}[{_MARKS}\u0300-\u036f\u3099\u309a\uff9e\uff9f]{{0,20}}|\s+")


def _fold_with_origin(text: str) -> tuple[str, list[int]]:
    """Return the folded text, and the original positions of its characters and its end."""
    pieces: list[str] = []
    origin: list[int] = []
    for match in _PIECE.finditer(text):
        folded = fold_for_search(match[0])
        start = match.start()
        origin += range(start, match.end()) if len(folded) == len(match[0]) else _places(match[0], folded, start)
        pieces.append(folded)
    return "".join(pieces), [*origin, len(text)]


def _places(raw: str, folded: str, start: int) -> list[int]:
    """Return, for every character of a folded piece, the position of its original character."""
    places: list[int] = []
    for stop in range(1, len(raw) + 1):
        known = len(fold_for_search(raw[:stop]))
        places += [start + stop - 1] * (known - len(places))
    return (places + [start + len(raw) - 1] * len(folded))[: len(folded)]
