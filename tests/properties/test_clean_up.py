"""Cleaning up a text is idempotent, and markup stays markup."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from posterity.export.clean_up import mask_text, normalise_post
from posterity.model import Post
from posterity.text.normal_form import FORMS, Form

_TAG = re.compile("<[^>]*>")
# Characters of mail addresses and phone numbers, and characters that normalise to markup.
_NASTY = st.text(st.sampled_from("a.@b+-()0 12345[]dot\u0338<>≮＜＞&;\u037e\nﬁé\u0301"), max_size=60)


@given(_NASTY | st.text(max_size=200), st.sampled_from(["DE", "US", None]))
def test_masking_twice_is_masking_once(text: str, country: str | None) -> None:
    once = mask_text(text, country)
    assert mask_text(once, country) == once


@given(st.text(max_size=100) | _NASTY, st.sampled_from(FORMS))
def test_tags_survive_every_form(text: str, form: Form) -> None:
    text = text.replace("<", "").replace(">", "")
    found = normalise_post(Post(id="1", url="u", html=f"<p>{text}</p><b>{text}</b>", text=text), form)
    assert _TAG.findall(found.html or "") == ["<p>", "</p>", "<b>", "</b>"]
    assert found.text == unicodedata.normalize(form, text)
