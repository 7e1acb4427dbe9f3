"""The forms in which records are given: JSON, XML, text and Markdown, chosen by the Accept header."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.corpus.blogbuster_xml import blogbuster_xml
from posterity.model import to_json
from posterity.serve.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request

    from posterity.model import Post


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """One of them: its name, its media type and the ending of its files."""

    name: str
    media_type: str
    ending: str


FORMS = {
    "json": Form(name="json", media_type="application/json", ending="json"),
    "xml": Form(name="xml", media_type="application/xml", ending="xml"),
    "text": Form(name="text", media_type="text/plain; charset=utf-8", ending="txt"),
    "markdown": Form(name="markdown", media_type="text/markdown; charset=utf-8", ending="md"),
}
_BY_TYPE = {
    "application/json": "json", "text/json": "json", "*/*": "json", "application/*": "json", "application/xml": "xml",
    "text/xml": "xml", "text/plain": "text", "text/*": "text", "text/markdown": "markdown", "text/html": "json",
}  # fmt: skip


def form_of(request: Request) -> Form:
    """Return the form that the client likes best of those there are; without a wish, JSON."""
    accept = request.headers.get("accept", "*/*").strip() or "*/*"
    wishes = []
    for place, part in enumerate(accept.split(",")):
        kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((text[2:] for text in parameters if text.startswith("q=")), "1")
        wishes.append((-_number(quality), place, kind))
    for wish, _, kind in sorted(wishes):
        if wish < 0 and kind in _BY_TYPE:
            return FORMS[_BY_TYPE[kind]]
    raise Problem(406, "There is JSON, XML, text/plain and text/markdown; Accept names none of them.")


def written_posts(posts: Sequence[Post], form: Form) -> str:
    """Return the records in this form; several texts stand one after the other, a line between them."""
    match form.name:
        case "xml":
            return blogbuster_xml(posts)
        case "text":
            return "\n\n---\n\n".join(post.text for post in posts) + "\n"
        case "markdown":
            return "\n\n---\n\n".join(post.markdown or post.text for post in posts) + "\n"
        case _:
            return msgspec.json.format(to_json({"posts": posts}), indent=2).decode()


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
