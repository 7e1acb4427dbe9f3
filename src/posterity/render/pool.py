"""The browser of one blog: started for the first page that needs it, with a limited number of open pages.

It is restarted periodically. If it crashes, the current visits are repeated in a new browser; a page that crashes it
twice is abandoned. A visit loads a page, runs the behaviours and returns the rendered page.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Self

from playwright.async_api import Error, Page
from playwright.async_api import TimeoutError as TooSlow

from posterity.config import RenderSettings
from posterity.errors import PageTooCostly, Unreachable
from posterity.render.behaviours import BEHAVIOURS
from posterity.render.chromium import Chromium
from posterity.render.gate import REFUSED, VERDICT_HEADER
from posterity.render.rendered import BehaviourResult, Rendered
from posterity.render.traffic import Quiet, Traffic

_TRIES = 2
_MEMORY_EVERY = 25  # visits between memory checks


class BrowserPool:
    """Renders pages. `own_urls` are URLs of the blog, whose host may have a private IP address."""

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
        """Return the page after its scripts have run; raise `Unreachable` if there is no response."""
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
                    browser.open_pages -= 1
                    browser.visits += 1
                    if not browser.is_retired and browser.is_alive:
                        browser.is_retired = await self._needs_restart(browser)
                    if browser in self._retired and not browser.open_pages:
                        self._retired.discard(browser)
                        await browser.close()
        raise PageTooCostly(f"{url} cannot be rendered: it crashed the browser twice.")

    async def process_ids(self) -> dict[int, str]:
        """Return the processes of the running browser, if there is one."""
        return await self._current.process_ids() if self._current and self._current.is_alive else {}

    async def close(self) -> None:
        """Close every browser."""
        running = {*self._retired, *((self._current,) if self._current else ())}
        self._current, self._retired = None, set()
        for browser in running:
            await browser.close()

    async def _browser(self) -> Chromium:
        async with self._starting:
            current = self._current
            if current is not None and (current.is_retired or not current.is_alive):
                self._current = None
                if current.open_pages:  # closed when the last of them is finished
                    self._retired.add(current)
                else:
                    await current.close()
            if self._current is None:
                self._current = await Chromium.start(self._settings, self._own_urls, self._user_agent)
                self.launches += 1
            return self._current

    async def _needs_restart(self, browser: Chromium) -> bool:
        if browser.visits >= self._settings.recycle_pages:
            return True
        if browser.visits % _MEMORY_EVERY:
            return False
        return await browser.memory_mb() > self._settings.recycle_mb


class Browser:
    """Synchronous interface that renders pages one by one; `close` ends the browser.

    `url` is one of the pages: its host may be requested even if it has a private IP address.
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
        """Close the browser."""
        self._runner.run(self._pool.close())
        self._runner.close()


_CLOSE_TIMEOUT_S = 5.0


class BrowserDied(Exception):  # noqa: N818 - named after what happened, as in errors.py
    """The browser crashed during the visit."""


class PageVisit:
    """A visit to one page; `kept` are URLs whose responses are already stored."""

    def __init__(self, browser: Chromium, settings: RenderSettings, kept: set[str]) -> None:
        self._browser, self._settings, self._kept = browser, settings, kept

    async def rendered(self, url: str) -> Rendered:
        """Return the page; raise `BrowserDied`, or `Unreachable` if there is no response in time."""
        page: Page | None = None
        watch = self._browser.watch
        ended = set(watch.ended) if watch else set()
        try:
            async with asyncio.timeout(self._settings.page_timeout_s):
                page = await self._browser.acquire_page()
                rendered = await self._within_limits(page, url)
                await self._browser.release_page(page)
                page = None
                return rendered
        except TimeoutError:
            raise PageTooCostly(f"{url} was not rendered in {self._settings.page_timeout_s:.0f} seconds.") from None
        except Error as problem:
            if self._browser.is_alive and watch and watch.ended - ended:
                raise PageTooCostly(
                    f"{url} takes more than {self._settings.page_mb} MB of memory in the browser."
                ) from None
            if not self._browser.is_alive or "crash" in str(problem).lower():
                raise BrowserDied from problem
            raise
        finally:
            await self._close(page)

    async def _within_limits(self, page: Page, url: str) -> Rendered:
        """Return the page, or raise `PageTooCostly` as soon as it exceeds a limit."""
        visit = asyncio.ensure_future(self._visit(page, url))
        check = asyncio.ensure_future(self._exceeded_limit(page))
        try:
            await asyncio.wait({visit, check}, return_when=asyncio.FIRST_COMPLETED)
            if not visit.done():
                raise PageTooCostly(f"{url} {check.result()}.")
            return visit.result()
        finally:
            for task in (visit, check):
                task.cancel()
            await asyncio.gather(visit, check, return_exceptions=True)

    async def _exceeded_limit(self, page: Page) -> str:
        """Wait until the page exceeds a limit, and return the message about it."""
        limits, watch = self._settings, self._browser.watch
        used_s = watch.cpu_s if watch else 0.0
        while True:
            await asyncio.sleep(1.0)
            try:
                with suppress(Error):  # the page crashed or navigated, which the visit itself reports
                    await asyncio.wait_for(page.evaluate("0"), limits.unresponsive_s)
            except TimeoutError:
                return f"does not respond in the browser for {limits.unresponsive_s:.0f} seconds"
            # The CPU time of the browser is divided among its open pages.
            if watch and (watch.cpu_s - used_s) / max(self._browser.open_pages, 1) > limits.page_cpu_s:
                return f"takes more than {limits.page_cpu_s:.0f} seconds of processor time in the browser"

    async def _visit(self, page: Page, url: str) -> Rendered:
        deadline = time.monotonic() + self._settings.page_timeout_s * 0.8
        if page.url.partition("#")[0] == url.partition("#")[0]:
            await page.goto("about:blank")  # otherwise only the fragment would change, and the page would not reload
        with Traffic(page, self._kept) as traffic:
            limits = self._settings
            status = await _open_page(page, url, traffic, limits.page_timeout_s * 0.3)
            quiet = Quiet(page, traffic, limits, [feature for feature, _ in BEHAVIOURS])
            await quiet.wait()
            behaviours_run: list[BehaviourResult] = []
            for place, (_, behaviour) in enumerate(BEHAVIOURS):
                if quiet.seen[place] and time.monotonic() < deadline and traffic.bytes < limits.max_bytes:
                    result = await behaviour(page, quiet, limits, deadline)
                    behaviours_run += [result] if result else []
            size = await page.evaluate("document.documentElement?.outerHTML.length ?? 0")
            if size > limits.max_bytes:
                raise PageTooCostly(f"{url} has {size:,} characters in the browser, more than {limits.max_bytes:,}.")
            html, received = await asyncio.gather(page.content(), traffic.received(limits.max_bytes))
            picture = await page.screenshot(full_page=True) if limits.screenshot else None
            return Rendered(
                url=page.url,
                requested_url=url,
                status=status,
                html=html,
                behaviours_run=tuple(behaviours_run),
                screenshot=picture,
                received=received,
                failed=traffic.unfinished,
                fetched_at=datetime.now(UTC),
            )

    async def _close(self, page: Page | None) -> None:
        """Close the page; if that is not possible, retire the browser."""
        if page is None:
            return
        try:
            await asyncio.wait_for(page.close(), _CLOSE_TIMEOUT_S)
        except TimeoutError:
            self._browser.is_retired = True
        except Error:
            pass


async def _open_page(page: Page, url: str, traffic: Traffic, timeout_s: float) -> int:
    """Open the URL, and return the status; a page that is still loading after the timeout is accepted."""
    try:
        response = await page.goto(url, timeout=timeout_s * 1000)
    except TooSlow:
        if not traffic.status:
            raise Unreachable(f"{url} does not respond in time. Try again later.") from None
        return traffic.status
    if response is not None and (verdict := response.headers.get(VERDICT_HEADER)):
        raise Unreachable(
            f"{url} has a private IP address, and a public blog may not link to such pages."
            if verdict == REFUSED
            else f"No server responds at {url}. Check the URL."
        )
    return response.status if response else 200
