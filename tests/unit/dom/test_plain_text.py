"""A node as its visible text."""

from __future__ import annotations

import pytest

from posterity.dom import parse, text_of


def text(markup: str) -> str:
    return text_of(parse(markup).tree)


@pytest.mark.parametrize(
    ("markup", "seen"),
    [
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<div>one</div><div>two</div>", "one\ntwo"),
        ("one<br>two", "one\ntwo"),
        ("<p>a  b\n\tc</p>", "a b c"),
        ("<p>a <b>b</b><i>c</i></p>", "a bc"),
        ("<h2>Title</h2>text", "Title\n\ntext"),
        ("<ul><li>one</li><li>two</li></ul>", "one\ntwo"),
        ("<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>", "1 2\n3 4"),
        ("<p>a&nbsp;&amp;&nbsp;b &lt;c&gt;</p>", "a & b <c>"),
        ("<p></p><p> </p><p>x</p>", "x"),
    ],
)
def test_lines_and_paragraphs(markup: str, seen: str) -> None:
    assert text(markup) == seen


def test_code_keeps_its_indentation() -> None:
    code = "def high_water(day):\n    for hour in day:\n        yield  hour"
    assert text(f"<p>So:</p><pre><code>{code}\n</code></pre><p>Done.</p>") == f"So:\n\n{code}\n\nDone."


def test_first_line_of_code_keeps_its_indentation() -> None:
    assert text("<pre>    indented\n  less</pre>") == "    indented\n  less"


@pytest.mark.parametrize(
    "unseen",
    [
        "<script>var x = 'tide'</script>",
        "<style>p { tide: 1 }</style>",
        "<noscript>tide</noscript>",
        "<template><p>tide</p></template>",
        "<iframe>tide</iframe>",
        "<svg><text>tide</text></svg>",
        "<select><option>tide</option></select>",
        "<form><p>tide</p></form>",
        "<button>tide</button>",
        "<textarea>tide</textarea>",
        "<p hidden>tide</p>",
        "<div style='display: none'><p>tide</p></div>",
        "<!-- tide -->",
    ],
)
def test_what_a_reader_does_not_see_is_left_out(unseen: str) -> None:
    assert text(f"<p>before</p>{unseen}<p>after</p>") == "before\n\nafter"


def test_skipped_nodes_are_left_out_with_all_below() -> None:
    tree = parse("<p>a</p><div><p>b</p></div><p>c</p>").tree
    assert text_of(tree, skip=frozenset(tree.nodes_by_tag["div"])) == "a\n\nc"


def test_one_node_alone_can_be_read() -> None:
    tree = parse("<p>a</p><p>b</p>").tree
    assert text_of(tree, tree.nodes_by_tag["p"][1]) == "b"


def test_skipped_text_is_left_out() -> None:
    tree = parse("<p>a<b>b</b>c</p>").tree
    assert text_of(tree, skip=frozenset({node for node, text in enumerate(tree.text) if text == "c"})) == "ab"


def test_page_that_stands_in_one_form_is_read() -> None:
    article = "<p>" + "The tide comes in and goes out. " * 20 + "</p>"
    assert text(f"<form>{article}<button>Send</button></form>").startswith("The tide")
