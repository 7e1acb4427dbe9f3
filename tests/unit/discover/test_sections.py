"""Sibling folders that may be parts of a blog."""

from __future__ import annotations

from posterity.discover.links import sibling_sections
from posterity.urls import Scope, post_pattern

HOST = "http://blog.example"
SCOPE = Scope.of(f"{HOST}/blog/")
PATTERN = post_pattern([f"{HOST}/blog/on-tides/", f"{HOST}/blog/bread/"])
RUSSIAN = [f"{HOST}/blog_ru/on-tides/", f"{HOST}/blog_ru/bread/"]


def test_folder_that_the_home_page_links_to_and_that_holds_such_addresses_is_one() -> None:
    assert sibling_sections("/blog/", SCOPE, PATTERN, [f"{HOST}/blog_ru"], RUSSIAN) == {"/blog_ru/": RUSSIAN}


def test_folder_that_the_home_page_does_not_link_to_is_none() -> None:
    assert sibling_sections("/blog/", SCOPE, PATTERN, [f"{HOST}/about"], RUSSIAN) == {}


def test_lists_other_shapes_and_single_pages_are_none() -> None:
    links = [f"{HOST}/tags/a/", f"{HOST}/wiki/", f"{HOST}/about/"]
    named = [f"{HOST}/tags/a/", f"{HOST}/tags/b/", f"{HOST}/wiki/x/y/z/", f"{HOST}/wiki/x/y/a/", f"{HOST}/about/me/"]
    assert sibling_sections("/blog/", SCOPE, PATTERN, links, named) == {}


def test_other_hosts_are_none() -> None:
    there = [url.replace("blog.example", "other.example") for url in RUSSIAN]
    assert sibling_sections("/blog/", SCOPE, PATTERN, there, there) == {}


def test_blog_at_the_root_has_everything_already() -> None:
    assert sibling_sections("/", Scope.of(f"{HOST}/"), PATTERN, [f"{HOST}/blog_ru"], RUSSIAN) == {}


def test_fullest_folder_comes_first() -> None:
    french = [f"{HOST}/blog_fr/{name}/" for name in ("on-tides", "bread", "salt")]
    found = sibling_sections("/blog/", SCOPE, PATTERN, [f"{HOST}/blog_ru", f"{HOST}/blog_fr"], [*RUSSIAN, *french])
    assert list(found) == ["/blog_fr/", "/blog_ru/"]


def test_folder_of_the_posts_found_has_siblings_on_a_blog_at_the_root() -> None:
    pattern = post_pattern([f"{HOST}/life/on-tides/", f"{HOST}/life/bread/"])
    work = [f"{HOST}/work/a-desk/", f"{HOST}/work/a-chair/"]
    assert sibling_sections("/life/", Scope.of(f"{HOST}/"), pattern, work, work) == {"/work/": work}


def test_folder_with_an_unrelated_name_is_no_section_of_a_blog_asked_for_by_its_folder() -> None:
    projects = [f"{HOST}/projects/{name}/" for name in ("boat", "kite", "mill")]
    assert sibling_sections("/blog/", SCOPE, PATTERN, [f"{HOST}/projects/"], projects) == {}
    notes = [f"{HOST}/notes/{name}/" for name in ("boat", "kite", "mill")]
    assert sibling_sections("/blog/", SCOPE, PATTERN, [f"{HOST}/notes/"], notes) == {"/notes/": notes}


def test_folders_in_another_language_may_have_translated_names() -> None:
    pattern = post_pattern([f"{HOST}/tr/gezi/gelgit/", f"{HOST}/tr/gezi/tekne/", f"{HOST}/tr/yemek/ekmek/"])
    english = [f"{HOST}/en/travel/tides/", f"{HOST}/en/food/bread/"]
    named = [*english, f"{HOST}/en/about/", f"{HOST}/en/tags/sea/", f"{HOST}/wiki/travel/boats/"]
    scope = Scope.of(f"{HOST}/tr/")
    links = [f"{HOST}/en/", f"{HOST}/wiki/"]
    assert sibling_sections("/tr/", scope, pattern, links, named) == {"/en/": english}
