"""The names in a byline: "Posted by Ada Lovelace and Charles Babbage, staff writers, on 3 May" names two people.

The little words with which people introduce an author, join names and go on after them are those of the languages of
the trial blogs and their neighbours.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from posterity.text.dates import read_dates
from posterity.text.normal_form import letters_and_digits, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_NAME = 60
_MAX_WORDS = 7
_MAX_BYLINE = 200
_BY = r"by|von|par|por|di|door|av|af|przez|durch|från|fra|от|od"
_DONE = (
    r"(?:this (?:post|article) was )?(?:written|posted|published|authored|created|submitted|contributed|started|reported|story|words|post|article)|"
    r"ver[öo]ffentlicht|geschrieben|verfasst|erstellt|eingestellt|gepostet|(?:ein |eine )?(?:gast)?(?:beitrag|artikel|kolumne|kommentar|analyse)|"
    r"publi[ée]e?|[ée]crit|r[ée]dig[ée]|post[ée]|publicado|escrito|enviado|scritto|pubblicato|geschreven|geplaatst|skrevet|napisa[łl]|"
    r"(?:zeige )?alle (?:beitr[äa]ge|artikel)|(?:view )?all posts|more (?:posts|articles)?|(?:weitere|mehr) artikel|text(?: und fotos?)?"
)
_LABEL = (
    r"(?:about the |post )?authors?|autor(?:en|in|es|a|e)?|auteurs?|writers?|text|interview|byline|автор|作者|著者|記者|文|글쓴이|기자|"
    r"yazan|yazar|forfatter|författare|skribent|kirjoittaja|über den autor"
)
# What may stand before the names.
_LEAD = re.compile(
    rf"^\W*(?:(?:{_LABEL})\W+)?(?:(?:{_DONE})\s+)?(?:{_BY})\b[\s:]*(?=\S)|^\W*(?:{_LABEL})\s*[:：/-]\s*(?=\S)|^(?:{_LABEL})\s+(?=[A-ZÄÖÜ])",
    re.IGNORECASE,
)
_ONLY_LEAD = re.compile(rf"^\W*(?:(?:(?:{_DONE})\s+)?(?:{_BY})|{_LABEL}|{_DONE})\W*$", re.IGNORECASE)
_LEAD_INSIDE = re.compile(r"\b(?:(?:posted|written|published) by|by:|von:)\s+", re.IGNORECASE)
# What stands between the parts of a byline: names, dates, sections.
_BETWEEN = re.compile(r"\s*[|•·»→‧∙]+\s*|\s+(?:[-–—~/]|//)+\s+|\s{3,}")
# What goes on after the names.
_TAIL = re.compile(
    r"\s+(?:on|am|at|le|el|vom|um|il|den|under|in|unter)\s*$|\s+(?:says|said|sagt|schreibt|wrote|im gespräch|illustration|fotos?|photos?|photography|"
    r"updated|published|posted|veröffentlicht|aktualisiert|last|follow|view|in|for the|for|aus|from|is|ist)\b.*$|\s+@\w+.*$|[\s,(]+\d.*$|\s*<.*$"
)
_JOINT = re.compile(
    r"\s*[,;；、]\s*(?:(?:and|und|et|y|e|&)\s+)?|\s+(?:and|und|et|y|e|och|og|en|i|и|&|\+|mit|with)\s+", re.IGNORECASE
)
_NOT_AUTHOR = re.compile(
    r"\b(?:reviewed|edited|updated|checked|translated|photos?|photography|illustrat\w+|foto\w*|bild|sponsored|powered)\b",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"\b(?:editors?|reporters?|experts?|founders?|co-?founders?|correspondent|contribut\w+|journalist\w*|specialist|manager|director|"
    r"redakteur\w*|expert(?:e|in)|ceo|cto|cmo|ph\.?d|m\.?d|rn|rd|ms|mba|cpa|esq|professor|analyst|strategist|associate|president|"
    r"engineer|developer|consultant|coach|attorney|officer|freelance\w*|blogger|head of|chief|marketing|copywriter|content|writer)\b\.?",
    re.IGNORECASE,
)
_NO_NAME = frozenset(
    "author autor auteur by von par share follow readmore more subscribe home about contact reply edit permalink comments comment "
    "leaveacomment unknown anonymous anonym anonimo gast guest none null undefined viewprofile viewblog profile abouttheauthor loading news blog "
    "login register print email facebook twitter instagram linkedin youtube tiktok diaspora name website menu search views posted published "
    "updated signup signin learnmore getaquote save people team stand like abmelden registrieren anmelden uhr findall joinnow readfullbio theauthor viewallposts allposts".split()
)
_NOT_IN_NAMES = re.compile(r"[.!?]\s+\w+\s+\w+\s+\w+|[!?…:=<>{}→]|https?|www\.|\.\.\.")
# "Jun 4" and "Fri 13": a day without its year, not a name with a number.
_DAY = re.compile(r"^\W*\w{3,9}\.?,?\s+\d{1,2}(?:st|nd|rd|th)?\b[\s,.]*")
_EMAIL = re.compile(r"\S+@\S+\.\S+|\S+\[at\]\S+")
_LETTER = re.compile(r"[^\W\d_]")


def opens_byline(text: str) -> bool:
    """Tell whether a text begins as bylines do: "By ", "Author: "."""
    return _LEAD.match(text) is not None or _ONLY_LEAD.match(text) is not None


def is_only_lead(text: str) -> bool:
    """Tell whether a text introduces names and holds none."""
    return _ONLY_LEAD.match(text) is not None


def names_in(text: str, languages: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names in a byline, in order, each once; nothing when it does not look like one."""
    text = _EMAIL.sub("", one_line(text))
    if not text or len(text) > _MAX_BYLINE:
        return ()
    for date in reversed(read_dates(text, languages=languages)):
        text = f"{text[: date.start]} | {text[date.end :]}"
    if inside := _LEAD_INSIDE.search(text):
        text = text[inside.start() :]
    parts = [part for part in _BETWEEN.split(text) if part.strip() and not _ONLY_LEAD.match(part)]
    parts.sort(key=lambda part: _LEAD.match(part) is None)
    return next(filter(None, map(_names, parts)), ()) if parts else ()


def _names(part: str) -> tuple[str, ...]:
    if _NOT_AUTHOR.search(part):
        return ()
    part = _DAY.sub("", part)
    for _ in range(2):
        part = _LEAD.sub("", part)
    pieces = [_stripped(piece) for piece in _JOINT.split(_TAIL.sub("", part).strip())]
    names = [piece for piece in pieces if piece and not (_ROLE.search(piece) and piece != pieces[0])]
    if not names or not all(map(_may_be_name, names)):
        return ()
    return tuple({letters_and_digits(name): name for name in reversed(names)}.values())[::-1]


def _stripped(piece: str) -> str:
    piece = piece.strip(" ,:;|-–—*@~\"'“”„«»")
    return piece if piece.endswith(")") or len(piece) < 4 else piece.strip("()")


def _may_be_name(name: str) -> bool:
    key = letters_and_digits(name)
    return (
        len(key) >= 2
        and len(name) <= _MAX_NAME
        and len(name.split()) <= _MAX_WORDS
        and key not in _NO_NAME
        and _LETTER.search(name) is not None
        and _NOT_IN_NAMES.search(name) is None
    )


_ORGANISATION = re.compile(
    r"\b(?:gmbh|ag|inc|ltd|llc|co|corp|e\.?v|team|redaktion|news\w*|magazin\w*|presse\w*|verlag|press|media|medien|times|post|journal|zeitung|blog|"
    r"universit\w+|institut\w*|college|school|church|kirche|verband|verein|stiftung|foundation|association|group|studio|shop|store|online|tv|radio|"
    r"deutschland|germany|austria|international|services?|solutions?|company|agentur|agency|center|centre|society|museum|university|bank|club|staff)\b",
    re.IGNORECASE,
)


def is_organisation(name: str) -> bool:
    """Tell whether a name holds a word that firms, papers and clubs have in theirs."""
    return _ORGANISATION.search(name) is not None


def is_person(name: str) -> bool:
    """Tell whether a name has the shape of a person's: two to four words, all capitalised but for particles."""
    words = name.split()
    capital = sum(word[:1].isupper() for word in words)
    return (
        2 <= len(words) <= 4
        and capital >= 2
        and len(words) - capital <= 2
        and not any(map(str.isdigit, name))
        and not is_organisation(name)
    )
