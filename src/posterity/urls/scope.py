"""What belongs to a blog: its host, and its folders when it lives in some."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec


class Scope(msgspec.Struct, frozen=True):
    """The URLs of one blog: `hosts` without "www.", and the folders in one of which all of them lie."""

    hosts: tuple[str, ...]
    folders: tuple[str, ...] = ("/",)

    @classmethod
    def of(cls, home_url: str) -> Scope:
        """Return the scope of the blog with this home page: its host, and the folder the page lies in."""
        parts = urlsplit(home_url)
        folder = parts.path[: parts.path.rfind("/") + 1] or "/"
        return cls((_host(parts.netloc),), (folder,))

    def with_host(self, url: str) -> Scope:
        """Return this scope with the host of another URL of the same blog added."""
        host = _host(urlsplit(url).netloc)
        return self if host in self.hosts else Scope((*self.hosts, host), self.folders)

    def with_folder(self, folder: str) -> Scope:
        """Return this scope with another folder of the same blog added."""
        return self if folder.startswith(self.folders) else Scope(self.hosts, (*self.folders, folder))

    def is_on_host(self, url: str) -> bool:
        """Tell whether the URL is on a host of the blog, in its folders or not."""
        return Scope(self.hosts).includes(url)

    def includes(self, url: str) -> bool:
        """Tell whether the URL is part of the blog; http or https, www or not, are the same place."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        if parts.scheme not in ("http", "https") or _host(parts.netloc) not in self.hosts:
            return False
        return (parts.path or "/").startswith(self.folders) or f"{parts.path}/" in self.folders


def _host(netloc: str) -> str:
    host = netloc.rpartition("@")[2].lower().removeprefix("www.")
    return host.removesuffix(":80").removesuffix(":443")
