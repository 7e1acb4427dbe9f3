"""Markers: Table 1 of document 004, their names, and values that need escapes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.dom import parse
from posterity.errors import InputError
from posterity.extraction.e_mcst import Marker, Markers, marker_from, marker_of, markers_of, most_common, root_markers
from posterity.extraction.in_out_rules import marker_matches

SENTENCE = "A sentence of a post that is long enough to weigh something. "


def page(open_tag: str, text: str = SENTENCE * 8) -> str:
    tag = open_tag.split(maxsplit=1)[0]
    block = f"<{open_tag}><p>{text}</p><p>{text}</p></{tag}>"
    return f"<body><div id=menu><a href=/>Home</a></div>{block}<div id=foot>end</div></body>"


def test_table_1_of_the_paper() -> None:
    table = [
        "div|class|snap_preview",
        "div|class|entrybody",
        "div|class|entrybody",
        "div|class|snap_preview",
        "div|class|outer",
        "div|class|entrybody",
        "Body",
    ]
    markers = most_common([marker_from(text) for text in table])
    assert str(markers.primary) == "div|class|entrybody"
    assert str(markers.secondary) == "div|class|snap_preview"


def test_table_1_from_pages() -> None:
    names = ["snap_preview", "entrybody", "entrybody", "snap_preview", "outer", "entrybody"]
    documents = [parse(page(f"div class={name}")) for name in names]
    documents.append(parse(f"<body>{SENTENCE * 9}</body>"))
    assert [str(marker_of(document)) for document in documents] == [f"div|class|{name}" for name in names] + ["body"]
    assert markers_of(documents) == Markers(
        primary=Marker("div", "class", "entrybody"), secondary=Marker("div", "class", "snap_preview")
    )


def test_marker_that_is_not_unique_in_its_page_is_not_listed() -> None:
    twice = page("div class=entry").replace("id=foot", "class=entry")
    assert marker_of(parse(twice)) is None
    assert markers_of([parse(twice)]) == Markers()


def test_id_of_one_page_comes_after_the_class() -> None:
    tree = parse("<div id=post-17 class='entry post-17 text'></div><div id=content class=entry></div><div></div>").tree
    first, second, third = (node for node, tag in enumerate(tree.tag) if tag == "div")
    assert list(map(str, root_markers(tree, first))) == ["div|class|entry text", "div|id|post-17"]
    assert list(map(str, root_markers(tree, second))) == ["div|id|content", "div|class|entry"]
    assert list(map(str, root_markers(tree, third))) == ["div"]


@pytest.mark.parametrize("text", ["", "div|class", "div||x", "|class|x", "div|class| "])
def test_what_is_not_a_marker(text: str) -> None:
    with pytest.raises(InputError, match="is not a marker"):
        marker_from(text)


@given(
    st.text(min_size=1, max_size=12).filter(lambda text: not text.isspace()), st.sampled_from(["id", "class", "data-x"])
)
def test_selector_of_any_value_can_be_asked(value: str, attribute: str) -> None:
    document = parse("<div class=x id=y data-x=z>text</div>")
    assert document.count(Marker("div", attribute, value).css) in (0, 1)


@pytest.mark.parametrize("value", ["a:b", "1st", 'say "x"', "back\\slash", "ünï", "-", "x.y#z", "w/1/2"])
def test_selector_and_tree_agree(value: str) -> None:
    escaped = value.replace('"', "&quot;")
    document = parse(f'<div class="{escaped}">a</div><p id="{escaped}">b</p><i data-k="{escaped}">c</i>')
    for tag, attribute in (("div", "class"), ("p", "id"), ("i", "data-k")):
        marker = Marker(tag, attribute, value)
        assert document.count(marker.css) == len(marker_matches(document.tree, marker)) == 1
