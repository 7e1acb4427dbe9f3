"""One Unicode form for all texts of a record, without making or breaking markup."""

from __future__ import annotations

import pytest

from posterity.export.clean_up import normalise_post
from posterity.model import Comment, Post
from posterity.text.normal_form import FORMS, Form

E_ACUTE, E_AND_ACUTE = "\u00e9", "e\u0301"


def test_all_texts_are_in_one_form() -> None:
    text = E_AND_ACUTE
    post = Post(
        id="1", url="u", title=text, authors=(text,), tags=(text,), categories=(text,), summary=text, text=text,
        markdown=text, html=f"<p>{text}</p>", comments=(Comment(id="c", author=text, text=text, html=text),),
    )  # fmt: skip
    found = normalise_post(post, "NFC")
    values = (found.title, *found.authors, *found.tags, *found.categories, found.summary, found.text, found.markdown)
    assert set(values) == {E_ACUTE}
    assert found.html == f"<p>{E_ACUTE}</p>"
    assert found.comments[0] == Comment(id="c", author=E_ACUTE, text=E_ACUTE, html=E_ACUTE)
    assert normalise_post(found, "NFD").text == E_AND_ACUTE


def test_ligatures_and_full_width_letters_become_plain_in_the_k_forms() -> None:
    post = Post(id="1", url="u", text="ﬁne Ａ１", html="<p>ﬁne Ａ１</p>")
    assert normalise_post(post, "NFKC").text == "fine A1"
    assert normalise_post(post, "NFKC").html == "<p>fine A1</p>"
    assert normalise_post(post, "NFC").text == "ﬁne Ａ１"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", ["＜script＞", "≮b≯", "\u0338", "＆lt;", "\u037e", "＊bold＊"])
def test_markup_is_neither_made_nor_broken(form: Form, text: str) -> None:
    found = normalise_post(Post(id="1", url="u", html=f"<p>{text}</p>", markdown=text), form)
    assert found.html is not None
    assert found.html.startswith("<p>")
    assert found.html.endswith("</p>")
    assert found.html.count("<") == found.html.count(">") == 2
    assert "&" not in found.html
    assert "*" not in (found.markdown or "")
