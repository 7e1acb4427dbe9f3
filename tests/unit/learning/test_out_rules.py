"""OUT rules: boilerplate in the article's node, and content that the feed leaves out."""

from __future__ import annotations

from posterity.dom import parse
from posterity.learning.out_rules import (
    OutRuleScores,
    beside_feed,
    boilerplate_by_feed,
    select_out_rules,
)

TEXT = "The tide came in over the flats and went out again before anybody had noticed it at all."
LONG = " ".join(f"Picture {number} shows the harbour from the pier at low water." for number in range(20))


def rule_scores(part: str) -> OutRuleScores:
    (article,) = parse(f"<div id=article><p>{TEXT}</p>{part}</div>", "http://blog.example/1").all("#article")
    return beside_feed(article, TEXT, "http://blog.example/1")


def rules_for(*parts: str) -> list[str]:
    """The OUT rules of pages whose article consists of the feed's text and one of these parts."""
    return [rule.rule.css for rule in select_out_rules([rule_scores(part) for part in parts])]


def test_what_a_few_pages_have_beside_the_feeds_text_is_out() -> None:
    bar = "<div class=share>Share this with friends</div>"
    assert rules_for(bar, bar, "", "", "", "") == ["div.share"]


def test_word_of_two_wide_letters_is_a_word() -> None:
    assert rules_for(*["<h3>留言</h3>"] * 4) == [":scope > h3:nth-last-of-type(1)"]
    assert rules_for(*["<h3>by</h3>"] * 4) == []


def test_rule_of_a_heading_is_for_as_many_as_a_page_had() -> None:
    pages = [rule_scores(part) for part in ["<h2>Share this post</h2>", "<h2>One more thing to share</h2>"] * 2]
    assert [(rule.rule.css, rule.per_page) for rule in select_out_rules(pages)] == [("#article h2", 1)]


def test_footnotes_stay_although_the_feed_has_none() -> None:
    for name in ("id=footnotes", "class=footnotes", "class=end-notes"):
        notes = f"<div {name}><h2>Notes</h2><p>1 The moon is to blame for most of it.</p></div>"
        assert rules_for(notes, notes, notes, "", "", "") == []


def test_heading_whose_id_is_made_of_its_words_stays_although_the_feed_ends_before_it() -> None:
    end = "<h2 id=what-was-left>What was left</h2>"
    assert rules_for(end, end, end, "", "", "") == []
    assert rules_for(*["<h2 id=share>Tell your friends</h2>"] * 3, "", "", "") == ["#share"]


def test_heading_of_a_section_whose_id_is_made_of_its_words_stays_although_the_feed_ends_before_it() -> None:
    """reStructuredText puts the id on the section."""
    end = "<div class=section id=what-was-left><h2>What was left?</h2></div>"
    assert rules_for(end, end, end, "", "", "") == []
    assert rules_for(*["<div id=share><h2>Tell your friends</h2></div>"] * 3, "", "", "") == ["#share"]


def test_part_that_outweighs_the_article_on_a_few_pages_was_left_out_by_the_feed() -> None:
    show = f"<div class=slides>{LONG}</div>"
    assert rules_for(show, show, "", "", "", "") == []


def test_part_that_outweighs_the_article_on_most_pages_is_out() -> None:
    related = f"<div class=related>{LONG}</div>"
    assert rules_for(related, related, related, related, "", "") == ["div.related"]


def test_order_of_the_questions_does_not_matter() -> None:
    runs = ["The tide came in", "before anybody", "had noticed it", "Share this", "over the flats"]
    for order in (runs, runs[::-1]):
        judge = boilerplate_by_feed(TEXT)
        assert {run for run in order if judge(run)} == {"Share this"}


def test_places_in_the_middle_of_a_long_article_are_nobodys_names() -> None:
    lines = "".join(f"<p>{TEXT[number:]} {number}</p>" for number in range(60))
    places = {rule.value for rule in rule_scores(lines).counts if rule.kind == "child"}
    assert {"p:1", "p:-1"} <= places
    assert not {"p:30", "p:-30"} & places


def test_short_run_is_native_only_where_the_text_goes_on() -> None:
    """A tag is often a word of the article too."""
    judge = boilerplate_by_feed("On tides and what follows them, the moon is far away. Books tell of it at length.")
    assert judge("Filed under") is True
    assert judge("books") is None
    assert judge("On tides") is False
    assert judge("and what follows them, the moon is far away") is False
    assert judge("Books") is False


def test_one_accident_on_many_pages_does_not_decide() -> None:
    """The name of a tag may be the first word of a text."""
    bar, accident = "<p class=tags>Filed under boats</p>", "<p class=tags>before anybody had noticed it at all</p>"
    assert rules_for(*[bar] * 7, accident) == ["p.tags"]
    assert rules_for(*[bar] * 3, accident) == []


def test_tags_that_are_the_first_words_of_every_text_are_out() -> None:
    """Posts begin with their topic, which their tags repeat."""
    line = "<p class=meta>2015-06-19 :: <a href=/tags/tide/>the tide</a>, <a href=/tags/flats/>came in over</a></p>"
    (article,) = parse(f"<div id=article>{line}<p>{TEXT}</p></div>", "http://blog.example/1").all("#article")
    pages = [beside_feed(article, TEXT, "http://blog.example/1")] * 4
    assert [rule.rule.css for rule in select_out_rules(pages)] == ["p.meta"]


def test_one_accident_does_decide_about_a_place() -> None:
    """The last element of a post may be its author's."""
    link, own = "<a href=/x>Filed under boats</a>", "<a href=/x>before anybody had noticed it at all</a>"
    assert rules_for(*[link] * 8) == [":scope > a:nth-last-of-type(1)"]
    assert rules_for(*[link] * 7, own) == []


def test_rule_for_a_place_knows_the_words_that_stand_there() -> None:
    parts = [f"<p>You should follow me on the ferry {number} times here.</p>" for number in ("two", "three", "four")]
    (rule,) = select_out_rules([rule_scores(part) for part in parts])
    assert (rule.rule.kind, rule.before, rule.after) == ("child", "You should follow me on the ferry", "times here.")


def test_rule_for_a_place_with_other_words_each_time_knows_none() -> None:
    parts = [f"<p>{words}</p>" for words in ("Ferry, harbour", "Anchors and ropes", "Lamps")]
    (rule,) = select_out_rules([rule_scores(part) for part in parts])
    assert (rule.rule.kind, rule.before, rule.after) == ("child", "", "")


def test_numbers_and_months_of_the_feeds_posts_are_no_words_of_a_place() -> None:
    by = "by Ada Lindqvist"
    for first, rest in (("March 3, 2021", ""), (f"3 March 2021 {by}", by), (f"{by} on March 3, 2021", f"{by} on")):
        other = first.replace("3 ", "17 ").replace("3,", "17,")
        (rule,) = select_out_rules([rule_scores(f"<p>{text}</p>") for text in (first, other) * 2])
        assert (rule.before or rule.after) == rest
