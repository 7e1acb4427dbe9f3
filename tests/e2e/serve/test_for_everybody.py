"""Everybody can use it: without a mouse, on a phone, with a screen reader (axe), in light and dark."""

from __future__ import annotations

import os
import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from tests.e2e.serve.test_as_a_person import PICTURES
from tests.integration.serve.running import served

from posterity.archive import open_archive
from posterity.cli.main import main
from posterity.model import Blog, Comment, Post

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page
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
    expect(page.locator(":focus")).to_have_text("Skip to content")
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


WORDS = {
    "ar": ("مدونة الخبز", "أنواع الخبز", "نخبز الخبز كل صباح، ثم نكتب عنه هنا.", "شكرا لك"),
    "he": ("בלוג הלחם", "סוגי לחם", "אופים לחם כל בוקר, וכותבים עליו כאן.", "תודה רבה"),
}
# Whether the text of an element begins at the right edge of its box, and the direction that the browser computes.
LAID_OUT = """
element => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let node = texts.nextNode();
  while (node && !node.data.trim()) node = texts.nextNode();
  const first = node.data.search(/\\S/);
  const range = document.createRange();
  range.setStart(node, first);
  range.setEnd(node, first + 1);
  const letter = range.getBoundingClientRect();
  range.setEnd(node, node.data.trimEnd().length);
  const line = range.getClientRects()[0];
  return letter.x + letter.width / 2 > line.x + line.width / 2 ? "right" : "left";
}"""


def post_in(language: str) -> Post:
    _, title, words, thanks = WORDS[language]
    return Post(
        id=language,
        url=f"https://{language}.example/1",
        blog=language,
        title=title,
        language=language,
        text=f"{words} A line in English. {words}",
        html=f"<p id=own>{words}</p><p id=latin>A line in English, with {title} in it.</p><ul><li>{words}</li></ul>",
        comments=(Comment(id="1", author=title, text=thanks), Comment(id="2", author="Ann", text="Thank you.")),
    )


@pytest.fixture(scope="module")
def from_right(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of blogs that are written from right to left."""
    folder = tmp_path_factory.mktemp("right") / "archive"
    with open_archive(folder, create=True) as archive:
        for language, (name, *_) in WORDS.items():
            archive.put_blog(Blog(id=language, url=f"https://{language}.example/", title=name, language=language))
            archive.put_post(post_in(language))
    return folder


@pytest.mark.parametrize("language", WORDS)
def test_lines_begin_at_the_right_where_the_script_does(
    browser: Browser, from_right: Path, tmp_path: Path, language: str
) -> None:
    window = browser.new_page()
    with served(from_right) as site:
        window.goto(f"{site.base_url}/posts/{language}")
        sides = {
            name: [each.evaluate(LAID_OUT) for each in window.locator(selector).all()]
            for name, selector in {
                "title": "h1", "own": ".article #own, .article p:first-of-type", "latin": ".article p:nth-of-type(2)",
                "list": ".article li", "comment": ".comment .by b",
            }.items()
        }  # fmt: skip
        assert sides == {
            "title": ["right"], "own": ["right"], "latin": ["left"], "list": ["right"], "comment": ["right", "left"],
        }  # fmt: skip
        assert window.locator("h1").evaluate("e => getComputedStyle(e).direction") == "rtl"
        assert window.locator(".article").evaluate("e => getComputedStyle(e).direction") == "rtl"
        assert _ends_at_its_edge(window, ".article p:first-of-type", "right")
        assert _ends_at_its_edge(window, ".article p:nth-of-type(2)", "left")
        window.screenshot(path=tmp_path / f"{language}.png")
        for place, selector in {"/": f".blogs a[href='/blogs/{language}']", f"/blogs/{language}": "h1"}.items():
            window.goto(f"{site.base_url}{place}")
            assert window.locator(selector).first.evaluate("e => getComputedStyle(e).direction") == "rtl", place
        window.goto(f"{site.base_url}/search?q={WORDS[language][1].split()[1]}")
        assert window.locator(".hits p").first.evaluate("e => getComputedStyle(e).direction") == "rtl"
    window.close()


def _ends_at_its_edge(window: Page, selector: str, side: str) -> bool:
    """Whether the first line of an element touches this edge of its box."""
    gap = window.locator(selector).first.evaluate(
        """(element, side) => {
          const box = element.getBoundingClientRect(), range = document.createRange();
          range.selectNodeContents(element);
          const line = range.getClientRects()[0];
          return Math.abs(side == "right" ? box.right - line.right : line.left - box.left);
        }""",
        side,
    )
    return bool(gap < 2)


@pytest.mark.parametrize("language", WORDS)
def test_books_begin_at_the_right_where_the_script_does(
    browser: Browser, from_right: Path, tmp_path: Path, language: str
) -> None:
    book = tmp_path / "book.epub"
    assert not main(["export", str(book), "--blog", language, "--archive", str(from_right), "-q"])
    with zipfile.ZipFile(book) as packed:
        packed.extractall(tmp_path / "book")
        chapter = next(
            name for name in packed.namelist() if WORDS[language][2] in packed.read(name).decode("utf-8", "ignore")
        )
    window = browser.new_page()
    window.goto((tmp_path / "book" / chapter).as_uri())
    paragraphs = {each.inner_text()[:9]: each.evaluate(LAID_OUT) for each in window.locator("p").all()}
    assert paragraphs[WORDS[language][2][:9]] == "right"
    assert paragraphs["A line in"] == "left"
    window.close()
