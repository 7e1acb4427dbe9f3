"""Our settings as Scrapy's."""

from __future__ import annotations

from scrapy.utils.misc import load_object

from posterity import __version__
from posterity.config import CrawlSettings
from posterity.fetch.scrapy_settings import scrapy_settings


def test_user_agent_names_the_project_its_version_and_where_to_complain() -> None:
    agent = scrapy_settings(CrawlSettings())["USER_AGENT"]
    assert agent.startswith(f"Posterity/{__version__} ")
    assert "+https://" in agent


def test_polite_by_default() -> None:
    settings = scrapy_settings(CrawlSettings())
    assert settings["DOWNLOAD_DELAY"] >= 1
    assert settings["CONCURRENT_REQUESTS_PER_DOMAIN"] <= 4
    assert "posterity.fetch.robots.RobotsMiddleware" in settings["DOWNLOADER_MIDDLEWARES"]


def test_settings_of_a_crawl_reach_scrapy() -> None:
    settings = scrapy_settings(CrawlSettings(delay_s=0, concurrency=9, time_limit_s=2.5))
    assert (settings["DOWNLOAD_DELAY"], settings["CONCURRENT_REQUESTS_PER_DOMAIN"]) == (0, 9)
    assert settings["CLOSESPIDER_TIMEOUT"] == 2.5


def test_every_part_that_is_named_can_be_loaded() -> None:
    settings = scrapy_settings(CrawlSettings())
    for name in [*settings["DOWNLOADER_MIDDLEWARES"], *settings["ITEM_PIPELINES"]]:
        assert callable(load_object(name))
