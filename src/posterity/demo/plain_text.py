"""The plain text of HTML: what a reader sees, block by block.

Written with the parser of the standard library on purpose: the truth that tests compare with must not come from
the code under test.
"""

from html.parser import HTMLParser

# Everything else that the themes and the posts use is inline.
BLOCKS = frozenset(
    {
        *("html", "head", "title", "body", "main", "article", "aside", "section", "header", "footer", "nav", "div"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "blockquote", "figure", "figcaption", "form", "hr", "br"),
        *("ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr"),
    }
)
CELLS = frozenset({"td", "th"})
UNSEEN = frozenset({"script", "style"})


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._line = ""
        self._pre_depth = 0
        self._unseen_depth = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 (named by html.parser)
        self._boundary(tag)
        self._pre_depth += tag == "pre"
        self._unseen_depth += tag in UNSEEN

    def handle_endtag(self, tag: str) -> None:
        self._boundary(tag)
        self._pre_depth -= tag == "pre"
        self._unseen_depth -= tag in UNSEEN

    def handle_data(self, data: str) -> None:
        if not self._unseen_depth:
            self._line += data

    def close(self) -> None:
        super().close()
        self._end_line()

    def _boundary(self, tag: str) -> None:
        if tag in BLOCKS:
            self._end_line()
        elif tag in CELLS:
            self._line += " "

    def _end_line(self) -> None:
        if self._pre_depth:
            self.lines.extend(self._line.rstrip("\n").split("\n"))
        elif self._line.strip():
            self.lines.append(" ".join(self._line.split()))
        self._line = ""


def plain_text(html: str) -> str:
    """Return the text with one line per block; code keeps its lines and its indentation."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return "\n".join(reader.lines)


def shortened(text: str, words: int = 45) -> str:
    """Return the first words of a text in one line, with an ellipsis if any were left out."""
    found = text.split()
    return " ".join(found) if len(found) <= words else " ".join(found[:words]) + " […]"
