"""Optional cleaning of posts during an export.

The steps: drop uncertain fields, drop repeated paragraphs and near-duplicates, detect the language, normalise Unicode,
mask e-mail addresses and phone numbers. Without options, records are exported unchanged.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from functools import cache, partial
from hashlib import blake2b
from typing import Literal

import msgspec

from posterity.dom import Tree, parse
from posterity.dom.plain_text import CELL_TAGS, LINE_TAGS, PARAGRAPH_TAGS
from posterity.export.near_duplicates import NearDuplicate
from posterity.export.temporary import temporary_database
from posterity.extraction.record import article_fields
from posterity.model import Comment, Post, Provenance, sure_part
from posterity.text.language import detect_language, same_language
from posterity.text.normal_form import Form, letters_and_digits, words


def normalise_post(post: Post, form: Form) -> Post:
    """Return the post with all texts in this Unicode form."""
    return map_texts(post, lambda text: unicodedata.normalize(form, text), lambda text: _normalise_markup(text, form))


def map_texts(post: Post, plain: Callable[[str], str], markup: Callable[[str], str]) -> Post:
    """Return the post with `plain` applied to every plain text, and `markup` to HTML and Markdown."""

    def changed(change: Callable[[str], str], text: str | None) -> str | None:
        return None if text is None else change(text)

    def changed_comment(comment: Comment) -> Comment:
        author, html = changed(plain, comment.author), changed(markup, comment.html)
        return msgspec.structs.replace(comment, author=author, text=plain(comment.text), html=html)

    return msgspec.structs.replace(
        post,
        title=changed(plain, post.title),
        subtitle=changed(plain, post.subtitle),
        authors=tuple(map(plain, post.authors)),
        tags=tuple(map(plain, post.tags)),
        categories=tuple(map(plain, post.categories)),
        series=changed(plain, post.series),
        summary=changed(plain, post.summary),
        text=plain(post.text),
        markdown=changed(markup, post.markdown),
        html=changed(markup, post.html),
        comments=tuple(map(changed_comment, post.comments)),
    )


def _normalise_markup(text: str, form: Form) -> str:
    pieces = _protected_pattern(form).split(text)
    # Every second piece is a protected character.
    pieces[::2] = (unicodedata.normalize(form, piece) for piece in pieces[::2])
    return "".join(pieces)


@cache
def _protected_pattern(form: Form) -> re.Pattern[str]:
    """Match "<", ">", "=", and characters whose normal form contains ASCII punctuation, which may be markup."""
    everything = (chr(code) for code in range(0x80, 0x30000) if not 0xD800 <= code < 0xE000)
    found = (char for char in everything if any(map(_is_punctuation, unicodedata.normalize(form, char))))
    return re.compile(f"([<>={re.escape(''.join(found))}])")


def _is_punctuation(char: str) -> bool:
    return char.isascii() and not char.isalnum() and char != " "


# The posts whose language is detected: those without a declared language, or all.
LanguageScope = Literal["missing", "all"]


def with_language(post: Post, scope: LanguageScope) -> Post:
    """Return the post with the detected language of its text.

    A declared language is kept if `scope` is "missing", or if it agrees: `de-AT` is more exact than `de`.
    """
    if post.language and scope == "missing":
        return post
    found = detect_language(post.text)
    if found is None or (post.language and same_language(post.language, found.language)):
        return post
    source = Provenance(method="language-id", confidence=found.confidence)
    return msgspec.structs.replace(post, language=found.language, provenance={**post.provenance, "language": source})


E_MAIL, PHONE = "[e-mail]", "[phone]"

_AT = r"(?:@|\s?[\[({]\s?(?:at|ät|arroba)\s?[\])}]\s?)"
_DOT = r"(?:\.|\s?[\[({]\s?(?:dot|punkt|point|punto)\s?[\])}]\s?)"
# A local part and a host with at least one dot. After a slash or an at sign, the text is part of a URL or a handle
# (medium.example/@anna); followed by a colon and a path, it is an SSH URL (git@code.example:anna/notes).
_MAIL = re.compile(
    rf"(?<![\w.@/%+-])[\w.%+-]{{1,64}}{_AT}(?:[\w-]{{1,63}}{_DOT}){{1,5}}[^\W\d_]{{2,24}}(?![\w@]|:[\w/~])",
    re.IGNORECASE,
)
# A number with a country code is always a phone number; 15 digits is the limit of E.164.
_INTERNATIONAL = re.compile(r"(?<![\w+])(?:\+|00(?=[1-9]))(?:[\s().\u00a0/-]{0,2}\d){8,15}(?!\d)")
# A quick check before the slow matcher: at least seven digits, close together.
_DIGITS = re.compile(r"\d(?:[\s().\u00a0/-]{0,3}\d){6,}")
# Words in front of numbers that are not phone numbers.
_OTHER_NUMBER = re.compile(
    r"(?:ISBN|ISSN|DOI|IBAN|EAN|VAT|PMID|ORCID|arXiv|Nr|No|#|[$€£¥₹])(?:-1[03])?[.:\s]*$", re.IGNORECASE
)
_ISBN_13 = re.compile(r"97[89](?:[\s-]?\d){10}")
_TAG_OR_TEXT = re.compile(r"(<[^>]*(?:>|\Z))")
_CONTACT = re.compile(r"""(mailto|tel|sms|callto):[^"'\s)>]+""", re.IGNORECASE)
_MARKDOWN_URL = re.compile(r"(\]\([^()]*\)|<?https?://[^\s)>]+>?)")


def mask_pii(post: Post) -> Post:
    """Return the post with e-mail addresses and phone numbers masked in all its texts."""
    guess = None if post.language else detect_language(post.text)
    country = country_of(guess.language if guess else post.language)
    return map_texts(post, lambda text: mask_text(text, country), lambda text: _mask_markup(text, country))


def mask_text(text: str, country: str | None = None) -> str:
    """Return the text with e-mail addresses and phone numbers masked.

    `country` (ISO 3166, two letters) is assumed for numbers without a country code.
    """
    if "@" in text or "(" in text or "[" in text or "{" in text:
        text = _MAIL.sub(E_MAIL, text)
    if _DIGITS.search(text) is None:
        return text
    # Line by line, because a number does not continue on the next line of a table.
    return "".join(_mask_phones(line, country) for line in text.splitlines(keepends=True))


@cache
def country_of(language: str | None) -> str | None:
    """Return the country of a language tag: its region, or else the likely one (CLDR)."""
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


def _mask_phones(line: str, country: str | None) -> str:
    for begin, end in sorted(_phones(line, country), reverse=True):
        line = line[:begin] + PHONE + line[end:]
    return line


def _phones(line: str, country: str | None) -> Iterator[tuple[int, int]]:
    """Yield start and end of the phone numbers, which do not overlap."""
    from phonenumbers import PhoneNumberMatcher

    taken = [match.span() for match in _INTERNATIONAL.finditer(line) if not _is_other(line, *match.span())]
    yield from taken
    if country is None or _DIGITS.search(line) is None:
        return
    for match in PhoneNumberMatcher(line, country):
        overlaps = any(match.start < end and begin < match.end for begin, end in taken)
        if not overlaps and not _is_other(line, match.start, match.end) and _is_plausible(match.raw_string, country):
            yield match.start, match.end


def _is_plausible(number: str, country: str) -> bool:
    """Return whether people write phone numbers like this.

    A number that starts with 0 or a bracket may be grouped in any way; others must be grouped as usual in the country,
    because digits in program code have the right length by chance.
    """
    from phonenumbers import Leniency, PhoneNumberMatcher

    if number.startswith(("0", "(")):
        return True
    return not number.isdigit() and any(PhoneNumberMatcher(number, country, leniency=Leniency.STRICT_GROUPING))


def _is_other(line: str, begin: int, end: int) -> bool:
    return _OTHER_NUMBER.search(line[:begin]) is not None or _ISBN_13.fullmatch(line[begin:end]) is not None


def _mask_markup(text: str, country: str | None) -> str:
    """Mask the text between tags; in tags and link targets, mask only mailto:, tel: and similar URLs."""
    tags_and_texts = _TAG_OR_TEXT.split(text)
    tags_and_texts[1::2] = map(_mask_contact, tags_and_texts[1::2])
    for place in range(0, len(tags_and_texts), 2):
        parts = _MARKDOWN_URL.split(tags_and_texts[place])
        parts[1::2] = map(_mask_contact, parts[1::2])
        parts[::2] = (mask_text(part, country) for part in parts[::2])
        tags_and_texts[place] = "".join(parts)
    return "".join(tags_and_texts)


def _mask_contact(tag: str) -> str:
    if _MAIL.fullmatch(tag[1:-1]):  # an autolink of Markdown: <anna@example.org>
        return f"<{E_MAIL}>"
    return _CONTACT.sub(lambda found: f"{found[1]}:{E_MAIL if found[1].lower() == 'mailto' else PHONE}", tag)


Dedup = Literal["post", "paragraph"]


class CleanUp(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The steps to apply."""

    min_confidence: dict[str, float] = {}
    identify_language: LanguageScope | None = None
    dedup: tuple[Dedup, ...] = ()
    normalise: Form | None = None
    mask_pii: bool = False
    # Whether CSV cells may start like formulas, which a spreadsheet runs.
    raw_cells: bool = False


NO_CLEAN_UP = CleanUp()


def clean_posts(
    posts: Callable[[], Iterator[Post]], clean_up: CleanUp, record: Callable[[NearDuplicate], None] | None = None
) -> Iterator[Post]:
    """Yield the posts, cleaned. To find repeated paragraphs, `posts` is called twice.

    `record` is called with each near-duplicate; with dedup "post", they are left out.
    """
    from posterity.export.near_duplicates import near_duplicates

    if clean_up.min_confidence:
        posts = partial(_without_uncertain, posts, clean_up.min_confidence)
    paragraphs = RepeatedParagraphs(posts()) if "paragraph" in clean_up.dedup else None
    with near_duplicates() if "post" in clean_up.dedup or record is not None else nullcontext() as seen:
        for post in posts():
            if paragraphs is not None:
                post = paragraphs.without(post)  # noqa: PLW2901 - the same post
            duplicate = seen.find_or_add(post) if seen is not None else None
            if duplicate is not None and record is not None:
                record(duplicate)
            if duplicate is None or "post" not in clean_up.dedup:
                yield _clean_post(post, clean_up)


def _without_uncertain(posts: Callable[[], Iterator[Post]], demands: dict[str, float]) -> Iterator[Post]:
    return (sure for post in posts() if (sure := sure_part(post, demands)) is not None)


def _clean_post(post: Post, clean_up: CleanUp) -> Post:
    if clean_up.identify_language:
        post = with_language(post, clean_up.identify_language)
    if clean_up.normalise:
        post = normalise_post(post, clean_up.normalise)
    return mask_pii(post) if clean_up.mask_pii else post


_BLOCKS = LINE_TAGS | PARAGRAPH_TAGS | CELL_TAGS
# Headings such as "Conclusion", table cells and lines of code are often equal without being boilerplate.
_KEPT = CELL_TAGS | {"hr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dt", "figcaption", "caption", "tr"}
# A paragraph in two posts may be a quotation; in three posts and 2 % of all it is boilerplate.
MIN_POSTS, MIN_SHARE = 3, 0.02
# Shorter lines are not paragraphs: "Example:", "まとめ" (conclusion).
_MIN_WORDS, _MIN_LETTERS = 4, 12

_TABLE = """CREATE TABLE paragraphs (blog TEXT, key INTEGER, posts INTEGER DEFAULT 1, PRIMARY KEY (blog, key))
WITHOUT ROWID"""
_ONE_MORE = "INSERT INTO paragraphs (blog, key) VALUES (?, ?) ON CONFLICT DO UPDATE SET posts = posts + 1"


class RepeatedParagraphs:
    """The paragraphs that each blog repeats; paragraphs are counted in a temporary file."""

    def __init__(self, posts: Iterable[Post]) -> None:
        totals: Counter[str] = Counter()
        self._repeated: dict[str, set[int]] = defaultdict(set)
        with temporary_database(_TABLE) as rows:
            for post in posts:
                blog = post.blog or ""
                totals[blog] += 1
                rows.executemany(_ONE_MORE, sorted({(blog, key) for key, _ in _paragraphs(post)[1]}))
            for blog, key, number in rows.execute("SELECT * FROM paragraphs WHERE posts >= ?", (MIN_POSTS,)):
                if number >= MIN_SHARE * totals[blog]:
                    self._repeated[blog].add(key)

    def without(self, post: Post) -> Post:
        """Return the post without the paragraphs that its blog repeats."""
        repeated = self._repeated.get(post.blog or "", set())
        tree, found = _paragraphs(post)
        places = [place for key, place in found if key in repeated]
        if not places:
            return post
        if tree is None:
            lines = post.text.splitlines()
            kept = [line for place, line in enumerate(lines) if place not in set(places)]
            return msgspec.structs.replace(post, text="\n".join(kept).strip(), markdown=None)
        text = letters_and_digits(post.text)
        captions = frozenset(run for run in tree.runs if letters_and_digits(tree.text[run]) not in text)
        fields = article_fields(tree, post.url, skip=frozenset(places), captions=captions)
        known = {medium.url: medium for medium in post.media}
        fields["media"] = tuple(known.get(medium.url, medium) for medium in fields["media"])
        return msgspec.structs.replace(post, **fields)


def _paragraphs(post: Post) -> tuple[Tree | None, list[tuple[int, int]]]:
    """Return the tree of the post, and key and position of every paragraph: its node, or its line without HTML."""
    if not post.html:
        lines = enumerate(post.text.splitlines())
        return None, [(key, place) for place, line in lines if (key := _key(line)) is not None]
    tree = parse(post.html, post.url).tree
    return tree, [(key, node) for node in _leaf_blocks(tree) if (key := _key(tree.plain(node))) is not None]


def _leaf_blocks(tree: Tree) -> Iterator[int]:
    """Yield the block elements that contain no other block."""
    holders = {-1}
    for node, tag in enumerate(tree.tag):
        while tag in _BLOCKS and tree.parent[node] not in holders:
            node = tree.parent[node]  # noqa: PLW2901 - up to an element whose ancestors are known
            holders.add(node)
    blocks = _BLOCKS - _KEPT
    yield from (node for node, tag in enumerate(tree.tag) if tag in blocks and node not in holders)


def _key(text: str) -> int | None:
    """Return a hash of the letters of a paragraph; None if the text is too short to be one."""
    letters = letters_and_digits(text)
    if len(letters) < _MIN_LETTERS or len(words(text)) < _MIN_WORDS:
        return None
    return int.from_bytes(blake2b(letters.encode(), digest_size=8).digest(), "big", signed=True)


_TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


def is_language_tag(text: str | None) -> bool:
    """Return whether the text is a valid language tag for XML and EPUB."""
    return text is not None and _TAG.fullmatch(text) is not None
