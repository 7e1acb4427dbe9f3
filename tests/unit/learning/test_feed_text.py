"""What a feed entry promises: the whole article, its beginning, or nothing."""

from __future__ import annotations

import pytest

from posterity.learning.evidence import feed_text
from posterity.model import FeedEntry


def test_content_is_the_whole_article() -> None:
    found = feed_text(FeedEntry(content="<p>The tide came in.</p><p>Then it went out.</p>"))
    assert (found.text, found.whole) == ("The tide came in.\n\nThen it went out.", True)


@pytest.mark.parametrize(
    "end",
    ["[…]", "...", "…", "[&hellip;]", "<a href='/a'>Continue reading →</a>", "<a>Weiterlesen</a>", "<a>Read more…</a>"],
)
def test_text_that_says_it_is_cut_is_a_beginning(end: str) -> None:
    found = feed_text(FeedEntry(content=f"<p>The tide came in before anyone {end}</p>"))
    assert (found.text, found.whole) == ("The tide came in before anyone", False)


def test_summary_alone_is_a_beginning() -> None:
    assert feed_text(FeedEntry(summary="The tide came in.")).whole is False


def test_footer_of_wordpress_is_no_text() -> None:
    markup = "<p>The tide came in.</p><p>The post <a>Tides</a> appeared first on <a>Almanac</a>.</p>"
    assert feed_text(FeedEntry(content=markup)).text == "The tide came in."


def test_entry_with_a_title_alone_promises_nothing() -> None:
    found = feed_text(FeedEntry(title="Tides"))
    assert (found.text, found.whole) == ("", False)
