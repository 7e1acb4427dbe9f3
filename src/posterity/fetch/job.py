"""One blog to harvest: everything a worker needs to know, as one line of JSON.

NewCrawl keeps no state outside the archive (BlogForever paper, section 2.4), so any worker can take any job.
"""

from __future__ import annotations

import msgspec

from posterity.config import Settings
from posterity.errors import UsageError
from posterity.urls import is_http_url, with_scheme


class HarvestJob(msgspec.Struct, frozen=True, kw_only=True):
    """The blog's address, the archive's place, and the settings."""

    url: str
    archive: str
    settings: Settings = Settings()


def checked_address(url: str) -> str:
    """Return the address if it can be harvested, or raise with the way it should be written."""
    if not is_http_url(url):
        if "://" in url:
            raise UsageError(f"{url} is not a web address. Give one that begins with http:// or https://.")
        raise UsageError(f"The address {url} has no scheme. Write {with_scheme(url)} instead.")
    return url
