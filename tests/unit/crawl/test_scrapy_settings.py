"""Conversion of our settings to Scrapy's."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings
from scrapy.utils.misc import load_object

from posterity import __version__
from posterity.config import CrawlSettings
from posterity.crawl.scrapy_settings import add_settings, scrapy_settings


def test_user_agent_names_the_project_its_version_and_where_to_complain() -> None:
    agent = scrapy_settings(CrawlSettings())["USER_AGENT"]
    assert agent.startswith(f"Posterity/{__version__} ")
    assert "+https://" in agent


def test_user_agent_names_whom_to_write_to() -> None:
    agent = scrapy_settings(CrawlSettings(contact="archive@library.example"))["USER_AGENT"]
    assert agent.endswith("; archive@library.example)")


def test_polite_by_default() -> None:
    settings = scrapy_settings(CrawlSettings())
    assert settings["DOWNLOAD_DELAY"] >= 1
    assert settings["CONCURRENT_REQUESTS_PER_DOMAIN"] <= 4
    assert "posterity.crawl.robots.RobotsMiddleware" in settings["DOWNLOADER_MIDDLEWARES"]


def test_settings_of_a_crawl_reach_scrapy() -> None:
    settings = scrapy_settings(CrawlSettings(delay_s=0, concurrency=9, time_limit_s=2.5))
    assert (settings["DOWNLOAD_DELAY"], settings["CONCURRENT_REQUESTS_PER_DOMAIN"]) == (0, 9)
    assert settings["POSTERITY_TIME_LIMIT_S"] == 2.5


def test_every_part_that_is_named_can_be_loaded() -> None:
    settings = scrapy_settings(CrawlSettings())
    for name in [*settings["DOWNLOADER_MIDDLEWARES"], *settings["ITEM_PIPELINES"], *settings["EXTENSIONS"]]:
        assert callable(load_object(name))


@pytest.mark.parametrize(
    ("crawl", "off"),
    [
        (CrawlSettings(media=False), ["DownloadMedia", "StoreTheme"]),
        (CrawlSettings(comments=False), ["ExtractComments"]),
    ],
)
def test_steps_that_are_not_wanted_are_switched_off(crawl: CrawlSettings, off: list[str]) -> None:
    steps = scrapy_settings(crawl)["ITEM_PIPELINES"]
    assert [name.rpartition(".")[2] for name, order in steps.items() if order is None] == off


def test_user_agent_of_ones_own_is_sent_as_it_is() -> None:
    agent = "Library/2 {of} (+mailto:archive@library.example)"
    assert scrapy_settings(CrawlSettings(user_agent=agent))["USER_AGENT"] == agent


def test_settings_and_parts_of_somebody_elses_project_stay() -> None:
    settings = Settings({"DOWNLOAD_DELAY": 7, "ITEM_PIPELINES": {"posterity.crawl.pipelines.DownloadMedia": None}})
    add_settings(settings)
    assert settings.getfloat("DOWNLOAD_DELAY") == 7
    assert settings["USER_AGENT"].startswith("Posterity/")
    names = {load_object(part).__name__: order for part, order in settings.getdict("ITEM_PIPELINES").items()}
    ours = {"ExtractContent": 200, "ExtractComments": 300, "WidgetComments": 350, "Screenshot": 450, "Propagate": 500}
    assert names == ours | {"DownloadMedia": None, "StoreTheme": 420}
