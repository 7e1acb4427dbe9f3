"""wc-multi: the simultaneous walk, Algorithm 2 against its naive form, the modes, the reference page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from posterity.dom import Document, parse
from posterity.dom.tree import TEXT
from posterity.extraction.method import Context
from posterity.extraction.record import visible_texts
from posterity.extraction.wc_density import body_of
from posterity.extraction.wc_multi import (
    clean_lowest_level,
    common_parts,
    is_similar_by_child_count,
    middle,
    parting_pairs,
    posts,
    reference_page,
    visible_items,
    without,
)

MENU = "<ul><li><a href=/>Home</a></li><li><a href=/about>About me</a></li></ul>"
FOOTER = "<div>All rights reserved by nobody</div>"


def page(article: str, *, name: str = "", menu: str = MENU) -> Document:
    return parse(f"<body>{menu}<div>{article}</div>{FOOTER}</body>", f"https://blog.example/{name}" if name else "")


ONE = page("<h1>Bread</h1><p>posted by Jack F.</p><p>Flour, water, salt and time.</p>", name="one")
OTHER = page("<h1>Tides</h1><p>posted by anonymous</p><p>The moon pulls.</p><p>The sea follows.</p>", name="other")


def text_left(document: Document, reference: Document | None, **options: bool) -> str:
    found = posts(document, Context(reference=reference, options=options))
    return found[0].text if found else ""


def test_template_goes_and_article_stays() -> None:
    (post,) = posts(ONE, Context(reference=OTHER))
    assert post.text == "Bread\n\nJack F.\n\nFlour, water, salt and time."
    assert "About" not in (post.html or "")
    assert post.links == ()
    assert "not in the reference page" in (post.provenance["text"].rule or "")


def test_equal_structure_compares_text_by_text() -> None:
    twin = page("<h1>Tides</h1><p>posted by anonymous</p><p>The moon pulls.</p>")
    assert text_left(ONE, twin) == "Bread\n\nJack F.\n\nFlour, water, salt and time."


def test_a_copy_of_the_page_leaves_nothing() -> None:
    assert (
        posts(ONE, Context(reference=page("<h1>Bread</h1><p>posted by Jack F.</p><p>Flour, water, salt and time.</p>")))
        == ()
    )


def test_white_space_texts_and_scripts_are_no_items_of_a_level() -> None:
    spaced, tight = (
        parse("<body>\n<p>a</p>\n<script>x</script>\n<p>b</p></body>"),
        parse("<body><p>a</p><p>c</p></body>"),
    )
    pairs = list(parting_pairs(spaced.tree, body_of(spaced.tree), tight.tree, body_of(tight.tree)))
    assert [(spaced.tree.text[pair.doc], tight.tree.text[pair.ref]) for pair in pairs] == [("a", "a"), ("b", "c")]


def test_the_walk_ends_at_the_first_distinct_level() -> None:
    left, right = (
        parse("<body><div><p>a</p></div><p>x</p></body>").tree,
        parse("<body><div><h1>a</h1></div><p>x</p></body>").tree,
    )
    pairs = list(parting_pairs(left, body_of(left), right, body_of(right)))
    assert [left.tag[pair.doc] for pair in pairs] == ["div", TEXT]


def test_many_texts_against_one_long_text_of_the_reference_page() -> None:
    # Each shares its first two words with the long text; splitting that every time would be quadratic.
    document = page("<div>" + "<p>so it ends</p>" * 2_000 + "</div><p>x</p>")
    reference = page("<div><p>so it " + "goes " * 200_000 + "</p></div>")
    assert text_left(document, reference).split()[:3] == ["ends", "ends", "ends"]


def test_the_example_of_the_thesis() -> None:
    parts = common_parts("posted by Jack F.", ["posted", "by", "anonymous"])
    assert parts == [(0, 10)]
    assert without("posted by Jack F.", parts) == "Jack F."


def test_one_word_in_common_at_an_edge_is_no_common_part() -> None:
    assert common_parts("The moon pulls", ["The", "sea", "follows"]) == []
    assert common_parts("Home", ["Home"]) == [(0, 4)]


def test_beginning_and_end_are_both_cut() -> None:
    text = " Filed under Bread by the baker "
    assert without(text, common_parts(text, ["Filed", "under", "Tides", "by", "the", "baker"])).split() == ["Bread"]
    assert without("a b c d", common_parts("a b c d", ["a", "b", "x", "c", "d"])) == ""


WORDS = st.lists(st.sampled_from("abc"), max_size=6).map(" ".join)


@given(WORDS, WORDS)
def test_common_parts_lie_in_the_text_in_order_and_are_in_both(left: str, right: str) -> None:
    parts = common_parts(left, right.split())
    edges = [0, *(edge for part in parts for edge in part), len(left)]
    assert edges == sorted(edges)
    assert all(
        (left[start:end].strip() and left[start:end].strip() in right) or not without(left, parts).strip()
        for start, end in parts
    )


ITEM = st.one_of(WORDS, st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["p", "div"]), WORDS),
  st.builds("<div>{}<b>{}</b></div>".format, WORDS, WORDS))  # fmt: skip
LEVEL = st.lists(ITEM, max_size=6).map("<hr>".join)


def shared_parts(text: str, there: list[str]) -> list[tuple[int, int]]:
    equal_first = sorted(there, key=lambda other: other.split() != text.split())
    return next((parts for other in equal_first if (parts := common_parts(text, other.split()))), [])


def naive_lowest_level(doc: Document, ref: Document) -> dict[int, str]:
    """Algorithm 2 as printed: every item of the page against every later item of the reference page."""
    doc_tree, ref_tree = doc.tree, ref.tree
    doc_list, ref_list = visible_items(doc_tree, body_of(doc_tree)), visible_items(ref_tree, body_of(ref_tree))
    kept = {node: doc_tree.text[node] for node in visible_texts(doc_tree, body_of(doc_tree))}
    j = 0
    for item in doc_list:
        for k in range(j, len(ref_list)):
            if doc_tree.tag[item] != ref_tree.tag[ref_list[k]]:
                continue
            there = [ref_tree.text[node] for node in visible_texts(ref_tree, ref_list[k])]
            shared = {node: shared_parts(doc_tree.text[node], there) for node in visible_texts(doc_tree, item)}
            if not any(shared.values()):
                continue
            for node, parts in shared.items():
                kept[node] = without(kept[node], parts)
            j = k + 1
            break
    return {node: text for node, text in kept.items() if text.strip()}


@given(LEVEL, LEVEL)
def test_lowest_level_agrees_with_algorithm_2_as_printed(left: str, right: str) -> None:
    doc, ref = parse(f"<body>{left}</body>"), parse(f"<body>{right}</body>")
    doc_tree, ref_tree = doc.tree, ref.tree
    kept = {node: doc_tree.text[node] for node in visible_texts(doc_tree, body_of(doc_tree))}
    doc_list, ref_list = visible_items(doc_tree, body_of(doc_tree)), visible_items(ref_tree, body_of(ref_tree))
    clean_lowest_level(doc_tree, doc_list, ref_tree, ref_list, kept)
    assert kept == naive_lowest_level(doc, ref)


@given(LEVEL, LEVEL)
def test_documents_are_not_changed_and_answers_repeat(left: str, right: str) -> None:
    doc, ref = parse(f"<body>{left}</body>"), parse(f"<body>{right}</body>")
    before = [list(tree.text) + list(tree.tag) for tree in (doc.tree, ref.tree)]
    context = Context(reference=ref, options={"addtitle": True})
    assert posts(doc, context) == posts(doc, context)
    assert [list(tree.text) + list(tree.tag) for tree in (doc.tree, ref.tree)] == before


def test_fromtarget_cleans_the_target_node_only() -> None:
    side = "<ul><li>Only on this page</li></ul>"
    article = "<p>posted by Jack</p><p>" + "Flour and water. " * 9 + "</p><p>" + "Salt and time. " * 9 + "</p>"
    document = page(article, menu=MENU + side)
    reference = page(
        "<p>posted by Jack</p><p>" + "The moon. " * 12 + "</p><p>" + "The sea. " * 12 + "</p><p>Ebb.</p>", menu=MENU
    )
    assert "Only on this page" in text_left(document, reference)
    left = text_left(document, reference, fromtarget=True)
    assert "Only on this page" not in left
    assert left.startswith("Flour")


def test_prune_cleans_an_unlike_page_alone() -> None:
    unlike = parse(f"<body>{MENU}<p>x</p></body>")
    (post,) = posts(ONE, Context(reference=unlike, options={"prune": True}))
    assert "cleaned alone" in (post.provenance["text"].rule or "")
    (like,) = posts(ONE, Context(reference=OTHER, options={"prune": True, "sparse": True}))
    assert "cleaned alone" not in (like.provenance["text"].rule or "")


def test_similarity_counts_children_level_by_level() -> None:
    left, right = ONE.tree, OTHER.tree
    body = body_of(left), body_of(right)
    assert is_similar_by_child_count(left, body[0], right, body[1], 1)
    assert not is_similar_by_child_count(left, body[0], right, body[1], 2)


def test_sparse_pages_are_omitted_with_a_reference_too() -> None:
    table = "<table>" + "<tr><td>12</td><td>7</td></tr>" * 20 + "</table>"
    assert text_left(page(table), OTHER)
    assert text_left(page(table), OTHER, sparse=True) == ""


def test_single_mode_and_a_missing_reference_clean_alone() -> None:
    for context in (Context(), Context(reference=ONE), Context(reference=OTHER, options={"singlemode": True})):
        (post,) = posts(ONE, context)
        assert "cleaned alone" in (post.provenance["text"].rule or "")


def test_the_reference_falls_back_on_the_middle_page_of_the_site() -> None:
    assert posts(ONE, Context(site=(ONE, OTHER)))[0].text == posts(ONE, Context(reference=OTHER))[0].text


def test_reference_page_has_median_size_and_is_another_page() -> None:
    small, medium, large = (page("<p>x</p>" * count, name=str(count)) for count in (1, 20, 400))
    assert reference_page((large, small, medium)) is medium
    assert reference_page((large, small, medium), medium) is large
    assert reference_page((medium,), medium) is None
    assert middle([]) is None
    assert middle([30, 10, 20]) == 2


def test_ten_thousand_nested_elements_are_no_trouble() -> None:
    deep = [
        parse("<body>" + "<div>" * 10_000 + f"<p>{words}</p>") for words in ("one and two", "three and four", "five")
    ]
    assert text_left(deep[0], deep[1]) == "one and two"
    assert text_left(deep[0], deep[2], fromtarget=True, prune=True) == "one and two"
    assert text_left(deep[0], None) == "one and two"
