"""Blocks of a page: their boundaries and their surroundings."""

from posterity.dom import parse
from posterity.extraction.hybrid.blocks import KIND_NAMES, Blocks, NameTable, name_words


def blocks(body: str, scores: dict[str, float] | None = None) -> Blocks:
    return Blocks(parse(f"<html><head><title>T</title></head><body>{body}</body></html>").tree, NameTable(scores or {}))


def test_inline_elements_do_not_end_a_block() -> None:
    assert blocks("<p>One <b>two</b> <a href='/'>three</a>.</p>").texts == ["One two three."]
    assert blocks("<p>One <st1:place><st1:city>two</st1:city></st1:place> three.</p>").texts == ["One two three."]


def test_block_elements_and_line_breaks_end_a_block() -> None:
    assert blocks("<div>One<p>two</p>three<br>four</div><ul><li>five</li></ul>").texts == [
        "One", "two", "three", "four", "five",
    ]  # fmt: skip


def test_unseen_hidden_and_form_texts_are_no_blocks() -> None:
    body = "<script>x</script><p hidden>y</p><p style='display:none'>z</p><form>find</form><title>t</title><p>seen</p>"
    assert blocks(body).texts == ["seen"]


def test_every_word_is_in_exactly_one_block_of_its_element() -> None:
    found = blocks("<div id='a'><p>One</p><p>Two</p></div><p>Three</p>")
    node = found.tree.nodes_by_id["a"][0]
    assert found.before[found.tree.end[node]] - found.before[node] == 2


def test_links_are_counted_in_characters() -> None:
    assert blocks("<p>ab <a href='/'>cdef</a></p>").links == [4]


def test_the_innermost_element_that_is_called_something_is_known() -> None:
    found = blocks("<div class='sidebar'><div class='sidebar widget'><p>x</p></div></div>")
    kinds = found.kinds[found.elements[0]]
    side = kinds[KIND_NAMES.index("side")]
    assert found.tree.attrs[side]["class"] == "sidebar widget"


def test_names_are_split_into_words_without_digits() -> None:
    assert name_words("entryContent post-12") == ("entry-content", "entry", "content", "post")


def test_scores_of_names_add_up_along_the_way_to_the_root() -> None:
    found = blocks("<div class='good'><div class='bad'><p>x</p></div></div>", {"good": 2.0, "bad": -3.0})
    assert found.path[found.elements[0]].tolist() == [-1.0, -3.0, 2.0]


def test_classes_of_a_state_name_no_part() -> None:
    names = NameTable({})
    assert names.meaning("lg:sidebar focus:contrast-more")[0] == 0
    assert names.meaning("sidebar")[0] != 0
