"""The choice of the browser, and the message if there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from posterity.errors import BrowserMissing
from posterity.render.chromium import browser_executable


@pytest.fixture
def empty_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.delenv("POSTERITY_BROWSER", raising=False)
    return tmp_path


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_named_browser_comes_first(empty_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executable(empty_machine / "bin" / "chromium")
    monkeypatch.setenv("POSTERITY_BROWSER", str(executable(empty_machine / "mine")))
    assert browser_executable() == str(empty_machine / "mine")


def test_named_browser_that_is_not_there_is_an_error_that_names_it(
    empty_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSTERITY_BROWSER", "/no/such/browser")
    with pytest.raises(BrowserMissing, match="/no/such/browser"):
        browser_executable()


def test_browser_of_the_system_is_found_on_the_path(empty_machine: Path) -> None:
    found = executable(empty_machine / "bin" / "chromium")
    assert browser_executable() == str(found)


@pytest.mark.skipif(
    Path("/usr/lib/chromium/chromium-headless-shell").is_file(), reason="the system's own browser cannot be hidden"
)
@pytest.mark.parametrize(
    "build",
    [
        "chromium_headless_shell-1200/linux/headless_shell",
        "chromium_headless_shell-1200/chrome-headless-shell-win64/chrome-headless-shell.exe",
        "chromium-1200/chrome-win64/chrome.exe",
        "chromium-1100/chrome-mac/Chromium.app/Contents/MacOS/Chromium",
        "chromium-1200/chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    ],
)
def test_browser_that_playwright_downloaded_is_found(empty_machine: Path, build: str) -> None:
    found = executable(empty_machine / "playwright" / build)
    assert browser_executable() == str(found)


@pytest.mark.skipif(
    Path("/usr/lib/chromium/chromium-headless-shell").is_file(), reason="the system's own browser cannot be hidden"
)
def test_browser_that_comes_with_windows_is_found(empty_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = executable(empty_machine / "x86" / "Microsoft" / "Edge" / "Application" / "msedge.exe")
    monkeypatch.setenv("PROGRAMFILES(X86)", str(empty_machine / "x86"))
    assert browser_executable() == str(found)


@pytest.mark.skipif(
    Path("/usr/lib/chromium/chromium-headless-shell").is_file(), reason="the system's own browser cannot be hidden"
)
def test_missing_browser_is_a_sentence_with_the_command_that_brings_one(empty_machine: Path) -> None:
    with pytest.raises(BrowserMissing, match="apt-get install chromium-headless-shell") as caught:
        browser_executable()
    assert caught.value.exit_code == 8


_START = """
import asyncio
from posterity.config import RenderSettings
from posterity.errors import BrowserMissing
from posterity.render.chromium import Chromium
try:
    asyncio.run(Chromium.start(RenderSettings(), (), ""))
except BrowserMissing as problem:
    print(problem)
"""


def test_driver_that_does_not_start_is_a_missing_browser() -> None:
    """As in an image without libatomic, where Playwright raises a bare exception and leaves its process running."""
    broken = {"POSTERITY_BROWSER": "/bin/true", "PLAYWRIGHT_NODEJS_PATH": "/bin/false"}
    ended = subprocess.run(
        [sys.executable, "-c", _START], env=os.environ | broken, capture_output=True, text=True, check=False
    )
    assert "driver does not start" in ended.stdout, ended.stderr
