"""Trailing slashes and the case of paths on a host."""

from __future__ import annotations

from posterity.urls.kinds import IgnoredCase, TrailingSlashes

HOME = "http://blog.example"


def redirected(times: int) -> TrailingSlashes:
    slashes = TrailingSlashes()
    for number in range(times):
        slashes.learn(f"{HOME}/{number}", f"{HOME}/{number}/")
    return slashes


def test_host_that_adds_a_slash_is_asked_with_one() -> None:
    assert redirected(2).as_served(f"{HOME}/salt") == f"{HOME}/salt"
    assert redirected(3).as_served(f"{HOME}/salt") == f"{HOME}/salt/"


def test_files_and_queries_stay_as_they_are() -> None:
    for url in (f"{HOME}/salt.html", f"{HOME}/?p=1", f"{HOME}/salt/"):
        assert redirected(3).as_served(url) == url


def test_one_response_without_a_slash_disproves_it() -> None:
    slashes = redirected(5)
    slashes.learn(f"{HOME}/bread", f"{HOME}/bread")
    assert slashes.as_served(f"{HOME}/salt") == f"{HOME}/salt"


def test_redirect_to_https_and_a_slash_counts_and_one_elsewhere_does_not() -> None:
    slashes = TrailingSlashes()
    for number in range(3):
        slashes.learn(f"{HOME}/{number}", f"https://blog.example/{number}/")
        slashes.learn(f"{HOME}/old-{number}", f"{HOME}/new/")
    assert slashes.as_served(f"{HOME}/salt") == f"{HOME}/salt/"


def test_host_that_ignores_case_is_known_by_equal_pages() -> None:
    case = IgnoredCase()
    for number, name in enumerate(("salt", "rye", "tides")):
        assert case.first_spelling(f"{HOME}/SALT") is None
        case.learn(f"{HOME}/{name}", b"page %d" % number)
        case.learn(f"{HOME}/{name.upper()}", b"page %d" % number)
    assert case.first_spelling(f"{HOME}/Salt") == f"{HOME}/salt"
    assert case.first_spelling(f"{HOME}/salt") is None
    assert case.first_spelling(f"{HOME}/bread") is None


def test_case_matters_where_pages_differ_by_it() -> None:
    case = IgnoredCase()
    for name in ("aB", "bC", "cD", "dE"):
        case.learn(f"{HOME}/{name}", name.encode())
        case.learn(f"{HOME}/{name.upper()}", name.upper().encode())
        case.learn(f"{HOME}/{name.lower()}", name.encode())
    assert case.first_spelling(f"{HOME}/Ab") is None
