"""A Chromium process behind its gate: finds, starts, monitors and closes it.

Its processes are monitored, and one that takes too much memory is killed. (Chromium does not start under RLIMIT_AS or
RLIMIT_DATA, because it maps much more memory than it uses.) Without /proc, only the time limits apply.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from playwright.async_api import Browser, BrowserContext, Error, Page, Playwright, async_playwright

from posterity.config import RenderSettings
from posterity.errors import BrowserMissing
from posterity.render.behaviours.scroll import WATCH
from posterity.render.gate import Gate
from posterity.render.traffic import PENDING, page_script

# Names on the PATH, the lighter headless shell first.
_SYSTEM_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
# Paths of browsers that are installed but not on the PATH.
_SYSTEM_PLACES = (
    "/usr/lib/chromium/chromium-headless-shell",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "$PROGRAMFILES/Google/Chrome/Application/chrome.exe",
    "$LOCALAPPDATA/Google/Chrome/Application/chrome.exe",
    "$LOCALAPPDATA/Chromium/Application/chrome.exe",
    "$PROGRAMFILES/Microsoft/Edge/Application/msedge.exe",
    # The default path of Edge on Windows.
    "${PROGRAMFILES(X86)}/Microsoft/Edge/Application/msedge.exe",
)
# The folders of browsers that Playwright has downloaded, by system.
_PLAYWRIGHT_CACHES = ("~/.cache/ms-playwright", "~/Library/Caches/ms-playwright", "$LOCALAPPDATA/ms-playwright")
_PLAYWRIGHT_BUILDS = ("*headless*shell*", "chrome", "chrome.exe", "*.app/Contents/MacOS/*Chrom*")


def browser_executable() -> str:
    """Return the path of a Chromium, or raise `BrowserMissing` with the command that installs one.

    `$POSTERITY_BROWSER` has precedence, then a browser of the system, then one downloaded by Playwright.
    """
    if named := os.environ.get("POSTERITY_BROWSER"):
        if not Path(named).is_file():
            raise BrowserMissing(f"$POSTERITY_BROWSER is {named}, but there is no such file.")
        return named
    found = next(filter(None, map(shutil.which, _SYSTEM_BROWSERS)), None)
    found = found or next((place for place in map(os.path.expandvars, _SYSTEM_PLACES) if Path(place).is_file()), None)
    found = found or _downloaded_browser()
    if found is None:
        raise BrowserMissing(
            "There is no browser on this machine; only blogs rendered by JavaScript need one. "
            "Install it with `apt-get install chromium-headless-shell` as root on Debian, "
            "or with `playwright install chromium-headless-shell`."
        )
    return found


def _downloaded_browser() -> str | None:
    """Return the path of a browser in Playwright's cache, which has a folder per version; None if there is none."""
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    caches = [Path(os.path.expandvars(cache)).expanduser() for cache in ([named] if named else _PLAYWRIGHT_CACHES)]
    found = (sorted(cache.glob(f"chromium*/*/{name}")) for cache in caches for name in _PLAYWRIGHT_BUILDS)
    builds = (build for some in found for build in some if build.is_file() and os.access(build, os.X_OK))
    return next(map(str, builds), None)


def main() -> None:
    """Print the browser's path; used by tools/setup.sh."""
    try:
        sys.stdout.write(browser_executable() + "\n")
    except BrowserMissing as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(problem.exit_code)


if __name__ == "__main__":
    main()


FLAGS = (
    "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --disable-extensions --mute-audio --force-webrtc-ip-handling-policy=disable_non_proxied_udp "
    "--block-new-web-contents"
).split()
# The crawl downloads images by itself; the browser needs them only for screenshots.
WITHOUT_PICTURES = ("--blink-settings=imagesEnabled=false", "--disable-remote-fonts")
# A usual window size, for which lazy loading is designed.
VIEWPORT = {"width": 1280, "height": 1100}
_CLOSE_TIMEOUT_S = 5.0
UNATTENDED = page_script("unattended")
_WATCH_S = 0.1
# If the whole browser takes too much memory and no renderer has this much, the browser itself is killed.
_RENDERER_MB = 300


class ProcessWatch:
    """Monitors the processes of a browser, and kills those that take too much memory."""

    def __init__(self, root: int, settings: RenderSettings) -> None:
        self._root, self._page_mb, self._browser_mb = root, settings.page_mb, settings.browser_mb
        self._cpu: dict[int, float] = {}
        self.ended: set[int] = set()  # processes that were killed

    @property
    def cpu_s(self) -> float:
        """The CPU time of all processes so far, including those that have ended."""
        return sum(self._cpu.values())

    async def run(self) -> None:
        """Check the processes periodically, until cancelled."""
        while True:
            self.check()
            await asyncio.sleep(_WATCH_S)

    def check(self) -> None:
        """Kill the processes that take too much memory."""
        processes = _descendants(self._root)
        memory = {process: _resident_mb(process) for process in processes}
        self._cpu |= {process: _cpu_s(process) for process in processes}
        for process in processes[1:]:
            if memory[process] > self._page_mb:
                self._end(process)
        if sum(memory.values()) > self._browser_mb and not self.ended.intersection(processes):
            largest = max(processes[1:], key=lambda process: memory[process], default=self._root)
            self._end(largest if memory[largest] > _RENDERER_MB else self._root)

    def _end(self, process: int) -> None:
        self.ended.add(process)
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


class Chromium:
    """A browser with one context, so that pages of a blog share the cache, and closed banners stay closed."""

    def __init__(self, playwright: Playwright, browser: Browser, context: BrowserContext, gate: Gate) -> None:
        self._playwright, self._browser, self._context, self.gate = playwright, browser, context, gate
        self._idle: list[Page] = []
        self._watching: asyncio.Task[None] | None = None
        self.watch: ProcessWatch | None = None
        self.visits = self.open_pages = 0
        self.is_retired = False

    @classmethod
    async def start(cls, settings: RenderSettings, own_urls: Iterable[str], user_agent: str) -> Chromium:
        """Start a browser; raise `BrowserMissing` if there is none or it does not start."""
        executable = browser_executable()
        gate = Gate(own_urls, allow_private=settings.allow_private)
        proxy = await gate.open()
        try:
            playwright = await async_playwright().start()
        except Exception as problem:  # Playwright has no exception class for a driver that does not start
            await gate.close()
            raise BrowserMissing(
                f"Playwright's driver does not start: {_first_line(problem)}. A system library may be missing; "
                "`playwright --version` prints which."
            ) from problem
        flags = [*FLAGS, *(() if settings.screenshot else WITHOUT_PICTURES)]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            flags.append("--no-sandbox")  # as root, Chromium refuses to start with a sandbox
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
            await context.add_init_script(UNATTENDED)
        except Error as problem:
            await gate.close()
            await playwright.stop()
            raise BrowserMissing(f"The browser {executable} does not start: {_first_line(problem)}") from problem
        chromium = cls(playwright, browser, context, gate)
        with suppress(Error):  # if the browser has crashed, the first visit reports it
            processes = await chromium.process_ids()
            root = next(process for process, kind in processes.items() if kind == "browser")
            chromium.watch = ProcessWatch(root, settings)
            chromium._watching = asyncio.ensure_future(chromium.watch.run())
        return chromium

    @property
    def is_alive(self) -> bool:
        """Whether the connection to the browser is open."""
        return self._browser.is_connected()

    async def acquire_page(self) -> Page:
        """Return an idle page, or open one; opening takes as long as a visit."""
        if self._idle:
            return self._idle.pop()
        page = await self._context.new_page()
        page.on("popup", lambda popup: asyncio.ensure_future(_close(popup)))
        return page

    async def release_page(self, page: Page) -> None:
        """Return a page for reuse after a successful visit."""
        if page.url.startswith("http"):
            self._idle.append(page)
        else:
            await _close(page)

    async def process_ids(self) -> dict[int, str]:
        """Return the process ids of the browser, each with its type (browser, renderer...)."""
        session = await self._browser.new_browser_cdp_session()
        try:
            response = await session.send("SystemInfo.getProcessInfo")
        finally:
            await session.detach()
        return {int(one["id"]): str(one["type"]) for one in response["processInfo"]}

    async def memory_mb(self) -> float:
        """Return the memory used by the browser; 0 if the system does not report it."""
        with suppress(Error):
            return sum(map(_resident_mb, await self.process_ids()))
        return 0.0

    async def close(self) -> None:
        """Close the browser, its driver and the gate, even if it has crashed."""
        if self._watching is not None:
            self._watching.cancel()
        with suppress(Error, TimeoutError, asyncio.CancelledError):
            await asyncio.wait_for(self._browser.close(), _CLOSE_TIMEOUT_S)
        with suppress(Exception):  # the driver may have crashed too
            await asyncio.wait_for(self._playwright.stop(), _CLOSE_TIMEOUT_S)
        await self.gate.close()


async def _close(page: Page) -> None:
    with suppress(Error):
        await page.close()


def _descendants(root: int) -> list[int]:
    """Return the process and its descendants, itself first; empty without /proc."""
    found = [root] if Path(f"/proc/{root}").is_dir() else []
    for process in found:
        with suppress(OSError):
            for thread in Path(f"/proc/{process}/task").iterdir():
                found += map(int, (thread / "children").read_text("ascii").split())
    return found


def _cpu_s(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def _resident_mb(process: int) -> float:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _first_line(problem: Exception) -> str:
    return str(problem).strip().splitlines()[0]
