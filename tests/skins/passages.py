"""The parts of posts: paragraphs, lists, quotes, code, tables, footnotes, each as markup and as its text.

The text is written together with the markup and never derived from it.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.skins.words import Writer


class Passage(NamedTuple):
    """A piece of a post: its markup, and its text."""

    html: str
    text: str


def joined(passages: list[Passage]) -> Passage:
    """Return the passages joined to one."""
    return Passage(
        "\n\n".join(passage.html for passage in passages),
        "\n\n".join(passage.text for passage in passages if passage.text),
    )


def paragraph(writer: Writer) -> Passage:
    """Return a paragraph; every other one has a link or an emphasis inside."""
    text = writer.paragraph()
    html = escape(text)
    if writer.number(0, 1):
        phrase = writer.phrase(2)
        mark = writer.one_of((("<em>", "</em>"), ('<a href="https://elsewhere.example/page">', "</a>")))
        return Passage(f"<p>{html} {mark[0]}{escape(phrase)}{mark[1]}</p>", f"{text} {phrase}")
    return Passage(f"<p>{html}</p>", text)


def line(writer: Writer) -> Passage:
    """Return a single sentence, as in notes."""
    return _element("p", writer.sentence(writer.number(6, 16)))


def link(writer: Writer) -> Passage:
    """Return an external link with a few words about it."""
    name, word = writer.phrase(3), writer.sentence(8)
    return Passage(
        f'<p><a href="https://elsewhere.example/found">{escape(name)}</a>: {escape(word)}</p>', f"{name}: {word}"
    )


def photo(writer: Writer) -> Passage:
    """Return a picture with a sentence below it."""
    return joined([Passage('<p><img src="/images/harbour.jpg" alt="" width="640" height="480"></p>', ""), line(writer)])


def heading(writer: Writer) -> Passage:
    """Return a heading inside the post."""
    return _element("h2", writer.title())


def points(writer: Writer) -> Passage:
    """Return a list of five points."""
    said = [writer.sentence(7) for _ in range(5)]
    return Passage("<ul>" + "".join(f"<li>{escape(each)}</li>" for each in said) + "</ul>", "\n".join(said))


def quote(writer: Writer) -> Passage:
    """Return a quotation."""
    text = writer.paragraph()
    return Passage(f"<blockquote><p>{escape(text)}</p></blockquote>", text)


def code(writer: Writer) -> Passage:
    """Return a few lines of a program."""
    number = writer.number(10, 99)
    text = f"def step_{number}(items):\n    for item in items:\n        print(item, {number})\n    return len(items)"
    return Passage(f"<pre><code>{escape(text)}</code></pre>", text)


def table(writer: Writer) -> Passage:
    """Return a small table."""
    rows = [[writer.phrase(1), writer.phrase(2), str(writer.number(1, 900))] for _ in range(4)]
    html = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return Passage(f"<table>{html}</table>", "\n".join(" ".join(row) for row in rows))


def footnotes(writer: Writer) -> Passage:
    """Return a paragraph with a footnote mark, and the footnote."""
    text, note = writer.paragraph(), writer.sentence()
    html = (
        f'<p>{escape(text)}<sup id="ref1"><a href="#note1">1</a></sup></p>\n'
        f'<ol class="footnotes"><li id="note1">{escape(note)}</li></ol>'
    )
    return Passage(html, f"{text} 1\n\n{note}")


def _element(tag: str, text: str) -> Passage:
    return Passage(f"<{tag}>{escape(text)}</{tag}>", text)


_P = paragraph

# The kinds of posts of a blog in the gallery, newest first, repeated as needed.
KINDS: dict[str, tuple[Callable[[Writer], Passage], ...]] = {
    "plain": (_P, _P, _P, _P),
    "points": (_P, points, _P),
    "quote": (_P, quote, _P, quote, _P),
    "note": (line,),
    "code": (_P, code, _P, code, _P),
    "headings": (heading, _P, _P, heading, _P, heading, _P),
    "plain again": (_P, _P, _P),
    "link": (link,),
    "table": (_P, table, _P),
    "footnotes": (_P, _P, footnotes),
    "photo": (photo,),
    "long": (_P, _P, heading, _P, _P, _P, points, heading, _P, quote, _P, _P, _P, _P),
    "plain at last": (_P, _P, _P, _P, _P),
    "two lines": (line, line),
}


def passage_of(kind: str, writer: Writer) -> Passage:
    """Return the body of a post of this kind."""
    return joined([part(writer) for part in KINDS[kind]])
