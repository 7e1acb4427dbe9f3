"""One running Chromium behind its gate: how it is started, how much memory it takes, how it ends."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from playwright.async_api import Browser, BrowserContext, Error, Page, Playwright, async_playwright

from posterity.config import RenderSettings
from posterity.errors import BrowserMissing
from posterity.render.behaviours.scroll import WATCH
from posterity.render.gate import Gate
from posterity.render.traffic import PENDING

# Names on the PATH, Debian's and Windows', the lighter one first.
_SYSTEM_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
# Where installers put browsers that are not on the PATH.
_SYSTEM_PLACES = (
    "/usr/lib/chromium/chromium-headless-shell",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "$PROGRAMFILES/Google/Chrome/Application/chrome.exe",
    "$LOCALAPPDATA/Google/Chrome/Application/chrome.exe",
    "$LOCALAPPDATA/Chromium/Application/chrome.exe",
    "$PROGRAMFILES/Microsoft/Edge/Application/msedge.exe",
)
# Playwright's own folder of browsers, by system.
_PLAYWRIGHT_CACHES = ("~/.cache/ms-playwright", "~/Library/Caches/ms-playwright", "$LOCALAPPDATA/ms-playwright")
_PLAYWRIGHT_BUILDS = ("*headless*shell*", "chrome", "chrome.exe", "Chromium.app/Contents/MacOS/Chromium")


def browser_executable() -> str:
    """Return the path of a Chromium, or raise `BrowserMissing` with the command that brings one.

    `$POSTERITY_BROWSER` comes first, then the system's, then the one that Playwright downloaded.
    """
    named = os.environ.get("POSTERITY_BROWSER")
    if named:
        if not Path(named).is_file():
            raise BrowserMissing(f"$POSTERITY_BROWSER names {named}, and there is no such file.")
        return named
    found = next(filter(None, map(shutil.which, _SYSTEM_BROWSERS)), None)
    found = found or next((place for place in map(os.path.expandvars, _SYSTEM_PLACES) if Path(place).is_file()), None)
    found = found or _downloaded()
    if found is None:
        raise BrowserMissing(
            "There is no browser on this machine; only blogs rendered by JavaScript need one. "
            "Install it with `apt-get install chromium-headless-shell` as root on Debian, "
            "or with `playwright install chromium-headless-shell`."
        )
    return found


def _downloaded() -> str | None:
    """Playwright keeps its browsers in a cache of the user's, one folder per version."""
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    caches = [Path(os.path.expandvars(cache)).expanduser() for cache in ([named] if named else _PLAYWRIGHT_CACHES)]
    builds = (
        build for cache in caches for name in _PLAYWRIGHT_BUILDS for build in sorted(cache.glob(f"chromium*/*/{name}"))
    )
    return next((str(build) for build in builds if build.is_file() and os.access(build, os.X_OK)), None)


def main() -> None:
    """Print the browser's path; used by the set-up."""
    try:
        sys.stdout.write(browser_executable() + "\n")
    except BrowserMissing as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(problem.exit_code)


if __name__ == "__main__":
    main()


FLAGS = (
    "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --disable-extensions --mute-audio --force-webrtc-ip-handling-policy=disable_non_proxied_udp"
).split()
# Pictures come into the archive by way of `fetch`, once each; here they are only wanted for a picture of the page.
WITHOUT_PICTURES = ("--blink-settings=imagesEnabled=false", "--disable-remote-fonts")
# As people have it: what waits to come into view is made for windows of about this size.
VIEWPORT = {"width": 1280, "height": 1100}
_PATIENCE_S = 5.0


class Chromium:
    """A browser with one context: pages of a blog share its cache, and a banner that was closed stays closed."""

    def __init__(self, playwright: Playwright, browser: Browser, context: BrowserContext, gate: Gate) -> None:
        self._playwright, self._browser, self._context, self.gate = playwright, browser, context, gate
        self._idle: list[Page] = []
        self.visits = self.open_pages = 0
        self.is_retired = False

    @classmethod
    async def start(cls, settings: RenderSettings, own_urls: Iterable[str], user_agent: str) -> Chromium:
        """Start a browser; raise `BrowserMissing` when there is none, or none that starts."""
        executable = browser_executable()
        gate = Gate(own_urls, allow_private=settings.allow_private)
        proxy = await gate.open()
        playwright = await async_playwright().start()
        flags = [*FLAGS, *(() if settings.screenshot else WITHOUT_PICTURES)]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            flags.append("--no-sandbox")  # Chromium refuses to start as root with it
        try:
            browser = await playwright.chromium.launch(
                executable_path=executable,
                args=flags,
                proxy={"server": proxy, "bypass": ",".join(["<-loopback>", *gate.direct])},
            )
            context = await browser.new_context(
                user_agent=user_agent or None,
                viewport=VIEWPORT,  # type: ignore[arg-type]
                accept_downloads=False,
                service_workers="block",
            )
            await context.add_init_script(WATCH)
            await context.add_init_script(PENDING)
        except Error as problem:
            await gate.close()
            await playwright.stop()
            raise BrowserMissing(f"The browser {executable} does not start: {_first_line(problem)}") from problem
        return cls(playwright, browser, context, gate)

    @property
    def is_alive(self) -> bool:
        """Tell whether the browser still responds."""
        return self._browser.is_connected()

    async def lend_page(self) -> Page:
        """Return a page that nobody uses; opening one costs as much as a visit."""
        if self._idle:
            return self._idle.pop()
        page = await self._context.new_page()
        # A window that the page opens by itself is none of ours.
        page.on("popup", lambda popup: asyncio.ensure_future(_closed(popup)))
        return page

    async def take_back(self, page: Page) -> None:
        """Take a page back after a visit that went well."""
        if page.url.startswith("http"):
            self._idle.append(page)
        else:
            await _closed(page)

    async def process_ids(self) -> dict[int, str]:
        """Return the operating system's numbers of its processes, each with what it is (browser, renderer...)."""
        session = await self._browser.new_browser_cdp_session()
        try:
            response = await session.send("SystemInfo.getProcessInfo")
        finally:
            await session.detach()
        return {int(one["id"]): str(one["type"]) for one in response["processInfo"]}

    async def memory_mb(self) -> float:
        """Return how much memory it takes; 0 where the system does not have it."""
        with suppress(Error):
            return sum(map(_resident_mb, await self.process_ids()))
        return 0.0

    async def close(self) -> None:
        """End it, in order if it can, and in any case."""
        with suppress(Error, TimeoutError, asyncio.CancelledError):
            await asyncio.wait_for(self._browser.close(), _PATIENCE_S)
        with suppress(Exception):  # its driver may have died with it
            await asyncio.wait_for(self._playwright.stop(), _PATIENCE_S)
        await self.gate.close()


async def _closed(page: Page) -> None:
    with suppress(Error):
        await page.close()


def _resident_mb(process: int) -> float:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _first_line(problem: Exception) -> str:
    return str(problem).strip().splitlines()[0]
