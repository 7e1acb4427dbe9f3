"""Which links of a blog without a feed lead to posts."""

from __future__ import annotations

from posterity.discover.without_feed import likely_posts

HOST = "https://blog.example"


def test_largest_group_of_siblings_with_names_of_words_wins() -> None:
    posts = [f"{HOST}/life/on-the-tides/", f"{HOST}/life/salt-and-bread/", f"{HOST}/life/a-long-walk/"]
    assert likely_posts([f"{HOST}/about/", f"{HOST}/code/x/", *posts, f"{HOST}/tags/salt-and-bread/"]) == posts


def test_numbered_posts_in_a_folder_called_archives_are_posts() -> None:
    posts = [f"{HOST}/archives/000{number}.html" for number in (231, 232, 233)]
    assert likely_posts([f"{HOST}/archives/", f"{HOST}/page/2/", f"{HOST}/archives/2012/", *posts]) == posts


def test_pages_about_the_blog_at_the_root_are_none() -> None:
    posts = [f"{HOST}/tides.html", f"{HOST}/bread.html"]
    assert likely_posts([f"{HOST}/contact.html", f"{HOST}/links.html", *posts]) == posts


def test_numbers_beside_names_are_pages_of_a_list() -> None:
    posts = [f"{HOST}/on-tides/", f"{HOST}/on-bread/", f"{HOST}/on-salt/"]
    assert likely_posts([f"{HOST}/2/", *posts, f"{HOST}/3/"]) == posts


def test_posts_that_have_a_folder_each_are_siblings() -> None:
    posts = [f"{HOST}/posts/2010-07-02-on-tides/on-tides.html", f"{HOST}/posts/2011-01-30-on-bread/on-bread.html"]
    assert likely_posts([f"{HOST}/music.html", *posts]) == posts
