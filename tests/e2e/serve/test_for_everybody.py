"""Everybody can use it: without a mouse, on a phone, with a screen reader (axe), in light and dark."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from tests.e2e.serve.test_as_a_person import PICTURES

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.e2e.serve.conftest import House, Stocked

_SERIOUS = ("serious", "critical")
_MOST_STOPS = 150


@pytest.fixture
def places(house: House, stocked: Stocked) -> list[str]:
    """Every kind of page there is."""
    article = "<article><h1>Salt</h1><p>Words that make this a page with some text in it.</p></article>"
    demo = house.site.ask.post("/demo", json={"html": article, "methods": ["hybrid", "bte"]}).json()["href"]
    return [
        "/", stocked.blog, f"{stocked.blog}/pictures", stocked.post, f"{stocked.post}/correct", stocked.job,
        "/search", "/search?q=salt", "/search?tag=bread", "/search?q=nothingofthiskind", "/demo", demo, "/evaluate",
        "/api", "/login", "/nothing-here",
    ]  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page: Page, places: list[str], scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    found = []
    for place in places:
        page.goto(place)
        # Pages of other people in frames are as they are.
        answer = Axe().run(page, context={"exclude": [["iframe"]]})
        found += [
            (place, one["id"], [node["target"] for node in one["nodes"]])
            for one in answer.response["violations"]
            if one["impact"] in _SERIOUS
        ]
    page.emulate_media(color_scheme="light")
    assert not found


def test_no_page_of_a_phone_scrolls_sideways(page: Page, places: list[str], stocked: Stocked) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    wide = {}
    for place in places:
        page.goto(place)
        wide[place] = page.evaluate("document.documentElement.scrollWidth")
    if os.environ.get("POSTERITY_PICTURES"):
        page.goto(stocked.blog)
        page.screenshot(path=PICTURES / "phone.png")
    page.set_viewport_size({"width": 1280, "height": 900})
    assert {place: width for place, width in wide.items() if width > 360} == {}


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until this has the focus, as somebody without a mouse does."""
    for _ in range(_MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached with Tab")


def test_keyboard_reaches_the_content(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search everything")).to_be_focused()


def test_blog_is_harvested_without_a_mouse(page: Page, house: House, stocked: Stocked) -> None:
    page.goto("/")
    tab_to(page, "#url")
    page.keyboard.type(house.blog_url)
    page.keyboard.press("Enter")
    page.wait_for_url("**/jobs/*")
    expect(page.locator(".status")).to_have_text("Done", timeout=60_000)
    tab_to(page, "[data-when-done]")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{stocked.blog}")


def test_post_is_searched_and_opened_without_a_mouse(page: Page, stocked: Stocked) -> None:
    page.goto(stocked.blog)
    tab_to(page, "#inside")
    page.keyboard.type("loaf")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?*")
    tab_to(page, ".hits a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/posts/*")


def test_export_is_made_without_a_mouse(page: Page, stocked: Stocked) -> None:
    page.goto(stocked.blog)
    tab_to(page, "form[data-export] button")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name=re.compile("Download .*jsonl"))).to_be_visible(timeout=30_000)
    page.keyboard.press("Shift+Tab")  # the link came where the reader was: it is not lost behind the buttons
    tab_to(page, ".exported a")


def test_rule_is_corrected_without_a_mouse(page: Page, stocked: Stocked) -> None:
    page.goto(f"{stocked.post}/correct")
    frame = page.frame_locator("iframe")
    expect(frame.locator("h1.entry-title")).to_be_visible()
    tab_to(page, "iframe")
    for _ in range(_MOST_STOPS):
        page.keyboard.press("ArrowDown")
        if frame.locator("h1.entry-title[data-cursor]").count():
            break
    expect(page.locator("[data-correct] .status")).to_contain_text("At: Salt loaf")
    page.keyboard.press("Enter")
    expect(page.locator("[data-verdict]")).to_have_text("fits 24 of 24 pages")
    page.keyboard.press("ArrowLeft")
    assert frame.locator("[data-cursor]").evaluate("one => one.contains(document.querySelector('h1.entry-title'))")
