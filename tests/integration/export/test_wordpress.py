"""WordPress itself takes over what we export for it: the same posts, comments, authors and terms.

The plugin that imports WXR is not part of WordPress, and no package of Debian, PyPI or npm has it; `load_wxr.php` takes
its steps with WordPress's own functions.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from posterity.archive import open_archive
from posterity.export.export import export
from posterity.model import Blog, Media, Post

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPT = Path(__file__).parents[4] / "shared" / "targets" / "wordpress" / "up_sqlite.sh"
LOADER = Path(__file__).with_name("load_wxr.php")


@pytest.fixture(scope="module")
def wordpress(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A WordPress without posts: its folder and its address."""
    if not SCRIPT.is_file() or shutil.which("php") is None or not Path("/usr/share/wordpress").is_dir():
        pytest.skip(f"WordPress is not here: it needs {SCRIPT}, php and Debian's wordpress")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("wordpress")
    made = subprocess.run(
        ["bash", SCRIPT, folder, str(port), "twentytwentyone", "0"], capture_output=True, text=True, check=False
    )
    if made.returncode:
        pytest.skip(f"WordPress does not start: {made.stderr.strip()[-200:]}")
    yield folder / "wp", f"http://127.0.0.1:{port}"
    os.kill(int((folder / "php.pid").read_text()), signal.SIGTERM)


@pytest.mark.parametrize("split", [None, 50_000])
def test_wordpress_has_all_that_the_archive_has(
    wordpress: tuple[Path, str], demo_archive: Path, tmp_path: Path, split: int | None
) -> None:
    out = tmp_path / "blog.xml"
    with open_archive(demo_archive) as archive:
        export(archive, str(out), "wxr", split=split)
        posts = list(archive.posts())
    files = sorted(out.iterdir()) if split else [out]
    assert len(files) == (2 if split else 1)
    found = in_wordpress(*wordpress, files)
    assert found == [expected(post) for post in posts]
    assert sum(len(post["comments"]) for post in found) > 10
    assert any(parent is not None for post in found for _, parent in post["comments"])
    assert any(post["attachments"] for post in found)


def test_posts_and_pictures_that_wordpress_could_take_for_the_same_all_arrive(
    wordpress: tuple[Path, str], tmp_path: Path
) -> None:
    picture = Media(url="https://blog.example/1/a.png", alt="A photo")
    blog = Blog(id="b", url="https://blog.example/")
    posts = [
        Post(
            id=f"p{number}",
            url=f"https://blog.example/{number}/",
            blog="b",
            title="Titled" if number == 0 else None,
            published=datetime(2020, 2, 3, tzinfo=UTC),
            published_precision="day",
            authors=("Ann",),
            text=str(number),
            html=f"<p>{number}</p>",
            media=(picture, msgspec.structs.replace(picture, url="https://blog.example/2/a.png")),
        )
        for number in range(3)
    ]
    with open_archive(tmp_path / "archive", create=True) as archive:
        archive.put_blog(blog)
        archive.put_posts(posts)
        export(archive, str(tmp_path / "blog.xml"), "wxr")
    found = in_wordpress(*wordpress, [tmp_path / "blog.xml"])
    assert [(post["title"], post["content"], post["attachments"]) for post in found] == [
        (post.title or "", post.html, 2) for post in posts
    ]


def in_wordpress(folder: Path, url: str, files: list[Path]) -> list[dict[str, Any]]:
    """What WordPress has after the files were loaded."""
    run = subprocess.run(
        ["php", "-d", "memory_limit=512M", LOADER, folder, url, *files], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-500:]
    found: list[dict[str, Any]] = json.loads(run.stdout)
    return found


def expected(post: Post) -> dict[str, Any]:
    """What WordPress should have of a post."""
    places = {comment.id: place for place, comment in enumerate(post.comments)}
    assert post.published is not None
    return {
        "title": post.title,
        "date": f"{post.published.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        "content": post.html,
        "author": post.authors[0],
        "tags": sorted(post.tags),
        "categories": list(post.categories),
        "attachments": len(post.media),
        "comments": [[comment.author, places.get(comment.parent or "")] for comment in post.comments],
    }
