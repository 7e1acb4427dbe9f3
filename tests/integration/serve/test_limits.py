"""How much one visitor can ask for: size, time and how often."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tests.integration.serve.running import Served, served

from posterity.serve.settings import VisitorLimits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_large_body_is_refused_by_its_length(site: Served) -> None:
    response = site.ask.post("/api/v1/extract", content=b"x" * (9 * 1024 * 1024), headers={"Content-Type": "text/html"})
    assert response.status_code == 413


def test_large_body_without_a_length_is_refused_while_it_comes(site: Served) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(10):
            yield b"x" * 1024 * 1024

    response = site.ask.post("/api/v1/extract", content=endless(), headers={"Content-Type": "text/html"})
    assert response.status_code == 413


def test_visitor_who_asks_too_often_is_told_when_to_come_back(blog_archive: Path) -> None:
    with served(blog_archive, limits=VisitorLimits(costly_a_minute=3)) as site:
        responses = [
            site.ask.post("/api/v1/extract", content=b"", headers={"Content-Type": "text/html"}) for _ in range(5)
        ]
        assert [response.status_code for response in responses] == [422, 422, 422, 429, 429]
        assert int(responses[-1].headers["Retry-After"]) >= 1
        assert site.ask.get("/").status_code == 200


def test_page_that_takes_too_long_is_given_up_and_the_next_one_is_read(blog_archive: Path) -> None:
    # Within the limit of elements, and eight seconds of work for the default method.
    large = "<html><body><article>" + "".join(f"<p id=c{i}>Some words, <b>more</b> of {i}" for i in range(90_000))
    small = "<article><h1>Hello</h1><p>Some words to read, and then some more of them.</p></article>"
    with served(blog_archive, limits=VisitorLimits(extract_s=1.0)) as site:
        late = site.ask.post("/api/v1/extract", json={"html": large})
        assert late.status_code == 422
        assert "takes longer than 1 seconds" in late.json()["detail"]
        assert site.ask.post("/api/v1/extract", json={"html": small, "method": "mcst"}).status_code == 200


def test_readers_do_not_wait_for_those_who_try_pages(blog_archive: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, ThreadPoolExecutor(4) as others:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        limits = VisitorLimits(costly_at_once=1, fetch_s=8)
        with served(blog_archive, allowed_hosts=("127.0.0.1",), limits=limits) as site:
            asked = [others.submit(site.ask.post, "/api/v1/extract", json={"url": url}) for _ in range(3)]
            assert site.ask.get("/").status_code == 200
            assert sorted(response.result().status_code for response in asked) == [422, 503, 503]


def test_server_that_never_answers_is_given_up(blog_archive: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with served(blog_archive, allowed_hosts=("127.0.0.1",), limits=VisitorLimits(fetch_s=0.5)) as site:
            response = site.ask.post("/api/v1/extract", json={"url": url})
            assert response.status_code == 422
            assert "does not respond in time" in response.json()["detail"]
