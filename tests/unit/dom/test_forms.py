"""Forms to fill in, and forms around whole pages."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.dom.plain_text import is_real_form

RUNNING = "The tide comes in and goes out again. " * 20


def is_form(inside: str) -> bool:
    tree = parse(f"<body><form>{inside}</form>").tree
    return is_real_form(tree, tree.nodes_by_tag["form"][0])


@pytest.mark.parametrize(
    "inside",
    [
        "<input name=s><button>Search</button>",
        "<p>Your email address will not be published.</p><label>Comment <textarea>x</textarea></label>",
        f"<textarea>{RUNNING}</textarea>",
        f"<label>{RUNNING}</label>",
        f"<a href=x>{RUNNING}</a>",
        f"<div hidden>{RUNNING}</div>",
        "<select>" + "<option>word word word" * 100 + "</select>",
        "",
    ],
)
def test_form_to_fill_in(inside: str) -> None:
    assert is_form(inside)


@pytest.mark.parametrize(
    "inside",
    [
        f"<p>{RUNNING}</p>",
        f"<table><tr><td>{RUNNING}</td></tr></table><input name=q>",
        "<p>潮が満ちて引く。</p>" * 20,
        "<input type=hidden name=__VIEWSTATE value=x><p>A short post.</p>",
        "<p>A short post.</p><input type=hidden name='javax.faces.ViewState'>",
    ],
)
def test_page_in_a_form(inside: str) -> None:
    assert not is_form(inside)
