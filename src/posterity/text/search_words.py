"""The words of a text as a search index knows them: the same function reads what is stored and what is looked for.

Case, compatibility forms, accents, vowel points and invisible characters do not matter. Scripts that put no spaces
between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) give one word per character with its marks; a word of such
a language is then found as characters side by side. Korean does so per syllable, because particles follow a noun
without a space and compounds are written both with and without one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from posterity.text.normal_form import Remembered

_LATIN_ACCENTED = "\u00df-\u024f\u1e00-\u1eff"
# Marks that a writer may leave out: accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic and
# Syriac, variation selectors. Marks of the scripts of India and South East Asia are vowels: they stay.
_MARKS_LEFT_OUT = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8"
    "\u06ea-\u06ed\u0730-\u074a\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
)
_INVISIBLE = "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
_TATWEEL = "\u0640"
_LEFT_OUT = re.compile(f"[{_MARKS_LEFT_OUT}{_INVISIBLE}{_TATWEEL}]+")
# Letters that Unicode does not take apart, and spellings of one letter that writers do not tell apart.
_SAME_LETTERS = {
    "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "þ": "th", "æ": "ae", "œ": "oe",
    "й": "й",  # a letter of its own, unlike ё
    "ى": "ي", "ی": "ي", "ې": "ي", "ک": "ك", "ة": "ه", "ہ": "ه", "ھ": "ه", "ۀ": "ه", "ە": "ه",
}  # fmt: skip
# The apostrophe of Ukrainian and Hawaiian, which most keyboards type as a quote, is a letter to Unicode.
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
    """Return the text without case, accents, points and everything else that a search forgives."""
    return text.lower() if text.isascii() else "".join([_FOLDED_LETTERS[char] for char in _case_folded(text)])


def _case_folded(text: str) -> str:
    """The text with letters in their places: only what every single letter becomes is left to do."""
    # Case folding may leave letters apart from their accents, so the normal form comes before it and behind it.
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _APOSTROPHES.sub("'", _LEFT_OUT.sub("", text))


def _ranges(characters: list[int]) -> str:
    """The inside of a character class of a regular expression."""
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
# Without a character of these blocks words are letters and digits in a row, which takes half the time to find.
_NEEDS_MORE = re.compile("[\u0900-\u1cff\u3005-\U0010ffff]")
_SIMPLE_WORD = re.compile(r"[^\W_]+")
_ASCII_SEPARATORS = {code: " " for code in range(128) if not chr(code).isalnum()}
# "and", "in", "like", "for" and the article, which Arabic and Hebrew write as one word with what follows.
_ARTICLE = re.compile("(?:[وف]?(?:ال|بال|كال|لل)|و)(?=[\u0621-\u064a]{3})|ו?(?:[שמב]|כש)?ה(?=[\u05d0-\u05ea]{3})")


def name_order(name: str) -> tuple[str, str]:
    """Return the key by which names are sorted: as in the root order of CLDR, case and accents decide last."""
    return fold_for_search(name), name


def search_words(text: str) -> list[str]:
    """Return the words of a text in order, as the index knows them."""
    return words_and_accents(text)[0]


def words_and_accents(text: str) -> tuple[list[str], list[str]]:
    """Return the words of a text as the index knows them, and those in Latin letters with accents once more with these.

    A query that types accents asks for them.
    """
    if text.isascii():
        return text.lower().translate(_ASCII_SEPARATORS).split(), []
    folded = _case_folded(text)
    pattern = _WORD if _NEEDS_MORE.search(folded) else _SIMPLE_WORD
    forms = [_FORMS[word] for word in pattern.findall(folded)]
    return [word for word, _ in forms], [accented for _, accented in forms if accented]


def _forms(word: str) -> tuple[str, str]:
    """A word as the index knows it, and the same with its accents if it has some that count."""
    folded = _without_article(fold_for_search(word))
    accented = word.replace("ı", "i")
    return folded, accented if _ACCENTED.search(accented) else ""


# Looking up a word takes a fraction of folding it letter by letter.
_FORMS = Remembered(_forms)
_ACCENTED = re.compile(f"[{_LATIN_ACCENTED}]")


def _without_article(word: str) -> str:
    return _ARTICLE.sub("", word, count=1) if "\u05d0" <= word[0] <= "\u064a" and _ARTICLE.match(word) else word


# What Arabic and Hebrew write as one word with the noun behind it: "and", "in", "for", "like", "from", "that", the
# article, and several of these. Some are left out of the index (`_ARTICLE`); a query looks for the others, too.
_CLITICS = {
    "\u0590": [and_ + rest for and_ in ("", "ו") for rest in "ה ב ל כ מ ש כש לכש שה שב של שמ שכ".split()] + ["ו"],
    "\u0600": [and_ + rest for and_ in ("", "و", "ف") for rest in "ب ل ك ال بال كال لل".split()] + ["و", "ف"],
}
_SHORTEST_NOUN = 3  # letters that must be left when a prefix is taken off: of fewer, most are no words


def with_clitics(word: str) -> list[str]:
    """Return the other forms in which the index has an Arabic or Hebrew word with prefixes such as "and" and "in"."""
    forms = dict.fromkeys(_FORMS[prefix + word][0] for prefix in _clitics_of(word))
    return [form for form in forms if form != word]


def without_clitics(word: str) -> list[str]:
    """Return what an Arabic or Hebrew word may be without prefixes; which of these are words only a text can show."""
    rests = [word.removeprefix(prefix) for prefix in _clitics_of(word) if word.startswith(prefix)]
    return [rest for rest in dict.fromkeys(rests) if len(rest) >= _SHORTEST_NOUN]


def _clitics_of(word: str) -> list[str]:
    is_letters = len(word) > 1 and all("\u05d0" <= char <= "\u05ea" or "\u0621" <= char <= "\u06d5" for char in word)
    return _CLITICS["\u0590" if word < "\u0600" else "\u0600"] if is_letters else []


def misspellings(word: str) -> set[str]:
    """Return every word that is one letter more, less, other or in another place.

    Letters are those of the script of the word; scripts that are searched for by character have no misspellings.
    """
    if _WORD.fullmatch(word) is None or re.match(f"[{_BY_CHARACTER}{_BY_CLUSTER}]", word):
        return set()
    letters = {letter for char in word for letter in _letters_beside(char)}
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    found = {left + letter + right for left, right in cuts for letter in letters}
    found |= {left + letter + right[1:] for left, right in cuts[:-1] for letter in ("", *letters)}
    found |= {left + right[1] + right[0] + right[2:] for left, right in cuts[:-2]}
    return found - {word, ""}


@cache
def _letters_beside(char: str) -> frozenset[str]:
    """The letters of the alphabet of a letter, as the index has them: those that Unicode has beside it."""
    block = ord(char) & ~0x7F
    folded = (fold_for_search(chr(code)) for code in range(block, block + 0x80))
    return frozenset(one for one in folded if len(one) == 1 and (one.isalnum() or re.match(f"[{_MARKS}]", one)))


def letters_apart(left: str, right: str) -> int:
    """Return how many letters have to be added, left out, changed or swapped with the next to make one word another."""
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
    """A word as the index knows it, and where it stands in the text."""

    word: str
    start: int
    stop: int


def found_words(text: str) -> list[FoundWord]:
    """Return the words of a text with their places."""
    if text.isascii():
        return [FoundWord(match[0], match.start(), match.end()) for match in _SIMPLE_WORD.finditer(text.lower())]
    folded, origin = _fold_with_origin(text)
    return [
        FoundWord(
            _without_article(match[0]),
            origin[match.start()],
            max(origin[match.start()] + 1, origin[match.end()]),
        )
        for match in _WORD.finditer(folded)
    ]


# Short pieces, so that a long text without spaces takes no longer; a letter is not parted from its marks.
_PIECE = re.compile(rf"\S{{1,40}}[{_MARKS}\u0300-\u036f\u3099\u309a\uff9e\uff9f]{{0,20}}|\s+")


def _fold_with_origin(text: str) -> tuple[str, list[int]]:
    """The folded text, and for every character of it, and for its end, the place it comes from."""
    pieces: list[str] = []
    origin: list[int] = []
    for match in _PIECE.finditer(text):
        folded = fold_for_search(match[0])
        start = match.start()
        origin += range(start, match.end()) if len(folded) == len(match[0]) else _places(match[0], folded, start)
        pieces.append(folded)
    return "".join(pieces), [*origin, len(text)]


def _places(raw: str, folded: str, start: int) -> list[int]:
    """For every character of a folded piece the place of the raw character with which it first appears."""
    places: list[int] = []
    for stop in range(1, len(raw) + 1):
        known = len(fold_for_search(raw[:stop]))
        places += [start + stop - 1] * (known - len(places))
    return (places + [start + len(raw) - 1] * len(folded))[: len(folded)]
