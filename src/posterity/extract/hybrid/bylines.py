"""The names in a byline: "Posted by Ada Lovelace and Charles Babbage, staff writers, on 3 May" names two people."""

from __future__ import annotations

import re
from functools import lru_cache

from posterity.extract.hybrid.byline_words import (
    BETWEEN,
    DAY,
    JOINT,
    LEAD,
    LEAD_INSIDE,
    NO_NAME,
    NOT_AUTHOR,
    ONLY_LEAD,
    ORGANISATION,
    ROLE,
    TAIL,
)
from posterity.extract.hybrid.given_names import GIVEN_NAMES
from posterity.extract.hybrid.page_dates import dates_in, may_date, start_of_day
from posterity.learn.author import is_role
from posterity.text.normal_form import letters_and_digits, one_line

_MAX_NAME = 60
_MAX_WORDS = 7
_MAX_BYLINE = 200
_NOT_IN_NAMES = re.compile(r"[.!?]\s+\w+\s+\w+\s+\w+|[!?…:=<>{}→]|https?|www\.|\.\.\.")
_SENTENCE = re.compile(r"(?:\S+\s+){6,}\S+[.!?]$")
_EMAIL = re.compile(r"\S+@\S+\.\S+|\S+\[at\]\S+")
_LETTER = re.compile(r"[^\W\d_]")


# The same labels and menu entries stand on every page of a blog.
@lru_cache(maxsize=4096)
def opens_byline(text: str) -> bool:
    """Tell whether a text begins as bylines do: "By ", "Author: "."""
    return LEAD.match(text) is not None or ONLY_LEAD.match(text) is not None


@lru_cache(maxsize=4096)
def is_only_lead(text: str) -> bool:
    """Tell whether a text introduces names and holds none."""
    return ONLY_LEAD.match(text) is not None


def names_in(text: str, language: str = "") -> tuple[str, ...]:
    """Return the names in a byline, in order, each once; nothing when it does not look like one."""
    line = one_line(text)
    return _names_in_line(line, language) if 0 < len(line) <= _MAX_BYLINE else ()


@lru_cache(maxsize=4096)
def _names_in_line(text: str, language: str) -> tuple[str, ...]:
    text = _EMAIL.sub("", text) if "@" in text or "[at]" in text else text
    # A date with two readings comes twice.
    spans = {(start_of_day(text, date), date.end) for date in dates_in(text, language)} if may_date(text) else ()
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} | {text[end:]}"
    if inside := LEAD_INSIDE.search(text):
        text = text[inside.start() :]
    parts = [part for part in BETWEEN.split(text) if part.strip() and not ONLY_LEAD.match(part)]
    parts.sort(key=lambda part: LEAD.match(part) is None)
    return next(filter(None, map(_names, parts)), ())


def is_organisation(name: str) -> bool:
    """Tell whether a name holds a word that firms, papers and clubs have in theirs."""
    return ORGANISATION.search(name) is not None


def is_person(name: str) -> bool:
    """Tell whether a name has the shape of a person's: two to four words, all capitalised but for particles."""
    words = name.split()
    if not 2 <= len(words) <= 4:
        return False
    capital = sum(word[:1].isupper() for word in words)
    return capital >= max(2, len(words) - 2) and not any(map(str.isdigit, name)) and not is_organisation(name)


def has_given_name(name: str) -> bool:
    """Tell whether the name begins with somebody's given name, or has it behind a title or an initial."""
    words = name.casefold().replace("-", " ").split()
    return any(word in GIVEN_NAMES for word in words[:2])


def _names(part: str) -> tuple[str, ...]:
    if NOT_AUTHOR.search(part) or _SENTENCE.search(part):
        return ()
    part = DAY.sub("", part)
    whole, part = part, _without_lead_and_tail(part)
    if part != whole:  # "Posted by: by Ada at 3 pm"
        part = _without_lead_and_tail(part)
    pieces = [_stripped(piece) for piece in JOINT.split(part)]
    names = [piece for piece in pieces if piece and not (piece != pieces[0] and ROLE.search(piece))]
    if not names or not all(map(_may_be_name, names)):
        return ()
    return tuple({letters_and_digits(name): name for name in reversed(names)}.values())[::-1]


def _without_lead_and_tail(part: str) -> str:
    return TAIL.sub("", LEAD.sub("", part)).strip()


def _stripped(piece: str) -> str:
    piece = piece.strip(" ,:;|-–—*@~\"'“”„«»")
    return piece if piece.endswith(")") or len(piece) < 4 else piece.strip("()")


def _may_be_name(name: str) -> bool:
    key = letters_and_digits(name)
    return (
        len(key) >= 2
        and len(name) <= _MAX_NAME
        and len(name.split()) <= _MAX_WORDS
        and key not in NO_NAME
        and not is_role(name)
        and _LETTER.search(name) is not None
        and _NOT_IN_NAMES.search(name) is None
    )
