"""A page as a read-only document: its tree in lists, its parts by rule or selector."""

from __future__ import annotations

import pytest

from posterity.dom import Document, parse
from posterity.dom.plain_text import text_of
from posterity.dom.tree import TEXT
from posterity.model import Rule

PAGE = """<!DOCTYPE html><html lang="pt-BR"><head><base href="/blog/"></head><body class="home page">
<div id="a" class="box wide"><p>one</p><p>two</p></div><div id="b" class="box"><p>three</p></div></body></html>"""


def test_tree_is_in_document_order_with_the_root_first() -> None:
    tree = parse("<body><p>a<b>c</b></p><p>d</p>").tree
    assert tree.tag == ["html", "head", "body", "p", TEXT, "b", TEXT, "p", TEXT]
    assert [tree.text[node] for node, tag in enumerate(tree.tag) if tag == TEXT] == ["a", "c", "d"]


def test_fact_of_a_page_is_computed_once() -> None:
    document, calls = parse(PAGE), []

    def headings(page: Document) -> int:
        calls.append(page)
        return page.count("h1")

    assert [document.fact(headings), document.fact(headings)] == [0, 0]
    assert calls == [document]


def test_subtree_is_a_range() -> None:
    tree = parse("<body><p>a<b>c</b></p><p>d</p>").tree
    first = tree.nodes_by_tag["p"][0]
    assert tree.plain(first) == "ac"
    assert [tree.tag[child] for child in tree.children(first)] == [TEXT, "b"]


def test_comments_and_doctype_are_no_nodes() -> None:
    assert set(parse("<!DOCTYPE html><!-- a --><body><p>b<!-- c -->d").tree.tag) == {"html", "head", "body", "p", TEXT}


def test_nodes_are_found_by_id_class_and_tag() -> None:
    tree = parse(PAGE).tree
    assert [tree.attrs[node]["id"] for node in tree.nodes_by_class["box"]] == ["a", "b"]
    assert tree.nodes_by_class["wide"] == tree.nodes_by_id["a"]
    assert len(tree.nodes_by_tag["p"]) == 3


def test_class_named_twice_is_one_node() -> None:
    tree = parse("<p class='x x'>a").tree
    assert tree.nodes_by_class["x"] == tree.nodes_by_tag["p"]


@pytest.mark.parametrize(
    "path", ["html", "html/body", "html/body/div[2]", "html/body/div[1]/p[2]", "html/body/div[2]/p"]
)
def test_path_names_its_node(path: str) -> None:
    tree = parse(PAGE).tree
    assert path in [tree.path(node) for node, tag in enumerate(tree.tag) if tag != TEXT]


def test_first_and_all_take_rules_and_selectors() -> None:
    document = parse(PAGE)
    for rule in (Rule("class", "box"), ".box"):
        first = document.first(rule)
        assert first is not None
        assert first.plain(0) == "onetwo"
        assert [tree.plain(0) for tree in document.all(rule)] == ["onetwo", "three"]
        assert document.count(rule) == 2


def test_what_is_not_there_is_none_and_empty() -> None:
    document = parse(PAGE)
    assert document.first(Rule("id", "nothing")) is None
    assert document.all("aside") == []
    assert document.count("aside") == 0


def test_nested_matches_come_each_on_their_own() -> None:
    assert [tree.plain(0) for tree in parse("<div>a<div>b</div></div>").all("div")] == ["ab", "b"]


def test_base_address_comes_from_the_page_or_its_place() -> None:
    assert parse(PAGE, "http://blog.example/2021/").base_url == "http://blog.example/blog/"
    assert parse("<p>x", "http://blog.example/2021/").base_url == "http://blog.example/2021/"


def test_unreadable_base_is_passed_over() -> None:
    assert parse("<base href='http://[::1'><p>x", "http://blog.example/2021/").base_url == "http://blog.example/2021/"


def test_language_is_what_the_page_says() -> None:
    assert parse(PAGE).language == "pt-BR"
    assert parse("<p>x").language is None


@pytest.mark.parametrize(
    "attributes", ["hidden", "style='display:none'", "style='color:red; DISPLAY : none'", "style='visibility: hidden'"]
)
def test_hidden_parts_and_all_below_are_unseen(attributes: str) -> None:
    tree = parse(f"<body><div {attributes}><p>a</p></div><p>b</p>").tree
    assert [tree.text[node] for node, tag in enumerate(tree.tag) if tag == TEXT and not tree.unseen[node]] == ["b"]


def test_scripts_and_styles_are_unseen() -> None:
    tree = parse("<head><title>t</title></head><body><script>a</script><style>b</style><p>c").tree
    assert [tree.text[node] for node, tag in enumerate(tree.tag) if tag == TEXT and not tree.unseen[node]] == ["c"]


@pytest.mark.parametrize("body", [b"", b"   ", "", b"\x00", b"plain words", b"\x89PNG\r\n\x1a\n"])
def test_anything_is_a_document(body: bytes | str) -> None:
    assert parse(body).tree.tag[0] == "html"


def test_lone_surrogates_in_a_string_are_replaced() -> None:
    assert parse("<p>a\udcffb").tree.plain(0) == "a?b"


@pytest.mark.parametrize("rule", [Rule("tag", "p["), Rule("path", "html/body[x"), Rule("id", "")])
def test_rule_that_a_person_mistyped_is_an_error_of_ours(rule: Rule) -> None:
    from posterity.errors import PosterityError

    with pytest.raises(PosterityError):
        parse(PAGE).first(rule)


def test_elements_are_known_by_classes_id_style_type_and_what_they_say() -> None:
    html = "<p class='a b'>x</p><p class='a b' id=c>y</p><b style='color: red'>z</b><i hidden itemtype=t>w</i>"
    tree = parse(f"<body>{html}<u rel=author>v</u></body>").tree
    first, second, third, fourth, fifth = (node for node, tag in enumerate(tree.tag) if tag in ("p", "b", "i", "u"))
    assert tree.named == ({"a b": [first, second]}, [(second, "c")], [third, fourth], [(fourth, "t")], [fifth])
    assert tree.hidden == {fourth}


def test_tags_that_nobody_knows_are_not_mixed_up_between_pages() -> None:
    for number in range(50):
        tree = parse(f"<x-{number}>a</x-{number}><y-{number}>b</y-{number}>").tree
        assert tree.tag[3::2] == [f"x-{number}", f"y-{number}"]


def test_elements_tell_their_tags_and_attributes() -> None:
    assert [(element.tag, element.attrs) for element in parse(PAGE).elements(".box")] == [
        ("div", {"id": "a", "class": "box wide"}),
        ("div", {"id": "b", "class": "box"}),
    ]


def test_elements_that_two_selectors_name_come_once() -> None:
    assert [element.attrs["id"] for element in parse(PAGE).elements("#b, .box, #a")] == ["a", "b"]


def test_ids_come_in_document_order() -> None:
    assert parse(PAGE).attributes("[id]", "id") == ["a", "b"]


def test_text_sizes_count_what_stands_below_without_white_space_around_it() -> None:
    tree = parse("<body><p> ab <b>c d</b></p>\n<p>e</p>").tree
    assert [tree.text_sizes[node] for node in tree.nodes_by_tag["p"]] == [5, 1]
    assert tree.text_sizes[0] == 6


def test_licences_are_found_in_head_and_body_in_any_case() -> None:
    document = parse(
        '<head><link rel=license href=/a></head><body><a rel="nofollow License" href=/b>c</a><a rel=tag>d</a>'
    )
    assert document.licenses == ["/a", "/b"]


@pytest.mark.parametrize("has_tree", [False, True])
@pytest.mark.parametrize("markup", ["<head>{}</head><body>x", "<body><p>x</p>{}"])
def test_what_a_page_declares_counts_in_a_broken_head_too(markup: str, *, has_tree: bool) -> None:
    document = parse(markup.format("<base href=/deep/><link rel=canonical href=/a>"), "http://blog.example/")
    assert not has_tree or document.tree
    declared = document.declared("link[rel~=canonical][href]", "href")
    assert (declared, document.base_url) == ("/a", "http://blog.example/deep/")


def test_text_that_scripts_unhide_is_read_by_all_forms_of_the_article() -> None:
    text = "<p>Some more text.</p>" * 5
    tree = parse(f"<body><p>Menu</p><div style='display:none'><p>Long hidden text.</p>{text}</div>").tree
    assert "Long hidden text." in text_of(tree)


def test_parts_that_wait_for_a_script_to_be_visible_are_read_if_they_are_the_text() -> None:
    part = "<div><div style='visibility: hidden; top: 9px'><p>{}</p></div><p></p><p></p><p></p></div>"
    parts = [part.format(text) for text in ("On tides", "The sea rises twice a day, and nobody asks it to. " * 3)]
    assert "nobody asks" in text_of(parse(f"<body>{''.join(parts)}<p>next ></p>").tree)
    assert "nobody asks" not in text_of(parse(f"<body>{''.join(parts)}<p>{'Words that all see. ' * 9}</p>").tree)
