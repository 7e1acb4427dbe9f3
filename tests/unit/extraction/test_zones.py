"""Posts with moments in UTC get the day that the blog displays."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from posterity.extraction.feed import learn

HOME = "https://tides.example"
SUBJECTS = ("tides", "lamps", "letters", "salt")


def page(subject: str, head: str, shown: str) -> str:
    text = f"<p>In winter the harbour is quiet, and everybody writes about the {subject} of the year.</p>" * 6
    return (
        f"<html lang=en><head><title>{subject}</title>{head}</head><body><h1>All about {subject}</h1>"
        f"<p class=date>{shown}</p><div class=entry>{text}</div></body></html>"
    )


def published(head: str, shown: str, feed_offset_h: int, hour: int = 17) -> datetime:
    """Learn from the newest posts, and return the date of the oldest, which the feed does not list."""
    pages, items = {}, ""
    for number, subject in enumerate(SUBJECTS):
        moment = datetime.fromisoformat(f"2021-03-{11 + number}T{hour}:14:00+00:00")
        local = moment + timedelta(hours=8)
        written = {"utc": moment, "local": local}
        url = f"{HOME}/{subject}/"
        pages[url] = page(subject, head.format(**written), shown.format(**written))
        listed = moment + timedelta(hours=feed_offset_h)
        text = f"&lt;p&gt;In winter the harbour is quiet, and everybody writes about the {subject} of the year." * 6
        items += (
            f"<item><title>All about {subject}</title><link>{url}</link><description>{text}</description>"
            f"<pubDate>{listed:%d %b %Y %H:%M:%S} +{feed_offset_h:02}00</pubDate></item>"
        )
    oldest = f"{HOME}/{SUBJECTS[0]}/"
    items = items[items.index("</item>") + len("</item>") :]
    feed = f"<rss version='2.0'><channel><title>Tides</title><link>{HOME}</link>{items}</channel></rss>"
    rules = learn(feed.encode(), {url: html for url, html in pages.items() if url != oldest}, feed_url=f"{HOME}/feed")
    post = rules.extract(pages[oldest], oldest)
    assert post is not None
    assert post.published is not None
    return post.published


UTC_META = '<meta property="article:published_time" content="{utc:%Y-%m-%dT%H:%M:%S}Z">'


@pytest.mark.parametrize(
    ("head", "shown", "feed_offset_h"),
    [
        (UTC_META, "<time datetime='{local:%Y-%m-%dT%H:%M:%S}+08:00'>{local:%Y-%m-%d}</time>", 0),
        (UTC_META, "{local:%Y-%m-%d %H:%M}", 0),
        (UTC_META, "{local:%B %d, %Y}", 0),
        (UTC_META, "", 8),
        ("", "<time datetime='{utc:%Y-%m-%dT%H:%M:%S}Z'>{local:%B %d, %Y}</time>", 0),
        # The local time, marked as UTC.
        ('<meta property="article:published_time" content="{local:%Y-%m-%dT%H:%M:%S}Z">', "", 8),
    ],
)
def test_day_is_that_of_the_readers(head: str, shown: str, feed_offset_h: int) -> None:
    assert published(head, shown, feed_offset_h).date().isoformat() == "2021-03-12"


def test_local_time_that_is_called_utc_keeps_its_day() -> None:
    head = '<meta property="article:published_time" content="{local:%Y-%m-%dT%H:%M:%S}Z">'
    assert published(head, "", 8, hour=10).date().isoformat() == "2021-03-11"


def test_language_of_a_blog_that_declares_none_is_that_of_its_feed() -> None:
    text = "Im Winter ist es am Hafen still, und alle schreiben über das {} des Jahres, das nie zu Ende geht. "
    pages, items = {}, ""
    for subject in SUBJECTS:
        article, url = f"<p>{text.format(subject) * 6}</p>", f"{HOME}/{subject}/"
        pages[url] = f"<title>{subject}</title><h1>{subject}</h1><div class=entry>{article}</div><p>Tides</p>"
        listed = f"<link>{url}</link><description>{text.format(subject) * 6}</description>"
        items += f"<item><title>{subject}</title>{listed}</item>"
    feed = f"<rss version='2.0'><channel><title>Tides</title><link>{HOME}</link>{items}</channel></rss>"
    assert learn(feed.encode(), pages, feed_url=f"{HOME}/feed").languages == ("de",)
