"""Which blog a record is of: by the manifest beside the file, by what the file says, or by the record's own address."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.corpus.manifest import ENDING, Manifest
from posterity.corpus.source import Facts
from posterity.corpus.wacz import BLOGS
from posterity.errors import InputError
from posterity.model import Blog, blog_id, from_json
from posterity.rebuild.shelf import host_of
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.archive import Archive
    from posterity.model import Post
    from posterity.rebuild.records.found import FoundRecord


class BlogBook:
    """The blogs that records of one file belong to; each is put into the archive when it first comes up."""

    def __init__(self, archive: Archive, path: Path) -> None:
        self._archive = archive
        self._told = {facts.id: facts for facts in _told(path)}
        self._known = {blog.id: blog for blog in archive.blogs()}
        self._met: dict[str, Blog] = {}

    def blog_of(self, found: FoundRecord) -> Blog:
        """The blog of a record."""
        name = found.post.blog or blog_id(_home(found))
        if name not in self._met:
            self._met[name] = self._introduced(name, found)
        return self._met[name]

    def blog_at(self, url: str) -> Blog | None:
        """The blog on the host of an address, if the file tells of one."""
        host = host_of(url)
        facts = next((one for one in self._told.values() if host_of(one.url) == host), None)
        if facts is None:
            return None
        if facts.id not in self._met:
            self._met[facts.id] = self._stored(facts)
        return self._met[facts.id]

    def _introduced(self, name: str, found: FoundRecord) -> Blog:
        facts = self._told.get(name)
        if facts is None:
            url = _home_with_id(found, name)
            facts = Facts(id=name, url=url, title=found.blog_title, language=found.post.language)
        return self._stored(facts)

    def _stored(self, facts: Facts) -> Blog:
        """What the archive knows of a blog stays; what it does not is added."""
        known = self._known.get(facts.id) or Blog(id=facts.id, url=facts.url)
        fields = ("title", "feed_url", "language", "harvested_at", "updated_at")
        added = {name: getattr(facts, name) for name in fields if getattr(known, name) is None}
        blog = msgspec.structs.replace(known, **added)
        self._archive.put_blog(blog)
        return blog


def _told(path: Path) -> Iterable[Facts]:
    """What the manifest beside an export, or its folder, says of its blogs, or the list inside a WACZ; none without."""
    beside = (Path(f"{place}{ENDING}") for place in (path, path.absolute().parent))
    manifest = next((place for place in beside if place.is_file()), None)
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as package:
                lines = package.read(BLOGS).splitlines() if BLOGS in package.namelist() else []
            return [from_json(line, Facts) for line in lines]
        return from_json(manifest.read_bytes(), Manifest).blogs if manifest else ()
    except (OSError, zipfile.BadZipFile, InputError):
        return ()  # it helps, and nothing depends on it


def _home(found: FoundRecord) -> str:
    if found.blog_url:
        return canonical_url(found.blog_url)
    return _root(found.post)


def _home_with_id(found: FoundRecord, name: str) -> str:
    """The home page that has this id: what the file says, or the folder above the post whose address gives the id."""
    url = canonical_url(found.post.url)
    folders = [url[: place + 1] for place, char in enumerate(url) if char == "/"]
    for home in (_home(found), *reversed(folders)):
        if blog_id(home) == name:
            return home
    return _home(found)


def _root(post: Post) -> str:
    parts = urlsplit(post.url)
    return canonical_url(f"{parts.scheme}://{parts.netloc}/")
