"""IN/OUT rule files: Figure 5 of document 004 read, applied and written again."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.errors import InputError
from posterity.extraction.in_out_rules import gold_text, in_out_rules, posts, rule_file, rule_for
from posterity.extraction.method import Context

FIGURE_5 = r"""
(
addr = .*\.wordpress\.com.*
in = div|id|content-main
out = p|class|postmetadata
out = div|class|post-content
out = div|id|respond
in = div|id|content
out = div|class|navigation
out = div|id|respond
)
"""
URL = "https://someone.wordpress.com/2009/01/a-post/"
CONTENT = "<div id=respond><p>Leave a reply</p></div>"


def test_figure_5_is_read_and_written_again() -> None:
    rules = in_out_rules(FIGURE_5)
    assert len(rules) == 1
    assert [str(block.marker) for block in rules[0].blocks] == ["div|id|content-main", "div|id|content"]
    assert [len(block.out) for block in rules[0].blocks] == [3, 2]
    assert in_out_rules(rule_file(rules)) == rules


def test_rule_is_for_its_addresses_only() -> None:
    rules = in_out_rules(FIGURE_5)
    assert rule_for(rules, URL) is rules[0]
    assert rule_for(rules, "https://someone.blogspot.com/") is None
    assert gold_text(rules, parse("<div id=content>x</div>", "https://someone.blogspot.com/")) is None


def test_out_is_taken_out_of_the_in_above_it() -> None:
    page = parse(f"<div id=content><div class=navigation>next</div><p>The post.</p>{CONTENT}</div>", URL)
    assert gold_text(in_out_rules(FIGURE_5), page) == "The post."


def test_first_in_that_is_found_is_the_content() -> None:
    page = parse(
        "<div id=content><div id=content-main><p>The post.</p><p class='small postmetadata'>Filed</p></div>menu</div>",
        URL,
    )
    (post,) = posts(page, Context(options={"rules_text": FIGURE_5}))
    assert post.text == "The post."
    assert post.provenance["text"].rule == "div|id|content-main"


def test_page_without_the_blocks_gives_nothing() -> None:
    assert posts(parse("<p>Other</p>", URL), Context(options={"rules_text": FIGURE_5})) == ()
    assert posts(parse("<p>Other</p>", URL), Context()) == ()


@pytest.mark.parametrize(
    "text",
    [
        "in = div|id|x",
        "(\naddr = .*\nin = div|id|x",
        "(\nin = div|id|x\n)",
        "(\naddr = .*\nout = div|id|x\n)",
        "(\naddr = [\n)",
        "(\naddr = .*\nin = div|id\n)",
        "(\naddr = .*\nsomething\n)",
    ],
)
def test_broken_rule_files_are_our_error(text: str) -> None:
    with pytest.raises(InputError):
        in_out_rules(text)
