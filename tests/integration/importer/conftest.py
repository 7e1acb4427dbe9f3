"""The bundled blog as somebody else kept it, in WARC files or as a mirror, and the commands to take it over."""

from __future__ import annotations

import gzip
import os
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Protocol

import pytest
from click.testing import CliRunner
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from posterity.archive import open_archive
from posterity.cli.import_ import command as import_command
from posterity.cli.reextract import command as reextract_command
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    from posterity.demo.server import DemoSite
    from posterity.model import Post

    BuildSite = Callable[..., DemoSite]
    PackSite = Callable[..., bytes]
    LayOut = Callable[[DemoSite, Path], Path]
    PostsIn = Callable[[Path], dict[str, Post]]

DATE = "2021-04-05T06:07:08Z"


class Run(Protocol):
    """A command: arguments in, how it ended out."""

    def __call__(self, *arguments: str | Path) -> Result: ...


@pytest.fixture(scope="session")
def site() -> BuildSite:
    """Builds the bundled blog on some host."""
    return lambda host="salt.example", **options: build(
        SiteOptions(base_url=f"http://{host}", posts_limit=14, **options)
    )


@pytest.fixture(scope="session")
def warc_of() -> PackSite:
    """Packs sites into one WARC file by warcio's own writer; with chunks, as wget leaves them, or rendered pages."""

    def pack(*sites: DemoSite, chunked: bool = False, compressed: bool = True, rendered: bool = False) -> bytes:
        out = BytesIO()
        writer = WARCWriter(out, gzip=compressed)
        writer.write_record(writer.create_warcinfo_record("x", {"software": "somebody"}))
        for one in sites:
            for path, resource in one.items():
                headers = [("Content-Type", resource.content_type), ("Content-Encoding", "gzip"), ("X-Origin", "yes")]
                is_shell = rendered and "html" in resource.content_type
                body = gzip.compress(b"<script src=/app.js></script>" if is_shell else resource.body, mtime=0)
                if chunked:
                    headers.append(("Transfer-Encoding", "chunked"))
                    body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
                record = writer.create_warc_record(
                    one.options.base_url + path,
                    "response",
                    payload=BytesIO(body),
                    length=len(body),
                    http_headers=StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1"),
                    warc_headers_dict={"WARC-Date": DATE},
                )
                writer.write_record(record)
                if is_shell:
                    conversion = writer.create_warc_record(
                        one.options.base_url + path,
                        "conversion",
                        payload=BytesIO(resource.body),
                        length=len(resource.body),
                        warc_content_type="text/html; charset=utf-8",
                        warc_headers_dict={"WARC-Date": DATE, "WARC-Refers-To": "<urn:uuid:1>"},
                    )
                    writer.write_record(conversion)
        return out.getvalue()

    return pack


@pytest.fixture(scope="session")
def mirror_of() -> LayOut:
    """Lays a site out as wget writes it: a folder of the host, index.html for folders, queries in names."""

    def lay_out(one: DemoSite, folder: Path) -> Path:
        then = datetime(2021, 4, 5, tzinfo=UTC).timestamp()
        host = folder / one.options.base_url.partition("://")[2]
        for path, resource in one.items():
            local, mark, query = path.partition("?")
            name = f"{local}index.html" if local.endswith("/") else local
            file = host / f"{name}{mark}{query}".lstrip("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(resource.body)
            os.utime(file, (then, then))
        return host

    return lay_out


@pytest.fixture(scope="session")
def import_() -> Run:
    """Runs `posterity import`."""
    return lambda *arguments: CliRunner().invoke(import_command, [str(one) for one in arguments])


@pytest.fixture(scope="session")
def reextract() -> Run:
    """Runs `posterity reextract`."""
    return lambda *arguments: CliRunner().invoke(reextract_command, [str(one) for one in arguments])


@pytest.fixture(scope="session")
def posts_in() -> PostsIn:
    """Gives the posts of an archive, by path."""

    def posts(archive: Path) -> dict[str, Post]:
        with open_archive(archive) as store:
            return {post.url.partition("://")[2].partition("/")[2]: post for post in store.posts()}

    return posts
