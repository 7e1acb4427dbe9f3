"""A folder of Markdown files with front matter, links between posts local."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.unit.export.writing import BLOG, MADE_AT, POST

from posterity.archive import open_archive
from posterity.export.files import file_name, post_name
from posterity.export.markdown import markdown_file, write_markdown
from posterity.export.media_paths import LocalPaths
from posterity.export.selection import Source
from posterity.model import Blog, Post

if TYPE_CHECKING:
    from pathlib import Path


def front_matter(text: str) -> dict[str, object]:
    _, head, _ = text.split("---\n", 2)
    return {key: json.loads(value) for key, _, value in (line.partition(": ") for line in head.splitlines())}


def file_of(post: Post, *others: Post) -> str:
    with LocalPaths(by_host=False) as paths:
        for one in (post, *others):
            paths.add(one)
        return markdown_file(post, paths, {})


def write(folder: Path, posts: list[Post], *blogs: Blog) -> Path:
    with open_archive(folder / "archive", create=True) as archive:
        stored = [
            msgspec.structs.replace(
                post,
                media=tuple(
                    msgspec.structs.replace(archive.put_media(b"picture", "image/png", medium.url), alt=medium.alt)
                    for medium in post.media
                ),
            )
            for post in posts
        ]
        write_markdown(Source(archive, stored, blogs or (BLOG,), MADE_AT), folder / "out")
    return folder / "out"


def test_facts_stand_in_the_front_matter_and_the_article_below() -> None:
    text = file_of(POST)
    facts = front_matter(text)
    assert (facts["title"], facts["date"], facts["tags"]) == (POST.title, "2021-03-12T08:30:00+01:00", ["sea", "moon"])
    assert facts["url"] == facts["permalink"] == "/2021/03/on-tides/"
    assert facts["original_url"] == POST.url
    assert text.endswith("---\n\n## High water\n\nIt *rises*. It's late.\n")


def test_comments_are_kept_with_who_answered_whom() -> None:
    comments = front_matter(file_of(POST))["comments"]
    assert isinstance(comments, list)
    assert [(comment["author"], comment.get("parent")) for comment in comments] == [("Gwen", None), ("Jo", "comment-9")]


def test_plain_text_stands_in_for_missing_markdown() -> None:
    assert file_of(Post(id="p1", url="http://blog.example/", text="The tide.")).endswith("\n\nThe tide.\n")


def test_links_between_posts_are_local_and_others_stay() -> None:
    other = Post(id="p2", url="https://blog.example/ebb.html")
    post = Post(
        id="p1",
        url="https://blog.example/a/",
        markdown="[ebb](http://www.blog.example/ebb.html#low) [else](https://else.example/) ![x](http://blog.example/y)",
    )
    text = file_of(post, other)
    assert "[ebb](/ebb.html#low) [else](https://else.example/) ![x](http://blog.example/y)" in text


def test_what_hugo_would_take_for_a_command_is_no_command() -> None:
    assert "{{ < ref >}}" in file_of(Post(id="p", url="http://blog.example/a", markdown="{{< ref >}}"))


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://blog.example/2021/03/Tides.html", "/2021/03/Tides.html"),
        ("https://blog.example/?p=3", "/on-tides/"),
        ("https://blog.example/%E6%BD%AE/x y/", "/潮/x-y/"),
        ("https://blog.example/../../etc/passwd", "/etc/passwd/"),
    ],
)
def test_a_post_keeps_its_path_where_a_file_can_have_it(url: str, path: str) -> None:
    with LocalPaths(by_host=False) as paths:
        paths.add(Post(id="p", url=url, title="On tides"))
        assert paths.path(url) == path


def test_posts_of_one_path_do_not_overwrite_each_other() -> None:
    with LocalPaths(by_host=False) as paths:
        for number in range(3):
            paths.add(Post(id=f"p{number}", url=f"https://blog.example/?p={number}", title="Same"))
        assert len({paths.path(f"https://blog.example/?p={number}") for number in range(3)}) == 3


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


def test_media_are_copied_and_shown_from_the_copy(tmp_path: Path) -> None:
    post = msgspec.structs.replace(POST, markdown="![A tide](https://blog.example/tide.png)")
    out = write(tmp_path, [post])
    (picture,) = (path for path in (out / "media").rglob("*") if path.is_file())
    assert picture.read_bytes() == b"picture"
    text = (out / "_posts" / "2021-03-12-on-tides.md").read_text()
    assert f"![A tide](/{picture.relative_to(out)})" in text


def test_posts_without_a_date_have_a_folder_of_their_own(tmp_path: Path) -> None:
    out = write(tmp_path, [POST, Post(id="p2", url="http://blog.example/x/")])
    assert [str(path.relative_to(out)) for path in sorted(out.rglob("*.md"))] == [
        "_posts/2021-03-12-on-tides.md",
        "_undated/x.md",
    ]


def test_several_blogs_have_a_folder_each(tmp_path: Path) -> None:
    other = Blog(id="b2", url="http://other.example:8000/")
    out = write(tmp_path, [POST, Post(id="p2", url="http://other.example:8000/x/", blog="b2")], BLOG, other)
    assert (out / "_posts/blog.example/2021-03-12-on-tides.md").is_file()
    assert 'permalink: "/other.example-8000/x/"' in (out / "_undated/other.example-8000/x.md").read_text()


def test_files_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    out = write(tmp_path, [Post(id=f"p{n}", url=f"http://blog.example/{n}/same/", text=str(n)) for n in range(3)])
    assert sorted(path.read_text().split()[-1] for path in out.rglob("*.md")) == ["0", "1", "2"]


@pytest.mark.parametrize("text", ["../../etc/passwd", "a/b", "x" * 400, "é" * 400, "CON:*?", ".hidden", "a\x00b"])
def test_any_text_becomes_a_name_that_file_systems_take(text: str) -> None:
    name = file_name(text)
    assert "/" not in name
    assert not name.startswith(".")
    assert "\x00" not in name
    assert 0 < len(name.encode()) <= 255
