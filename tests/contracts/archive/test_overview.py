"""Both databases give the same overview of an archive."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from posterity.archive import Filters
from posterity.archive.overview import (
    ChangeWatch,
    Month,
    activity_of,
    blog_count,
    blog_counts,
    earliest_stamp,
    gone_count,
    labels_of,
    latest_confidences,
    latest_reports,
    line_of,
    media_type,
    neighbours,
    newest_posts,
    pictures_of,
    posts_with,
    stamped_posts,
)
from posterity.model import Comment, HarvestReport, Post, Provenance

if TYPE_CHECKING:
    from posterity.archive import Archive

START = datetime(2020, 1, 15, tzinfo=UTC)


def post(number: int, blog: str = "a", **fields: object) -> Post:
    values: dict[str, object] = {
        "title": f"Post {number}",
        "published": START + timedelta(days=31 * number),
        "authors": ("Ánna B.",) if number % 2 else ("Carl",),
        "tags": ("Salt",),
        "language": "en",
        "text": f"words of {number}",
        "provenance": {"text": Provenance(method="feed", confidence=number / 10)},
        **fields,
    }
    return Post(id=f"{blog}{number}", url=f"https://{blog}.example/{number}", blog=blog, **values)  # type: ignore[arg-type]


@pytest.fixture
def filled(archive: Archive) -> Archive:
    talk = tuple(Comment(id=str(n), text="yes", published=START + timedelta(days=31)) for n in range(3))
    archive.put_posts([post(1, comments=talk), post(2), post(3), post(4, published=None), post(5, "b")])
    archive.mark_gone("a3", 404)
    return archive


def leafed(archive: Archive, limit: int, filters: Filters = Filters()) -> list[str]:  # noqa: B008 - a frozen value
    found, place = newest_posts(archive, filters, limit)
    ids = [line.id for line in found]
    while place is not None:
        found, place = newest_posts(archive, filters, limit, place)
        ids += [line.id for line in found]
    return ids


def test_blogs_are_counted(filled: Archive) -> None:
    counts = blog_counts(filled)
    assert {name: count.posts for name, count in counts.items()} == {"a": 4, "b": 1}
    assert counts["a"] == blog_count(filled, "a")
    assert counts["a"].first is not None
    assert counts["a"].first.startswith("2020-02-15")
    assert activity_of(filled, "a").comments == 3
    assert gone_count(filled, "a") == 1
    assert blog_count(filled, "none").posts == 0


def test_months_have_posts_and_comments(filled: Archive) -> None:
    assert activity_of(filled, "a").months == (
        Month(month="2020-02", posts=1, comments=3), Month(month="2020-03", posts=1), Month(month="2020-04", posts=1),
    )  # fmt: skip


def test_labels_are_spelled_as_the_posts_do(filled: Archive) -> None:
    found = labels_of(filled, "a")
    assert sorted(found.authors) == [("Carl", 2), ("Ánna B.", 2)]
    assert found.tags == (("Salt", 4),)
    assert found.languages == (("en", 4),)


@pytest.mark.parametrize("limit", [1, 2, 3, 10])
def test_pages_of_a_list_hold_everything_once_undated_last(filled: Archive, limit: int) -> None:
    assert leafed(filled, limit) == ["b5", "a3", "a2", "a1", "a4"]


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        (Filters(blog_id="a"), ["a3", "a2", "a1", "a4"]),
        (Filters(author="anna b."), ["b5", "a3", "a1"]),
        (Filters(tag="salt", since=datetime(2020, 3, 1, tzinfo=UTC)), ["b5", "a3", "a2"]),
        (Filters(until=datetime(2020, 3, 1, tzinfo=UTC)), ["a1"]),
        (Filters(language="de"), []),
    ],
)
def test_lists_are_narrowed(filled: Archive, filters: Filters, ids: list[str]) -> None:
    assert leafed(filled, 2, filters) == ids


def test_gone_posts_can_be_left_out(filled: Archive) -> None:
    assert "a3" not in [line.id for line in newest_posts(filled, Filters(), 10, gone=False)[0]]


def test_news_come_in_the_order_of_time(filled: Archive) -> None:
    found, place = stamped_posts(filled, 10)
    assert place is None
    assert found[-1].id == "a3"
    assert found[-1].gone_at is not None
    assert [line.stamp for line in found] == sorted(line.stamp for line in found)
    latest, _ = stamped_posts(filled, 1, newest_first=True)
    assert latest[0].id == "a3"
    assert earliest_stamp(filled) == found[0].stamp
    assert [line.id for line in stamped_posts(filled, 10, blog_id="b")[0]] == ["b5"]
    assert not stamped_posts(filled, 10, until="2000")[0]


def latest_news(archive: Archive) -> str:
    return stamped_posts(archive, 1, newest_first=True, moved=True)[0][0].id


def test_everything_that_happens_to_a_post_is_news(filled: Archive) -> None:
    filled.put_post(post(3))
    assert latest_news(filled) == "a3", "it came back"
    filled.put_post(post(1, title="Another title"))
    assert latest_news(filled) == "a1", "it was edited"
    filled.put_post(post(2))
    assert latest_news(filled) == "a1", "the same again is no news"
    filled.mark_gone("a2", 410, START)
    assert latest_news(filled) == "a2", "it went away, long ago, and the archive heard of it now"
    filled.mark_moved("a1", "a4")
    assert latest_news(filled) == "a1", "it moved"
    assert "a1" not in [line.id for line in stamped_posts(filled, 10)[0]]
    filled.put_post(post(1, title="Another title"))
    assert latest_news(filled) == "a1"
    assert "a1" in [line.id for line in stamped_posts(filled, 10)[0]]


def test_news_can_be_leafed_through(filled: Archive) -> None:
    ids, place = [], None
    while True:
        found, place = stamped_posts(filled, 2, after=place)
        ids += [line.id for line in found]
        if place is None:
            break
    assert sorted(ids) == ["a1", "a2", "a3", "a4", "b5"]


def test_neighbours_are_those_of_the_blog(filled: Archive) -> None:
    line = line_of(filled, "a2")
    assert line is not None
    earlier, later = neighbours(filled, line)
    assert earlier is not None
    assert later is not None
    assert (earlier.id, later.id) == ("a1", "a3")
    assert line_of(filled, "none") is None


def test_whole_posts_come_by_their_ids(filled: Archive) -> None:
    found = posts_with(filled, ["a1", "b5", "none"])
    assert found.keys() == {"a1", "b5"}
    assert len(found["a1"].comments) == 3


def test_pictures_are_found_by_blog_and_name(filled: Archive) -> None:
    medium = filled.put_media(b"bytes", "image/png", "https://a.example/i.png")
    filled.put_post(post(6, media=(medium,)))
    assert [picture.file for picture in pictures_of(filled, "a", 10)] == [medium.file]
    assert media_type(filled, medium.file or "") == "image/png"
    assert media_type(filled, "none") is None


def test_reports_come_unless_they_are_known(filled: Archive) -> None:
    filled.put_report(HarvestReport(blog="a", url="u", started_at=START, ended_at=START, ended_because="done"))
    ((at, document),) = latest_reports(filled).values()
    assert "done" in document
    assert latest_reports(filled, {"a": at}) == {}


def test_confidence_of_the_latest_posts(filled: Archive) -> None:
    assert latest_confidences(filled, "a", 2) == [0.3, 0.2]


def test_change_is_seen_once(filled: Archive) -> None:
    watch = ChangeWatch(filled)
    assert watch.has_changed()
    if filled.database.is_sqlite:  # a PostgreSQL server writes to its files at any time
        assert not watch.has_changed()
    filled.put_post(post(9))
    assert watch.has_changed()
    watch.close()


def test_hits_divide_by_blog_year_author_and_tag(filled: Archive) -> None:
    facets = filled.facets("words")
    assert facets.hits == 5
    assert dict(facets.blogs) == {"a": 4, "b": 1}
    assert dict(facets.years) == {"2020": 4}
    assert dict(facets.tags) == {"Salt": 5}
    assert filled.facets("words", Filters(blog_id="b")).hits == 1
    assert filled.facets("!!").hits == 0


def test_many_hits_are_divided_by_a_sample_of_all_of_them(archive: Archive) -> None:
    years = [START.replace(year=year) for year in (2001, 2002, 2003)]
    archive.put_posts(post(n, f"blog{n % 2}", published=years[n // 1_000]) for n in range(3_000))
    facets = archive.facets("words")
    assert (facets.hits, facets.sampled) == (3_000, True)
    assert [count for _, count in facets.blogs] == pytest.approx([1_500] * 2, rel=0.1)
    assert [count for _, count in facets.years] == pytest.approx([1_000] * 3, rel=0.1)
    one = archive.facets("words", Filters(blog_id="blog0"))
    assert (one.hits, one.sampled, one.blogs) == (1_500, False, (("blog0", 1_500),))
