"""Comments made again from stored answers are those of the harvest: the interface knows the deep threads."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from posterity.blog.records import thread_of
from posterity.discover.wordpress import comments_url
from posterity.dom import parse
from posterity.model import Comment, Page, RuleSet

NOW = datetime(2024, 1, 1, tzinfo=UTC)
HTML = '<link rel="https://api.w.org/" href="https://x.example/wp-json/"><body class="single postid-7"><p>A post.'


def test_deep_threads_are_read_from_the_stored_interface() -> None:
    document = parse(HTML, "https://x.example/a/")
    shown = tuple(
        Comment(id=f"comment-{number}", parent=f"comment-{min(number, 5) - 1}" if number > 1 else None)
        for number in range(1, 7)
    )
    told = msgspec.json.encode([{"id": number, "parent": number - 1} for number in range(1, 7)])
    url = comments_url(document) or ""
    stored = {
        url: Page(url=url, requested_url=url, status=200, content_type="application/json", body=told, fetched_at=NOW)
    }
    assert [one.parent for one in thread_of(document, None, shown, RuleSet(), stored.get)][-1] == "comment-5"
    assert [one.parent for one in thread_of(document, None, shown, RuleSet(), lambda _: None)][-1] == "comment-4"
