"""The browser of one blog: started when the first page needs it, a bounded number of pages, renewed after many pages.

When the browser dies, the visits under way are made again in a new one; a page during whose visits it dies twice is
given up, and the others go on.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self

from playwright.async_api import Error

from posterity.config import RenderSettings
from posterity.errors import PageTooCostly, Unreachable
from posterity.render.chromium import Chromium
from posterity.render.visit import BrowserDied, PageVisit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.render.rendered import Rendered


_TRIES = 2
_MEMORY_EVERY = 25  # visits between two looks at the memory


class BrowserPool:
    """Renders pages. `own_urls` are URLs of the blog: its own machine may be a private one."""

    def __init__(
        self, settings: RenderSettings | None = None, own_urls: Iterable[str] = (), user_agent: str = ""
    ) -> None:
        settings = settings or RenderSettings()
        self._settings, self._own_urls, self._user_agent = settings, tuple(own_urls), user_agent
        self._slots = asyncio.Semaphore(settings.pages)
        self._starting = asyncio.Lock()
        self._current: Chromium | None = None
        self._retired: set[Chromium] = set()
        self._kept: set[str] = set()
        self.launches = 0

    async def __aenter__(self) -> BrowserPool:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def render(self, url: str) -> Rendered:
        """Return the page after its scripts have run; raise `Unreachable` when there is no response."""
        async with self._slots:
            for _ in range(_TRIES):
                browser = await self._browser()
                browser.open_pages += 1
                try:
                    return await PageVisit(browser, self._settings, self._kept).rendered(url)
                except BrowserDied:
                    browser.is_retired = True
                except Error as problem:
                    raise Unreachable(f"{url} cannot be rendered: {str(problem).splitlines()[0]}.") from problem
                finally:
                    await self._release(browser)
        raise PageTooCostly(f"{url} cannot be rendered: the browser died of it, twice.")

    async def process_ids(self) -> dict[int, str]:
        """Return the processes of the browser that is running; none when there is none."""
        return await self._current.process_ids() if self._current and self._current.is_alive else {}

    async def close(self) -> None:
        """End every browser."""
        running = {*self._retired, *((self._current,) if self._current else ())}
        self._current, self._retired = None, set()
        for browser in running:
            await browser.close()

    async def _browser(self) -> Chromium:
        async with self._starting:
            current = self._current
            if current is not None and (current.is_retired or not current.is_alive):
                self._current = None
                await self._set_aside(current)
            if self._current is None:
                self._current = await Chromium.start(self._settings, self._own_urls, self._user_agent)
                self.launches += 1
            return self._current

    async def _release(self, browser: Chromium) -> None:
        browser.open_pages -= 1
        browser.visits += 1
        if not browser.is_retired and browser.is_alive:
            browser.is_retired = await self._is_worn(browser)
        if browser in self._retired and not browser.open_pages:
            self._retired.discard(browser)
            await browser.close()

    async def _is_worn(self, browser: Chromium) -> bool:
        if browser.visits >= self._settings.recycle_pages:
            return True
        if browser.visits % _MEMORY_EVERY:
            return False
        return await browser.memory_mb() > self._settings.recycle_mb

    async def _set_aside(self, browser: Chromium) -> None:
        """Its last pages may end; then it is closed."""
        if browser.open_pages:
            self._retired.add(browser)
        else:
            await browser.close()


class Browser:
    """Renders one page after the other; closing it ends the browser.

    `url` is one of the pages: where it lies, the others may lie too, even if that is a private address.
    """

    def __init__(self, url: str, user_agent: str = "", settings: RenderSettings | None = None) -> None:
        self._runner = asyncio.Runner()
        self._pool = BrowserPool(settings, (url,), user_agent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rendered(self, url: str) -> Rendered:
        """Return the page after its scripts have run; raise `BrowserMissing` or `Unreachable`."""
        return self._runner.run(self._pool.render(url))

    def close(self) -> None:
        """End the browser."""
        self._runner.run(self._pool.close())
        self._runner.close()
