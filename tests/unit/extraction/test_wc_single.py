"""wc-single: the counts of section 2.3, Algorithm 1, and the modes sparse and addtitle."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.errors import InputError
from posterity.extraction.method import Context
from posterity.extraction.wc_density import FLAGS, WcOptions, main_headline, statistics, target_node, wc_options
from posterity.extraction.wc_single import posts

# The sample page of section 2.2, figure 2.2.
FIGURE_2_2 = """<body>
<p>This is highly random <b>sample</b> of text
with arbitrary <a href="www.random.com">link</a>
And eventually end of paragraph.</p>
<p>Another paragraph with quite boring content.</p>
</body>"""
SENTENCE = "A sentence of some length that stands in the article itself. "


def target_tag(html: str) -> str:
    tree = parse(html).tree
    return tree.tag[target_node(tree, statistics(tree))]


def test_counts_of_the_sample_page_trim_white_space() -> None:
    tree = parse(FIGURE_2_2).tree
    found = statistics(tree)
    first = tree.tag.index("p")
    texts = ["This is highly random", "sample", "of text\nwith arbitrary", "link", "And eventually end of paragraph."]
    assert found.chars[first] == sum(map(len, texts))
    assert (found.tags[first], found.s_tags[first]) == (3, 1)
    body = tree.tag.index("body")
    assert found.chars[body] == found.chars[first] + len("Another paragraph with quite boring content.")
    assert (found.tags[body], found.s_tags[body]) == (5, 3)
    assert found.density(body) == found.chars[body] / 3


def test_descends_into_the_densest_child_that_holds_most_of_the_text() -> None:
    menu = "<ul>" + "<li>Item</li>" * 8 + "</ul>"
    assert (
        target_tag(f"<body>{menu}<div><section><p>{SENTENCE * 3}</p><p>{SENTENCE * 3}</p></section></div></body>")
        == "section"
    )


def test_exactly_half_of_the_characters_is_not_enough() -> None:
    assert target_tag("<body><p>abcd</p><p>efgh</p></body>") == "body"
    assert target_tag("<body><p>abcde</p><p>efgh</p></body>") == "p"


def test_a_denser_but_smaller_child_ends_the_descent() -> None:
    # Algorithm 1 considers only the densest child, even if it has a larger sibling.
    article = "<div>" + "<p>twenty characters ..</p>" * 10 + "</div>"
    assert target_tag(f"<body>{article}<p>{'x' * 60}</p></body>") == "body"


def test_unseen_children_are_neither_counted_nor_entered() -> None:
    assert (
        target_tag("<body><script>" + "x" * 500 + "</script><p>abcde</p><p hidden>" + "y" * 500 + "</p></body>") == "p"
    )


def test_sparse_pages_are_omitted_on_request() -> None:
    table = "<table>" + "<tr><td>12</td><td>7</td></tr>" * 20 + "</table>"
    sparse, dense = parse(f"<body>{table}</body>"), parse(f"<body><p>{SENTENCE}</p></body>")
    assert len(posts(sparse, Context())) == 1
    assert posts(sparse, Context(options={"sparse": True})) == ()
    assert len(posts(dense, Context(options={"sparse": True}))) == 1


def test_addtitle_puts_the_headline_first_and_only_once() -> None:
    page = f"<body><h2>Fog &amp; rain</h2><div><p>{SENTENCE * 5}</p><p>{SENTENCE * 5}</p></div></body>"
    (plain,) = posts(parse(page), Context())
    (titled,) = posts(parse(page), Context(options={"addtitle": True}))
    assert plain.title == titled.title == "Fog & rain"
    assert plain.text.startswith("A sentence")
    assert titled.text == f"Fog & rain\n\n{plain.text}"
    assert titled.html == f"<h1>Fog &amp; rain</h1>{plain.html}"
    assert titled.markdown == f"# Fog & rain\n\n{plain.markdown}"
    (whole,) = posts(parse("<body><h1>Fog</h1><p>And more fog.</p></body>"), Context(options={"addtitle": True}))
    assert whole.text == "Fog\n\nAnd more fog."


def test_main_headline_is_the_first_heading_else_the_title() -> None:
    assert main_headline(parse("<title>T</title><h3> First  one</h3><h1>Second</h1>").tree) == "First one"
    assert main_headline(parse("<title> T </title><h1><img src=logo.png></h1>").tree) == "T"
    assert main_headline(parse("<p>nothing</p>").tree) is None


def test_every_flag_of_the_thesis_has_a_name_and_every_option_a_flag() -> None:
    assert {flag.letter for flag in FLAGS} == set("idsretpvfc")
    assert {flag.option for flag in FLAGS if flag.option} == set(WcOptions.__struct_fields__)


def test_options_are_switches() -> None:
    assert wc_options({"sparse": True, "of another method": 3}) == WcOptions(sparse=True)
    with pytest.raises(InputError, match="sparse"):
        wc_options({"sparse": "false"})


def test_a_page_inside_one_form_is_read() -> None:
    (post,) = posts(parse("<body><form><p>one two three</p><p>four five six</p></form></body>"), Context())
    assert post.text == "one two three\n\nfour five six"


def test_pages_without_text_give_nothing() -> None:
    for page in ("", "<body><img src=a.png></body>", "<frameset><frame src=a></frameset>"):
        assert posts(parse(page), Context()) == ()
