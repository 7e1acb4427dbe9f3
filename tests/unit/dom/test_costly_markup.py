"""Markup that would take the parser minutes is removed or refused before parsing."""

from __future__ import annotations

import pytest

from posterity.config import ParseLimits
from posterity.dom import markdown_of, parse, text_of
from posterity.dom.plain_text import html_of
from posterity.errors import PageTooDeep, PageTooLarge, UnreadablePage

DEPTH = 10_000


@pytest.mark.parametrize("tag", ["div", "b", "span", "blockquote", "ul><li"])
def test_ten_thousand_nested_elements_work(tag: str) -> None:
    document = parse(f"<{tag}>" * DEPTH + "tide" + f"</{tag.partition('>')[0]}>" * DEPTH)
    assert text_of(document.tree) == "tide"
    assert "tide" in html_of(document.tree)
    assert "tide" in markdown_of(document.tree)


def test_deeper_than_the_limit_is_refused() -> None:
    with pytest.raises(PageTooDeep, match="50 levels"):
        parse("<div>" * 51, limits=ParseLimits(max_depth=50))


def test_as_deep_as_the_limit_is_parsed() -> None:
    assert parse("<div>" * 50 + "x", limits=ParseLimits(max_depth=50)).tree.plain(0) == "x"


@pytest.mark.parametrize("markup", ["<p>x</p>", "<div>x</div>", "<br>", "<li>x", "<img>", "<p>x"])
def test_many_elements_side_by_side_are_not_deep(markup: str) -> None:
    parse(markup * 200, limits=ParseLimits(max_depth=50))


@pytest.mark.parametrize("body", [b"x" * 101, "x" * 101])
def test_larger_than_the_limit_is_refused(body: bytes | str) -> None:
    with pytest.raises(PageTooLarge, match="101 bytes; the limit is 100"):
        parse(body, limits=ParseLimits(max_bytes=100))


def test_refusals_are_unreadable_pages() -> None:
    assert issubclass(PageTooDeep, UnreadablePage)
    assert issubclass(PageTooLarge, UnreadablePage)


def numbered(markup: str, count: int) -> str:
    """The markup `count` times, with N replaced by the number."""
    return "".join(markup.replace("N", str(number)) for number in range(count))


# Never so many in a row that a tag seems long, because quoted values contain ">".
HIDDEN_ENDS = " b='>' ".join(" ".join(f"a{part * 280 + number}" for number in range(280)) for part in range(140))


# The parser alone would take from several seconds to hours for each (benchmarks/costly_markup.py).
@pytest.mark.parametrize(
    "markup",
    [
        pytest.param("<select>" + "<option>x" * 40_000 + "</select>", id="options"),
        pytest.param("<SELECT>" + "<OPTION VALUE=1>x</OPTION>" * 40_000 + "</SELECT>", id="options in capitals"),
        pytest.param("<select>" + "<optgroup label=y><option>x" * 40_000 + "</select>", id="groups of options"),
        pytest.param(numbered("<p><font id=N>x", 10_000), id="open fonts in paragraphs"),
        pytest.param(numbered("<div><b id=N>x</div>", 10_000), id="open bold in closed blocks"),
        pytest.param(numbered("<font id=N><object></font></object>", 25_000), id="closed where it does not count"),
        pytest.param("<p " + numbered("aN=1 ", 60_000) + ">x", id="attributes"),
        pytest.param("<p " + numbered("aN='>' ", 60_000) + ">x", id="attributes that hold ends of tags"),
        pytest.param("<p = " + numbered("aN ", 60_000) + ">x", id="attributes without values"),
        pytest.param("<p " + HIDDEN_ENDS + ">x", id="attributes, few of them with ends of tags"),
        pytest.param(numbered("<body aN=1>", 40_000), id="bodies"),
        pytest.param("".join(f"<body {tag}>" for tag in HIDDEN_ENDS.split(" b='>' ")), id="bodies full of attributes"),
    ],
)
def test_what_costs_too_much_is_taken_out_and_the_text_stays(markup: str) -> None:
    document = parse(f"<p>ebb</p>{markup}</div></b></font></p><p>flood</p>")
    text = text_of(document.tree)
    assert text.startswith("ebb")
    assert text.endswith("flood")


@pytest.mark.parametrize(
    "markup",
    [
        pytest.param("<span>" * 10_000 + "<li>x" * 100_000, id="blocks far below"),
        pytest.param(numbered("<xN>y</xN>", 60_000), id="tags that are all different"),
        pytest.param(numbered("<p aN=1>y", 60_000), id="attributes that are all different"),
        pytest.param("<table>" + "x<tr><td>y</td></tr>" * 60_000, id="text between rows"),
    ],
)
def test_what_nobody_writes_is_refused(markup: str) -> None:
    with pytest.raises(UnreadablePage):
        parse(markup)


def test_ordinary_page_of_many_options_and_much_emphasis_is_parsed_as_it_stands() -> None:
    markup = (
        "<select>" + "<option>x</option>" * 1_000 + "</select>" + "<p><b>a</b> <font color=red>b</font></p>" * 2_000
    )
    tree = parse(markup).tree
    assert (len(tree.nodes_by_tag["option"]), len(tree.nodes_by_tag["b"])) == (1_000, 2_000)


def test_tables_with_cells_left_open_keep_their_emphasis() -> None:
    markup = "<font size=2><table><tr><td><b>a</b><tr><td><b>b</b></table></font>" * 1_000
    assert len(parse(markup).tree.nodes_by_tag["b"]) == 2_000


def test_attributes_of_ordinary_elements_all_stay() -> None:
    attributes = {f"data-{number}": "x > y" for number in range(900)}
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    assert parse(f"<p {written}>x").tree.attrs[3] == attributes


def test_long_value_is_one_attribute() -> None:
    assert parse(f"<img src='data:{'x' * 100_000}' alt=y>").tree.attrs[3]["alt"] == "y"


def test_large_ordinary_page_is_parsed() -> None:
    # benchmarks/costly_markup.py has fifty megabytes of the same.
    paragraph = "<p class='c'>Words with a <a href='/x'>link</a> and <b>more</b> of them.</p>"
    assert parse(f"<body>{paragraph * 60_000}").count("p") == 60_000


def test_tag_that_hides_its_length_between_quotes_keeps_a_thousand_attributes() -> None:
    assert len(parse(f"<p {HIDDEN_ENDS}>x").tree.attrs[3]) <= 1_000


def test_large_page_full_of_scripts_keeps_its_attributes() -> None:
    script = "if (a<b) { say(\"x > y\", 'z'); }\n" * 3_000
    wide = " ".join(f'data-{number}="x > y"' for number in range(900))
    tree = parse(f"<script>{script}</script><p {wide}>x</p><script>{script}</script>").tree
    (paragraph,) = tree.nodes_by_tag["p"]
    assert len(tree.attrs[paragraph]) == 900


def test_body_written_again_and_again_adds_few_attributes() -> None:
    bodies = "".join(f"<body {names}>" for names in HIDDEN_ENDS.split(" b='>' "))
    assert len(parse(bodies).tree.attrs[2]) <= 20 * 280
