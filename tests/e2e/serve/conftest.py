"""A window of the browser, in light and dark, and a server with a blog to harvest beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.sync_api import expect
from tests.integration.serve.running import Served, job_over, served

from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Page


# A busy machine is no defect.
expect.set_options(timeout=40_000)


FIGURES = """dataset,candidate,measure,pages,value,low,high
all blogs,hybrid,token F1,24,0.998,0.996,1.0
all blogs,bte,token F1,24,0.812,0.78,0.84
all blogs,hybrid,mean s,24,0.012,,
all blogs,bte,mean s,24,0.004,,
"""


class Stocked(NamedTuple):
    """Where on our server a harvested blog, one of its posts and a job are."""

    blog: str
    post: str
    job: str


class House(NamedTuple):
    """Our server, and the address of a blog that it has not harvested yet."""

    site: Served
    blog_url: str


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server on an empty archive beside the bundled blog."""
    folder = tmp_path_factory.mktemp("house")
    with (
        serving(SiteOptions(posts_limit=24)) as blog,
        served(folder / "archive", allowed_hosts=("127.0.0.1",), delay_s=0.0, reports=str(folder)) as site,
    ):
        (folder / "report.html").write_text("<!doctype html><title>Report</title><h1>Report</h1>")
        (folder / "figures.csv").write_text(FIGURES)
        yield House(site, f"{blog.base_url}/")


@pytest.fixture
def stocked(house: House) -> Stocked:
    """Addresses of a blog and a post; the blog is harvested now unless a test before has done so."""
    if not house.site.ask.get("/api/v1/blogs").json()["items"]:
        job = house.site.ask.post("/api/v1/jobs", json={"kind": "harvest", "url": house.blog_url}).json()
        assert job_over(house.site, job["id"])["state"] == "done"
    blog = house.site.ask.get("/api/v1/blogs").json()["items"][0]["blog"]["id"]
    posts = house.site.ask.get("/api/v1/posts", params={"limit": 200}).json()["items"]
    post = next(post["id"] for post in posts if "salt-loaf" in post["url"])
    job = house.site.ask.get("/api/v1/jobs").json()["items"][0]["id"]
    return Stocked(f"/blogs/{blog}", f"/posts/{post}", f"/jobs/{job}")


def is_complaint(message: ConsoleMessage) -> bool:
    """Return whether a page says that something is wrong with it; an address that is nowhere is meant to be nowhere."""
    return message.type == "error" and not message.location["url"].endswith("/nothing-here")


@pytest.fixture(scope="module")
def page(browser: Browser, house: House) -> Iterator[Page]:
    """A window; whatever a page complains about fails the test."""
    context = browser.new_context(base_url=house.site.base_url, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(20_000)
    complaints: list[str] = []
    page.on("pageerror", lambda problem: complaints.append(str(problem)))
    page.on("console", lambda message: complaints.append(message.text) if is_complaint(message) else None)
    yield page
    context.close()
    assert not complaints
