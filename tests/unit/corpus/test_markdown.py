"""A folder of Markdown files with front matter."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from posterity.corpus.markdown import file_name, markdown_file, post_name, write_markdown
from posterity.model import Post

if TYPE_CHECKING:
    from pathlib import Path

POST = Post(
    id="p1",
    url="http://blog.example/2021/03/12/on-tides/",
    title='On "tides": a start',
    authors=("Maren",),
    published=datetime(2021, 3, 12, 8, 30, tzinfo=UTC),
    tags=("sea",),
    markdown="The **tide**.",
    text="The tide.",
)


def front_matter(text: str) -> dict[str, object]:
    _, head, _ = text.split("---\n", 2)
    return {key: json.loads(value) for key, _, value in (line.partition(": ") for line in head.splitlines())}


def test_facts_stand_in_the_front_matter_and_the_article_below() -> None:
    written = markdown_file(POST)
    assert front_matter(written) == {
        "title": 'On "tides": a start',
        "date": "2021-03-12T08:30:00+00:00",
        "authors": ["Maren"],
        "tags": ["sea"],
        "original_url": POST.url,
        "id": "p1",
    }
    assert written.endswith("---\n\nThe **tide**.\n")


def test_plain_text_stands_in_for_missing_markdown() -> None:
    assert markdown_file(Post(id="p1", url="http://blog.example/", text="The tide.")).endswith("\n\nThe tide.\n")


@pytest.mark.parametrize(
    ("post", "name"),
    [
        (POST, "2021-03-12-on-tides"),
        (Post(id="p1", url="http://blog.example/on-tides.html"), "on-tides"),
        (Post(id="p1", url="http://blog.example/?p=3", title="On tides"), "on-tides"),
        (Post(id="p1", url="http://blog.example/a/index.html", title="On tides"), "on-tides"),
        (Post(id="p1", url="http://blog.example/%E6%BD%AE/"), "潮"),
        (Post(id="p1", url="http://blog.example/"), "p1"),
        (Post(id="p1", url="http://blog.example/..."), "p1"),
    ],
)
def test_file_is_named_after_day_and_address(post: Post, name: str) -> None:
    assert post_name(post) == name


def test_one_folder_a_host_and_one_file_a_post(tmp_path: Path) -> None:
    other = Post(id="p2", url="http://other.example:8000/x/")
    write_markdown([POST, other], tmp_path / "out")
    assert sorted(str(path.relative_to(tmp_path / "out")) for path in tmp_path.rglob("*.md")) == [
        "blog.example/2021-03-12-on-tides.md",
        "other.example-8000/x.md",
    ]


def test_posts_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    write_markdown(
        [Post(id=f"p{n}", url=f"http://blog.example/{n}/same/", text=str(n)) for n in range(3)], tmp_path / "out"
    )
    assert sorted(path.read_text().split()[-1] for path in tmp_path.rglob("*.md")) == ["0", "1", "2"]


@pytest.mark.parametrize("text", ["../../etc/passwd", "a/b", "x" * 400, "é" * 400, "CON:*?", ".hidden", "a\x00b"])
def test_any_text_becomes_a_name_that_file_systems_take(text: str) -> None:
    name = file_name(text)
    assert "/" not in name
    assert not name.startswith(".")
    assert "\x00" not in name
    assert 0 < len(name.encode()) <= 255
