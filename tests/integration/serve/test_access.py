"""Who may do what: the token, public servers, other sites' pages, the names a server answers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.integration.serve.running import Served, served

from posterity.errors import UsageError
from posterity.serve.settings import ServeSettings, checked_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKEN = "correct-horse-battery"
WISH = {"kind": "export", "format": "jsonl"}


@pytest.fixture(scope="module")
def guarded(blog_archive: Path) -> Iterator[Served]:
    with served(blog_archive, token=TOKEN) as site:
        yield site


@pytest.mark.parametrize("header", [None, "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer é"])
def test_writing_without_the_token_is_refused(guarded: Served, header: str | None) -> None:
    headers = {b"Authorization": header.encode("latin-1")} if header else {}
    response = guarded.ask.post("/api/v1/jobs", json=WISH, headers=headers)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert response.json()["status"] == 401


def test_writing_with_the_token_works(guarded: Served) -> None:
    assert guarded.ask.post("/api/v1/jobs", json=WISH, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 202


def test_reading_needs_no_token(guarded: Served) -> None:
    assert guarded.ask.get("/").status_code == 200
    assert guarded.ask.get("/api/v1/posts").status_code == 200


def test_login_keeps_the_token_out_of_reach_of_scripts_and_other_sites(guarded: Served) -> None:
    wrong = guarded.ask.post("/login", data={"token": "wrong-token"})
    assert wrong.status_code == 401
    assert "set-cookie" not in wrong.headers
    right = guarded.ask.post("/login", data={"token": TOKEN})
    assert right.status_code == 303
    cookie = right.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert TOKEN not in cookie
    assert "SameSite=strict" in cookie
    assert "Harvest" in guarded.ask.get("/").text
    assert guarded.ask.post("/api/v1/jobs", json=WISH).status_code == 202
    guarded.ask.post("/logout")
    assert guarded.ask.post("/api/v1/jobs", json=WISH).status_code == 401


WRITES = [
    ("POST", "/api/v1/jobs"), ("PUT", "/api/v1/blogs/x/rules"), ("PUT", "/api/v1/blogs/x/schedule"),
    ("DELETE", "/api/v1/jobs/x"), ("GET", "/api/v1/jobs/x/file"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_public_server_refuses_every_write(blog_archive: Path, method: str, path: str) -> None:
    with served(blog_archive, public=True) as site:
        assert site.ask.request(method, path, json=WISH).status_code == 403
        assert "Harvest</button>" not in site.ask.get("/").text


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1"},
    ],
)
@pytest.mark.parametrize("path", ["/api/v1/jobs", "/login", "/demo", "/logout"])
def test_page_of_another_site_cannot_write(site: Served, headers: dict[str, str], path: str) -> None:
    response = site.ask.post(path, json=WISH, headers=headers)
    assert response.status_code == 403
    assert "other sites" in response.json()["detail"]


def test_own_pages_can_write(site: Served) -> None:
    headers = {"Origin": site.base_url, "Sec-Fetch-Site": "same-origin"}
    assert site.ask.post("/api/v1/jobs", json=WISH, headers=headers).status_code == 202


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", ""])
def test_loopback_server_answers_to_no_other_name(site: Served, host: str) -> None:
    response = site.ask.get("/api/v1/posts", headers={"Host": host})
    assert response.status_code in (400, 421)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.2", "::", "blogs.example"])
def test_server_for_others_wants_a_token_or_to_be_public(host: str) -> None:
    with pytest.raises(UsageError, match="token"):
        checked_settings(ServeSettings(archive="a", host=host))
    assert checked_settings(ServeSettings(archive="a", host=host, token=TOKEN))
    assert checked_settings(ServeSettings(archive="a", host=host, public=True))


def test_short_token_is_no_secret() -> None:
    with pytest.raises(UsageError, match="too short"):
        checked_settings(ServeSettings(archive="a", token="1234"))


def test_token_never_reaches_the_log(guarded: Served, capfd: pytest.CaptureFixture[str]) -> None:
    guarded.ask.post("/login", data={"token": TOKEN})
    guarded.ask.get("/", headers={"Authorization": f"Bearer {TOKEN}"})
    guarded.ask.post("/api/v1/jobs", content=b"{", headers={"Authorization": f"Bearer {TOKEN}"})
    told = capfd.readouterr()
    assert TOKEN not in told.out + told.err
