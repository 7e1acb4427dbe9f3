"""Blogs, rules, reports and earlier requests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from posterity.archive import Seen
from posterity.errors import NotInArchive
from posterity.model import Blog, FeedEntry, FieldRule, HarvestReport, Post, Rule, RuleSet, WarcPointer

if TYPE_CHECKING:
    from posterity.archive import Archive

NOON = datetime(2021, 3, 12, 12, 0, tzinfo=UTC)
SALT = Blog(id="b1", url="https://www.salt.example/blog/", title="Salt", harvested_at=NOON)
RYE = Blog(id="b2", url="http://rye.example:8080/")


def rules(value: str) -> RuleSet:
    return RuleSet(fields={"title": (FieldRule(rule=Rule("class", value), confidence=0.9, pages=9, of_pages=10),)})


def test_a_blog_stored_twice_is_one_blog(archive: Archive) -> None:
    archive.put_blog(RYE)
    archive.put_blog(SALT)
    archive.put_blog(SALT)
    assert archive.blogs() == [RYE, SALT]


@pytest.mark.parametrize(
    "name",
    [
        "b1",
        "https://www.salt.example/blog/",
        "http://Salt.example/blog/index.php",
        "salt.example/blog",
        "salt.example",
        "www.salt.example",
    ],
)
def test_a_blog_is_found_by_id_address_or_host(archive: Archive, name: str) -> None:
    archive.put_blog(SALT)
    archive.put_blog(RYE)
    assert archive.blog(name) == SALT


def test_a_host_is_found_with_and_without_its_port(archive: Archive) -> None:
    archive.put_blog(RYE)
    assert archive.blog("rye.example:8080") == archive.blog("rye.example") == RYE


def test_an_unknown_blog_is_an_error_that_lists_what_is_there(archive: Archive) -> None:
    with pytest.raises(NotInArchive, match="empty"):
        archive.blog("nowhere")
    archive.put_blog(SALT)
    with pytest.raises(NotInArchive, match=r"salt\.example"):
        archive.blog("nowhere")


def test_a_name_that_fits_two_blogs_is_an_error_that_lists_them(archive: Archive) -> None:
    archive.put_blog(SALT)
    archive.put_blog(Blog(id="b3", url="https://www.salt.example/news/"))
    with pytest.raises(NotInArchive, match="several"):
        archive.blog("salt.example")


def test_rules_get_a_version_only_when_they_change(archive: Archive) -> None:
    first = archive.put_rules("b1", rules("entry"))
    assert (first.version, first.blog) == (1, "b1")
    assert archive.put_rules("b1", rules("entry")) == first
    assert archive.put_rules("b1", rules("post")).version == 2
    assert archive.rules("b1") == archive.rules("b1", 2) != archive.rules("b1", 1) == first
    assert archive.rules("b2") is None
    assert archive.rules("b1", 3) is None


def test_stored_rules_do_not_repeat_what_the_feed_said_of_posts(archive: Archive) -> None:
    """It is in the records, and a post that is taken down must not survive in the rules."""
    told = RuleSet(fields=rules("entry").fields, entries={"salt.example/1": FeedEntry(title="A secret")})
    assert archive.put_rules("b1", told).entries == {}
    assert archive.rules("b1", 1) == archive.put_rules("b1", told)


def test_the_latest_report_counts(archive: Archive) -> None:
    def report(day: int, because: str) -> HarvestReport:
        day_of = datetime(2021, 3, day, tzinfo=UTC)
        return HarvestReport(blog="b1", url=SALT.url, started_at=day_of, ended_at=day_of, ended_because=because)

    for made in (report(2, "limit"), report(1, "earlier"), report(2, "finished")):
        archive.put_report(made)
    assert archive.report("b1") == report(2, "finished")
    assert archive.report("b2") is None


def test_very_long_addresses_are_no_problem(archive: Archive) -> None:
    url = "https://salt.example/?q=" + "".join(f"{number}x" for number in range(4000))
    archive.put_post(Post(id="p1", url=url, canonical_url=url))
    archive.mark_seen("b1", Seen(url=url, status=200, fetched_at=NOON))
    with archive.warc_writer("b1") as writer:
        writer.write_exchange(url=url, status=200, response_headers=[], body=b"x", fetched_at=NOON)
    assert archive.post(url).id == "p1"
    assert list(archive.seen("b1")) == [url]
    assert len(archive.captures(url)) == 1


def test_what_was_asked_for_is_remembered_until_it_is_asked_again(archive: Archive) -> None:
    first = Seen(url="https://salt.example/1", status=500, fetched_at=NOON)
    second = Seen(
        url="https://salt.example/1",
        status=200,
        fetched_at=NOON,
        etag='"x"',
        warc=WarcPointer("a.warc.gz", 12, "<urn:x>"),
    )
    other = Seen(url="https://salt.example/0", status=0, fetched_at=NOON)
    archive.mark_seen("b1", first)
    archive.mark_seen("b1", second, other)
    assert archive.seen("b1") == {other.url: other, second.url: second}
    assert archive.seen("b2") == {}
