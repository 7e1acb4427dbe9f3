"""The whole way as a person goes it, in real Chromium: add a blog, watch it, read, search, export, correct a rule.

The tests of this file go on where the one before ended. The pictures in README and docs are made here.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect
from tests.integration.serve.running import job_over

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Page
    from tests.e2e.serve.conftest import House

PICTURES = Path(__file__).parents[3] / "docs" / "images"


def picture(page: Page, name: str) -> None:
    """Keep the window as it is, in light and dark, when $POSTERITY_PICTURES asks for it."""
    if os.environ.get("POSTERITY_PICTURES"):
        PICTURES.mkdir(exist_ok=True)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(300)
            page.screenshot(path=PICTURES / f"{name}-{scheme}.png")
        page.emulate_media(color_scheme="light")


def archived(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


@pytest.fixture(scope="module")
def post_address(house: House) -> str:
    posts = house.site.ask.get("/api/v1/posts", params={"limit": 200}).json()["items"]
    found = next(post["id"] for post in posts if "salt-loaf" in post["url"])
    return f"/posts/{found}"


def test_blog_is_added_and_watched_until_it_is_there(page: Page, house: House) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing is archived here yet.")
    page.get_by_label("URL of a blog").fill(house.blog_url)
    page.get_by_role("button", name="Harvest").click()
    page.wait_for_url("**/jobs/*")
    expect(page.locator(".sources li").first).to_contain_text("feed, 10 entries")
    expect(page.locator(".counts li").first).to_contain_text("feed")
    expect(page.locator(".rules li").first).to_contain_text("%")
    expect(page.locator(".stream li").first).to_be_visible()
    expect(page.locator(".status")).to_have_text("Done", timeout=60_000)
    expect(page.locator("[data-figure=posts]")).to_have_text("24")
    expect(page.locator(".live")).not_to_contain_text("yet")
    picture(page, "harvest")
    page.get_by_role("link", name="Open the blog").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The Salt Almanac")


def test_blog_page_shows_timeline_authors_rules_and_completeness(page: Page) -> None:
    expect(page.locator("svg.timeline rect.posts").first).to_be_visible()
    expect(page.get_by_role("link", name="Maren Tregarth")).to_be_visible()
    expect(page.locator("#complete ~ p").first).to_contain_text("Every listed post is here.")
    expect(page.locator("table.rules")).to_contain_text("entry-content")
    expect(page.locator("ol.posts li")).to_have_count(24)
    assert page.locator("ul.wall img").first.evaluate("image => image.naturalWidth") > 0
    page.evaluate("scrollTo(0, 0)")
    picture(page, "blog")


def test_blog_shows_its_own_icon(page: Page) -> None:
    icon = page.locator(".about img")
    expect(icon).to_be_visible()
    assert icon.evaluate("image => image.naturalWidth") == 64


def test_schedule_is_changed_on_the_page(page: Page, house: House) -> None:
    page.get_by_label("How many hours, days or weeks").fill("3")
    expect(page.get_by_role("radio", name="every")).to_be_checked()
    page.locator("form.plan").get_by_role("button", name="Save").click()
    expect(page.locator("form.plan .status")).to_contain_text("Saved: next on")
    assert house.site.ask.get("/api/v1/blogs").json()["items"][0]["blog"]["schedule"] == {"mode": "every", "hours": 72}
    page.get_by_label("adaptively").check()
    page.locator("form.plan").get_by_role("button", name="Save").click()
    expect(page.locator("form.plan .status")).to_contain_text("Saved")


def test_outlines_are_on_the_right_elements(page: Page, post_address: str) -> None:
    page.goto(post_address)
    frame = archived(page)
    expect(frame.locator("[data-part=title]")).to_have_text("Salt loaf")
    expect(frame.locator("[data-part=article]")).to_have_class(re.compile("entry-content"))
    expect(frame.locator("[data-part=date]")).to_contain_text("September 2019")
    expect(frame.locator("[data-part=author]")).to_have_text("Maren Tregarth")
    expect(frame.locator("[data-part=removed]").first).to_have_class(re.compile("share"))
    assert frame.locator("[data-part=comment]").count() == page.locator(".comment").count() > 0
    expect(page.get_by_role("heading", level=1)).to_have_text("Salt loaf")
    picture(page, "post")


def test_pointing_at_an_outline_tells_rule_and_confidence(page: Page) -> None:
    title = archived(page).locator("[data-part=title]")
    title.hover()
    told = title.evaluate("element => getComputedStyle(element, '::after').content")
    assert "h1.entry-title" in told
    assert "% sure" in told
    removed = archived(page).locator("[data-part=removed]").first.get_attribute("data-note")
    assert removed is not None
    assert re.fullmatch(r"removed · div\.share-bar · \d+ % sure", removed)


def test_archived_page_wears_the_clothes_of_its_blog(page: Page) -> None:
    body = archived(page).locator("body")
    assert body.evaluate("element => getComputedStyle(element).backgroundColor") == "rgb(247, 246, 241)"
    assert body.evaluate("element => getComputedStyle(element).fontFamily").startswith("Georgia")


def test_pictures_of_the_archived_page_come_from_the_archive(page: Page, house: House) -> None:
    loaded = [image for image in archived(page).locator("img[src]").all() if image.evaluate("i => i.naturalWidth")]
    sources = [image.get_attribute("src") or "" for image in loaded]
    assert sources
    assert all(source.startswith(("/media/", "/memento/")) for source in sources)


def test_search_finds_and_narrows(page: Page) -> None:
    page.goto("/")
    page.get_by_role("searchbox", name="Search everything").fill("bread")
    page.keyboard.press("Enter")
    expect(page.locator(".hits mark").first).to_have_text(re.compile("bread", re.IGNORECASE))
    before = page.locator(".hits li").count()
    page.get_by_role("complementary").get_by_role("link", name="2019").click()
    expect(page.locator(".chosen")).to_contain_text("year: 2019")
    assert 0 < page.locator(".hits li").count() < before
    picture(page, "search")


def test_export_tells_its_progress_and_can_be_downloaded(page: Page, house: House) -> None:
    page.goto("/")
    page.get_by_role("link", name="The Salt Almanac").click()
    page.get_by_role("button", name="jsonl", exact=True).click()
    link = page.get_by_role("link", name=re.compile("Download .*jsonl"))
    expect(link).to_be_visible(timeout=30_000)
    with page.expect_download() as download:
        link.click()
    assert len(Path(download.value.path()).read_text().splitlines()) == 24


def test_wrong_rule_is_corrected_by_pointing(page: Page, house: House, post_address: str) -> None:
    blog = house.site.ask.get("/api/v1/blogs").json()["items"][0]["blog"]["id"]
    rules = house.site.ask.get(f"/api/v1/blogs/{blog}/rules").json()
    wrong = {"kind": "class", "value": "site-title", "tag": "p"}
    rules["fields"]["title"] = [{"rule": wrong, "confidence": 1.0, "pages": 1, "of_pages": 1}]
    assert house.site.ask.put(f"/api/v1/blogs/{blog}/rules", json=rules).status_code == 200
    again = house.site.ask.post("/api/v1/jobs", json={"kind": "reextract", "blog": blog}).json()
    assert job_over(house.site, again["id"])["state"] == "done"
    page.goto(post_address)
    expect(page.get_by_role("heading", level=1)).to_have_text("The Salt Almanac")
    expect(archived(page).locator("[data-part=title]")).to_have_class(re.compile("site-title"))
    page.get_by_role("link", name="Correct a rule.").click()
    page.get_by_label("the title").check()
    archived(page).locator("h1.entry-title").click()
    expect(page.locator("[data-verdict]")).to_have_text("fits 24 of 24 pages")
    expect(page.locator("[data-trials] tr").first).to_contain_text("Salt loaf")
    picture(page, "correct")
    page.get_by_role("button", name="Save the corrected rules").click()
    page.wait_for_url("**/jobs/*")
    expect(page.locator(".status")).to_have_text("Done", timeout=60_000)
    stored = house.site.ask.get(f"/api/v1/blogs/{blog}/rules").json()
    assert stored["fields"]["title"][0]["rule"]["value"] == "entry-title"
    post = house.site.ask.get(f"/api/v1{post_address}").json()
    assert post["title"] == "Salt loaf"


def test_demo_compares_methods_on_an_address(page: Page, house: House) -> None:
    page.goto("/demo")
    page.get_by_label("URL").fill(f"{house.blog_url}2019/09/23/salt-loaf/")
    page.get_by_label("feed", exact=True).check()
    page.get_by_role("button", name="Try").click()
    page.wait_for_url("**/demo/*", timeout=60_000)
    results = page.locator("section.result")
    expect(results.first).to_contain_text("Salt loaf")
    assert results.count() >= 3
    frame = page.frame_locator("section.result iframe").first
    expect(frame.locator("[data-part=title]").first).to_have_text("Salt loaf")
    expect(page.locator(".learned table").first).to_contain_text("entry-content")
    page.evaluate("scrollTo(0, 0)")
    picture(page, "demo")


def test_rule_of_the_demo_is_corrected_by_pointing(page: Page) -> None:
    page.get_by_label("the date").check()
    page.frame_locator("[data-correct] iframe").locator("time.entry-date").click()
    expect(page.locator("[data-verdict]")).to_have_text("fits 6 of 6 pages")
    page.get_by_role("button", name="Save the corrected rules").click()
    expect(page.locator(".learned table").first).to_contain_text("time.entry-date")
    expect(page.locator("section.result").first).to_contain_text("23 September 2019")


def test_demo_gives_records_and_rules_to_take_away(page: Page, house: House) -> None:
    place = page.url.removeprefix(house.site.base_url)
    xml = house.site.ask.get(f"{place}/records?method=feed&form=xml").text
    assert "<title>Salt loaf</title>" in xml
    assert "body: " in house.site.ask.get(f"{place}/rules?form=ftr").text


HOSTILE = """<body><script>parent.ran = top.ran = 1</script><img src=x onerror="top.ran=1">
<svg onload="top.ran=1"></svg><a href="javascript:top.ran=1">click me, it is harmless</a>
<form action=/logout method=post><button>b</button></form>
<p>Words that make this a page with some text in it, so that there is something to find.</p></body>"""


def test_hostile_page_runs_nothing(page: Page) -> None:
    page = page.context.new_page()  # whatever the test before has begun does not come in between
    page.goto("/demo")
    page.get_by_text("or paste HTML").click()
    page.get_by_label("HTML", exact=True).fill(HOSTILE)
    page.get_by_role("button", name="Try").click()
    page.wait_for_url("**/demo/*", timeout=60_000)
    frame = page.frame_locator("section.result iframe").first
    frame.get_by_text("click me").click()
    expect(frame.get_by_text("Words that make this")).to_be_visible()
    assert page.evaluate("window.ran") is None
    assert page.frames[1].evaluate("window.origin") == "null"
    page.close()


def test_pages_load_nothing_from_elsewhere(page: Page, house: House, post_address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for place in ("/", post_address, "/demo", "/api"):
        page.goto(place)
    assert asked
    assert all(url.startswith((house.site.base_url, "data:", "about:")) for url in asked)
    assert httpx.URL(asked[0]).host == "127.0.0.1"


def test_harvest_that_fails_waits_for_nothing_any_more(page: Page) -> None:
    page.goto("/")
    page.get_by_label("URL of a blog").fill("http://127.0.0.1:1/")
    page.get_by_role("button", name="Harvest").click()
    page.wait_for_url("**/jobs/*")
    expect(page.locator(".status")).to_contain_text("127.0.0.1:1 refused the connection", timeout=60_000)
    expect(page.locator(".sources li, .rules li, .stream li")).to_have_text(["None", "None", "None"])
