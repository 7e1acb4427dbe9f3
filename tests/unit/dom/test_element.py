"""The parser's elements and their ancestors."""

from __future__ import annotations

from posterity.dom import parse
from posterity.dom.document import ancestors_of_all

PAGE = "<body><div id=a><p id=b><i id=c>x</i><i id=d>y</i></p><p id=e><i id=f>z</i></p></div></body>"


def around(selector: str) -> list[str]:
    """The ids or tags of the common ancestors of all elements of the selector."""
    found = ancestors_of_all(parse(PAGE).elements(selector))
    return [element.attrs.get("id") or element.tag for element in found]


def test_all_ancestors_of_one_element_come_the_innermost_first() -> None:
    assert around("#c") == ["b", "a", "body", "html"]


def test_siblings_share_their_parent() -> None:
    assert around("#c, #d") == ["b", "a", "body", "html"]


def test_elements_of_two_branches_share_what_is_above_both() -> None:
    assert around("#c, #d, #f") == ["a", "body", "html"]


def test_an_element_does_not_hold_itself() -> None:
    assert around("#a, #f") == around("#f, #a") == ["body", "html"]
    assert around("#b, #d, #c") == ["a", "body", "html"]


def test_nothing_is_around_nothing() -> None:
    assert around("#z") == []


def test_the_same_element_found_twice_is_equal() -> None:
    document = parse(PAGE)
    assert document.elements("#c") == document.elements("i:first-child")[:1]
    assert document.elements("#c") != document.elements("#d")


def test_an_element_gives_all_below_it_as_a_tree() -> None:
    (element,) = parse(PAGE).elements("#b")
    assert element.tree.plain(0) == "xy"
