"""Which texts decide what the article is: those of the feed, or those of the pages."""

from __future__ import annotations

from datetime import UTC, datetime

from posterity.learning.rule_set import learn_fields as learn
from posterity.model import Feed, FeedEntry

NAMES = ("harbour", "bridge", "lantern", "kettle", "ladder", "window")


def words(name: str, about: str, count: int) -> str:
    """So many words that no other text has: feeds and themes repeat themselves, these do not."""
    return " ".join(f"{name}{about}{number}" for number in range(count))


TEXTS = {name: "".join(f"<p>{words(name, part, 12)}</p>" for part in "abcd") for name in NAMES}


def test_feed_with_whole_texts_decides_where_the_articles_node_has_comments_as_long_as_the_article() -> None:
    feed = Feed(
        url="https://blog.example/feed",
        format="rss20",
        entries=tuple(
            FeedEntry(
                link=f"https://blog.example/{name}",
                title=f"On the {name}",
                content=text,
                published=datetime(2024, 3, 12, tzinfo=UTC),
            )
            for name, text in TEXTS.items()
        ),
    )
    pages = {
        f"https://blog.example/{name}": f"<h1>On the {name}</h1><div class=entry>{text}{said(name)}</div><p>Footer</p>"
        for name, text in TEXTS.items()
    }
    rules = learn(feed, pages)
    assert [rule.rule.css for rule in rules.rules_for("text")] == ["div.entry"]
    assert "blockquote.said" in [rule.rule.css for rule in rules.rules_for("out")]


def said(name: str) -> str:
    """What two readers of the post say."""
    return "".join(f"<blockquote class=said>{words(name, reader, 30)}</blockquote>" for reader in ("ann", "bob"))
