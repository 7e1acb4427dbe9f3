"""Blocks and their features, computed for a whole page at once, agree with a walk over single nodes."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from posterity.dom import Tree, parse
from posterity.dom.plain_text import is_left_out
from posterity.dom.tree import TEXT
from posterity.extraction.hybrid.blocks import KIND_BITS, PLACES, BlockPage, Blocks, NameTable, joined_names, name_words
from posterity.extraction.hybrid.model import COLUMNS, Characters, features

INLINE = set("a b em i img span strong".split())
TAGS = "p div b i a ul li table tr td h1 h2 br img section article em span strong form script title button svg".split()
ATTRIBUTES = ["", "", " class='entry-content'", " class='sidebar post-7'", " id=comments", " hidden",
              " style='display: none'", " class='good' itemprop=bad"]  # fmt: skip
SCORES = {"entry-content": 2.0, "sidebar": -1.5, "post": 0.75, "good": 1.0, "bad": -2.0, "words.": 0.5}
PIECES = st.one_of(
    st.sampled_from(["Some words. ", " ", "\n", "3 Comments", "© 2024 (c)", "weiß, und: ", "。", "ǅ Σας | ok"]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<>&"), max_size=6),
    st.tuples(st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES)).map(lambda tag: f"<{tag[0]}{tag[1]}>"),
    st.sampled_from(TAGS).map(lambda tag: f"</{tag}>"),
)
TREES = st.lists(PIECES, max_size=40).map(lambda pieces: parse(f"<html><body>{''.join(pieces)}</body></html>").tree)
# Letters of three cases, digits, counted punctuation, and spaces; the words of a block have single spaces between them.
TEXTS = st.text(st.one_of(st.sampled_from("aB ǅßσΣıİ٣1.?!。,|»·:; "), st.characters(exclude_categories=["Cs"])))
BLOCK_TEXTS = st.lists(TEXTS.map(lambda text: " ".join(text.split())).filter(bool), min_size=1, max_size=6)


def slow_blocks(tree: Tree) -> list[list[int]]:
    """Text nodes by block, found by a walk over all nodes."""
    found: list[list[int]] = []
    run: list[int] = []
    ends: list[int] = []
    node = 0
    while node < len(tree):
        while ends and ends[-1] <= node:
            ends.pop()
            found.append(run)
            run = []
        if tree.tag[node] == TEXT:
            run.append(node)
        elif tree.tag[node] == "title" or is_left_out(tree, node):
            node = tree.end[node]
            continue
        elif tree.tag[node] not in INLINE:
            found.append(run)
            run = []
            ends.append(tree.end[node])
        node += 1
    return [run for run in [*found, run] if "".join(tree.text[node] for node in run).strip()]


@settings(max_examples=150)
@given(TREES)
def test_every_word_is_in_the_block_of_its_line(tree: Tree) -> None:
    blocks = Blocks(tree, NameTable(SCORES))
    runs = slow_blocks(tree)
    assert blocks.text_nodes == runs
    assert blocks.texts == [" ".join("".join(tree.text[node] for node in run).split()) for run in runs]
    for node in {around for holder in blocks.elements for around in ancestors(tree, holder)}:
        if tree.tag[node] in INLINE:
            continue  # its first words may end a block that began before it
        inside = [number for number, run in enumerate(runs) if node < run[0] < tree.end[node]]
        assert list(range(blocks.before[node], blocks.before[tree.end[node]])) == inside


@settings(max_examples=150)
@given(TREES)
def test_what_is_around_a_block_is_what_its_ancestors_say(tree: Tree) -> None:
    blocks = Blocks(tree, NameTable(SCORES))
    for number, holder in enumerate(blocks.elements):
        around = ancestors(tree, holder)
        kinds: dict[int, int] = {}
        scores = [0.0]
        for node in reversed(around):
            if tree.tag[node] not in ("html", "body"):
                words = [word for name in joined_names(tree.attrs[node]).split() for word in name_words(name)]
                kinds |= {bit: node for word in words for bit in range(32) if KIND_BITS.get(word, 0) >> bit & 1}
                own = [SCORES.get(word, 0.0) for word in words]
                scores.append(max(0.0, *own, 0.0) + min(0.0, *own, 0.0))
        assert blocks.kinds[holder] == kinds
        assert blocks.path[holder].tolist() == [sum(scores), min(scores), max(scores)]
        node = blocks.text_nodes[number][0]
        tags = {tree.tag[each] for each in ancestors(tree, node)}
        assert {tag for bit, tag in enumerate(PLACES) if blocks.places[node] >> bit & 1} == tags & {*PLACES}


@settings(max_examples=60)
@given(TREES, st.text(max_size=20))
def test_a_block_is_described_by_finite_numbers_whatever_the_page(tree: Tree, summary: str) -> None:
    blocks = Blocks(tree, NameTable(SCORES))
    if len(blocks):
        table, names = features(BlockPage(blocks), ["Some words"], summary)
        assert table.shape == (len(blocks), len(names)) == (len(blocks), len(COLUMNS))
        assert np.isfinite(table).all()


def ancestors(tree: Tree, node: int) -> list[int]:
    """The node and its ancestors, innermost first, without the root."""
    found = []
    while node > 0:
        found.append(node)
        node = tree.parent[node]
    return found


def slow_signs(text: str) -> list[float]:
    words = text.split(" ")
    sample = words[:16]
    return [
        len(words),
        sum(text.count(stop) for stop in (". ", "? ", "! ", "。")),
        sum(text.count(comma) for comma in ",、，"),
        sum(word[0].isupper() for word in sample) / len(sample),
        sum(len(word) < 4 and word.islower() for word in sample) / len(sample),
        re.search(r"[.!?。！？…:;\"”»)]$", text) is not None,
        len(re.findall(r"\d", text[:80])) / min(80, len(text)),
        text[-1] == ":",
        "©" in text or "(c)" in text,
        sum(text.count(bar) for bar in "|»·→"),
        text[0].islower(),
    ]


@given(BLOCK_TEXTS)
def test_texts_are_counted_together_as_one_by_one(texts: list[str]) -> None:
    expected = np.array([slow_signs(text) for text in texts], np.float32).T
    assert np.array_equal(Characters(texts).features(), expected)


@given(BLOCK_TEXTS, st.sets(st.sampled_from(["a", "b", "ab", "ok", "σ", "ς"]), min_size=1))
def test_words_of_a_summary_are_found_in_the_beginnings_of_texts(texts: list[str], known: set[str]) -> None:
    texts = [*texts, "a B " * 20 + "z"]
    expected = [
        sum(word in known for word in words) / len(words) for text in texts if (words := text.lower().split()[:30])
    ]
    assert Characters(texts).share_in(known).tolist() == expected  # type: ignore[union-attr]
