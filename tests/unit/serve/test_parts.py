"""Which elements of a page a record was made of."""

from __future__ import annotations

from datetime import UTC, datetime

from posterity.dom import parse
from posterity.model import Comment, FieldRule, Post, Provenance, Rule, RuleSet
from posterity.serve.replay.parts import parts_on

PAGE = """<html><body><header><h2 class="site">A blog about salt</h2></header>
<div class="post"><h1 class="title">Salt loaf</h1><p class="meta">by <a class="who">Ann Ash</a>
<time datetime="2024-03-02">2 March 2024</time></p>
<div class="entry"><p>Flour, water, and a good deal of patience make a loaf.</p>
<div class="share">Share this on Chirper</div><p>Bake it until it sounds hollow underneath.</p></div></div>
<div class="talk"><div class="says">I baked it twice and it was good.</div></div></body></html>"""
TEXT = "Flour, water, and a good deal of patience make a loaf.\n\nBake it until it sounds hollow underneath."
POST = Post(
    id="p1", url="https://a.example/1", title="Salt loaf", authors=("Ann Ash",), text=TEXT,
    published=datetime(2024, 3, 2, tzinfo=UTC), comments=(Comment(id="1", text="I baked it twice and it was good."),),
)  # fmt: skip


def classes(post: Post, rules: RuleSet | None = None) -> dict[str, str]:
    document = parse(PAGE, post.url)
    return {part.kind: " ".join(document.tree.classes(part.node)) for part in parts_on(document, post, rules)}


def test_record_without_rules_is_found_by_what_it_quotes() -> None:
    found = classes(POST)
    assert found["article"] == "entry"
    assert found["title"] == "title"
    assert found["author"] == "who"
    assert found["comment"] == "says"
    assert found["removed"] == "share"
    assert "date" in found


def test_rule_of_the_provenance_comes_before_the_text() -> None:
    rule = FieldRule(rule=Rule("class", "post", "div"), confidence=0.8, pages=4, of_pages=5)
    origin = Provenance(method="feed", rule="div.post", confidence=0.8)
    post = Post(id="p1", url="https://a.example/1", text=TEXT, provenance={"text": origin})
    document = parse(PAGE, post.url)
    (article,) = [
        part for part in parts_on(document, post, RuleSet(fields={"article": (rule,)})) if part.kind == "article"
    ]
    assert document.tree.classes(article.node) == ["post"]
    assert article.note == "article · div.post · 80 % sure"


def test_date_is_outlined_where_a_reader_sees_it() -> None:
    html = """<head><meta property="article:published_time" content="2024-03-02"></head>
    <body><i class="when">Am 2. März 2024</i><p class="e">Some words of a post that is long enough.</p></body>"""
    post = Post(
        id="p", url="u", text="Some words of a post that is long enough.", published=datetime(2024, 3, 2, tzinfo=UTC)
    )
    document = parse(html, "")
    (date,) = [part for part in parts_on(document, post) if part.kind == "date"]
    assert document.tree.classes(date.node) == ["when"]


def test_what_the_page_does_not_show_has_no_outline() -> None:
    post = Post(
        id="p1",
        url="https://a.example/1",
        title="Another",
        authors=("Nobody",),
        text="Nothing of this is there at all.",
    )
    assert not classes(post)


def test_no_element_has_two_outlines() -> None:
    document = parse("<body><div class=e>Salt loaf</div></body>", "")
    post = Post(id="p", url="u", title="Salt loaf", text="Salt loaf")
    nodes = [part.node for part in parts_on(document, post)]
    assert len(nodes) == len(set(nodes))
