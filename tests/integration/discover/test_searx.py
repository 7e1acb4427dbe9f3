"""`posterity discover` asks a real searx, the ancestor of SearXNG with the same interface, which Debian has.

Its only engine is a server on loopback. `apt-get install searx` brings it; without it the tests are skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Posterity, Response, Web

EXAMPLE = Path("/usr/share/doc/searx/examples/settings.yml")
ENGINE = """
engines:
  - {{name: loopback, engine: json_engine, shortcut: lo, categories: general, paging: true, enable_http: true,
     search_url: "{url}/find?q={{query}}&p={{pageno}}", results_query: hits, url_query: url, title_query: title,
     content_query: text, timeout: 30.0}}
"""

NEWS = (
    '<rss version="2.0"><channel><title>News</title><link>http://news.example/</link>'
    "<item><title>harbour</title><link>http://news.example/1</link></item></channel></rss>"
)


@pytest.fixture(scope="module")
def engine(serve: Callable[[dict[str, Response]], Web]) -> Web:
    """What searx asks: it answers what the tests put there."""
    return serve({})


@pytest.fixture(scope="module")
def searx(engine: Web, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a searx that gives JSON."""
    command = shutil.which("searx-run")
    if command is None or not EXAMPLE.is_file():
        pytest.skip("searx is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = tmp_path_factory.mktemp("searx") / "settings.yml"
    text = EXAMPLE.read_text(encoding="utf-8")
    # Debian's example names a hundred engines of the open web; everything else of it stays.
    before, rest = text.split("\nengines:", 1)
    after = "\nlocales:" + rest.split("\nlocales:", 1)[1]
    replaced = before.replace("8888", str(port)).replace("ultrasecretkey", "of a test")
    # An engine that failed is asked again at once: one test makes it fail before the next uses it.
    replaced = replaced.replace("ban_time_on_fail : 5", "ban_time_on_fail : 0").replace("_fail : 120", "_fail : 0")
    settings.write_text(replaced + ENGINE.format(url=engine.base_url) + after, encoding="utf-8")
    process = subprocess.Popen(
        [command],
        env=os.environ | {"SEARX_SETTINGS_PATH": str(settings)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address, process)
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)


def wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if process.poll() is not None:
            pytest.skip(f"searx ends with {process.returncode}")
        try:
            if httpx.get(f"{address}/healthz").status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.skip("searx does not start")


def found(pages: dict[int, list[str]], response: type[Response]) -> dict[str, Response]:
    """What the engine answers to the query `harbour`, page by page."""

    def listed(urls: list[str]) -> Response:
        hits = [{"url": url, "title": "A title", "text": "harbour"} for url in urls]
        return response(json.dumps({"hits": hits}), content_type="application/json")

    return {f"/find?q=harbour&p={number}": listed(urls) for number, urls in pages.items()}


def test_hits_of_all_pages_are_candidates(
    searx: str, engine: Web, response: type[Response], posterity: Posterity, tmp_path: Path
) -> None:
    engine.responses.update(
        found({1: ["http://a.example/x", "http://b.example/y"], 2: ["http://c.example/z"], 3: []}, response)
    )
    (tmp_path / "news.txt").write_text("harbour\n")
    ended = posterity(
        "discover", "--news", tmp_path / "news.txt", "--also", "", "--search", searx, "--no-check", "--delay", "0",
        "--archive", tmp_path / "none",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    sites = [line for line in ended.stdout.splitlines() if not line.startswith("#")]
    assert sites == ["http://a.example/", "http://b.example/", "http://c.example/"]


def test_engines_that_do_not_answer_are_named(searx: str, engine: Web, posterity: Posterity, tmp_path: Path) -> None:
    engine.responses.clear()
    (tmp_path / "news.txt").write_text("harbour\n")
    ended = posterity(
        "discover", "--news", tmp_path / "news.txt", "--also", "", "--search", searx, "--no-check", "--delay", "0",
        "--archive", tmp_path / "none",
    )  # fmt: skip
    assert ended.returncode == 4
    assert "do not respond (loopback: " in ended.stderr


def test_news_become_a_corpus_in_one_command(
    searx: str, engine: Web, serve: Callable[[dict[str, Response]], Web], response: type[Response],
    posterity: Posterity, tmp_path: Path,
) -> None:  # fmt: skip
    """BlogBuster, section 5: news, key words, search, blogs; then harvested, and exported."""
    blog = serve({})
    for path, resource in build(SiteOptions(base_url=blog.base_url, posts_limit=4)).items():
        blog.responses[path] = response(resource.body, content_type=resource.content_type)
    engine.responses.update(found({1: [f"{blog.base_url}/2024/x/", "http://127.0.0.1:1/nobody"], 2: []}, response))
    (tmp_path / "news.xml").write_text(NEWS)
    archive, out = tmp_path / "archive", tmp_path / "posts.jsonl"
    ended = posterity(
        "discover", "--news", tmp_path / "news.xml", "--also", "", "--search", searx, "--delay", "0", "--harvest",
        "--allow-private", "--archive", archive,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert posterity("export", out, "--archive", archive).returncode == 0
    posts = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(posts) == 4
    assert all(post["url"].startswith(blog.base_url) for post in posts)
