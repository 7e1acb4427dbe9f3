"""CST* and mCST: formulas (1) to (3) of document 004 by hand, the cleaner, and pathological pages."""

from __future__ import annotations

from math import log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.dom import parse
from posterity.extraction.content_structure import (
    ORIGINAL_WEIGHTS,
    TEXT_ONLY,
    ContentStructure,
    attenuation_by_depth,
    attenuation_by_depth_and_width,
    main_block,
)
from posterity.extraction.cst import cst_posts, mcst_posts
from posterity.extraction.method import Context, method_named

SENTENCE = "A sentence of a post that is long enough to weigh something. "
PAGE = f"""<html><head><title>t</title></head><body>
<div id="menu"><ul><li><a href="/a">Home of the blog</a></li><li><a href="/b">About the author</a></li></ul></div>
<div id="main"><div class="entry"><p>{SENTENCE * 3}</p><p>{SENTENCE * 3}</p><p>{SENTENCE * 3}</p></div></div>
<div id="side"><p>Few words.</p></div></body></html>"""


def test_published_weights() -> None:
    assert (ORIGINAL_WEIGHTS.text, ORIGINAL_WEIGHTS.link, ORIGINAL_WEIGHTS.image) == (1.0, 0.75, 40.0)
    assert (TEXT_ONLY.text, TEXT_ONLY.link, TEXT_ONLY.image) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(("depth", "quotient"), [(0, 1.0), (9, 1.0), (10, 1.0), (11, 1 / log10(11)), (100, 0.5)])
def test_formula_2(depth: int, quotient: float) -> None:
    assert attenuation_by_depth(depth, 7) == pytest.approx(quotient)


@pytest.mark.parametrize(("depth", "children", "quotient"), [(0, 1, 1.0), (90, 1, 0.5), (0, 10, 0.5), (90, 10, 0.25)])
def test_formula_3(depth: int, children: int, quotient: float) -> None:
    assert attenuation_by_depth_and_width(depth, children) == pytest.approx(quotient)


def test_narrow_tree_suffers_less_than_wide_tree() -> None:
    assert attenuation_by_depth_and_width(5, 2) > attenuation_by_depth_and_width(5, 20)


def test_theta_counts_text_links_and_images() -> None:
    tree = parse("<body>12345<a href='/x'>anchor <img src='i'></a><img src='j'><a name='y'>67</a></body>").tree
    body = tree.tag.index("body")
    structure = ContentStructure(tree, body, ORIGINAL_WEIGHTS, clean=True)
    assert structure.theta[body] == 5 + 0.75 + 40 + 40
    assert structure.children[body] == 4
    assert [tree.tag[node] for node in structure.items] == ["body", "a"]


def test_importance_by_hand() -> None:
    # p: D 2, C 1, weight 30. div: D 1, C 2, the paragraphs. body: D 0, C 2, the div and 10 characters of text.
    tree = parse(f"<body><div><p>{'x' * 30}</p><p>{'y' * 30}</p></div>{'z' * 10}</body>").tree
    div = 60 / (log10(12) * log10(10))
    body = div / (log10(11) * log10(20)) + 10
    assert div > body > 30
    assert main_block(tree, TEXT_ONLY, attenuation_by_depth_and_width) == tree.tag.index("div")


def test_child_is_weakened_by_its_own_width() -> None:
    """Section 2: "the sum of attenuated-importance of its descendants"; many short paragraphs beat a long one."""
    short = f"<p>{'x' * 100}</p>" * 40
    tree = parse(f"<body><div id=post>{short}</div><div id=side>{'y' * 1500}</div></body>").tree
    assert 4000 / (log10(11) * log10(400)) < 1500 < 4000 / log10(12)
    found = main_block(tree, TEXT_ONLY, attenuation_by_depth_and_width)
    assert found == tree.nodes_by_id["post"][0]


def test_mcst_finds_the_entry() -> None:
    (post,) = mcst_posts(parse(PAGE, "https://blog.example/p"), Context())
    assert post.text == "\n\n".join([(SENTENCE * 3).strip()] * 3)
    assert post.provenance["text"].rule == "html/body/div[2]/div"
    assert post.title is None


def test_cst_cannot_leave_the_body_of_a_shallow_page() -> None:
    (post,) = cst_posts(parse(PAGE), Context())
    assert post.provenance["text"].rule == "html/body"
    assert "Few words." in post.text


def test_cst_drops_wrappers_that_add_nothing() -> None:
    (post,) = cst_posts(parse("<body><div><section><p>one</p><p>two</p></section></div></body>"), Context())
    assert post.provenance["text"].rule == "html/body/div/section"


def test_image_draws_cst_but_not_mcst() -> None:
    deep = "<div>" * 14 + "{}" + "</div>" * 14
    page = f"<body>{deep.format('<img src=i.png>')}<p>five.</p></body>"
    assert mcst_posts(parse(page), Context())[0].text == "five."
    tree = parse(page).tree
    assert tree.tag[main_block(tree, ORIGINAL_WEIGHTS, attenuation_by_depth) or 0] == "div"


def test_cleaner_is_a_switch() -> None:
    code = f"<script>{'var code = 1; ' * 50}</script>"
    page = parse(f"<body><div id=post><p>The text of the post.</p></div><div>{code}</div></body>")
    assert mcst_posts(page, Context())[0].text == "The text of the post."
    assert "var code" in mcst_posts(page, Context(options={"clean": False}))[0].text
    assert "var code" not in cst_posts(page, Context())[0].text
    assert "var code" in cst_posts(page, Context(options={"clean": False}))[0].text


@pytest.mark.parametrize("method", ["cst", "mcst", "e-mcst", "blogbuster"])
@pytest.mark.parametrize(
    "page", [b"", b"\x00\xff\xfe\x89PNG\r\n", b"<frameset><frame src=x></frameset>", b"<body>", b"<!-- only -->"]
)
def test_pages_without_content_give_nothing_or_a_post(method: str, page: bytes) -> None:
    posts = method_named(method)(parse(page), Context())
    assert len(posts) <= 1
    assert all(post.text for post in posts)


@pytest.mark.parametrize("method", ["cst", "mcst", "e-mcst", "blogbuster"])
def test_ten_thousand_nested_elements(method: str) -> None:
    page = "<div class=post-body>" * 10_000 + "deep text" + "</div>" * 10_000
    (post,) = method_named(method)(parse(page), Context())
    assert post.text == "deep text"


@given(st.text(alphabet=st.sampled_from("<>/ apdivbm=\"'hrefxyz\n"), max_size=400))
def test_any_markup_gives_the_same_twice_and_leaves_the_document(markup: str) -> None:
    document = parse(f"<body>{markup}")
    tree = document.tree
    before = (list(tree.tag), list(tree.text), [dict(attrs) for attrs in tree.attrs])
    for method in (cst_posts, mcst_posts):
        assert method(document, Context()) == method(document, Context())
    assert before == (tree.tag, tree.text, tree.attrs)
