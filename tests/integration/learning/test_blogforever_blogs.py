"""What the published crawler's own tests state about its blogs holds for the method `blogforever`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from posterity.discover.feed import read_feed
from posterity.dom import parse
from posterity.evaluate.datasets import blog_site
from posterity.extraction import Context, extract_posts
from posterity.extraction.blogforever import all_rules, comment_rules, learn_rules
from posterity.model import FieldRule, RuleSet
from posterity.text.bigrams import BigramBits

pytestmark = [
    pytest.mark.shared,
    pytest.mark.filterwarnings("ignore:To avoid breaking existing software:DeprecationWarning"),
]


def unpacked(blogs: Path, name: str) -> Path:
    run = subprocess.run(
        [sys.executable, blogs / "serve.py", "--unpack", name], capture_output=True, text=True, check=True, timeout=600
    )
    return Path(run.stdout.strip().splitlines()[-1]) / name


def test_three_pages_give_the_published_rules(shared_blogs: Path) -> None:
    evidence = blog_site(unpacked(shared_blogs, "bf_korben")).evidence
    assert evidence is not None
    names = ("80-bonnes-pratiques-seo", "app-gratuite-amazon", "cest-la-rentree-2")
    pages = {url: html for url, html in evidence.pages.items() if any(name in url for name in names)}
    assert len(pages) == 3
    rules = learn_rules(evidence.feed, pages)
    assert {field: rules.rules_for(field)[0].rule.xpath for field in ("text", "title", "authors")} == {
        "text": "//*[@class='post-content']",
        "title": "//*[@class='post-title']",
        "authors": "//*[@class='orange']",
    }


def test_88_comments_where_the_feed_has_25(shared_blogs: Path) -> None:
    folder = unpacked(shared_blogs, "bf_keikolynn") / "site"
    page = folder / "2013/09/giveaway-win-chance-to-celebrate-fall.html"
    feed = read_feed((folder / "feeds/8790405898372485787/comments/default").read_bytes(), "http://blog.example/feed")
    document, bits = parse(page.read_bytes(), "http://blog.example/post"), BigramBits()
    found = comment_rules(all_rules(document.tree, bits), feed.entries, bits, None, ("en",))
    assert len(feed.entries) == 25
    assert {field: rule.value for field, (rule, _) in found.items()} == {
        "comment_text": "comment-content",
        "comment_author": "user",
        "comment_published": "datetime secondary-text",
    }
    fields = {field: (FieldRule(rule=rule, confidence=1, pages=1, of_pages=1),) for field, (rule, _) in found.items()}
    rules = RuleSet(fields={**fields, "text": fields["comment_text"]})
    (post,) = extract_posts(document, method="blogforever", context=Context(rules=rules))
    assert len(post.comments) == 88
    assert all(comment.text and comment.author for comment in post.comments)
