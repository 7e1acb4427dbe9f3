"""One blog to harvest: everything a worker needs to know, as one line of JSON.

NewCrawl keeps no state outside the archive (BlogForever paper, section 2.4), so any worker can take any job.
"""

from __future__ import annotations

import msgspec

from posterity.config import Settings


class HarvestJob(msgspec.Struct, frozen=True, kw_only=True):
    """The blog's address, the archive's place, and the settings."""

    url: str
    archive: str
    settings: Settings = Settings()
