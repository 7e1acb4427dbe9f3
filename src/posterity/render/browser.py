"""Which browser is on this machine, and what to do when there is none."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from posterity.errors import BrowserMissing

# Debian's names, the lighter one first.
_SYSTEM_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_SYSTEM_PLACES = ("/usr/lib/chromium/chromium-headless-shell",)


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
    found = found or next((place for place in _SYSTEM_PLACES if Path(place).is_file()), None)
    found = found or _downloaded()
    if found is None:
        raise BrowserMissing(
            "There is no browser on this machine; only blogs drawn by JavaScript need one. "
            "Install it with `apt-get install chromium-headless-shell` as root on Debian, "
            "or with `playwright install chromium-headless-shell`."
        )
    return found


def _downloaded() -> str | None:
    """Playwright keeps its browsers in a cache of the user's, one folder per version."""
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    builds = sorted(cache.glob("chromium*/*/*headless*shell*")) + sorted(cache.glob("chromium*/*/chrome"))
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
