"""New feed entries show whether the rules still fit the blog."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from posterity.dom import parse
from posterity.learning.layouts import agreement, rules_for_page, with_former
from posterity.model import Feed, FeedEntry, FieldRule, Rule, RuleSet
from posterity.model.rules import CommentRules

BASE = "http://blog.example"
RULES = RuleSet(
    version=3,
    languages=("en",),
    evidence=(f"{BASE}/old/",),
    fields={
        name: (FieldRule(rule=rule, confidence=0.9, pages=3, of_pages=3),)
        for name, rule in {
            "text": Rule("class", "entry"),
            "title": Rule("tag", "h1"),
            "published": Rule("tag", "time", attribute="datetime"),
            "authors": Rule("class", "author"),
        }.items()
    },
)


def feed_of(*names: str, whole: bool = True) -> Feed:
    text = "<p>The tide came in over the {0} stones and went out again.</p>"
    return Feed(
        url=f"{BASE}/feed/",
        format="rss20",
        entries=tuple(
            FeedEntry(
                link=f"{BASE}/{name}/",
                title=f"On {name}",
                authors=("Maren",),
                published=datetime(2021, 3, 12, 9, tzinfo=UTC),
                content=text.format(name) if whole else None,
                summary=text.format(name),
            )
            for name in names
        ),
    )


def page(name: str, css_class: str = "entry", heading: str = "h1") -> str:
    return (
        f"<{heading}>On {name}</{heading}><span class=author>by Maren</span><time datetime=2021-03-12>then</time>"
        f"<div class={css_class}><p>The tide came in over the {name} stones and went out again.</p></div>"
    )


def test_rules_that_still_fit_agree_in_every_field() -> None:
    pages = {f"{BASE}/{name}/": page(name) for name in ("a", "b")}
    report = agreement(RULES, feed_of("a", "b"), pages)
    assert {field: (told.agree, told.of) for field, told in report.fields.items()} == {
        "text": (2, 2),
        "authors": (2, 2),
        "published": (2, 2),
        "title": (2, 2),
    }
    assert not report.drifted
    assert report.failing == ()


def test_new_theme_is_noticed() -> None:
    pages = {f"{BASE}/{name}/": page(name, "post-body", "h2") for name in ("a", "b")}
    report = agreement(RULES, feed_of("a", "b"), pages)
    assert report.drifted
    assert report.failing == (f"{BASE}/a/", f"{BASE}/b/")


def test_one_odd_page_of_many_is_no_drift_but_named() -> None:
    pages = {f"{BASE}/{name}/": page(name) for name in ("a", "b", "c")} | {f"{BASE}/d/": page("d", "photo")}
    report = agreement(RULES, feed_of("a", "b", "c", "d"), pages)
    assert not report.drifted
    assert report.failing == (f"{BASE}/d/",)


def test_summary_has_to_stand_in_the_article() -> None:
    report = agreement(RULES, feed_of("a", whole=False), {f"{BASE}/a/": page("a")})
    assert report.fields["text"].share == 1.0


def test_feed_without_pages_tells_nothing() -> None:
    report = agreement(RULES, feed_of("a"), {})
    assert (report.pages, report.fields, report.drifted) == (0, {}, False)


def test_new_rules_keep_the_former_for_former_pages() -> None:
    new = RuleSet(fields={"text": (FieldRule(rule=Rule("id", "new"), confidence=0.9, pages=3, of_pages=3),)})
    both = with_former(new, RULES)
    assert both.version == 4
    assert [layout.fields["text"][0].rule.css for layout in both.layouts] == ["#new", ".entry"]
    old = both.extract(page("a"), f"{BASE}/a/")
    assert old is not None
    assert (old.title, old.text) == ("On a", "The tide came in over the a stones and went out again.")


def test_former_pages_keep_the_former_comments_and_absent_fields() -> None:
    new = RuleSet(
        fields={"text": (FieldRule(rule=Rule("id", "new"), confidence=0.9, pages=3, of_pages=3),)},
        absent=("tags",),
        comments=CommentRules(item="new-comment"),
    )
    former = msgspec.structs.replace(RULES, absent=("authors",), comments=CommentRules(item="reply"))
    old_page, new_page = parse(page("a"), f"{BASE}/a/"), parse('<div id="new">Words</div>', f"{BASE}/b/")
    for rules in (with_former(new, former), with_former(new, with_former(former, former))):
        of_old, of_new = rules_for_page(old_page, rules), rules_for_page(new_page, rules)
        assert (of_old.comments, of_old.absent) == (former.comments, ("authors",))
        assert (of_new.comments, of_new.absent) == (new.comments, ("tags",))
    without = rules_for_page(old_page, with_former(new, RULES))
    assert without.comments == CommentRules()  # no rules for them: they are detected on each page
