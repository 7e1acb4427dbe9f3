"""Forms to fill in, and forms around whole pages."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.dom.plain_text import is_real_form
from posterity.extraction.record import article_fields

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


def text_of_article(form: str, skip: bool = False) -> str:
    tree = parse(f"<body><p>Some text.</p><h2>Say something</h2>{form}</body>").tree
    return str(article_fields(tree, "", skip=frozenset(tree.nodes_by_tag["form"]) if skip else frozenset())["text"])


@pytest.mark.parametrize("skip", [False, True])
def test_heading_of_a_form_for_comments_is_left_out(skip: bool) -> None:
    assert text_of_article("<form><h3 hidden>Reply to</h3><textarea></textarea></form>", skip) == "Some text."


@pytest.mark.parametrize(
    "form", ["<form><input name=q></form>", f"<form><p>{RUNNING * 3}</p><textarea></textarea></form>"]
)
def test_heading_before_another_form_stays(form: str) -> None:
    assert "Say something" in text_of_article(form)


@pytest.mark.parametrize(("names", "text"), [("sr-only", "Some text."), ("heading", "Some text.\n\nFootnotes")])
def test_heading_for_screen_readers_is_left_out(names: str, text: str) -> None:
    tree = parse(
        f"<body><p>Some text.</p><section><h2 class={names} id=footnote-label>Footnotes</h2></section></body>"
    ).tree
    assert article_fields(tree, "")["text"] == text
