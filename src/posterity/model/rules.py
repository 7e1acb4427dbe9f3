"""Extraction rules: how a blog marks up its posts, in a form that people can read and edit.

A rule selects a node by id, class tokens, tag or path, independently of the parser. It can be written as CSS and as
XPath; `posterity learn` writes its JSON form.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Literal

import msgspec

from posterity.model.page import FeedEntry
from posterity.model.post import Post

RuleKind = Literal["id", "class", "class-value", "attr", "tag", "child", "until", "from", "path"]

# Unique in a page, so they have no index in a path.
_ONLY_ONES = frozenset({"html", "head", "body"})
_PLAIN_NAME = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)
_CHILD = re.compile(r"[^\s]{1,200}:-?\d{1,9}", re.ASCII)
_MAX_UNDER = 50


class Rule(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """A selector for nodes of a page. Usually only the first match is used.

    kind     value
    id       the id
    class    class tokens in alphabetical order, separated by spaces
    class-value  the whole class attribute
    attr     an attribute and one of its tokens: `rel=author`, `property=article:published_time`
    tag      the tag
    child    a child of `under`, counted among siblings of its tag from the start or the end: `p:1`, `p:-2`
    until    the children of `under` up to the first that fits a selector (`h3`, `#top`, `p.date`), and that one
    from     the children of `under` from the first that fits a selector on, and that one
    path     `html/body/div[2]/p`, with indexes among the siblings of the same tag

    `under` is a rule for an ancestor. `attribute` is the attribute to read instead of the text.
    """

    kind: RuleKind
    value: str
    tag: str = "*"
    under: Rule | None = None
    attribute: str | None = None

    @property
    def css(self) -> str:
        """The rule as a CSS selector."""
        return _css_of(self)

    def _css(self) -> str:
        parent = self.under.css if self.under else ":scope"
        if self.kind == "child":
            tag, _, number = self.value.rpartition(":")  # a tag may have a colon: <o:p>
            turn = f"nth-last-of-type({-int(number)})" if int(number) < 0 else f"nth-of-type({number})"
            return f"{parent} > {css_name(tag)}:{turn}"
        if self.kind in ("until", "from"):
            first = f"{parent} > {self.sibling.css}"
            return f"{first}, {first} ~ *" if self.kind == "from" else f"{parent} > :not({self.sibling.css} ~ *)"
        return f"{self.under.css} {self._own_css()}" if self.under else self._own_css()

    def _own_css(self) -> str:
        tag = "" if self.tag == "*" else self.tag
        match self.kind:
            case "path":
                return " > ".join(_css_step(step) for step in self.value.split("/"))
            case "tag":
                return self.value
            case "attr":
                name, _, token = self.value.partition("=")
                return f"{tag}[{name}~={_css_string(token)}]"
            case "id":
                return f"{tag}#{css_name(self.value)}"
            case "class-value":
                return f"{tag}[class={_css_string(self.value)}]"
            case _:
                return tag + "".join(f".{css_name(token)}" for token in self.value.split())

    @property
    def sibling(self) -> Rule:
        """The rule for the first or last of the children that `until` and `from` select."""
        tag, dot, token = self.value.partition(".")
        if tag.startswith("#"):
            return Rule("id", self.value[1:])
        return Rule("class", token, tag) if dot else Rule("tag", tag)

    @property
    def xpath(self) -> str:
        """The rule as an XPath 1.0 expression."""
        start = self.under.xpath if self.under else ""
        match self.kind:
            case "path":
                return f"{start}/{'/'.join(_xpath_step(step) for step in self.value.split('/'))}"
            case "child":
                tag, _, number = self.value.rpartition(":")
                place = number if int(number) > 0 else f"last()-{-int(number) - 1}".removesuffix("-0")
                return f"{start or '.'}/{tag}[{place}]"
            case "until" | "from":
                node = self.sibling.xpath.removeprefix("//")
                on = f"preceding-sibling::{node}"
                test = f"not({on})" if self.kind == "until" else f"self::{node} or {on}"
                return f"{start or '.'}/*[{test}]"
            case "tag":
                return f"{start}//{self.value}"
            case "id":
                return f"{start}//{self.tag}[@id={xpath_string(self.value)}]"
            case "class-value":
                return f"{start}//{self.tag}[@class={xpath_string(self.value)}]"
            case "attr":
                name, _, token = self.value.partition("=")
                return f"{start}//{self.tag}[{_xpath_has_token(name, token)}]"
            case _:
                tests = " and ".join(_xpath_has_token("class", token) for token in self.value.split())
                return f"{start}//{self.tag}[{tests}]"

    def __str__(self) -> str:
        return f"{self.css} @{self.attribute}" if self.attribute else self.css


def check_rules(rules: RuleSet) -> None:
    """Raise `ValueError` if a rule, for example one edited by hand, cannot be written as a selector."""
    sets: tuple[RuleSet | Layout, ...] = (rules, *rules.layouts)
    for one in sets:
        for field_rules in one.fields.values():
            for field_rule in field_rules:
                _check_rule(field_rule.rule)
        if one.comments is not None and one.comments.place is not None:
            _check_rule(one.comments.place)


def _check_rule(rule: Rule) -> None:
    above: Rule | None = rule
    for _ in range(_MAX_UNDER):
        if above is None:
            return
        if above.kind == "child" and not _CHILD.fullmatch(above.value):
            raise ValueError(f"{above.value!r} is not the value of a rule for a child: write `p:1` or `p:-2`")
        above = above.under
    raise ValueError(f"a rule has more than {_MAX_UNDER} rules for its ancestors (`under`)")


# Cached, because a rule is applied to every page of a blog.
_css_of = lru_cache(maxsize=4096)(Rule._css)  # noqa: SLF001


class FieldRule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule with the evidence for it: it matches on `pages` pages, with this mean similarity to their feed entries.

    `per_page` is the largest number of matches on a page of the evidence; a page with more is an index. `before` and
    `after` are the words around the value if the node contains more than the value ("posted by X in"); for an OUT rule,
    the words that its texts start and end with.
    """

    rule: Rule
    confidence: float
    pages: int
    of_pages: int
    per_page: int = 1
    before: str = ""
    after: str = ""


# Names of fields in rule files before version 0.3; since then they are those of the record.
_FORMER_NAMES = {"article": "text", "author": "authors", "date": "published", "comment_date": "comment_published"}


class _Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of every field, best first. Fields are named as in the record; `out` removes parts of the text."""

    fields: dict[str, tuple[FieldRule, ...]] = {}

    def __post_init__(self) -> None:
        if not _FORMER_NAMES.keys().isdisjoint(self.fields):
            fields = {_FORMER_NAMES.get(name, name): rules for name, rules in self.fields.items()}
            msgspec.structs.force_setattr(self, "fields", fields)


class Layout(_Rules, frozen=True, kw_only=True):
    """The rules of one of a blog's layouts, with the training pages.

    `since` and `until` are the dates of the first and the last of these posts. The last four fields are None if those
    of the rule set apply; a layout kept from earlier rules has its own.
    """

    evidence: tuple[str, ...] = ()
    scores: dict[str, float] = {}
    since: datetime | None = None
    until: datetime | None = None
    date_order: Literal["dmy", "mdy"] | None = None
    zone_minutes: int | None = None
    undated: bool | None = None
    absent: tuple[str, ...] | None = None
    shortest: int | None = None
    comments: CommentRules | None = None


class CommentPartRule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The position of the author or the date of a comment: an element, or a part of a line.

    `element` is a class (`.fn`), an id without its number (`#author-`), or a tag with its parent (`div.head>b`).
    Without one, the value is in a `line`: before or behind the date, or the first. `before` and `after` are the words
    around it; `labelled` means that a label such as "by" precedes it.
    """

    element: str = ""
    line: Literal["before", "behind", "first"] | None = None
    before: str = ""
    after: str = ""
    labelled: bool = False


class CommentRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The markup of comments on a blog's pages.

    `item` is the class of all comments and of nothing else. `place` is the element that contains all of them, and
    `empty` are digests of its tags on pages without comments. Without both, comments are detected on each page.
    """

    item: str = ""
    place: Rule | None = None
    empty: tuple[str, ...] = ()
    authors: tuple[CommentPartRule, ...] = ()
    dates: tuple[CommentPartRule, ...] = ()
    text: str = ""


# Fields in which a layout kept from earlier rules differs from the rule set.
OWN_OF_LAYOUT = ("undated", "absent", "shortest", "comments")


class RuleSet(_Rules, frozen=True, kw_only=True):
    """The rules learned for one blog: for every field, the rules to try, best first.

    `evidence` are the training pages, `scores` the similarity of each article to its feed entry. A blog that has
    changed its theme has `layouts`; each page is extracted by the layout that fits it (`learning.layouts`).
    """

    blog: str | None = None
    version: int = 1
    method: str = "feed"
    feed_url: str | None = None
    learned_at: datetime | None = None
    evidence: tuple[str, ...] = ()
    scores: dict[str, float] = {}
    since: datetime | None = None
    until: datetime | None = None
    languages: tuple[str, ...] = ()
    # The order of day and month in dates, if the evidence settles it, and the time zone of dates.
    date_order: Literal["dmy", "mdy"] | None = None
    zone_minutes: int | None = None
    # The blog's only author, from the feed or from most pages, if no rule could find an author on the pages.
    only_author: str | None = None
    # Whom the feed names for every post, although the pages declare other authors: the owner of the blog.
    feed_owner: str | None = None
    # What the <title> of most pages begins and ends with: the names of the blog and its sections, with separators.
    title_frame: tuple[str, str] = ("", "")
    # Dates on the pages differ from those of the feed (for example, dates of the last change) and are not used.
    undated: bool = False
    # Fields that hardly any page of the evidence has; they are not extracted from any page.
    absent: tuple[str, ...] = ()
    # Pictures that several pages of the evidence declare as theirs: the site's, not those of posts.
    site_pictures: tuple[str, ...] = ()
    # The length in characters of the shortest confirmed article of the evidence, if it is short.
    shortest: int = 0
    # The entries of the feed without their texts, by the keys of their pages (`learning.evidence`).
    entries: dict[str, FeedEntry] = {}
    layouts: tuple[Layout, ...] = ()
    comments: CommentRules | None = None

    def rules_for(self, field: str) -> tuple[FieldRule, ...]:
        """Return the rules of one field, best first; empty if none were learned."""
        return self.fields.get(field, ())

    def with_layout(self, layout: Layout) -> RuleSet:
        """Return the rules of one layout as a rule set."""
        values = {name: getattr(layout, name) for name in layout.__struct_fields__}
        own = {name: value for name, value in values.items() if value is not None or name not in OWN_OF_LAYOUT}
        return msgspec.structs.replace(self, **own, layouts=())

    def extract(self, html: bytes | str, url: str) -> Post | None:
        """Return the post on the page, or None: a shorthand for `posterity.extract(html, url, rules=self)`."""
        # The only import of a higher layer; no stage uses this method.
        from posterity import extract

        return extract(html, url, rules=self)


def step_parts(step: str) -> tuple[str, str]:
    """Return the tag of a step of a path and its index among the siblings of that tag; `div` is `div[1]`.

    In rules edited by hand the index may be invalid; it is then not a number, and parsers reject the selector.
    """
    tag, bracket, number = step.removesuffix("]").rpartition("[")
    if not bracket:
        return step, "1"
    return tag, number if step.endswith("]") else ""


def css_name(name: str) -> str:
    """Return an id or class escaped for CSS."""
    if _PLAIN_NAME.fullmatch(name):
        return name
    return "".join(char if _needs_no_escape(name, index) else f"\\{ord(char):x} " for index, char in enumerate(name))


def _needs_no_escape(name: str, index: int) -> bool:
    """Return whether CSS allows the character unescaped; a digit may not be the first or follow a first hyphen."""
    char = name[index]
    if not char.isascii():
        return False
    if char.isdecimal():
        return name[:index] not in ("", "-")
    return char.isalpha() or char == "_" or (char == "-" and name != "-")


def xpath_string(text: str) -> str:
    """Return a string literal of XPath 1.0, which has no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    return "concat('" + "', \"'\", '".join(text.split("'")) + "')"


def _css_string(text: str) -> str:
    # An unescaped line break would end the string.
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\{ord(char):x} " for char in quoted) + '"'


def _xpath_has_token(attribute: str, token: str) -> str:
    return f"contains(concat(' ', normalize-space(@{attribute}), ' '), {xpath_string(f' {token} ')})"


def _css_step(step: str) -> str:
    tag, number = step_parts(step)
    return tag if step in _ONLY_ONES else f"{css_name(tag)}:nth-of-type({number})"


def _xpath_step(step: str) -> str:
    return step if step.endswith("]") or step in _ONLY_ONES else f"{step}[1]"
