"""Pages of one host together: what methods that compare pages of a site are given.

The host is the one that the page came from: a page kept by a web archive belongs to its old host, not to the archive.
A page without an address stands alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from posterity.evaluate.sample import Sample, Site

if TYPE_CHECKING:
    from collections.abc import Iterable

# web.archive.org/web/20130807id_/http://host/... and its kin.
_ARCHIVED = re.compile(r"^https?://[^/]+/(?:web|wayback)/\d{4,14}[a-z_]*/(?=https?://)")


def host_of(url: str) -> str:
    """Return the host that a page came from, without "www.", or "" when the address names none."""
    try:
        return (urlsplit(_ARCHIVED.sub("", url)).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def sites_of(samples: Iterable[Sample]) -> list[Site]:
    """Return the samples by host, hosts in the order of their first page."""
    by_host: dict[str, list[Sample]] = {}
    for sample in samples:
        host = host_of(sample.url)
        # NUL stands in no host name, so a page alone never meets another.
        by_host.setdefault(host or f"\0{sample.id}", []).append(sample)
    return [Site(name=name.lstrip("\0"), samples=tuple(pages)) for name, pages in by_host.items()]
