"""Both databases return the same search results, in any script, with any filter."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import text

from posterity.archive import Filters
from posterity.archive.search import RANKED_HITS, time_limit
from posterity.errors import UsageError
from posterity.model import Blog, Comment, Post

if TYPE_CHECKING:
    from posterity.archive import Archive

POSTS = (
    Post(
        id="bread",
        url="https://a.example/bread",
        blog="a",
        title="Salt bread",
        authors=("Jane Doe",),
        tags=("Food",),
        language="en",
        published=datetime(2020, 5, 1, tzinfo=UTC),
        text="The Café by the harbour sells loaves. " * 9,
        comments=(
            Comment(
                id="c1", author="Bob", text="I had loaves for breakfast", published=datetime(2021, 1, 1, tzinfo=UTC)
            ),
        ),
    ),
    Post(
        id="noodles",
        url="https://a.example/noodles",
        blog="a",
        title="面条",
        language="zh-Hans",
        text="我喜欢面包和咖啡。",
        authors=("李雷",),
    ),
    Post(
        id="code",
        url="https://b.example/code",
        blog="b",
        title="Don't panic",
        categories=("How_To 100%",),
        language="pt-BR",
        published=datetime(2022, 1, 1, tzinfo=UTC),
        text="foo-bar is naïve; cross_over: 'quoted' \"words\" AND OR NOT (brackets*)",
    ),
)


@pytest.fixture
def filled(archive: Archive) -> Archive:
    archive.put_posts(POSTS)
    return archive


def found(archive: Archive, query: str, filters: Filters | None = None) -> list[str]:
    return [
        f"{hit.post_id}#{hit.comment_id}" if hit.comment_id else hit.post_id for hit in archive.search(query, filters)
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("salt", ["bread"]),
        ("SALT cafe", ["bread"]),
        ("salt breakfast", []),
        ("breakfast", ["bread#c1"]),
        ("bob", ["bread#c1"]),
        ('"harbour sells"', ["bread"]),
        ('"sells harbour"', []),
        ("loaves -salt", ["bread#c1"]),
        ("breakf*", ["bread#c1"]),
        ("breakf", []),
        ("naive", ["code"]),
        ("naïve", ["code"]),
        ("don't", ["code"]),
        ("foo-bar", ["code"]),
        ("bar-foo", []),
        ("面包", ["noodles"]),
        ("包面", []),
        ("咖", ["noodles"]),
        ("food", ["bread"]),
        ("author:jane loaves", ["bread"]),
        ('author:"Jane Doe"', ["bread"]),
        ("author:salt", []),
        ("tag:food", ["bread"]),
        ("title:bread", ["bread"]),
        ("loaves -author:jane", ["bread#c1"]),
        ("author:李雷", ["noodles"]),
        ("quoted AND brackets", ["code"]),
        ("'); DROP TABLE posts; --", []),
        ('"unclosed', []),
    ],
)
def test_words_are_found(filled: Archive, query: str, expected: list[str]) -> None:
    assert found(filled, query) == expected


def test_alternatives_are_found(filled: Archive) -> None:
    assert sorted(found(filled, "salt OR panic")) == ["bread", "code"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(blog_id="a"), ["bread", "bread#c1"]),
        (Filters(blog_id="b"), []),
        (Filters(author="JANE doe"), ["bread"]),
        (Filters(author="jane"), []),
        (Filters(author="bob"), ["bread#c1"]),
        (Filters(tag="food"), ["bread", "bread#c1"]),
        (Filters(tag="foo_"), []),
        (Filters(language="en"), ["bread", "bread#c1"]),
        (Filters(since=datetime(2020, 6, 1, tzinfo=UTC)), ["bread#c1"]),
        (Filters(until=datetime(2020, 6, 1, tzinfo=UTC)), ["bread"]),
    ],
)
def test_filters_narrow(filled: Archive, filters: Filters, expected: list[str]) -> None:
    assert sorted(found(filled, "loaves", filters)) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("loaves blog:a.example", ["bread", "bread#c1"]),
        ("loaves blog:b", []),
        ("loaves lang:en", ["bread", "bread#c1"]),
        ("lang:de loaves", []),
        ("loaves after:2020-06", ["bread#c1"]),
        ("loaves before:2021", ["bread"]),
        ("loaves after:2020-05-01 before:2020-05-02", ["bread"]),
    ],
)
def test_filters_can_be_typed(filled: Archive, query: str, expected: list[str]) -> None:
    for name in "ab":
        filled.put_blog(Blog(id=name, url=f"https://{name}.example/"))
    assert sorted(found(filled, query)) == expected
    assert filled.facets(query).hits == len(expected)


@pytest.mark.parametrize("query", ["salt blog:unknown.example", "salt before:yesterday", "lang:en"])
def test_a_filter_that_cannot_be_used_is_refused(filled: Archive, query: str) -> None:
    with pytest.raises(UsageError):
        filled.search(query)


def test_facets_keep_the_spelling_of_names(filled: Archive) -> None:
    facets = filled.facets("loaves OR 面包")
    assert set(facets.authors) == {("Jane Doe", 1), ("Bob", 1), ("李雷", 1)}
    assert facets.tags == (("Food", 2),)


def test_a_language_finds_its_regions_and_a_tag_is_no_pattern(filled: Archive) -> None:
    assert found(filled, "panic", Filters(language="pt")) == ["code"]
    assert found(filled, "panic", Filters(tag="How_To 100%")) == ["code"]
    assert found(filled, "panic", Filters(tag="How%")) == []


def test_a_post_without_a_date_is_in_no_range(filled: Archive) -> None:
    assert found(filled, "面包", Filters(since=datetime(1990, 1, 1, tzinfo=UTC))) == []


def test_a_title_counts_more_than_a_text(archive: Archive) -> None:
    archive.put_posts(
        Post(id=f"x{n}", url=f"u{n}", title="Other things", text="a tide " + "word " * 30) for n in range(5)
    )
    archive.put_post(Post(id="best", url="u", title="The tide", text="word " * 31))
    assert found(archive, "tide")[0] == "best"


def test_a_snippet_shows_the_words_in_their_place(filled: Archive) -> None:
    (hit,) = filled.search("cafe sells")
    assert hit.snippet.marked("[", "]").startswith("The [Café] by the harbour [sells] loaves.")
    assert hit.title == "Salt bread"
    assert hit.author == "Jane Doe"


def test_pages_of_hits_do_not_overlap(archive: Archive) -> None:
    archive.put_posts(Post(id=f"x{n:02}", url=f"u{n}", text="tide") for n in range(9))
    pages = [archive.search("tide", limit=4, offset=start) for start in (0, 4, 8)]
    assert sorted(hit.post_id for page in pages for hit in page) == [f"x{n:02}" for n in range(9)]


def test_a_word_of_very_many_posts_is_found_in_titles_first(archive: Archive) -> None:
    count = RANKED_HITS + 60
    titles = {3: "High tide", count - 5: "Low tide"}
    blogs = ("a", "b")
    archive.put_posts(
        Post(id=f"x{n:04}", url=f"u{n}", blog=blogs[n % 2], title=titles.get(n), text="tide and time")
        for n in range(count)
    )
    first = archive.search("tide", limit=20)
    assert [hit.title for hit in first[:3]] == ["Low tide", "High tide", None]
    assert first[2].score > 0
    pages = [archive.search("tide time", limit=500, offset=start) for start in range(0, count, 500)]
    assert sorted(hit.post_id for page in pages for hit in page) == [f"x{n:04}" for n in range(count)]
    of_blog = archive.search("tide", Filters(blog_id="b"), limit=count)
    assert len(of_blog) == count // 2
    assert {hit.blog for hit in of_blog} == {"b"}
    assert archive.facets("tide", Filters(blog_id="b")).hits == count // 2


@pytest.mark.parametrize("blog", ["a", "nobody"])
def test_a_search_within_a_blog_needs_its_posts(filled: Archive, blog: str) -> None:
    assert found(filled, "salt", Filters(blog_id=blog)) == (["bread"] if blog == "a" else [])


def test_a_search_that_takes_too_long_is_ended(archive: Archive) -> None:
    count = "SELECT count(*) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n) x"
    too_long = pytest.raises(UsageError, match="took longer")
    with archive.database.reading() as connection, too_long, time_limit(connection, 0.2):
        connection.execute(text(count))
    with archive.database.reading() as connection, time_limit(connection):
        assert connection.scalar(text("SELECT 1")) == 1


def test_an_edit_is_found_by_its_new_words_only(filled: Archive) -> None:
    filled.put_post(msgspec.structs.replace(POSTS[0], title="Rye", comments=()))
    assert found(filled, "salt") == found(filled, "breakfast") == []
    assert found(filled, "rye") == ["bread"]


def test_a_query_without_words_is_refused(filled: Archive) -> None:
    for query in ("", "-salt", "...", '""'):
        with pytest.raises(UsageError, match="no word"):
            filled.search(query)


def test_a_very_long_post_is_stored_and_found(archive: Archive) -> None:
    text = " ".join(f"word{number}" for number in range(200_000))
    archive.put_post(Post(id="long", url="u", text=text + " " + "x" * 5000))
    assert found(archive, "word17") == ["long"]
