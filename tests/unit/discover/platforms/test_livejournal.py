"""LiveJournal and Dreamwidth: lists of entries as calendar pages."""

from __future__ import annotations

import pytest
from tests.unit.discover.platforms.walk import urls, walk

from posterity.discover.platforms import ListedPost, livejournal, platforms_of
from posterity.dom import parse

HOME = "https://name.livejournal.com/"


@pytest.mark.parametrize(
    ("url", "is_journal"),
    [
        (HOME, True),
        ("https://name.dreamwidth.org/", True),
        ("https://users.livejournal.com/-name-/", True),
        ("https://www.livejournal.com/", False),
        ("https://livejournal.com/", False),
        ("https://notlivejournal.com/", False),
    ],
)
def test_a_journal_is_recognised_by_its_host(url: str, is_journal: bool) -> None:
    assert bool(platforms_of(parse("", url))) is is_journal


def test_a_journal_is_walked_from_its_calendar_to_its_months() -> None:
    pages = {
        f"{HOME}calendar": b"<ul><li>2005</li><li><a href='/2004/'>2004</a></li></ul>"
        b"<td><a href='/2005/03/02/'>2</a></td><td><a href='http://name.livejournal.com/2005/03/09/'>1</a></td>",
        f"{HOME}2004/": b"<a href='/2004/12/'>View subjects</a><a href='/2005/'>2005</a><a href='/2004/13/'>x</a>",
        f"{HOME}2005/03/": b"<dt><a href='/2005/03/02/'>2</a></dt><dd><a href='/1234.html'>Spring</a>"
        b"<a href='/1234.html?nc=3#comments'>3 comments</a></dd><a href='https://other.livejournal.com/9.html'>x</a>",
        f"{HOME}2004/12/": b"<a href='/99.html'>(no subject)</a><a href='/2004/12/05/a-slug.html'>Slug</a>"
        b"<a href='http://[::1/'>broken</a><a href='/profile.html'>Profile</a>",
        f"{HOME}2005/": b"",
    }
    result, asked = walk(livejournal, HOME, pages)
    assert set(asked) == set(pages)
    assert len(asked) == len(pages)
    assert result.posts == (
        ListedPost(url=f"{HOME}1234.html", title="Spring"),
        ListedPost(url=f"{HOME}99.html", title="(no subject)"),
        ListedPost(url=f"{HOME}2004/12/05/a-slug.html", title="Slug"),
    )
    assert result.failed_pages == (f"{HOME}2005/",)


def test_a_journal_without_a_calendar_is_walked_from_the_dates_on_its_home_page() -> None:
    result, asked = walk(
        livejournal, HOME, {f"{HOME}2005/03/": b"<a href='/1.html'>A</a>"}, "<a href='/2005/03/02/'>2</a>"
    )
    assert asked == [f"{HOME}calendar", f"{HOME}2005/03/"]
    assert urls(result) == [f"{HOME}1.html"]


def test_a_journal_on_a_shared_host_stays_in_its_folder() -> None:
    place = "https://users.livejournal.com/-name-/"
    page = b"<a href='/-name-/1.html'>A</a><a href='/-other-/2.html'>B</a>"
    result, asked = walk(livejournal, place, {f"{place}calendar": page})
    assert asked == [f"{place}calendar"]
    assert urls(result) == [f"{place}1.html"]
