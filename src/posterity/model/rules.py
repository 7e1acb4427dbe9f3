"""Extraction rules: how one blog marks up its posts, in a form that people can read and edit.

A rule names a node by id, by class tokens, by tag or by path, never in terms of a parser. It prints as CSS and as
XPath, and its JSON form is what `posterity learn` writes.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Literal

import msgspec

RuleKind = Literal["id", "class", "tag", "path"]

_PLAIN_NAME = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)


class Rule(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """A way to name one node of a page. The first match counts.

    `value` is the id, the class tokens in alphabetical order with a space between, the tag, or a path such as
    `html/body/div[2]/p`, where a number counts the siblings of the same tag. `under` is a rule for an ancestor.
    """

    kind: RuleKind
    value: str
    tag: str = "*"
    under: "Rule | None" = None

    @property
    def css(self) -> str:
        """The rule as a CSS selector."""
        return f"{self.under.css} {self._own_css()}" if self.under else self._own_css()

    def _own_css(self) -> str:
        if self.kind == "path":
            return " > ".join(_css_step(step) for step in self.value.split("/"))
        if self.kind == "tag":
            return self.value
        mark = "#" if self.kind == "id" else "."
        names = [self.value] if self.kind == "id" else self.value.split()
        return ("" if self.tag == "*" else self.tag) + "".join(mark + css_name(name) for name in names)

    @property
    def xpath(self) -> str:
        """The rule as an XPath 1.0 expression."""
        start = self.under.xpath if self.under else ""
        if self.kind == "path":
            return f"{start}/{self.value}"
        return f"{start}//{self.value if self.kind == 'tag' else self.tag}{self._xpath_test()}"

    def _xpath_test(self) -> str:
        if self.kind == "tag":
            return ""
        if self.kind == "id":
            return f"[@id={xpath_string(self.value)}]"
        tests = (
            f"contains(concat(' ', normalize-space(@class), ' '), {xpath_string(f' {token} ')})"
            for token in self.value.split()
        )
        return f"[{' and '.join(tests)}]"

    def __str__(self) -> str:
        return self.css


class FieldRule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule with the evidence for it: it fits `pages` pages with this mean similarity to their feed entries.

    `per_page` is how many nodes it names on one page of the evidence, at most; a page with more is an index.
    """

    rule: Rule
    confidence: float
    pages: int
    of_pages: int
    per_page: int = 1


class RuleSet(msgspec.Struct, frozen=True, kw_only=True):
    """What was learned of one blog: for every field the rules to try, best first."""

    blog: str | None = None
    version: int = 1
    method: str = "feed"
    feed_url: str | None = None
    learned_at: datetime | None = None
    evidence: tuple[str, ...] = ()
    fields: dict[str, tuple[FieldRule, ...]] = {}

    def rules_for(self, field: str) -> tuple[FieldRule, ...]:
        """The rules of one field, best first; empty when nothing was learned for it."""
        return self.fields.get(field, ())

    def extract(self, html: bytes | str, url: str) -> Any:
        """Return the `Post` that these rules find on a page."""
        # Bound late: the model knows nothing of the stages that use it.
        import importlib

        return importlib.import_module("posterity.extract").extract(html, url=url, rules=self, method="feed")


def css_name(name: str) -> str:
    """Return an id or class as CSS writes it, with what CSS reserves escaped."""
    if _PLAIN_NAME.fullmatch(name):
        return name
    return "".join(
        char
        if (char.isascii() and (char.isalpha() or char in "_-")) or (index and char.isdigit())
        else f"\\{ord(char):x} "
        for index, char in enumerate(name)
    )


def xpath_string(text: str) -> str:
    """Return a string literal of XPath 1.0, which knows no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    return "concat('" + "', \"'\", '".join(text.split("'")) + "')"


def _css_step(step: str) -> str:
    tag, _, rest = step.partition("[")
    return f"{tag}:nth-of-type({rest[:-1]})" if rest else tag
