"""E-mail addresses and phone numbers out of a record, replaced by what they were: [e-mail], [phone].

Whether figures are a phone number is decided by Google's rules for every country (phonenumbers), which know dates and
prices. A number without its country's code needs a country to be judged: that of the language the post is in. Addresses
of pages and pictures are left alone, since they would lead nowhere; those of mail and phone (mailto:, tel:) are not.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from posterity.corpus.language import identified
from posterity.corpus.normalise import changed_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.model import Post

E_MAIL, PHONE = "[e-mail]", "[phone]"

_AT = r"(?:@|\s?[\[({]\s?(?:at|ät|arroba)\s?[\])}]\s?)"
_DOT = r"(?:\.|\s?[\[({]\s?(?:dot|punkt|point|punto)\s?[\])}]\s?)"
# A local part and a host with at least one dot. A word before a slash or behind an at sign is part of an address or a
# handle: medium.example/@anna; what a colon and a path follow is a place on a server: git@code.example:anna/notes.
_MAIL = re.compile(
    rf"(?<![\w.@/%+-])[\w.%+-]{{1,64}}{_AT}(?:[\w-]{{1,63}}{_DOT}){{1,5}}[^\W\d_]{{2,24}}(?![\w@]|:[\w/~])",
    re.IGNORECASE,
)
# With its country's code, a number needs no further proof; 15 digits is the limit of E.164.
_INTERNATIONAL = re.compile(r"(?<![\w+])(?:\+|00(?=[1-9]))(?:[\s().\u00a0/-]{0,2}\d){8,15}(?!\d)")
# Where it is worth asking: at least seven digits with little between them.
_FIGURES = re.compile(r"\d(?:[\s().\u00a0/-]{0,3}\d){6,}")
# What the rules for countries do not know: words that say which kind of number follows.
_OTHER_NUMBER = re.compile(
    r"(?:ISBN|ISSN|DOI|IBAN|EAN|VAT|PMID|ORCID|arXiv|Nr|No|#|[$€£¥₹])(?:-1[03])?[.:\s]*$", re.IGNORECASE
)
_ISBN_13 = re.compile(r"97[89](?:[\s-]?\d){10}")
_TAG_OR_TEXT = re.compile(r"(<[^>]*>)")
_CONTACT = re.compile(r"""(mailto|tel|sms|callto):[^"'\s)>]+""", re.IGNORECASE)
_MARKDOWN_ADDRESS = re.compile(r"(\]\([^)\s]*[^)]*\)|<?https?://[^\s)>]+>?)")


def without_pii(post: Post) -> Post:
    """Return the post with e-mail addresses and phone numbers masked in all its texts."""
    guess = None if post.language else identified(post.text)
    country = country_of(guess.language if guess else post.language)
    return changed_texts(
        post,
        lambda text: masked(text, country),
        lambda text: _masked_markup(text, country),
    )


def masked(text: str, country: str | None = None) -> str:
    """Return the text with e-mail addresses and phone numbers masked.

    `country` (ISO 3166, two letters) is where numbers without a country's code are taken to be from.
    """
    if "@" in text or "(" in text or "[" in text or "{" in text:
        text = _MAIL.sub(E_MAIL, text)
    if _FIGURES.search(text) is None:
        return text
    # Line by line: two lines of a table are not one number.
    return "".join(_without_phones(line, country) for line in text.splitlines(keepends=True))


@cache
def country_of(language: str | None) -> str | None:
    """Return the country of a language tag: the one it names, or where most of its speakers are."""
    from babel.core import Locale, UnknownLocaleError, get_global

    if not language:
        return None
    tag = language.replace("-", "_")
    try:
        named = Locale.parse(tag).territory
    except (UnknownLocaleError, ValueError):
        return None
    likely: str = get_global("likely_subtags").get(tag.partition("_")[0], "")
    return named or likely.rpartition("_")[2] or None


def _without_phones(line: str, country: str | None) -> str:
    for begin, end in sorted(_phones(line, country), reverse=True):
        line = line[:begin] + PHONE + line[end:]
    return line


def _phones(line: str, country: str | None) -> Iterator[tuple[int, int]]:
    """Where phone numbers begin and end; no two of them overlap."""
    from phonenumbers import PhoneNumberMatcher

    taken = [match.span() for match in _INTERNATIONAL.finditer(line) if not _is_other(line, *match.span())]
    yield from taken
    if country is None or _FIGURES.search(line) is None:
        return
    for match in PhoneNumberMatcher(line, country):
        overlaps = any(match.start < end and begin < match.end for begin, end in taken)
        if not overlaps and not _is_other(line, match.start, match.end) and _is_written_so(match.raw_string, country):
            yield match.start, match.end


def _is_written_so(number: str, country: str) -> bool:
    """Tell whether people write a number like this.

    Behind a 0 or in brackets, in any groups; otherwise in the groups of its country: other figures in a row, such as
    those of program code, have the right number of digits by chance.
    """
    from phonenumbers import Leniency, PhoneNumberMatcher

    if number.startswith(("0", "(")):
        return True
    return not number.isdigit() and any(PhoneNumberMatcher(number, country, leniency=Leniency.STRICT_GROUPING))


def _is_other(line: str, begin: int, end: int) -> bool:
    return _OTHER_NUMBER.search(line[:begin]) is not None or _ISBN_13.fullmatch(line[begin:end]) is not None


def _masked_markup(text: str, country: str | None) -> str:
    """Mask the text between tags; inside tags and link targets, only what is made for mail and phone."""
    parts = _TAG_OR_TEXT.split(text)
    parts[1::2] = map(_masked_contact, parts[1::2])
    parts[::2] = (_masked_markdown(part, country) for part in parts[::2])
    return "".join(parts)


def _masked_markdown(text: str, country: str | None) -> str:
    parts = _MARKDOWN_ADDRESS.split(text)
    parts[1::2] = map(_masked_contact, parts[1::2])
    parts[::2] = (masked(part, country) for part in parts[::2])
    return "".join(parts)


def _masked_contact(tag: str) -> str:
    if _MAIL.fullmatch(tag[1:-1]):  # Markdown's way to make a link of an address
        return f"<{E_MAIL}>"
    return _CONTACT.sub(lambda found: f"{found[1]}:{E_MAIL if found[1].lower() == 'mailto' else PHONE}", tag)
