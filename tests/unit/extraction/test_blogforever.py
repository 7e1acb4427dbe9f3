"""Method `blogforever`: Algorithms 1 and 2, the score functions of sections 1.3 to 1.5, by the paper's examples."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from posterity import extract
from posterity.dom import parse
from posterity.errors import EmptyFeed, InputError, NothingLearned
from posterity.extraction.blogforever import (
    all_rules,
    best_node,
    comment_rules,
    date_targets,
    learn_rules,
    rule_of,
    tree_distances,
)
from posterity.model import Feed, FeedEntry, RuleSet
from posterity.text.bigrams import BigramBits

HOME = "http://blog.example"
SUBJECTS = {
    "tides": "The tide comes in twice a day, and twice a day it goes out again.",
    "bread": "Bread wants flour, water, salt and a long quiet night of rest.",
    "maps": "Nobody folds a map any more, so nobody gets lost in the good old way.",
}
DAYS = {"tides": 3, "bread": 14, "maps": 25}


def page(name: str, *, article: str = "class='entry text'") -> str:
    """A post with the name of its author in the menu, beside the article and under a comment."""
    return (
        f"<html lang=en><head><title>{name} | Blog</title></head><body><ul id=menu><li>Ann Lee</ul>"
        f"<div class=post><h2 class=title>On {name}</h2><p class=by>Ann Lee</p>"
        f"<p class=when>March {DAYS[name]}, 2021</p>"
        f"<div {article}><p>{SUBJECTS[name]}</p><p>And so much about {name}.</p></div></div>"
        "<div class=comments><div class=who>Ann Lee</div></div></body></html>"
    )


def feed(names: tuple[str, ...] = tuple(SUBJECTS)) -> Feed:
    return Feed(
        url=f"{HOME}/feed",
        format="rss",
        language="en",
        entries=tuple(
            FeedEntry(
                link=f"{HOME}/{name}/",
                title=f"On {name}",
                authors=("Ann Lee",),
                published=datetime(2021, 3, DAYS[name], 10, tzinfo=UTC),
                content=f"<p>{SUBJECTS[name]}</p><p>And so much about {name}.</p>",
            )
            for name in names
        ),
    )


def pages(**kinds: str) -> dict[str, str]:
    return {f"{HOME}/{name}/": page(name, **kinds) for name in SUBJECTS}


def xpaths(rules: RuleSet) -> dict[str, str]:
    return {field: some[0].rule.xpath for field, some in rules.fields.items()}


def test_best_rule_of_every_field_is_learned() -> None:
    assert xpaths(learn_rules(feed(), pages())) == {
        "text": "//*[@class='entry text']",
        "title": "//*[@class='title']",
        "authors": "//*[@class='by']",
        "published": "//*[@class='when']",
    }


def test_rules_give_the_fields_of_an_unseen_page() -> None:
    rules = learn_rules(feed(("tides", "bread")), pages())
    post = extract(page("maps"), f"{HOME}/maps/", method="blogforever", rules=rules)
    assert post is not None
    assert (post.title, post.authors) == ("On maps", ("Ann Lee",))
    assert post.text == f"{SUBJECTS['maps']}\n\nAnd so much about maps."
    assert post.published == datetime(2021, 3, 25, tzinfo=UTC)
    assert post.provenance["text"].method == "blogforever"


def test_all_rules_is_one_rule_per_node_by_id_then_class_then_path() -> None:
    tree = parse("<html><body><div id=i class=c>#1</div><div class='c d'>#2<p>nested").tree
    bits = BigramBits()
    found = [rule_of(tree, node).xpath for node in all_rules(tree, bits).nodes]
    assert found == ["/html", "/html/head", "/html/body", "//*[@id='i']", "//*[@class='c d']", "/html/body/div[2]/p[1]"]


def test_class_rule_is_about_the_whole_attribute() -> None:
    """`//*[@class='node.class']` does not match a node with an additional class."""
    rules = learn_rules(feed(), pages())
    other = page("maps", article="class='entry text wide'")
    assert extract(other, f"{HOME}/maps/", method="blogforever", rules=rules) is None


def test_name_with_a_digit_is_no_rule_unless_asked_for() -> None:
    """The paper's source leaves them out, as they differ from page to page."""
    numbered = {
        url: html.replace("class='entry text'", f"id=post-{n}") for n, (url, html) in enumerate(pages().items())
    }
    assert xpaths(learn_rules(feed(), numbered))["text"].startswith("/html/body/div[1]")
    assert xpaths(learn_rules(feed(), numbered, options={"digits": True}))["text"] == "//*[@id='post-0']"


def test_rule_that_is_best_on_most_pages_wins() -> None:
    mixed = pages()
    mixed[f"{HOME}/tides/"] = page("tides", article="class=old")
    learned = learn_rules(feed(), mixed).rules_for("text")[0]
    assert (learned.rule.value, learned.pages, learned.of_pages) == ("entry text", 2, 3)


def test_ascii_alphabet_does_not_see_other_letters() -> None:
    cyrillic = {url: html.replace("<p>", "<p>Прилив. ") for url, html in pages().items()}
    assert "text" in xpaths(learn_rules(feed(), cyrillic, options={"alphabet": "ascii"}))
    with pytest.raises(InputError, match="alphabet"):
        learn_rules(feed(), cyrillic, options={"alphabet": "latin"})


def test_nothing_in_common_is_an_error() -> None:
    with pytest.raises(NothingLearned):
        learn_rules(feed(), dict.fromkeys(pages(), "<html><body>潮汐</body></html>"))
    with pytest.raises(EmptyFeed):
        learn_rules(Feed(url=HOME, format="rss"), pages())


def test_tree_distance_is_the_number_of_edges() -> None:
    """The example of the published source."""
    tree = parse("<html><body><div>#1</div><div id='i'>#2<p>nested").tree
    p, body, div = tree.tag.index("p"), tree.tag.index("body"), tree.tag.index("div")
    distances = tree_distances(tree, p)
    assert (distances[body], distances[div], distances[p]) == (2, 3, 0)


def test_author_near_the_article_wins_over_equal_ones() -> None:
    """Similarity times 1 / (distance + 1)."""
    tree = parse("<body><b id=far>Amy</b><div><div><i id=near>Amy</i><p id=article>text</p></div></div>").tree
    bits = BigramBits()
    found = all_rules(tree, bits)
    weights = [1 / (distance + 1) for distance in tree_distances(tree, tree.nodes_by_id["article"][0])]
    node, score = best_node(found, [bits.of("Amy ")], weights)
    assert tree.attrs[node]["id"] == "near"
    assert score == pytest.approx(1 / 3)


def test_targets_of_a_date_are_those_of_the_paper() -> None:
    """Section 1.5: "Thu, 01 Jan 1970 00:00:00" gives three named forms and "so on"."""
    targets = date_targets(datetime(1970, 1, 1, tzinfo=UTC), datetime(2013, 9, 1, tzinfo=UTC), ())
    assert {"Thursday January 1, 1970", "1970-01-01", "43 years ago"} <= set(targets)


def test_targets_of_a_date_come_in_the_languages_of_the_page() -> None:
    targets = date_targets(datetime(2021, 3, 5, 9, 30, tzinfo=UTC), datetime(2024, 3, 8, tzinfo=UTC), ("de", "x-none"))
    assert {"5. März 2021", "vor 3 Jahren", "3 years ago", "March 5, 2021", "05.03.2021"} <= set(targets)


def test_date_counted_from_now_gives_a_rule() -> None:
    relative = {url: re.sub("March [0-9]+, 2021", "3 years ago", html) for url, html in pages().items()}
    now = datetime(2024, 6, 1, tzinfo=UTC)
    assert xpaths(learn_rules(feed(), relative, now=now))["published"] == "//*[@class='when']"


def thread(texts: list[str]) -> str:
    """A list of more comments than in the feed, each with an author, and a shorter list of others."""
    items = "".join(
        f"<li><div class=body>{text}</div><b class=user>Reader {chr(65 + n)}{chr(65 + n)}</b></li>"
        for n, text in enumerate(texts)
    )
    return f"<body><ul>{items}</ul>" + "".join(f"<p class=recent>{text}</p>" for text in texts[:2]) + "</body>"


def test_comments_are_the_list_of_the_best_matching() -> None:
    texts = [f"{word} is what I wanted to say about it" for word in ("Salt", "Wind", "Rain", "Snow", "Hail", "Fog")]
    entries = [
        FeedEntry(content=text, authors=(f"Reader {chr(65 + n)}{chr(65 + n)}",)) for n, text in enumerate(texts[:4])
    ]
    tree, bits = parse(thread(texts)).tree, BigramBits()
    rules = comment_rules(all_rules(tree, bits), entries, bits, None, ())
    assert {field: rule.value for field, (rule, _) in rules.items()} == {
        "comment_text": "body",
        "comment_author": "user",
    }


def test_list_shorter_than_the_comment_feed_scores_zero() -> None:
    texts = ["Salt and wind", "Rain and snow"]
    tree, bits = parse(thread(texts)).tree, BigramBits()
    assert comment_rules(all_rules(tree, bits), [FeedEntry(content=texts[0])] * 3, bits, None, ()) == {}


def test_method_without_rules_is_an_error() -> None:
    with pytest.raises(InputError, match="--feed"):
        extract(page("tides"), f"{HOME}/tides/", method="blogforever")
