"""The elements of a page from which a record was made."""

from __future__ import annotations

from datetime import UTC, datetime

from posterity.dom import parse
from posterity.model import Comment, FieldRule, Post, Provenance, Rule, RuleSet
from posterity.serve.replay.clean_page import parts_on

PAGE = """<html><body><header><h2 class="site">A blog about salt</h2></header>
<div class="post"><h1 class="title">Salt loaf</h1><p class="meta">by <a class="who">Ann Ash</a>
<time datetime="2024-03-02">2 March 2024</time></p>
<div class="entry"><p>Flour, water, and a good deal of patience make a loaf.</p>
<div class="share">Share this on Chirper</div><p>Bake it until it sounds hollow underneath.</p></div></div>
<div class="talk"><div class="says">I baked it twice and it was good.</div></div></body></html>"""
TEXT = "Flour, water, and a good deal of patience make a loaf.\n\nBake it until it sounds hollow underneath."
ENTRY = "/html/body/div[1]/div"
NODES = {
    "text": ENTRY,
    "title": "/html/body/div[1]/h1",
    "authors": "/html/body/div[1]/p/a",
    "published": "/html/body/div[1]/p/time",
}
POST = Post(
    id="p1", url="https://a.example/1", title="Salt loaf", authors=("Ann Ash",), text=TEXT,
    published=datetime(2024, 3, 2, tzinfo=UTC), comments=(Comment(id="1", text="I baked it twice and it was good."),),
    provenance={field: Provenance(method="bte", node=node, confidence=0.9) for field, node in NODES.items()},
)  # fmt: skip


def classes(post: Post, rules: RuleSet | None = None) -> dict[str, str]:
    document = parse(PAGE, post.url)
    return {part.kind: " ".join(document.tree.classes(part.node)) for part in parts_on(document, post, rules)}


def test_parts_are_the_nodes_of_the_provenance() -> None:
    found = classes(POST)
    assert found["article"] == "entry"
    assert found["title"] == "title"
    assert found["author"] == "who"
    assert found["removed"] == "share"
    assert "date" in found


def test_comments_without_a_rule_are_the_elements_that_extraction_reads() -> None:
    html = PAGE.replace(
        '<div class="says">I baked it twice and it was good.</div>',
        '<ol class="comments"><li class="comment" id="comment-7"><cite>Bo</cite> <time>3 March 2024</time>'
        "<p>I baked it twice and it was good.</p></li></ol>",
    )
    document = parse(html, POST.url)
    (comment,) = [part for part in parts_on(document, POST) if part.kind == "comment"]
    assert document.tree.attrs[comment.node].get("id") == "comment-7"


def test_record_without_nodes_has_parts_by_the_rules_of_its_provenance() -> None:
    rule = FieldRule(rule=Rule("class", "post", "div"), confidence=0.8, pages=4, of_pages=5)
    origin = Provenance(method="feed", rule="div.post", confidence=0.8)
    post = Post(id="p1", url="https://a.example/1", text=TEXT, provenance={"text": origin})
    document = parse(PAGE, post.url)
    (article,) = [
        part for part in parts_on(document, post, RuleSet(fields={"text": (rule,)})) if part.kind == "article"
    ]
    assert document.tree.classes(article.node) == ["post"]
    assert article.note == "article · div.post · 80 % sure"


def test_value_of_the_feed_has_its_part_where_the_rules_find_it() -> None:
    rule = FieldRule(rule=Rule("class", "title", "h1"), confidence=0.8, pages=4, of_pages=5)
    origin = Provenance(method="feed-entry", confidence=0.9)
    post = Post(id="p1", url="https://a.example/1", title="Salt loaf", text=TEXT, provenance={"title": origin})
    assert classes(post, RuleSet(fields={"title": (rule,)})) == {"title": "title"}


def test_date_in_the_metadata_has_no_outline() -> None:
    html = '<head><meta property="article:published_time" content="2024-03-02"></head><body><p>Some words.</p></body>'
    origin = Provenance(method="page", node="/html/head/meta", confidence=0.9)
    post = Post(id="p", url="u", published=datetime(2024, 3, 2, tzinfo=UTC), provenance={"published": origin})
    assert not parts_on(parse(html, ""), post)


def test_what_the_page_does_not_show_has_no_outline() -> None:
    post = Post(
        id="p1",
        url="https://a.example/1",
        title="Another",
        authors=("Nobody",),
        text="Nothing of this is there at all.",
        provenance={"text": Provenance(method="bte", node="/html/body/main", confidence=0.9)},
    )
    assert not classes(post)


def test_no_element_has_two_outlines() -> None:
    document = parse("<body><div class=e>Salt loaf</div></body>", "")
    origin = Provenance(method="bte", node="/html/body/div", confidence=0.9)
    post = Post(id="p", url="u", title="Salt loaf", text="Salt loaf", provenance={"title": origin, "text": origin})
    nodes = [part.node for part in parts_on(document, post)]
    assert len(nodes) == len(set(nodes))
