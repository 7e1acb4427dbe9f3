"""One blog to update: everything a worker needs to know, as one line of JSON.

UpdateCrawl keeps no state outside the archive (BlogForever paper, section 2.4), so any worker can take any job.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from posterity.config import Settings

REVISITS = 10


class UpdateJob(msgspec.Struct, frozen=True, kw_only=True):
    """The blog's id and address, the archive's place, and the settings.

    `since` leaves older posts alone. `revisits` is how many known posts are asked for again at most without a reason;
    with `revisit_always` also when the blog has no news.
    """

    blog: str
    url: str
    archive: str
    since: datetime | None = None
    revisits: int = REVISITS
    revisit_always: bool = False
    settings: Settings = Settings()
