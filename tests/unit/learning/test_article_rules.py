"""Rules of the article by the texts of the feed, or by those of the pages."""

from __future__ import annotations

from datetime import UTC, datetime

from posterity.learning.rule_set import learn_fields as learn
from posterity.model import Feed, FeedEntry

NAMES = ("harbour", "bridge", "lantern", "kettle", "ladder", "window")


def words(name: str, about: str, count: int) -> str:
    """Return `count` words that no other text has."""
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
    for name, url in zip(NAMES, pages, strict=True):
        post = rules.extract(pages[url], url)
        assert post is not None
        assert post.text.split() == " ".join(words(name, part, 12) for part in "abcd").split()


def said(name: str) -> str:
    """Two comments on the post."""
    return "".join(f"<blockquote class=said>{words(name, reader, 30)}</blockquote>" for reader in ("ann", "bob"))


def rule_where_the_feed_has_the_first_of(pieces: str) -> str:
    """The rule of the article on pages with a piece that is in the feed, and with these pieces."""
    urls = {name: f"http://blog.example/{name}/" for name in NAMES}
    first = {name: f"<p>{words(name, 'a', 30)}</p>" for name in NAMES}
    cell = "<div class=cell><div class=text>{}</div></div>"
    pages = {
        urls[name]: f"<h1>On {name}</h1><div class=body>{cell.format(first[name])}{pieces.replace('NAME', name)}</div>"
        for name in NAMES
    }
    entries = tuple(FeedEntry(link=urls[name], title=f"On {name}", content=first[name]) for name in NAMES)
    return str(
        learn(Feed(url="http://blog.example/feed", format="rss20", entries=entries), pages).rules_for("text")[0].rule
    )


def pieces(after: str = "") -> str:
    return "".join(
        f"<div class=cell><div class=text><p>{words('NAME', about, 25)}</p></div>{after}</div>" for about in "bcd"
    )


def test_first_cell_of_a_notebook_is_not_the_article_although_the_feed_gives_it() -> None:
    assert rule_where_the_feed_has_the_first_of(pieces()) == "div.body"


def test_comments_that_are_called_as_the_post_is_are_not_the_rest_of_it() -> None:
    assert rule_where_the_feed_has_the_first_of(pieces("<p>Ole, 12 March 2024</p>")) != "div.body"
