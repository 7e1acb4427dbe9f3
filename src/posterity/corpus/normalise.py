"""Unicode normalisation of a whole record: title, names, article in all its forms, comments.

Normalising can make markup, and unmake it: "＜" becomes "<" in the forms with K, "≮" becomes "<" and a stroke in those
with D, and the end of a tag before such a stroke becomes "≯" in those with C. In HTML and Markdown, characters that
would turn into ASCII punctuation stay what they are, and nothing is composed with "<", ">" or "=".
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

    from posterity.model import Comment, Post

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
FORMS: tuple[Form, ...] = get_args(Form)


def normalised(post: Post, form: Form) -> Post:
    """Return the post with all its texts in this form."""
    return changed_texts(post, lambda text: unicodedata.normalize(form, text), lambda text: _markup(text, form))


def changed_texts(post: Post, plain: Callable[[str], str], markup: Callable[[str], str]) -> Post:
    """Return the post with `plain` applied to every text for people, and `markup` to HTML and Markdown."""

    def some(change: Callable[[str], str], text: str | None) -> str | None:
        return None if text is None else change(text)

    return msgspec.structs.replace(
        post,
        title=some(plain, post.title),
        authors=tuple(map(plain, post.authors)),
        tags=tuple(map(plain, post.tags)),
        categories=tuple(map(plain, post.categories)),
        summary=some(plain, post.summary),
        text=plain(post.text),
        markdown=some(markup, post.markdown),
        html=some(markup, post.html),
        comments=tuple(_changed_comment(comment, plain, markup) for comment in post.comments),
    )


def _changed_comment(comment: Comment, plain: Callable[[str], str], markup: Callable[[str], str]) -> Comment:
    return msgspec.structs.replace(
        comment,
        author=None if comment.author is None else plain(comment.author),
        text=plain(comment.text),
        html=None if comment.html is None else markup(comment.html),
    )


def _markup(text: str, form: Form) -> str:
    pieces = _protected(form).split(text)
    # Every second piece is one that was split at.
    pieces[::2] = (unicodedata.normalize(form, piece) for piece in pieces[::2])
    return "".join(pieces)


@cache
def _protected(form: Form) -> re.Pattern[str]:
    """What stays as it is in markup: "<", ">", "=", and characters outside ASCII whose form holds ASCII punctuation."""
    everything = (chr(code) for code in range(0x80, 0x30000) if not 0xD800 <= code < 0xE000)
    found = (char for char in everything if any(map(_is_punctuation, unicodedata.normalize(form, char))))
    return re.compile(f"([<>={re.escape(''.join(found))}])")


def _is_punctuation(char: str) -> bool:
    return char.isascii() and not char.isalnum() and char != " "
