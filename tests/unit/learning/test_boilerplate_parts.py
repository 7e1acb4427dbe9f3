"""Parts of the article's node that are not in the feed."""

from __future__ import annotations

from posterity.dom import parse
from posterity.learning.out_rules import beside_feed, select_out_rules

TEXT = "The tide came in over the flats and went out again before anybody had noticed it at all."
HEADINGS = ("What the moon has to do with it all", "Whoever lives at the shore knows")


def rules_of(*texts: str, contents: str = "<nav class=toc>{0}</nav>") -> list[str]:
    """The OUT rules of pages with a table of contents above the article, and these texts in their feed."""
    entries = "".join(f"<a href=#h{number}>{heading}</a>" for number, heading in enumerate(HEADINGS))
    sections = "".join(f"<h2>{heading}</h2><p>{TEXT}</p>" for heading in HEADINGS)
    html = f"<div id=article>{contents.format(entries)}{sections}</div>"
    (article,) = parse(html, "http://blog.example/1").all("#article")
    return [rule.rule.css for rule in select_out_rules([beside_feed(article, text, "") for text in texts])]


def test_contents_that_the_feed_does_not_have_are_out_though_their_words_are_the_articles() -> None:
    text = " ".join(f"{heading} {TEXT}" for heading in HEADINGS)
    assert rules_of(text, text, text) == ["nav.toc"]


def test_contents_that_the_feed_has_belong_to_the_article() -> None:
    text = " ".join((*HEADINGS, *(f"{heading} {TEXT}" for heading in HEADINGS)))
    assert rules_of(text, text, text) == []
