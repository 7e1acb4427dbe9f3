"""Every record names the element of each value, and on request the features that decided."""

from __future__ import annotations

import msgspec
import pytest

from posterity.dom import parse, text_of
from posterity.dom.tree import node_at
from posterity.extraction.method import Context, extract_posts
from posterity.model import FieldRule, Post, Provenance, Rule, RuleSet, TracedProvenance, from_json, to_json

WORDS = "The tide comes in twice a day, and the boats lie dry in between for some hours. " * 6
PAGE = f"""<html><head><title>Tides</title></head><body><div id=nav><a href=/>Home</a></div>
<div class="post"><h1 class="entry-title">Tides</h1><p>Posted by <a rel=author href=/ada>Ada Lovelace</a>
on <time datetime="2021-03-04T10:00:00Z">4 March 2021</time></p>
<div class="entry-content"><p>{WORDS}</p><p>{WORDS}</p></div></div><div id=foot>Imprint</div></body></html>"""
URL = "https://blog.example/tides/"


def rule(kind: str, value: str) -> tuple[FieldRule, ...]:
    return (FieldRule(rule=Rule(kind, value), confidence=0.9, pages=3, of_pages=3),)  # type: ignore[arg-type]


RULES = RuleSet(fields={"text": rule("class", "entry-content"), "title": rule("class", "entry-title")})


@pytest.mark.parametrize(
    "method", ["hybrid", "feed", "blogbuster", "bte", "wc-single", "wc-multi", "cst", "mcst", "e-mcst"]
)
def test_provenance_of_the_text_names_a_node_that_holds_it(method: str) -> None:
    document = parse(PAGE, URL)
    context = Context(rules=RULES if method == "feed" else None)
    (post,) = extract_posts(document, method=method, context=context)
    node = node_at(document.tree, post.provenance["text"].node or "")
    assert node is not None
    assert "the boats lie dry" in text_of(document.tree, node)


def test_fields_of_hybrid_name_the_nodes_that_show_them() -> None:
    document = parse(PAGE, URL)
    (post,) = extract_posts(document)
    shown = {"title": "Tides", "authors": "Ada Lovelace", "published": "4 March 2021"}
    for field, text in shown.items():
        node = node_at(document.tree, post.provenance[field].node or "")
        assert node is not None
        assert text in text_of(document.tree, node)


def test_rules_name_the_node_that_they_found() -> None:
    (post,) = extract_posts(parse(PAGE, URL), method="feed", context=Context(rules=RULES))
    assert post.provenance["text"].node == "/html/body/div[2]/div"
    assert post.provenance["title"].node == "/html/body/div[2]/h1"


def test_trace_is_there_on_request_only_and_changes_nothing_else() -> None:
    (plain,) = extract_posts(parse(PAGE, URL))
    (traced,) = extract_posts(parse(PAGE, URL), context=Context(explain=True))
    assert not any(isinstance(source, TracedProvenance) for source in plain.provenance.values())
    assert b"trace" not in to_json(plain)
    for field in ("text", "title", "authors", "published"):
        source = traced.provenance[field]
        assert isinstance(source, TracedProvenance)
        assert source.trace
        assert all(change.factor > 0 for change in source.trace)
    # Reading a record back drops the trace; the rest is unchanged.
    assert from_json(to_json(traced), Post) == plain


def test_json_has_the_keys_of_provenance_in_order() -> None:
    (post,) = extract_posts(parse(PAGE, URL))
    stored = msgspec.json.decode(to_json(post))["provenance"]["text"]
    assert list(stored)[:5] == ["method", "rule", "node", "confidence", "warc"]


def test_record_that_was_stored_without_a_node_is_read() -> None:
    stored = b'{"type":"post","id":"1","url":"https://blog.example/","text":"x","provenance":{"text":{"method":"bte","confidence":0.5}}}'
    assert from_json(stored, Post).provenance["text"] == Provenance(method="bte", node=None, confidence=0.5)
