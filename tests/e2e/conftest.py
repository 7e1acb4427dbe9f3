"""A real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

from posterity.errors import BrowserMissing
from posterity.render.chromium import browser_executable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium. Its loop runs as long as it lives, and other tests start loops of their own."""
    try:
        executable = browser_executable()
    except BrowserMissing as problem:
        pytest.skip(str(problem))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable)
        yield browser
        browser.close()
