"""A blog without a feed: links that lead to posts, and the metadata of each page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.discover.without_feed import entries_from_pages, likely_posts, post_groups
from posterity.dom import Document, parse
from posterity.urls import Scope

if TYPE_CHECKING:
    from posterity.model import FeedEntry

HOST = "https://blog.example"
URL = "https://tides.example/2021/03/12/a-year/"


def _page(html: str, url: str = URL) -> Document:
    return parse(html, url)


def _declared(html: str, url: str = URL) -> FeedEntry:
    return entries_from_pages([_page(html, url)])[0]


def test_json_ld_of_an_article_is_the_declared() -> None:
    entry = _declared(
        '<script type="application/ld+json">{"@graph": [{"@type": "WebSite", "name": "Tides"},'
        '{"@type": "BlogPosting", "headline": "A year", "datePublished": "2021-03-13T08:00:00+01:00",'
        ' "author": {"@id": "#ada"}}, {"@id": "#ada", "@type": "Person", "name": "Ada Lovelace"}]}</script>'
    )
    assert (entry.title, entry.authors) == ("A year", ("Ada Lovelace",))
    assert entry.published is not None
    assert entry.published.isoformat() == "2021-03-13T08:00:00+01:00"


def test_heading_that_the_title_holds_is_the_title_and_the_day_is_in_the_url() -> None:
    entry = _declared("<title>A year - Tides</title><h1>A year</h1>")
    assert entry.title == "A year"
    assert entry.published is not None
    assert entry.published.date().isoformat() == "2021-03-12"


def test_page_that_says_nothing_has_an_empty_declared() -> None:
    entry = _declared("<p>x</p>", "https://tides.example/x")
    assert (entry.title, entry.authors, entry.published) == (None, (), None)


def test_heading_of_most_pages_is_the_blogs_name_and_no_title() -> None:
    names = ["A year", "On salt", "Tides"]
    pages = [_page(f"<title>{name} | Tides</title><h1>Tides</h1><h2>{name}</h2>", f"{URL}{name}") for name in names]
    assert [entry.title for entry in entries_from_pages(pages)][:2] == ["A year", "On salt"]


def test_title_is_a_heading_of_its_own_where_every_page_is_called_as_the_blog() -> None:
    names = ["A year", "On salt", "Bread"]
    pages = [_page(f"<title>Tides</title><h1>Tides</h1><h2>{name}</h2>", f"{URL}{name}") for name in names]
    assert [entry.title for entry in entries_from_pages(pages)] == names


def test_title_of_the_page_loses_the_blogs_name_at_either_end() -> None:
    names = ["A year: the end", "On salt", "Bread"]
    after = [_page(f"<title>{name} | Tides</title>", f"{URL}{name}") for name in names]
    before = [_page(f"<title>Tides: {name}</title>", f"{URL}{name}") for name in names]
    assert [entry.title for entry in entries_from_pages(after)] == names
    assert [entry.title for entry in entries_from_pages(before)] == names


def test_of_two_headings_in_the_title_the_longer_is_the_title() -> None:
    page = "<title>A year on the coast | Ada Byron</title><h2>Ada Byron</h2><h1>A year on the coast</h1>"
    assert _declared(page).title == "A year on the coast"


def test_name_that_all_pages_have_is_the_title_of_none() -> None:
    pages = [_page("<title>Tides</title><h1>Tides</h1>", f"{URL}{number}") for number in range(3)]
    assert {entry.title for entry in entries_from_pages(pages)} == {None}


def test_tags_are_those_of_the_metadata_else_the_links_to_tags() -> None:
    told = "<meta property='article:tag' content='moon'><meta property='article:tag' content='sea'>"
    links = "<a rel='tag' href='/t/moon'>Moon</a> <a rel='category tag' href='/c/sea'>The sea</a>"
    assert _declared(told + links).tags == ("moon", "sea")
    assert _declared(links).tags == ("Moon", "The sea")


def test_largest_group_of_siblings_with_names_of_words_comes_first() -> None:
    posts = [f"{HOST}/life/on-the-tides/", f"{HOST}/life/salt-and-bread/", f"{HOST}/life/a-long-walk/"]
    found = likely_posts([f"{HOST}/about/", f"{HOST}/code/x/", *posts, f"{HOST}/tags/salt-and-bread/"])
    assert found[0] == posts
    assert not any(f"{HOST}/tags/salt-and-bread/" in group or f"{HOST}/about/" in group for group in found)


def test_numbered_posts_in_a_folder_called_archives_are_posts() -> None:
    posts = [f"{HOST}/archives/000{number}.html" for number in (231, 232, 233)]
    assert likely_posts([f"{HOST}/archives/", f"{HOST}/page/2/", f"{HOST}/archives/2012/", *posts]) == [posts]


def test_posts_of_a_mirror_that_keeps_question_marks_are_a_group_without_its_lists() -> None:
    posts = [f"{HOST}/index.html%3Fp={number}.html" for number in (3, 7, 1169)]
    lists = [f"{HOST}/index.html%3F{name}.html" for name in ("paged=2", "paged=3", "m=202401", "m=202402", "m=202403")]
    assert likely_posts([*lists, *posts])[0] == posts


def test_pages_about_the_blog_at_the_root_are_none() -> None:
    posts = [f"{HOST}/tides.html", f"{HOST}/bread.html"]
    assert likely_posts([f"{HOST}/contact.html", f"{HOST}/links.html", *posts]) == [posts]


def test_numbers_beside_names_are_pages_of_a_list() -> None:
    posts = [f"{HOST}/on-tides/", f"{HOST}/on-bread/", f"{HOST}/on-salt/"]
    assert likely_posts([f"{HOST}/2/", *posts, f"{HOST}/3/"]) == [posts]


def test_pages_of_the_list_of_posts_in_a_folder_are_no_group() -> None:
    posts = [f"{HOST}/blog/{name}/" for name in ("salt", "bread", "tides", "rope")]
    pages = [f"{HOST}/{number}/" for number in (1, 2, 3)]
    assert likely_posts([*pages, *posts]) == [posts]
    assert likely_posts(pages) == [pages]


def test_posts_that_have_a_folder_each_are_siblings() -> None:
    posts = [f"{HOST}/posts/2010-07-02-on-tides/on-tides.html", f"{HOST}/posts/2011-01-30-on-bread/on-bread.html"]
    assert likely_posts([f"{HOST}/music.html", *posts]) == [posts]


def test_sections_of_a_blog_are_groups_of_their_own_the_dated_one_first() -> None:
    notes = [f"{HOST}/notes/salt", f"{HOST}/notes/rye", f"{HOST}/notes/rope"]
    posts = [f"{HOST}/2021/03/on-tides", f"{HOST}/2020/11/on-bread"]
    assert likely_posts([*notes, *posts])[:2] == [posts, notes]


def test_nothing_stands_out_where_no_two_urls_are_alike() -> None:
    assert likely_posts([f"{HOST}/tides", f"{HOST}/a/b", f"{HOST}/tags/x"]) == []


def test_groups_of_the_blogs_folder_come_first_and_those_of_its_host_are_the_last_resort() -> None:
    inside = [f"{HOST}/ada/on-tides/", f"{HOST}/ada/on-bread/"]
    outside = [f"{HOST}/bob/on-salt/", f"{HOST}/bob/on-rope/", f"{HOST}/bob/on-rye/"]
    scope = Scope.of(f"{HOST}/ada/")
    assert post_groups(scope, [*outside, *inside]) == [inside]
    assert post_groups(scope, [*outside, "https://elsewhere.example/a-b/", "https://elsewhere.example/c-d/"]) == [
        outside
    ]


def test_terms_of_the_whole_blog_are_no_tags_of_its_posts() -> None:
    cloud = "".join(f'<a rel="tag" href="/tag/{term}/">{term}</a>' for term in "salt rye rain fog tide kelp".split())
    own = '<p>Tags: <a rel="tag" href="/tag/{0}/">{0}</a></p>'
    pages = [
        parse(f"<p>Words.</p>{own.format(term)}{cloud}", f"https://x.example/{term}/")
        for term in ("salt", "bay", "fog")
    ]
    assert [entry.tags for entry in entries_from_pages(pages)] == [(), (), ()]
    few = [parse(f"<p>Words.</p>{own.format(term)}", f"https://x.example/{term}/") for term in ("salt", "bay", "fog")]
    assert [entry.tags for entry in entries_from_pages(few)] == [("salt",), ("bay",), ("fog",)]
