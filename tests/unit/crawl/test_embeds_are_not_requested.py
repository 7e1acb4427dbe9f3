"""A player of another site is an entry of `media` without a file: nothing is requested for it."""

from __future__ import annotations

import asyncio
from typing import cast

from scrapy.crawler import Crawler
from scrapy.settings import Settings

from posterity.archive import Archive
from posterity.crawl.pipelines import MediaFetcher
from posterity.model import Media


class NoCrawler:
    settings = Settings({"POSTERITY_MAX_MEDIA_BYTES": 1000})


def test_embed_is_kept_as_it_is() -> None:
    fetcher = MediaFetcher(cast("Crawler", NoCrawler()), cast("Archive", None))
    video = Media(url="https://www.youtube.com/watch?v=abcdefghijk", kind="video", provider="YouTube")
    assert asyncio.run(fetcher.kept(video)) == video
