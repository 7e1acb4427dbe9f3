"""Pages are parsed as rarely as possible, and their evidence does not depend on the other pages."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest

from posterity.learning import page_evidence as heard
from posterity.learning.evidence import matched_training_pages
from posterity.learning.rule_set import learn_fields as learn
from posterity.model import Feed, FeedEntry

WORDS = "tide harbour boat rope mast sail gull pier crab sand wave wind cloud storm lamp".split()
LANGUAGES = 3  # pages parsed first for their language


class Pages(dict[str, str]):
    """Pages that count how often each is read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: Counter[str] = Counter()

    def __getitem__(self, url: str) -> str:
        self.reads[url] += 1
        return super().__getitem__(url)


def text_of_post(number: int) -> str:
    lines = [" ".join(WORDS[(number * 7 + line * 3 + step) % 15] for step in range(12)) for line in range(5)]
    return "".join(f"<p>Post {number} {line}.</p>" for line in lines)


def blog(whole: bool, theme: str = "<main id=entry>{}</main><p class=share>Share this</p>") -> tuple[Feed, Pages]:
    pages, entries = Pages(), []
    for number in range(8):
        url, text = f"http://blog.example/{number}/", text_of_post(number)
        head = f"<h1>On tides, part {number}</h1>"
        pages[url] = f"<nav>Home About Archive</nav>{head}<div class=post>{theme.format(text)}</div>"
        entries.append(
            FeedEntry(
                link=url,
                title=f"On tides, part {number}",
                content=text if whole else None,
                summary=None if whole else text.split("</p>")[0] + " [...]",
                published=datetime(2021, 3, number + 1, tzinfo=UTC),
            )
        )
    return Feed(url="http://blog.example/feed", format="rss20", entries=tuple(entries)), pages


def test_pages_of_a_feed_with_whole_articles_are_read_once() -> None:
    feed, pages = blog(whole=True)
    assert learn(feed, pages).rules_for("text")[0].rule.css == "#entry"
    assert pages.reads.total() == len(pages) + LANGUAGES


def test_pages_of_a_feed_with_beginnings_are_read_three_times() -> None:
    feed, pages = blog(whole=False)
    assert learn(feed, pages).rules_for("text")[0].rule.css == "#entry"
    assert pages.reads.total() <= 3 * len(pages) + LANGUAGES


def test_page_that_was_heard_is_not_read_again_for_its_layout() -> None:
    feed, pages = blog(whole=True)
    training_pages = matched_training_pages(feed, pages, 40)
    evidence_cache = heard.PageEvidenceCache(feed, pages, ("en",), None)
    everyone = evidence_cache.by_feed(training_pages)
    reads = pages.reads.total()
    some = evidence_cache.by_feed(training_pages[:3])
    assert some == {training_page.url: everyone[training_page.url] for training_page in training_pages[:3]}
    assert len(evidence_cache.evidence_of_pages(training_pages[:3], some)) == 3
    assert pages.reads.total() == reads


@pytest.mark.parametrize("whole", [True, False])
def test_what_stands_in_the_article_and_is_not_of_it_is_found_in_either_way(whole: bool) -> None:
    feed, pages = blog(whole, "<main id=entry>{}<p class=share>Share this with friends</p></main>")
    rules = learn(feed, pages)
    assert rules.rules_for("text")[0].rule.css == "#entry"
    assert [rule.rule.css for rule in rules.rules_for("out")] == ["p.share"]
