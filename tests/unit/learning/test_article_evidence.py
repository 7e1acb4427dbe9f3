"""The article's node by the evidence of a single page."""

from __future__ import annotations

from posterity.dom import parse
from posterity.learning.out_rules import ArticleEvidence, article_evidence
from posterity.learning.rule_selection import NameBits, names_on
from posterity.model import FieldRule, Rule

PAGE = "<!DOCTYPE html><body><div id=main><div><p>One.</p><p>Two.</p></div></div></body>"


def evidence(scores: dict[str, float]) -> ArticleEvidence:
    tree = parse(PAGE).tree
    nodes = {"main": tree.nodes_by_id["main"][0], "div": tree.nodes_by_tag["div"][1], "p": tree.nodes_by_tag["p"][0]}
    by_node = {nodes[name]: score for name, score in scores.items()}
    return article_evidence(tree, by_node, names_on(tree, NameBits()))


def rules(*named: Rule) -> list[FieldRule]:
    return [FieldRule(rule=rule, confidence=0.9, pages=1, of_pages=1) for rule in named]


def test_of_nodes_as_good_as_each_other_the_one_with_a_name_is_likely() -> None:
    found = evidence({"main": 0.9, "div": 0.9})
    assert found.names == {Rule("id", "main"), Rule("path", "html/body/div")}
    assert found.article != found.likely


def test_rules_agree_by_the_first_that_names_anything() -> None:
    found = evidence({"main": 0.9, "div": 0.5})
    assert found.agrees(rules(Rule("id", "elsewhere"), Rule("id", "main")))
    assert not found.agrees(rules(Rule("tag", "p"), Rule("id", "main")))
    assert not found.agrees(rules(Rule("id", "elsewhere")))


def test_paragraph_among_others_doubts_that_the_feed_is_whole() -> None:
    assert evidence({"p": 0.9, "div": 0.5}).doubts_feed
    assert evidence({"div": 0.5}).doubts_feed
    assert not evidence({"div": 0.9, "p": 0.8}).doubts_feed


def test_paragraph_that_opens_a_section_of_sections_doubts_that_the_feed_is_whole() -> None:
    for section, doubts in (("<section>", True), ("<div class=section>", True), ("<div class=notes>", False)):
        end = f"</{section[1:].split()[0].rstrip('>')}>"
        opens = section.replace("notes", "section")
        html = f"{opens}<h1>Tides</h1><p>One.</p>{section}<h2>Low</h2><p>Two.</p>{end}{end}"
        tree = parse(f"<!DOCTYPE html><body>{html}").tree
        scores = {tree.nodes_by_tag["p"][0]: 0.9, tree.parent[tree.nodes_by_tag["h1"][0]]: 0.5}
        assert article_evidence(tree, scores, names_on(tree, NameBits())).doubts_feed is doubts


def test_heading_is_no_article_unless_it_was_never_closed() -> None:
    for html, tag in (("<h3>One</h3><p>Two, three and four.", "body"), ("<h3>One<p>Two, three and four.", "h3")):
        tree = parse(f"<!DOCTYPE html><body>{html}").tree
        scores = {tree.nodes_by_tag["h3"][0]: 0.9, tree.nodes_by_tag["body"][0]: 0.5}
        found = article_evidence(tree, scores, names_on(tree, NameBits()))
        assert found.article is not None
        assert tree.tag[found.article] == tag


def test_page_without_candidates_has_no_article() -> None:
    found = evidence({})
    assert (found.article, found.likely, found.score) == (None, None, 0.0)
