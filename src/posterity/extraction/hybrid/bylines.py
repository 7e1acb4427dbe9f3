"""The names in a byline: "Posted by Ada Lovelace and Charles Babbage, staff writers, on 3 May" names two people."""

from __future__ import annotations

import re
from functools import lru_cache

from posterity.learning.fields import is_role
from posterity.lexicon import any_of, words_for
from posterity.text.dates.reading import dates_in, may_date, start_of_day
from posterity.text.normal_form import letters_and_digits, one_line

_BY = any_of(words_for("byline.by", "byline.by_more"))
_DONE = any_of(words_for("byline.written"))
_LABEL = any_of(words_for("byline.label"))
# What may stand before the names.
LEAD = re.compile(
    rf"^\W*(?:(?:{_LABEL})\W+)?(?:(?:{_DONE})\s+)?(?:{_BY})\b[\s:]*(?=\S)|^\W*(?:{_LABEL})\s*[:：/-]\s*(?=\S)|"
    # Alone, "da" may begin a name.
    rf"^\W*(?:{any_of(words_for('byline.opening_phrase'))})\s+(?=\S)|"
    rf"^(?:{_LABEL})\s+(?=[A-ZÄÖÜ])",
    re.IGNORECASE,
)
ONLY_LEAD = re.compile(rf"^\W*(?:(?:(?:{_DONE})\s+)?(?:{_BY})|{_LABEL}|{_DONE})\W*$", re.IGNORECASE)
LEAD_INSIDE = re.compile(rf"\b(?:{any_of(words_for('byline.inside'))})\s+", re.IGNORECASE)
# What stands between the parts of a byline: names, dates, sections.
BETWEEN = re.compile(r"\s*[|•·»→‧∙]+\s*|\s+(?:[-–—~/]|//)+\s+|\s{3,}")
# "Jun 4" and "Fri 13": a day without its year, not a name with a number.
DAY = re.compile(r"^\W*\w{3,9}\.?,?\s+\d{1,2}(?:st|nd|rd|th)?\b[\s,.]*")
# What goes on after the names. A run of white space is tried from its beginning only, else it takes quadratic time.
_SPACES = r"(?<!\s)\s++"
TAIL = re.compile(
    rf"{_SPACES}(?:{any_of(words_for('byline.before_weekday'))})\s++(?i:{any_of(words_for('byline.weekday'))})\b.*$|"
    # The next sentence, but for what is shortened: "Dr. Ada M. Lovelace".
    r"(?<!\b[A-ZÄÖÜ])(?<!\b[DMSJ]r)(?<!\bMs)(?<!\bSt)(?<!\bMrs)(?<!\bProf)\.\s++\S.*$|"
    rf"{_SPACES}(?:{any_of(words_for('byline.cut_at_end'))})\s*+$|"
    rf"{_SPACES}(?:{any_of(words_for('byline.cut_from'))})\b.*$|"
    rf"{_SPACES}(?:{any_of(words_for('byline.cut_from_label'))}).*$|{_SPACES}@\w.*$|"
    rf"(?<![\s,(])[\s,(]++\d.*$|(?:{_SPACES})?<.*$",
    re.DOTALL,
)
JOINT = re.compile(
    rf"{_SPACES}(?:{any_of(words_for('byline.and_phrase'))})\s++|"
    rf"(?:{_SPACES})?[,;；、]\s*+(?:(?:{any_of(words_for('byline.and'))})\s++)?|"
    rf"{_SPACES}(?:{any_of(words_for('byline.and', 'byline.and_more'))})\s++",
    re.IGNORECASE,
)
# People whom a byline names for something else.
NOT_AUTHOR = re.compile(
    rf"\b(?:{any_of(words_for('byline.not_author'))})\b|{any_of(words_for('byline.not_author_part'))}", re.IGNORECASE
)
ROLE = re.compile(rf"\b(?:{any_of(words_for('byline.role'))})\b\.?", re.IGNORECASE)
ORGANISATION = re.compile(rf"\b(?:{any_of(words_for('byline.organisation'))})\b", re.IGNORECASE)
# Words of menus, labels and headlines, which nobody has in a name.
MENU_WORD = re.compile(rf"\b(?:{any_of(words_for('byline.menu_word'))})\b", re.IGNORECASE)
# Texts of links and labels beside a byline, by letters and digits.
NO_NAME = frozenset(words_for("byline.no_name"))


GIVEN_NAMES = frozenset(words_for("name.given"))


_MAX_NAME = 60
_MAX_WORDS = 7
_MAX_BYLINE = 200
_NOT_IN_NAMES = re.compile(r"[.!?]\s+\w+\s+\w+\s+\w+|[!?…:=<>{}→]|https?|www\.|\.\.\.")
_SENTENCE_WORDS = 7
_EMAIL = re.compile(r"(?<!\S)(?:\S[^\s@]*+@\S[^\s.]*+\.\S++|\S(?:(?!\[at\])\S)*+\[at\]\S++)")
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
    if NOT_AUTHOR.search(part) or _is_sentence(part):
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


def _is_sentence(part: str) -> bool:
    words = part.split()
    return len(words) >= _SENTENCE_WORDS and part.endswith((".", "!", "?")) and len(words[-1]) > 1


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
