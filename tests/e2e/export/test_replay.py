"""ReplayWeb.page, as anybody opens it in a browser, shows the pages of our WACZ files.

It is AGPL and no part of ours: npm brings it into the cache of the tests, and without npm the test is skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.staticfiles import StaticFiles

from posterity.archive import open_archive
from posterity.export.export import export

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Frame, Page

PACKAGE = "replaywebpage@2.4.6"
INDEX = """<!doctype html><body style="margin: 0"><script src="ui.js"></script>
<replay-web-page source="blog.wacz" url="{url}" replayBase="replay/" style="height: 100vh"></replay-web-page>"""


@pytest.fixture(scope="module")
def player() -> Path:
    """The folder of ReplayWeb.page's scripts."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "posterity-tests" / "replaywebpage"
    if not (cache / "package" / "ui.js").is_file():
        npm = shutil.which("npm")
        cache.mkdir(parents=True, exist_ok=True)
        if (
            npm is None
            or subprocess.run([npm, "pack", PACKAGE], cwd=cache, capture_output=True, check=False).returncode
        ):
            pytest.skip(f"{PACKAGE} cannot be had from npm")
        with tarfile.open(next(cache.glob("*.tgz"))) as packed:
            packed.extractall(cache, filter="data")
    return cache / "package"


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": 1280, "height": 900})


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve the files of a folder, also from their middle, until the block ends."""
    app = Starlette()
    app.mount("/", StaticFiles(directory=folder, html=True))
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)


def replayed(page: Page) -> Frame:
    """The innermost frame, in which the archived page stands. The player may miss the start of its own worker."""
    for patience in range(1, 1201):
        found = [frame for frame in page.frames if "mp_/" in frame.url]
        if found:
            return found[0]
        page.wait_for_timeout(100)
        if patience % 200 == 0:
            page.reload()
    raise AssertionError(f"no archived page appears, only {[frame.url for frame in page.frames]}")


def test_replay_web_page_shows_a_post_with_its_style_and_pictures(
    player: Path, page: Page, demo_archive: Path, tmp_path: Path
) -> None:
    with open_archive(demo_archive) as archive:
        export(archive, str(tmp_path / "blog.wacz"), "wacz")
        post = next(post for post in archive.posts() if any(medium.file for medium in post.media))
    (tmp_path / "replay").mkdir()
    shutil.copy(player / "ui.js", tmp_path)
    shutil.copy(player / "sw.js", tmp_path / "replay")
    (tmp_path / "index.html").write_text(INDEX.format(url=post.url))
    with serving(tmp_path) as base_url:
        page.goto(base_url)
        frame = replayed(page)
        frame.wait_for_load_state("load")
        assert post.title is not None
        assert post.title in frame.title()
        assert post.text.splitlines()[0] in frame.inner_text("body")
        widths = frame.evaluate("[...document.querySelectorAll('article img')].map(img => img.naturalWidth)")
        assert widths
        assert all(widths)
        assert frame.evaluate("document.styleSheets.length") > 0
