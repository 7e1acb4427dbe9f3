"""What a page asks of archives and miners is in its record, whoever made the record: harvest, re-extraction, import."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.integration.harvest.test_politeness import Said, hosting

from posterity.archive import open_archive
from posterity.config import CrawlSettings, Settings
from posterity.crawl.run import harvest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.importer.conftest import BuildSite, LayOut, PostsIn, Run

    from posterity.model import Post

# feedparser's word about a change to come, said of every feed without dates of change.
pytestmark = pytest.mark.filterwarnings("ignore:To avoid breaking existing software:DeprecationWarning")

META = b'<meta name="robots" content="noarchive, noai">'
TDMREP = "/.well-known/tdmrep.json"


def asked_by(posts: dict[str, Post]) -> dict[str, str | None]:
    """What the records say that their pages ask, by path."""
    return {f"/{path}": post.provenance["optout"].rule for path, post in posts.items() if "optout" in post.provenance}


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A harvest of a blog that asks for something in every way, and what its pages ask."""
    archive = tmp_path_factory.mktemp("harvested") / "archive"
    with hosting(lambda _path, _count: None) as host:
        by_meta, by_header, by_host, overriding = sorted(post.path for post in host.site.truth)[:4]

        def page(path: str, body: bytes | None = None, **headers: str) -> Said:
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            return Said(200, {"Content-Type": "text/html", **names}, body or host.site[path].body)

        rules = [{"location": path, "tdm-reservation": 1} for path in (by_host, overriding)]
        said = {
            by_meta: page(by_meta, host.site[by_meta].body.replace(b"<head>", b"<head>" + META)),
            by_header: page(by_header, X_Robots_Tag="noarchive"),
            overriding: page(overriding, TDM_Reservation="0"),
            TDMREP: Said(200, {"Content-Type": "application/json"}, json.dumps(rules).encode()),
        }
        host.says = lambda path, _count: said.get(path)
        harvest(f"{host.base_url}/", archive, settings=Settings(crawl=CrawlSettings(delay_s=0)))
    return archive, {by_meta: "noarchive, noai", by_header: "noarchive", by_host: "tdm-reservation"}


def test_harvest_records_what_pages_headers_and_the_host_ask(
    harvested: tuple[Path, dict[str, str]], posts_in: PostsIn
) -> None:
    archive, asked = harvested
    assert asked_by(posts_in(archive)) == asked


def test_records_made_again_still_say_what_their_pages_ask(
    harvested: tuple[Path, dict[str, str]], tmp_path: Path, reextract: Run, posts_in: PostsIn
) -> None:
    archive, asked = shutil.copytree(harvested[0], tmp_path / "archive"), harvested[1]
    with open_archive(archive) as store:
        blog = store.blogs()[0]
        for post in list(store.posts()):
            origins = {field: origin for field, origin in post.provenance.items() if field != "optout"}
            store.put_post(msgspec.structs.replace(post, title="Wrong", provenance=origins))
    assert asked_by(posts_in(archive)) == {}
    ended = reextract(blog.url, "--archive", archive)
    assert ended.exception is None, ended.output
    assert asked_by(posts_in(archive)) == asked


def test_imported_crawl_says_what_its_pages_ask(
    harvested: tuple[Path, dict[str, str]], tmp_path: Path, import_: Run, posts_in: PostsIn
) -> None:
    ended = import_(harvested[0] / "warc", "--archive", tmp_path / "archive")
    assert ended.exception is None, ended.output
    assert asked_by(posts_in(tmp_path / "archive")) == harvested[1]


def test_imported_mirror_says_what_its_files_ask(
    tmp_path: Path, site: BuildSite, mirror_of: LayOut, import_: Run, posts_in: PostsIn
) -> None:
    host = mirror_of(site(), tmp_path / "mirror")
    by_meta, by_host = (post.path for post in site().truth[:2])
    file = host / by_meta.strip("/") / "index.html"
    file.write_bytes(file.read_bytes().replace(b"<head>", b"<head>" + META))
    (host / ".well-known").mkdir()
    (host / TDMREP.lstrip("/")).write_text(json.dumps([{"location": by_host, "tdm-reservation": 1}]))
    ended = import_(tmp_path / "mirror", "--archive", tmp_path / "archive")
    assert ended.exception is None, ended.output
    assert asked_by(posts_in(tmp_path / "archive")) == {by_meta: "noarchive, noai", by_host: "tdm-reservation"}
