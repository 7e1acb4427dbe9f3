"""A count is shown on a terminal, erased at the end, and never written to a file."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from posterity.cli.progress import count_progress, show_progress

if TYPE_CHECKING:
    import pytest


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_things_go_by_unchanged_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(show_progress([1, 2, 3], "reading", "pages")) == [1, 2, 3]
    assert capsys.readouterr() == ("", "")


def test_terminal_shows_how_many_of_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    assert list(show_progress("abc", "reading blog.example", "pages", total=3)) == ["a", "b", "c"]
    assert "reading blog.example" in screen.getvalue()
    assert "3 of 3 pages" in screen.getvalue()


def test_quiet_is_quiet_on_a_terminal_too(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    with count_progress("reading", "posts", quiet=True) as tick:
        tick()
    assert screen.getvalue() == ""
