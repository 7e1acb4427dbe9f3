"""The posts that a page lists, found by what repeats."""

from __future__ import annotations

from posterity.dom import parse
from posterity.identify.repeated_records import Listing, listing_of

URL = "https://blog.example/"
NAMES = ("tides", "bread", "salt", "rope")
TEXT = "The sea went out and came back, as it does. " * 4


def _listing(html: str) -> Listing:
    return listing_of(parse(html, URL).tree, URL)


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
        f"<div class=entry><h2><a href='/{name}/'>{name}</a></h2><p>{TEXT}</p><h2>More of {name}</h2><p>{TEXT}</p></div>"
        for name in NAMES
    )
    assert len(_listing(f"<div>{posts}</div>").records) == len(NAMES)
