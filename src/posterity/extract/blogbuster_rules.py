"""The rule files of BlogBuster: which elements hold posts, texts, titles and dates, as data that people can change.

Document 000, section 4, lists its rules in four steps. Here a rule file is TOML, and each line of the paper's list
is one `Step` in it: where to look, at which tags, and which attributes have to match which patterns.
`published.toml` is the paper's list, `blogs.toml` our own; both lie with the package. A copy with changes is passed
as text.

    match = "value"                  # patterns are held against whole attribute values, or against each "word"
    [[title]]                        # steps of one field are tried in order
    step = "3a"
    where = "children"
    tags = ["h3", "h2", "a"]
    patterns = ["*post-title*", "*entry-title*", "*title*"]

The paper calls its patterns regular expressions, but "post*" and "*hentry*" are globs, the ones Tcl (its language)
matches strings with: `*` any characters, `?` one, upper and lower case differ.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import msgspec

from posterity.errors import InputError

Where = Literal["page", "self", "children", "descendants", "previous-siblings", "before"]
RULE_FILES = ("published", "blogs")


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One place to look at. Without patterns, the tag alone is enough."""

    # "previous-siblings" and "before" (anywhere earlier in the page) begin with the nearest element.
    where: Where = "page"
    tags: tuple[str, ...] = ("*",)
    # The attributes whose values are compared; none named means all.
    attributes: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    # Children and descendants: all of the first tag, then all of the second ("tags"), or as they stand ("document").
    order: Literal["tags", "document"] = "tags"
    # The attribute that holds the value; else it is the element's text.
    read: str = ""
    # Where to go on from the element that matched; one of these must match too.
    then: "tuple[Step, ...]" = ()
    # Only for a post that is the only one on its page; "page" implies it.
    alone: bool = False
    # What the step is called in explanations.
    step: str = ""


class BlogRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule file. `post` and `text` decide what is a post, the other steps look around it."""

    name: str = "rules"
    match: Literal["value", "word"] = "value"
    # "first-found": the first date element decides, readable or not. "first-readable": the search goes on.
    date_search: Literal["first-found", "first-readable"] = "first-found"
    # Do title, date and author leave the text when they stand inside it?
    fields_leave_text: bool = False
    post: tuple[Step, ...] = ()
    # Parts of the page that hold no posts.
    outside: tuple[Step, ...] = ()
    text: tuple[Step, ...] = ()
    # Parts of a post's text that are not text.
    skip: tuple[Step, ...] = ()
    title: tuple[Step, ...] = ()
    date: tuple[Step, ...] = ()
    author: tuple[Step, ...] = ()
    comment: tuple[Step, ...] = ()
    comment_text: tuple[Step, ...] = ()
    comment_author: tuple[Step, ...] = ()
    comment_date: tuple[Step, ...] = ()


@lru_cache(maxsize=16)
def rules_from_toml(text: str) -> BlogRules:
    """Return the rules that a TOML text describes, or raise `InputError` with what is wrong in it."""
    try:
        return msgspec.convert(tomllib.loads(text), BlogRules)
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"The rule file is not TOML: {problem}.") from problem
    except msgspec.ValidationError as problem:
        raise InputError(
            f"The rule file cannot be used: {problem}. See published.toml for what a rule file holds."
        ) from problem


def toml_of(name: str) -> str:
    """Return the text of a rule file of the package, for a user to copy, or raise `InputError`."""
    if name not in RULE_FILES:
        raise InputError(f"There is no rule file {name!r}. Choose one of: {', '.join(RULE_FILES)}.")
    return (files("posterity.extract") / "rule_files" / f"{name}.toml").read_text("utf-8")


@lru_cache(maxsize=len(RULE_FILES))
def rules_named(name: str) -> BlogRules:
    """Return the rules of a rule file of the package."""
    return rules_from_toml(toml_of(name))
