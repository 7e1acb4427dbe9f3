"""A corpus without its texts, and the texts rebuilt from an archive, a WARC file and the web."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Posterity, Response, Web


def shared(archive: Path, folder: Path, posterity: Posterity) -> Path:
    corpus = folder / "corpus.standoff"
    ended = posterity("export", corpus, "--format", "standoff", "--archive", archive)
    assert ended.returncode == 0, ended.stderr
    return corpus


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_corpus_has_no_text_and_is_rebuilt_from_its_archive(
    demo_archive: Path, tmp_path: Path, posterity: Posterity
) -> None:
    corpus = shared(demo_archive, tmp_path, posterity)
    with open_archive(demo_archive) as store:
        texts = {post.id: post.text for post in store.posts()}
    written = corpus.read_text()
    assert not [line for text in texts.values() for line in text.split("\n") if len(line) > 20 and line in written]
    ended = posterity("rehydrate", corpus, "--archive", demo_archive)
    assert ended.returncode == 0, ended.stderr
    found = lines(ended.stdout)
    assert {one["id"] for one in found} == set(texts)
    same = [one for one in found if one["status"] == "same"]
    assert len(same) >= 0.9 * len(found)
    assert all(one["post"]["text"].split() == texts[str(one["id"])].split() for one in same)  # type: ignore[index]
    assert f"{len(found)} posts: {len(same)} same" in ended.stderr


def test_corpus_is_rebuilt_from_a_warc_file(demo_archive: Path, tmp_path: Path, posterity: Posterity) -> None:
    corpus, pages = shared(demo_archive, tmp_path, posterity), tmp_path / "pages.warc.gz"
    assert posterity("export", pages, "--format", "warc", "--archive", demo_archive).returncode == 0
    found = lines(posterity("rehydrate", corpus, "--from", pages).stdout)
    assert sum(one["status"] == "same" for one in found) >= 0.9 * len(found)


def test_what_changed_on_the_web_is_reported(
    tmp_path: Path, serve: Callable[[dict[str, Response]], Web], response: type[Response], posterity: Posterity
) -> None:
    blog = serve({})
    for path, resource in build(SiteOptions(base_url=blog.base_url, posts_limit=4)).items():
        blog.responses[path] = response(resource.body, content_type=resource.content_type)
    archive = tmp_path / "archive"
    assert posterity("harvest", f"{blog.base_url}/", "--delay", "0", "--archive", archive).returncode == 0
    corpus = shared(archive, tmp_path, posterity)
    with open_archive(archive) as store:
        first, second, *_ = [post for post in store.posts() if post.text]
    line = next(part for part in first.text.split("\n") if len(part) > 40)
    path = first.url.removeprefix(blog.base_url)
    body = blog.responses[path].body
    page = body if isinstance(body, str) else body.decode()
    assert line[:20] in page
    blog.responses[path] = response(page.replace(line[:20], "Nobody knows what it was"), content_type="text/html")
    del blog.responses[second.url.removeprefix(blog.base_url)]
    found = {one["url"]: one for one in lines(posterity("rehydrate", corpus, "--delay", "0").stdout)}
    assert found[first.url]["status"] == "changed"
    assert 0 < float(str(found[first.url]["kept"])) < 1
    assert found[second.url]["status"] == "missing"
    assert "404" in str(found[second.url]["problem"])


def test_file_that_is_no_corpus_is_an_error(tmp_path: Path, posterity: Posterity) -> None:
    (tmp_path / "x.standoff").write_text('{"type": "poem"}\n')
    ended = posterity("rehydrate", tmp_path / "x.standoff")
    assert ended.returncode == 4
    assert "line 1, is not valid standoff JSON" in ended.stderr
