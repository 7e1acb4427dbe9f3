"""WordPress itself takes over what we export for it: the same posts, comments, authors and terms.

The plugin that imports WXR is not part of WordPress; `load_wxr.php` takes its steps with WordPress's own functions.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from posterity.archive import open_archive
from posterity.corpus.export import export

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.model import Post

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


def test_wordpress_has_all_that_the_archive_has(
    wordpress: tuple[Path, str], demo_archive: Path, tmp_path: Path
) -> None:
    with open_archive(demo_archive) as archive:
        export(archive, str(tmp_path / "blog.xml"), "wxr")
        posts = list(archive.posts())
    folder, url = wordpress
    run = subprocess.run(
        ["php", "-d", "memory_limit=512M", LOADER, folder, url, tmp_path / "blog.xml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-500:]
    found: list[dict[str, Any]] = json.loads(run.stdout)
    assert found == [expected(post) for post in posts]
    assert sum(len(post["comments"]) for post in found) > 10
    assert any(parent is not None for post in found for _, parent in post["comments"])
    assert any(post["attachments"] for post in found)


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
