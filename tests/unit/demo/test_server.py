"""The server on loopback: statuses, conditional requests, and a clean shutdown."""

import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

import pytest

from posterity.demo.server import Serving, SiteOptions, build, serving


@pytest.fixture(scope="module")
def blog() -> Iterator[Serving]:
    with serving(SiteOptions(posts_limit=8)) as running:
        yield running


def ask(
    blog: Serving, path: str, method: str = "GET", headers: dict[str, str] | None = None
) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection(urlsplit(blog.base_url).netloc, timeout=5)
    try:
        connection.request(method, path, headers=headers or {})
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def test_site_knows_its_true_address(blog: Serving) -> None:
    assert blog.base_url.startswith("http://127.0.0.1:")
    assert not blog.base_url.endswith(":0")
    assert all(post.url.startswith(blog.base_url) for post in blog.site.truth)


def test_every_resource_is_answered_with_its_bytes(blog: Serving) -> None:
    for path, resource in blog.site.items():
        response, body = ask(blog, path)
        assert (response.status, body) == (resource.status, resource.body)
        assert response.headers["Content-Type"] == resource.content_type
        assert response.headers["Content-Length"] == str(len(resource.body))


def test_head_has_the_headers_without_the_body(blog: Serving) -> None:
    response, body = ask(blog, "/", "HEAD")
    assert (response.status, body) == (200, b"")
    assert response.headers["Content-Length"] == str(len(blog.site["/"].body))


def test_unchanged_pages_are_304(blog: Serving) -> None:
    first, _ = ask(blog, "/feed/")
    for headers in (
        {"If-None-Match": first.headers["ETag"]},
        {"If-None-Match": f'"other", W/{first.headers["ETag"]}'},
        {"If-Modified-Since": first.headers["Last-Modified"]},
    ):
        response, body = ask(blog, "/feed/", headers=headers)
        assert (response.status, body) == (304, b"")
        assert response.headers["ETag"] == first.headers["ETag"]


@pytest.mark.parametrize(
    "headers",
    [
        {"If-None-Match": '"other"'},
        {"If-Modified-Since": "Tue, 01 Jan 2019 00:00:00 GMT"},
        {"If-Modified-Since": "the day before yesterday"},
    ],
)
def test_changed_pages_are_sent_again(blog: Serving, headers: dict[str, str]) -> None:
    assert ask(blog, "/feed/", headers=headers)[0].status == 200


def test_missing_pages_are_404_with_the_page_for_it(blog: Serving) -> None:
    response, body = ask(blog, "/no/such/page/")
    assert response.status == 404
    assert body == blog.site.missing.body


def test_missing_slash_is_a_redirect(blog: Serving) -> None:
    response, _ = ask(blog, "/about")
    assert (response.status, response.headers["Location"]) == (301, "/about/")


def test_requests_are_kept_in_order(blog: Serving) -> None:
    start = len(blog.requests)
    for path in ("/about", "/about/", "/nothing"):
        ask(blog, path)
    assert blog.requests[start:] == [("GET", "/about", 301), ("GET", "/about/", 200), ("GET", "/nothing", 404)]


def test_order_of_query_parameters_does_not_matter() -> None:
    with serving(SiteOptions(permalink="query", posts_limit=3, prefix="/blog")) as blog:
        assert ask(blog, "/blog/?p=5&feed=comments")[0].status == 200
        assert ask(blog, "/blog/?p=6")[0].status == 404
        assert ask(blog, "/blog")[0].headers["Location"] == "/blog/"


def test_blog_can_change_while_it_is_served() -> None:
    with serving(lambda base_url: build(SiteOptions(base_url=base_url, posts_limit=2))) as blog:
        before, _ = ask(blog, "/feed/")
        blog.site = build(SiteOptions(base_url=blog.base_url, posts_limit=3))
        after, _ = ask(blog, "/feed/", headers={"If-None-Match": before.headers["ETag"]})
        assert (before.status, after.status) == (200, 200)


def test_end_is_clean_although_a_client_keeps_its_connection(capfd: pytest.CaptureFixture[str]) -> None:
    threads = threading.active_count()
    with serving(SiteOptions(posts_limit=2)) as blog:
        connection = HTTPConnection(urlsplit(blog.base_url).netloc, timeout=5)
        for path in ("/", "/feed/"):
            connection.request("GET", path)
            assert connection.getresponse().read() == blog.site[path].body
    assert threading.active_count() == threads
    connection.close()
    with pytest.raises(ConnectionRefusedError):
        ask(blog, "/")
    assert capfd.readouterr() == ("", "")
