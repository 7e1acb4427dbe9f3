"""The names in a byline: "Posted by Ada Lovelace and Charles Babbage, staff writers, on 3 May" are two.

What stands around names is learned from no one page: the little words with which the languages of the trial blogs and
their neighbours introduce an author, the words that join names, and what follows them.
"""

from __future__ import annotations

import re

from posterity.text.normal_form import letters_and_digits, one_line

_MAX_NAME = 60
_MAX_WORDS = 6
_VERBS = (
    r"written|posted|published|words|story|text|article|reported|authored|created|submitted|contributed|started|post|"
    r"ver[öo]ffentlicht|geschrieben|verfasst|erstellt|eingestellt|gepostet|(?:ein )?(?:gast)?beitrag|artikel|(?:eine )?(?:kolumne|kommentar|analyse|interview)|"
    r"publi[ée]e?|[ée]crit|r[ée]dig[ée]|post[ée]|publicado|escrito|enviado|scritto|pubblicato|geschreven|geplaatst|skrevet|"
    r"napisa[łl]|dodano|zeige alle beitr[äa]ge|alle (?:beitr[äa]ge|artikel)|view all posts|all posts|more (?:posts|articles)?|weitere artikel|text und fotos?"
)
_BY = r"by|von|par|por|di|door|av|af|przez|durch|från|fra|от|od"
_LABELS = (
    r"authors?|author name|autor(?:en|in|es|a|e)?|auteurs?|autore|writers?|written by|redakteur(?:in)?|redaktion|text|byline|posted by|"
    r"автор|作者|著者|記者|文|글쓴이|기자|yazan|yazar|forfatter|författare|skribent|kirjoittaja|about the author|über den autor|name|credit"
)
# What may stand before the names.
_LEAD = re.compile(
    rf"^[\s|•·,~*»>✎✍/–—-]*(?:(?:(?:{_VERBS})\s+)?(?:{_BY})\b[\s:]*|(?:{_LABELS})\s*[:：/-]\s*|(?:{_LABELS})\s+(?={_BY})|par:)",
    re.IGNORECASE,
)
_ONLY_LEAD = re.compile(rf"^[\s|•·,~-]*(?:(?:(?:{_VERBS})\s+)?(?:{_BY})|{_LABELS})\s*[:：]?\s*$", re.IGNORECASE)
_MONTH = r"(?:jan|feb|m[aä]r|mrz|apr|ma[iy]|ju[nl]|aug|sep|o[ck]t|nov|de[cz]|f[ée]v|avr|ao[uû]|ene|abr|ago|dic|gen|mag|giu|lug|set|ott)"
# What follows the names: a date, a clock, a place, a company.
_TAIL = re.compile(
    rf"\s+(?:on|am|at|le|el|vom|um|il|den|//|@)\s+.*$|[\s,]*[-–—|•·]?\s*\b{_MONTH}[a-zäéû]*\.?\s+\d.*$"
    r"|\s+[-–—|•·»/]+\s+.*$|\s*[|•·»]\s*.*$|[\s,(]+\d.*$|\s*[(\[].*$|\s+(?:says|sagt|said|schreibt|für|for the|im gespräch)\b.*$"
    r"|\s+(?:updated|published|posted|veröffentlicht|aktualisiert|last|follow|view|in)\b.*$",
    re.IGNORECASE,
)
_JOINTS = re.compile(r"\s*[,;/]\s*(?:and|und|et|y|e)?\s+|\s*[;；、]\s*|\s+(?:and|und|et|y|e|och|og|en|i|и|&|\+|mit|with)\s+|,\s*|(?<=\w\w)/(?=\w\w)", re.IGNORECASE)
_ROLE = re.compile(
    r"\b(?:editors?|reporters?|experts?|founders?|co-?founders?|correspondent|contribut\w+|journalist\w*|specialist|manager|director|"
    r"redakteur\w*|experte|expertin|ceo|cto|cmo|phd|m\.?d|rn|rd|ms|mba|cpa|esq|jr|professor|analyst|strategist|associate|president|"
    r"engineer|developer|consultant|coach|attorney|officer|freelance\w*|blogger|head of|lead|chief|marketing|copywriter|content)\b\.?",
    re.IGNORECASE,
)
_NO_NAME = frozenset(
    "author autor auteur by von par share follow readmore more subscribe home about contact reply edit permalink comments comment "
    "leaveacomment unknown anonymous anonym gast guest none null undefined viewprofile profile abouttheauthor loading news blog "
    "login register print email facebook twitter instagram linkedin name website menu search views".split()
)
_SENTENCE = re.compile(r"[.!?]\s+\w+\s+\w+\s+\w+|[!?…:=<>{}]|https?|www\.|\.\.\.")
_EMAIL = re.compile(r"\S+@\S+\.\S+|\S+\[at\]\S+")
_LETTER = re.compile(r"[^\W\d_]")


def opens_byline(text: str) -> bool:
    """Tell whether a text begins as bylines do: "By ", "Author: "."""
    return _LEAD.match(text) is not None or _ONLY_LEAD.match(text) is not None


def is_only_lead(text: str) -> bool:
    """Tell whether a text introduces names and holds none."""
    return _ONLY_LEAD.match(text) is not None


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a byline, in order, each once; nothing when it does not look like one."""
    text = _EMAIL.sub("", one_line(text)).strip()
    if _ONLY_LEAD.match(text):
        return ()
    for _ in range(2):
        text = _LEAD.sub("", text)
    text = _TAIL.sub("", text).strip(" ,;:|·•-–—*~\"'“”„«»()")
    if not text or len(text) > 3 * _MAX_NAME:
        return ()
    pieces = [piece.strip(" .,:;-–—*@\"'“”„\u200b") if len(piece) > 3 else piece.strip(" ,:;-@") for piece in _JOINTS.split(text)]
    names = [piece for piece in pieces if piece and not (_ROLE.search(piece) and piece != pieces[0])]
    if not names or not all(map(_may_be_name, names)):
        return ()
    return tuple({letters_and_digits(name): name for name in reversed(names)}.values())[::-1]


def _may_be_name(name: str) -> bool:
    key = letters_and_digits(name)
    return (
        2 <= len(key)
        and len(name) <= _MAX_NAME
        and len(name.split()) <= _MAX_WORDS
        and key not in _NO_NAME
        and _LETTER.search(name) is not None
        and _SENTENCE.search(name) is None
    )


def is_person(name: str) -> bool:
    """Tell whether a name has the shape of a person's: two to four words, all capitalised but for particles."""
    words = name.split()
    capital = [word for word in words if word[:1].isupper()]
    return 2 <= len(words) <= 4 and len(capital) >= 2 and len(words) - len(capital) <= 2 and not any(map(str.isdigit, name))
