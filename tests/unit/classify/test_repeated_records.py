"""The posts that a page lists, found by repeated records."""

from __future__ import annotations

from posterity.classify.repeated_records import RecordListing, listing_on
from posterity.dom import parse

URL = "https://blog.example/"
NAMES = ("tides", "bread", "salt", "rope")
TEXT = "The sea went out and came back, as it does. " * 4


def _listing(html: str) -> RecordListing:
    return listing_on(parse(html, URL))


def test_list_in_the_part_that_holds_most_of_the_page_is_none_of_its_frame() -> None:
    posts = "".join(f"<article><h2><a href='/{name}/'>{name}</a></h2><p>{TEXT}</p></article>" for name in NAMES)
    plain = _listing(f"<main id=content>{posts}</main>")
    named = _listing(f"<main id=content class=sidebar-right>{posts}</main><div class=sidebar>A word about me</div>")
    assert named.score == plain.score


def test_link_whose_only_element_is_named_a_title_is_a_title() -> None:
    posts = "".join(
        f"<div class=post><a href='/{name}/'><span class=post-title>{name}</span></a><div>{TEXT}</div></div>"
        for name in NAMES
    )
    found = _listing(f"<main>{posts}</main>")
    assert len(found.records) == len(NAMES)
    assert found.linked == 1.0


def test_headings_inside_texts_that_stand_side_by_side_are_no_posts() -> None:
    posts = "".join(
        f"<h2><a href='/{name}/'>{name}</a></h2><p>{TEXT}</p><h2>More of {name}</h2><p>{TEXT}</p>" for name in NAMES
    )
    assert len(_listing(f"<div>{posts}</div>").records) == len(NAMES)


def test_headings_inside_texts_of_posts_in_elements_of_their_own_are_no_posts() -> None:
    posts = "".join(
        f"<div class=entry><h2><a href='/{name}/'>{name}</a></h2><p>{TEXT}</p><h2>More: {name}</h2><p>{TEXT}</p></div>"
        for name in NAMES
    )
    assert len(_listing(f"<div>{posts}</div>").records) == len(NAMES)


def test_link_on_a_line_of_its_own_between_breaks_is_a_title() -> None:
    posts = "".join(
        f"<font size=3><b><a href='/{name}/'>{name}</a></b></font><br><font>{TEXT}<br><br>{TEXT}</font><hr>"
        for name in NAMES
    )
    found = _listing(f"<table><tr><td>{posts}</td></tr></table>")
    assert len(found.records) == len(NAMES)
    assert found.linked == 1.0


def test_link_inside_a_line_is_no_title() -> None:
    posts = "".join(f"{TEXT} <a href='/{name}/'>{name}</a> {TEXT}<br>" for name in NAMES)
    assert not _listing(f"<table><tr><td>{posts}</td></tr></table>").records


def test_title_that_is_neither_heading_nor_link_begins_a_record() -> None:
    posts = "".join(
        f"<div class=box><span class=storyTitle>On {name}</span><div>{TEXT}</div><a href='/{name}/'>Permalink</a></div>"
        for name in NAMES
    )
    page = parse(f"<main>{posts}</main>", URL)
    titles = [page.tree.plain(each.anchor) for each in listing_on(page).records if each.anchor is not None]
    assert titles == [f"On {name}" for name in NAMES]


def test_description_belongs_to_the_term_above_it() -> None:
    posts = "".join(
        f"<dt>{day} March 2021</dt><dd><a href='/{name}/'>{name}</a></dd>" for day, name in enumerate(NAMES, 3)
    )
    page = parse(f"<dl>{posts}</dl>", URL)
    first = listing_on(page).records[0]
    assert [page.tree.plain(root) for root in first.roots] == ["3 March 2021", "tides"]
