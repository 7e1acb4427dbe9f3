"""A real browser, in light and dark, and a server with a blog to harvest beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.sync_api import expect, sync_playwright
from tests.integration.serve.running import Served, served

from posterity.demo.options import SiteOptions
from posterity.demo.server import serving
from posterity.errors import BrowserMissing
from posterity.render.browser import browser_executable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page


# A busy machine is no defect.
expect.set_options(timeout=40_000)


class House(NamedTuple):
    """Our server, and the address of a blog that it has not harvested yet."""

    site: Served
    blog_url: str


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server on an empty archive beside the bundled blog."""
    folder = tmp_path_factory.mktemp("house")
    with (
        serving(SiteOptions(posts_limit=24)) as blog,
        served(folder / "archive", allowed_hosts=("127.0.0.1",), delay_s=0.0, reports=str(folder)) as site,
    ):
        yield House(site, f"{blog.base_url}/")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    try:
        executable = browser_executable()
    except BrowserMissing as problem:
        pytest.skip(str(problem))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def page(browser: Browser, house: House) -> Iterator[Page]:
    """A window; whatever a page complains about fails the test."""
    context = browser.new_context(base_url=house.site.base_url, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(20_000)
    complaints: list[str] = []
    page.on("pageerror", lambda problem: complaints.append(str(problem)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert not complaints
