"""Vertical text: one token per line, sentences, glue, and documents for posts and comments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.export.writing import POST, source_of, written

from posterity.export.vertical import Token, registry, sentences, tokens, write_vertical
from posterity.model import Post


def vertical(*posts: Post) -> list[str]:
    return written(write_vertical, posts).decode().splitlines()


def test_posts_and_comments_are_documents_that_know_each_other() -> None:
    docs = [line for line in vertical(POST) if line.startswith("<doc")]
    assert ['type="post"' in doc for doc in docs] == [True, False, False]
    assert 'author="Maren Tregarth;Ann"' in docs[0]
    assert 'tag="sea;moon"' in docs[0]
    assert 'post_id="p1" parent_id="p1-comment-9"' in docs[2]


def test_what_touches_is_glued() -> None:
    lines = vertical(Post(id="p", url="u", html="<p>It rises, isn't it?</p>"))
    assert lines[1:-1] == ["<p>", "<s>", "It", "rises", "<g/>", ",", "isn't", "it", "<g/>", "?", "</s>", "</p>"]


def test_a_token_that_looks_like_a_tag_is_quoted() -> None:
    assert "&lt;" in vertical(Post(id="p", url="u", html="<p>a &lt;p&gt; b</p>"))


def test_headings_and_quotes_are_marked() -> None:
    lines = vertical(Post(id="p", url="u", html="<h2>A</h2><blockquote><p>b</p></blockquote>"))
    assert '<p heading="2">' in lines
    assert '<p type="quote">' in lines


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Don't panic: 3.14!", ["Don't", "panic", ":", "3.14", "!"]),
        ("Übergröße, naïve", ["Übergröße", ",", "naïve"]),
        ("潮汐表", ["潮", "汐", "表"]),
        ("カタカナ", ["カタカナ"]),
        ("👩‍🔬 ok", ["👩‍🔬", "ok"]),
    ],
)
def test_tokens_are_those_of_unicode(text: str, found: list[str]) -> None:
    assert [token.text for token in tokens(text)] == found


def test_sentences_are_those_of_unicode() -> None:
    assert list(sentences("It rises. It falls! ... Why?")) == ["It rises. ", "It falls! ... ", "Why?"]
    assert list(sentences("潮。汐。")) == ["潮。", "汐。"]


@given(st.text())
def test_sentences_and_tokens_lose_nothing(text: str) -> None:
    assert "".join(sentences(text)) == text
    assert "".join(token.text for token in tokens(text)) == "".join(text.split())


def test_first_token_is_glued_to_nothing() -> None:
    assert next(tokens("a")) == Token("a", glued=False)


def test_registry_names_the_attributes_that_the_text_has() -> None:
    (content,) = registry(source_of([POST]), "tides.vert").values()
    text = content.decode()
    assert 'VERTICAL "tides.vert"' in text
    assert 'LANGUAGE "English"' in text
    doc = next(line for line in vertical(POST) if line.startswith("<doc"))
    names = [part.split("=")[0] for part in doc.removeprefix("<doc ").split('" ')]
    assert all(f"ATTRIBUTE {name}" in text for name in names)
