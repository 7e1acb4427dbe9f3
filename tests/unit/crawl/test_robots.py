"""robots.txt by RFC 9309, requested once per host."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import IgnoreRequest

from posterity.config import user_agent
from posterity.crawl.robots import ForbiddenByRobots, RobotsMiddleware

AGENT = user_agent()


class FakeEngine:
    """Responds to every request with the same status and body, or raises."""

    def __init__(self, status: int, body: bytes, problem: Exception | None) -> None:
        self.status, self.body, self.problem = status, body, problem
        self.asked: list[str] = []

    async def download_async(self, request: Request) -> Any:
        self.asked.append(request.url)
        await asyncio.sleep(0)
        if self.problem:
            raise self.problem
        return SimpleNamespace(status=self.status, body=self.body)


def middleware(
    body: str = "", status: int = 200, problem: Exception | None = None
) -> tuple[RobotsMiddleware, FakeEngine]:
    engine = FakeEngine(status, body.encode(), problem)
    crawler: Any = SimpleNamespace(engine=engine, settings={"USER_AGENT": AGENT})
    return RobotsMiddleware.from_crawler(crawler), engine


def passes(robots: RobotsMiddleware, url: str) -> bool:
    try:
        asyncio.run(robots.process_request(Request(url)))
    except ForbiddenByRobots:
        return False
    return True


@pytest.mark.parametrize(
    ("body", "path", "allowed"),
    [
        ("User-agent: *\nDisallow: /", "/a/", False),
        ("User-agent: *\nDisallow: /private/", "/a/", True),
        ("User-agent: *\nDisallow: /private/", "/private/a", False),
        ("User-agent: *\nDisallow: /\nAllow: /a/", "/a/b", True),
        ("User-agent: posterity\nDisallow: /", "/a/", False),
        ("User-agent: otherbot\nDisallow: /", "/a/", True),
        ("User-agent: posterity\nDisallow:\n\nUser-agent: *\nDisallow: /", "/a/", True),
        ("User-agent: *\nDisallow: /*?", "/index.html?p=12", False),
        ("User-agent: *\nDisallow: /*?", "/index.html%3Fp=12.html", True),
        ("User-agent: *\nDisallow: /*?", "/index.html%3fp=12.html?share", False),
        ("User-agent: *\nDisallow: /index.html%3F", "/index.html%3Fp=12.html", False),
        ("User-agent: *\nDisallow: /private/", "/private/index.html%3Fp=12.html", False),
        ("", "/a/", True),
        ("<html>not robots</html>", "/a/", True),
    ],
)
def test_rules_are_obeyed(body: str, path: str, allowed: bool) -> None:
    assert passes(middleware(body)[0], f"http://blog.example{path}") is allowed


@pytest.mark.parametrize(("status", "allowed"), [(404, True), (410, True), (403, True), (500, False), (503, False)])
def test_missing_rules_allow_and_unreadable_ones_forbid(status: int, allowed: bool) -> None:
    assert passes(middleware("User-agent: *\nDisallow:", status)[0], "http://blog.example/") is allowed


@pytest.mark.parametrize(
    ("problem", "allowed"),
    [
        (IgnoreRequest("max redirections reached"), True),
        (OSError("connection reset"), False),
        (IgnoreRequest("other"), False),
    ],
)
def test_redirect_loop_is_no_robots_txt_and_a_network_error_forbids(problem: Exception, allowed: bool) -> None:
    assert passes(middleware(problem=problem)[0], "http://blog.example/") is allowed


def test_robots_txt_is_asked_for_once_a_host_even_at_the_same_time() -> None:
    robots, engine = middleware("User-agent: *\nDisallow: /x")

    async def many() -> None:
        await asyncio.gather(
            *(robots.process_request(Request(f"http://{host}.example/{n}")) for n in range(5) for host in "ab")
        )

    asyncio.run(many())
    assert sorted(engine.asked) == ["http://a.example/robots.txt", "http://b.example/robots.txt"]


def test_refusal_names_the_file_and_the_address() -> None:
    robots, _ = middleware("User-agent: *\nDisallow: /")
    with pytest.raises(ForbiddenByRobots, match=r"http://blog\.example/robots\.txt forbids http://blog\.example/a/"):
        asyncio.run(robots.process_request(Request("http://blog.example/a/")))


def test_robots_txt_itself_may_be_asked_for() -> None:
    robots, engine = middleware("User-agent: *\nDisallow: /")
    asyncio.run(robots.process_request(Request("http://blog.example/robots.txt", meta={"dont_obey_robotstxt": True})))
    assert engine.asked == []
