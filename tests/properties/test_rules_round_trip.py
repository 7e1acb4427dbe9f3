"""Learned rules extract the same after a round trip through JSON, and edits of the JSON take effect."""

from __future__ import annotations

import json
from functools import lru_cache

import msgspec
from hypothesis import given
from hypothesis import strategies as st

import posterity
from posterity.demo.blog import SiteOptions
from posterity.demo.server import DemoSite, build
from posterity.discover.feed import read_feed
from posterity.learning.formats import written_rules
from posterity.model import Post, RuleSet, from_json, to_json

BASE = "http://blog.example"


@lru_cache
def learned(theme_change: str | None) -> tuple[DemoSite, RuleSet]:
    site = build(SiteOptions(base_url=BASE, feed_format="json", theme_change=theme_change))
    path = next(path for path in site if "json" in path)
    feed = read_feed(site[path].body, BASE + path)
    return site, posterity.learn(feed, {post.url: site[post.path].body for post in site.truth})


def extracted(rules: RuleSet, site: DemoSite, number: int) -> Post | None:
    post = site.truth[number]
    return rules.extract(site[post.path].body, post.url)


CHANGES = st.sampled_from([None, "2024-07-28"])
POSTS = st.integers(0, 35)


@given(CHANGES, POSTS)
def test_rules_extract_the_same_after_json(theme_change: str | None, number: int) -> None:
    site, rules = learned(theme_change)
    again = from_json(to_json(rules), RuleSet)
    assert again == rules
    assert extracted(again, site, number) == extracted(rules, site, number)


@given(POSTS, st.sampled_from(["title", "authors", "published", "tags"]))
def test_field_that_a_person_takes_out_is_not_extracted_by_rule(number: int, field: str) -> None:
    site, rules = learned(None)
    rules = msgspec.structs.replace(rules, entries={})  # the stored feed entries would replace missing values
    written = json.loads(written_rules(rules, "json"))
    del written["fields"][field]
    edited = from_json(json.dumps(written).encode(), RuleSet)
    before, after = extracted(rules, site, number), extracted(edited, site, number)
    assert before is not None
    assert after is not None
    assert before.provenance[field].method == "feed"
    assert field not in after.provenance or after.provenance[field].method != "feed"
    assert after.text == before.text


@given(POSTS, st.sampled_from(["h1", "title", "time", "p"]))
def test_rule_that_a_person_writes_first_is_used_first(number: int, tag: str) -> None:
    site, rules = learned(None)
    rules = msgspec.structs.replace(rules, entries={})  # the stored feed entries would replace missing values
    written = json.loads(written_rules(rules, "json"))
    mine = {"rule": {"kind": "tag", "value": tag}, "confidence": 1.0, "pages": 0, "of_pages": 0}
    written["fields"]["title"].insert(0, mine)
    post = extracted(from_json(json.dumps(written).encode(), RuleSet), site, number)
    assert post is not None
    assert post.provenance["title"].rule == (tag if tag != "title" else "title")
