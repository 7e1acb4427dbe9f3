"""Records as `posterity extract` prints them, and the explanation of where each field comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import click
import msgspec

from posterity.model import to_json

if TYPE_CHECKING:
    from posterity.identify import PageKind
    from posterity.model import Post, Provenance

FORMATS = ("json", "jsonl", "xml", "text", "markdown", "cleaneval")
# What people ask for first, in this order, also when it was not found.
_FIELDS = ("title", "authors", "published", "text", "comments")
_SHOWN_CHARS = 40
_KINDS: dict[PageKind, str] = {
    "post": "a post",
    "index": "an index of posts (--index)",
    "other": "neither a post nor an index",
}
# What stands between two posts of one output.
_BETWEEN = {"jsonl": "", "text": "\n", "markdown": "\n---\n\n", "cleaneval": "<doc>\n"}


class Output(Protocol):
    """Takes posts one by one; `end` writes what is still open."""

    def write(self, post: Post) -> None:
        """Print one post, or keep it for the end."""

    def end(self) -> None:
        """Print what has to come last."""


def output_in(format_name: str, *, doc_lines: bool = False) -> Output:
    """Return what prints posts in this format; `doc_lines` begins every CleanEval document with <doc>."""
    if format_name == "json":
        return _Json()
    if format_name == "xml":
        return _Xml()
    return _Lines(format_name, doc_lines=doc_lines)


class _Json:
    """One post is an object, several are an array: either way the whole output is JSON."""

    def __init__(self) -> None:
        self._count = 0
        self._first: str | None = None

    def write(self, post: Post) -> None:
        written = msgspec.json.format(to_json(post), indent=2).decode()
        self._count += 1
        if self._count == 1:
            self._first = written
            return
        if self._count == 2:
            _print(f"[\n{self._first}")
        _print(f",\n{written}")

    def end(self) -> None:
        if self._count == 1:
            _print(f"{self._first}\n")
        elif self._count:
            _print("\n]\n")


class _Xml:
    """One document around all posts."""

    def __init__(self) -> None:
        self._posts: list[Post] = []

    def write(self, post: Post) -> None:
        self._posts.append(post)

    def end(self) -> None:
        from posterity.corpus.blogbuster_xml import blogbuster_xml

        _print(blogbuster_xml(self._posts))


class _Lines:
    """One post after the other, told apart as the format does it."""

    def __init__(self, format_name: str, *, doc_lines: bool) -> None:
        self._format = format_name
        self._between = "<doc>\n" if doc_lines and format_name == "cleaneval" else ""

    def write(self, post: Post) -> None:
        _print(self._between + self._written(post) + "\n")
        self._between = _BETWEEN[self._format]

    def end(self) -> None:
        """Nothing is open."""

    def _written(self, post: Post) -> str:
        if self._format == "text":
            return post.text
        if self._format == "markdown":
            return post.markdown or post.text
        if self._format == "cleaneval":
            from posterity.corpus.cleaneval import cleaneval_lines

            return cleaneval_lines(post)
        return to_json(post).decode()


def kind_explained(name: str, kind: PageKind, confidence: float) -> str:
    """Return what the page looks like by itself, whatever was found on it."""
    return f"{name} looks like {_KINDS[kind]}, confidence {confidence:.2f}."


def explanation(name: str, post: Post) -> str:
    """Return a table of the fields: what was found, by which method and rule, with which confidence."""
    from rich.cells import cell_len, set_cell_size  # Chinese letters are two columns wide

    others = [field for field in post.provenance if field not in _FIELDS]
    rows = [("field", "found", "method", "confidence", "rule")]
    rows += [_row(post, field, post.provenance.get(field)) for field in (*_FIELDS, *others)]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(4)]
    lines = [
        "  ".join([*(set_cell_size(row[column], widths[column]) for column in range(4)), row[4]]).rstrip()
        for row in rows
    ]
    return "\n".join([f"{name}: {post.url}" if post.url != name else name, *(f"  {line}" for line in lines)])


def _row(post: Post, field: str, source: Provenance | None) -> tuple[str, str, str, str, str]:
    found = _shown(getattr(post, field, None))
    if source is None:
        return field, found, "-", "-", ""
    return field, found, source.method, f"{source.confidence:.2f}", source.rule or ""


def _shown(value: object) -> str:
    if not value:
        return "not found"
    if isinstance(value, tuple):
        value = f"{len(value)} of them" if not isinstance(value[0], str) else ", ".join(value)
    text = " ".join(str(value).split())
    return text if len(text) <= _SHOWN_CHARS else f"{text[: _SHOWN_CHARS - 1]}…"


def _print(text: str) -> None:
    # Pages hold half characters now and then; no terminal and no file can.
    click.echo(text.encode("utf-8", "replace"), nl=False)
