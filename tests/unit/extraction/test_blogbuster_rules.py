"""Rule files: the package's, a user's, and broken ones."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.errors import InputError
from posterity.extraction.blogbuster import posts
from posterity.extraction.blogbuster_rules import RULE_FILES, rules_from_toml, rules_named, toml_of
from posterity.extraction.method import Context

OWN = """
name = "mine"
match = "word"
[[post]]
tags = ["section"]
attributes = ["class"]
patterns = ["story"]
[[text]]
where = "descendants"
tags = ["p"]
[[title]]
step = "bold"
where = "children"
tags = ["b"]
"""


def test_published_rules_are_those_of_the_paper() -> None:
    rules = rules_named("published")
    assert rules.match == "value"
    assert [step.step for step in rules.post + rules.text + rules.title] == ["1a", "2a", "2b", "3a", "3b"]
    assert [step.step for step in rules.date] == ["4a", "4b", "4c"]
    assert [step.step for step in rules.date[1].then] == ["4b.i", "4b.ii"]
    assert rules.post[0].patterns == ("post*", "*hentry*", "divlog", "*entry*post*", "*post-*", "snap_preview")
    assert not rules.author + rules.comment + rules.skip + rules.outside


@pytest.mark.parametrize("name", RULE_FILES)
def test_rule_files_of_the_package_can_be_copied(name: str) -> None:
    assert rules_from_toml(toml_of(name)) == rules_named(name)
    assert rules_named(name).name == name


def test_own_rules() -> None:
    page = parse(
        "<section class='a story'><b>Title</b><p>Text</p></section><div class=post><div class=entry>x</div></div>"
    )
    (post,) = posts(page, Context(options={"rules_text": OWN}))
    assert (post.title, post.text) == ("Title", "Text")
    assert post.provenance["title"].rule == "mine bold"


@pytest.mark.parametrize(
    "text",
    [
        "= broken",
        "posts = 1",
        "[[post]]\nwhere = 'nowhere'",
        "[[post]]\npattern = ['x']",
        "match = 'regex'",
        "[[title]]\ntags = 'h2'",
    ],
)
def test_broken_rule_files_are_our_error(text: str) -> None:
    with pytest.raises(InputError, match="rule file"):
        rules_from_toml(text)


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="published, blogs"):
        posts(parse("<p>x"), Context(options={"rules": "other"}))
