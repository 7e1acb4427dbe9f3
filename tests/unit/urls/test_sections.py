"""Folders of posts, by name."""

from __future__ import annotations

import pytest

from posterity.urls.kinds import is_in_section


@pytest.mark.parametrize(
    "path", ["/ar/four-days/", "/pt-br/vento", "/notes/rope", "/en/posts/tide.html", "/blog/2019/x", "/kr/posts/x"]
)
def test_folder_of_a_language_or_of_posts_is_a_section(path: str) -> None:
    assert is_in_section(f"https://blog.example{path}")


@pytest.mark.parametrize(
    "path", ["/", "/ar/", "/notes/", "/github/intro", "/transcripts/383.html", "/notesapp/x", "/art/x"]
)
def test_other_folders_are_no_sections(path: str) -> None:
    assert not is_in_section(f"https://blog.example{path}")
