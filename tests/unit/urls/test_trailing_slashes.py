"""Trailing slashes on a host."""

from __future__ import annotations

from posterity.urls.kinds import CaseHabit, SlashHabit

HOME = "http://blog.example"


def redirected(times: int) -> SlashHabit:
    habit = SlashHabit()
    for number in range(times):
        habit.learn(f"{HOME}/{number}", f"{HOME}/{number}/")
    return habit


def test_host_that_adds_a_slash_is_asked_with_one() -> None:
    assert redirected(2).spelled(f"{HOME}/salt") == f"{HOME}/salt"
    assert redirected(3).spelled(f"{HOME}/salt") == f"{HOME}/salt/"


def test_files_and_queries_stay_as_they_are() -> None:
    for url in (f"{HOME}/salt.html", f"{HOME}/?p=1", f"{HOME}/salt/"):
        assert redirected(3).spelled(url) == url


def test_one_answer_without_a_slash_ends_the_habit() -> None:
    habit = redirected(5)
    habit.learn(f"{HOME}/bread", f"{HOME}/bread")
    assert habit.spelled(f"{HOME}/salt") == f"{HOME}/salt"


def test_redirect_to_https_and_a_slash_counts_and_one_elsewhere_does_not() -> None:
    habit = SlashHabit()
    for number in range(3):
        habit.learn(f"{HOME}/{number}", f"https://blog.example/{number}/")
        habit.learn(f"{HOME}/old-{number}", f"{HOME}/new/")
    assert habit.spelled(f"{HOME}/salt") == f"{HOME}/salt/"


def test_host_that_ignores_case_is_known_by_equal_pages() -> None:
    habit = CaseHabit()
    for number, name in enumerate(("salt", "rye", "tides")):
        assert habit.first_spelling(f"{HOME}/SALT") is None
        habit.learn(f"{HOME}/{name}", b"page %d" % number)
        habit.learn(f"{HOME}/{name.upper()}", b"page %d" % number)
    assert habit.first_spelling(f"{HOME}/Salt") == f"{HOME}/salt"
    assert habit.first_spelling(f"{HOME}/salt") is None
    assert habit.first_spelling(f"{HOME}/bread") is None


def test_case_matters_where_pages_differ_by_it() -> None:
    habit = CaseHabit()
    for name in ("aB", "bC", "cD", "dE"):
        habit.learn(f"{HOME}/{name}", name.encode())
        habit.learn(f"{HOME}/{name.upper()}", name.upper().encode())
        habit.learn(f"{HOME}/{name.lower()}", name.encode())
    assert habit.first_spelling(f"{HOME}/Ab") is None
