"""The REST interface: lists and their pages, one shape for errors, ETags, jobs, extraction by Accept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.integration.serve.running import Served, job_over, served

from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving
from posterity.export.formats import FORMATS

if TYPE_CHECKING:
    from pathlib import Path

PAGE = """<html lang="en"><head><title>Salt | A blog</title></head><body><article><h1>Salt</h1>
<p>Salt is a mineral that is made mostly of sodium chloride, and people have used it for a very long time.</p>
<p>It keeps fish and butter and bread, and the sea is full of it, as anybody who has been there knows.</p>
</article><footer>Copyright</footer></body></html>"""


def test_posts_come_newest_first_and_each_once_over_all_pages(site: Served) -> None:
    seen, cursor = [], None
    while True:
        response = site.ask.get("/api/v1/posts", params={"limit": 5} | ({"cursor": cursor} if cursor else {})).json()
        seen += response["items"]
        cursor = response["next"]
        if cursor is None:
            break
    dates = [post["published"] for post in seen]
    assert len({post["id"] for post in seen}) == len(seen) == 12
    assert dates == sorted(dates, reverse=True)


@pytest.mark.parametrize(
    ("filters", "test"),
    [
        ({"author": "maren tregarth"}, lambda post: post["authors"] == ["Maren Tregarth"]),
        ({"tag": "bread"}, lambda post: "bread" in post["tags"]),
        ({"since": "2020-01-01"}, lambda post: post["published"] >= "2020"),
        ({"until": "2020-01-01"}, lambda post: post["published"] < "2020"),
        ({"language": "en"}, lambda post: post["language"].startswith("en")),
        ({"blog": "127.0.0.1"}, lambda _: True),
    ],
)
def test_filters_narrow_the_list(site: Served, filters: dict[str, str], test: object) -> None:
    items = site.ask.get("/api/v1/posts", params={"limit": 200, **filters}).json()["items"]
    everything = site.ask.get("/api/v1/posts", params={"limit": 200}).json()["items"]
    assert {post["id"] for post in items} == {post["id"] for post in everything if test(post)} != set()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/nothing", 404),
        ("/api/v1/posts/none", 404),
        ("/api/v1/blogs/none", 404),
        ("/api/v1/blogs/none/rules", 404),
        ("/api/v1/jobs/none", 404),
        ("/api/v1/posts?limit=0", 422),
        ("/api/v1/posts?cursor=%00", 422),
        ("/api/v1/posts?since=tomorrow", 422),
        ("/api/v1/posts?blog=none", 404),
        ("/api/v1/search", 422),
        ("/api/v1/search?q=%21%21", 422),
    ],
)
def test_errors_have_one_shape(site: Served, path: str, status: int) -> None:
    response = site.ask.get(path)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert problem.keys() >= {"type", "title", "detail", "instance"}


def test_wrong_method_is_a_problem_too(site: Served) -> None:
    response = site.ask.delete("/api/v1/posts")
    assert response.status_code == 405
    assert response.json()["title"] == "Method Not Allowed"


def test_error_is_a_page_for_people(site: Served) -> None:
    response = site.ask.get("/posts/none", headers={"Accept": "text/html"})
    assert response.status_code == 404
    assert "<h1>Not Found</h1>" in response.text


@pytest.mark.parametrize("path", ["/api/v1/posts", "/api/v1/blogs", "/feed.atom", "/feed.json"])
def test_what_the_client_has_is_not_sent_again(site: Served, path: str) -> None:
    tag = site.ask.get(path).headers["etag"]
    again = site.ask.get(path, headers={"If-None-Match": f'"other", W/{tag}'})
    assert again.status_code == 304
    assert not again.content
    assert again.headers["etag"] == tag
    assert site.ask.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("accept", "kind", "begin"),
    [
        ("application/json", "application/json", "{"),
        ("application/xml", "application/xml", "<?xml"),
        ("text/plain", "text/plain", "Salt"),
        ("text/markdown", "text/markdown", "# Salt"),
        ("text/plain;q=0.1, application/xml;q=0.9", "application/xml", "<?xml"),
        ("*/*", "application/json", "{"),
    ],
)
def test_extract_answers_as_accept_asks(site: Served, accept: str, kind: str, begin: str) -> None:
    headers = {"Accept": accept, "Content-Type": "text/html"}
    response = site.ask.post("/api/v1/extract?url=https://a.example/salt", content=PAGE, headers=headers)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith(kind)
    assert response.text.startswith(begin) or kind == "text/markdown"
    assert "sodium chloride" in response.text
    assert "Copyright" not in response.text


def test_extract_refuses_what_it_cannot_give(site: Served) -> None:
    headers = {"Accept": "image/png", "Content-Type": "text/html"}
    assert site.ask.post("/api/v1/extract", content=PAGE, headers=headers).status_code == 406


@pytest.mark.parametrize(
    "wish",
    [{}, {"html": ""}, {"html": "x", "method": "magic"}, {"html": 1}, {"url": "ftp://a/"}, [], {"html": "\x00\x01"}],
)
def test_extract_says_what_is_wrong(site: Served, wish: object) -> None:
    response = site.ask.post("/api/v1/extract", json=wish)
    assert response.status_code == 422
    assert response.json()["detail"]


def test_record_comes_in_the_form_that_is_asked_for(site: Served, post: dict[str, str]) -> None:
    text = site.ask.get(f"/api/v1/posts/{post['id']}", headers={"Accept": "text/plain"})
    assert text.text.strip() == post["text"].strip()


def test_search_tells_how_its_hits_divide(site: Served) -> None:
    found = site.ask.get("/api/v1/search", params={"q": "bread OR tide", "limit": 200}).json()
    assert len(found["items"]) == found["facets"]["hits"]
    years = dict(found["facets"]["years"])
    assert sum(years.values()) == found["facets"]["hits"]


def test_search_without_hits_names_what_was_probably_meant(site: Served) -> None:
    found = site.ask.get("/api/v1/search", params={"q": "braed"}).json()
    assert (found["items"], found["did_you_mean"]) == ([], "bread")
    assert site.ask.get("/api/v1/search", params={"q": "bread"}).json()["did_you_mean"] is None


def test_harvest_is_a_job_that_can_be_followed(tmp_path: Path) -> None:
    with (
        serving(SiteOptions(posts_limit=4)) as blog,
        served(tmp_path / "archive", allowed_hosts=("127.0.0.1",), delay_s=0.0) as site,
    ):
        started = site.ask.post("/api/v1/jobs", json={"kind": "harvest", "url": f"{blog.base_url}/"})
        assert started.status_code == 202
        job = started.json()["id"]
        again = site.ask.post("/api/v1/jobs", json={"kind": "harvest", "url": f"{blog.base_url}/"})
        assert again.json()["id"] == job
        events = site.ask.get(started.headers["location"] + "/events").text
        names = [line.removeprefix("event: ") for line in events.splitlines() if line.startswith("event: ")]
        assert {"feed", "rules", "page", "post"} <= set(names)
        assert names[-1] == "over"
        status = job_over(site, job)
        assert status["state"] == "done"
        assert status["progress"]["posts"] == 4  # type: ignore[index]
        rest = site.ask.get(f"/api/v1/jobs/{job}/events", headers={"Last-Event-ID": str(len(names) - 1)}).text
        assert rest.count("event: ") == 1
        assert site.ask.get("/api/v1/blogs").json()["items"][0]["count"]["posts"] == 4
        updated = site.ask.post("/api/v1/jobs", json={"kind": "update", "blog": "127.0.0.1"}).json()
        assert job_over(site, updated["id"])["state"] == "done"


def test_job_can_be_stopped(tmp_path: Path) -> None:
    with (
        serving(SiteOptions(posts_limit=12)) as blog,
        served(tmp_path / "archive", allowed_hosts=("127.0.0.1",), delay_s=2.0) as site,
    ):
        job = site.ask.post("/api/v1/jobs", json={"kind": "harvest", "url": f"{blog.base_url}/"}).json()["id"]
        with site.ask.stream("GET", f"/api/v1/jobs/{job}/events") as events:
            assert any(line == "event: page" for line in events.iter_lines())
        assert site.ask.delete(f"/api/v1/jobs/{job}").status_code == 200
        assert job_over(site, job)["state"] == "stopped"
        assert "stopped" in site.ask.get("/").text


def test_harvest_of_nothing_fails_with_the_reason(tmp_path: Path) -> None:
    with served(tmp_path / "archive") as site:
        job = site.ask.post("/api/v1/jobs", json={"kind": "harvest", "url": "http://127.0.0.1:9/"}).json()
        status = job_over(site, job["id"])
        assert status["state"] == "failed"
        assert "public" in str(status["problem"])


@pytest.mark.parametrize(
    "wish", [{"kind": "harvest"}, {"kind": "dance"}, {"kind": "update"}, {"kind": "export", "format": "x"}]
)
def test_job_that_makes_no_sense_is_refused(site: Served, wish: dict[str, str]) -> None:
    assert site.ask.post("/api/v1/jobs", json=wish).status_code == 422


@pytest.mark.parametrize("name", [name for name in FORMATS if name in ("jsonl", "csv", "markdown", "vertical", "warc")])
def test_export_is_a_job_with_a_file(site: Served, name: str) -> None:
    job = site.ask.post("/api/v1/jobs", json={"kind": "export", "format": name, "blog": "127.0.0.1"}).json()
    status = job_over(site, job["id"])
    assert status["state"] == "done", status
    assert "file" not in status["result"]  # type: ignore[operator]
    file = site.ask.get(f"/api/v1/jobs/{job['id']}/file")
    assert file.status_code == 200
    assert "attachment" in file.headers["content-disposition"]
    assert len(file.content) == status["result"]["bytes"]  # type: ignore[index]


def test_head_is_get_without_the_content(site: Served) -> None:
    for path in ("/", "/api/v1/posts", "/feed.atom"):
        response = site.ask.head(path)
        assert response.status_code == 200
        assert not response.content
        assert response.headers["content-length"] == str(len(site.ask.get(path).content))


def test_report_of_the_bench_is_shown_in_a_frame_without_an_origin(blog_archive: Path, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("<h1>Report</h1><script>x()</script>")
    (tmp_path / "figures.csv").write_text(
        "dataset,candidate,measure,pages,value,low,high\nall,hybrid,token F1,24,0.97,0.95,0.99\n"
        "all,bte,token F1,24,0.81,,\nall,hybrid,mean s,24,0.0123,,\nall,bte,mean s,24,oops,,\n"
    )
    with served(blog_archive, reports=str(tmp_path)) as site:
        page = site.ask.get("/evaluate").text
        assert '<td class="number best" title="95 %: 0.950 to 0.990, 24 pages">0.970</td>' in page
        assert '<td class="number" title="24 pages">12.3 ms</td>' in page
        assert site.ask.get("/evaluate/figures.csv").headers["content-type"].startswith("text/csv")
        report = site.ask.get("/evaluate/report")
        assert report.headers["content-security-policy"].startswith("sandbox;")
    with served(blog_archive, reports=str(tmp_path / "none")) as site:
        assert "posterity evaluate" in site.ask.get("/evaluate").text
        assert site.ask.get("/evaluate/report").status_code == 404


def test_health_and_metrics_tell_what_is_there(site: Served) -> None:
    assert site.ask.get("/health").json()["status"] == "ok"
    text = site.ask.get("/metrics").text
    assert "posterity_posts 12" in text
    assert 'posterity_http_requests_total{method="GET",route="/health",status="200"}' in text


def test_bug_becomes_a_problem_without_its_traceback(own_archive: Path) -> None:
    with served(own_archive) as site:
        post = site.ask.get("/api/v1/posts?limit=1").json()["items"][0]["id"]
        for file in (own_archive / "warc").iterdir():
            file.write_bytes(b"damaged")
        response = site.ask.get(f"/posts/{post}/page")
        assert response.status_code >= 500
        assert response.headers["content-type"] == "application/problem+json"
        assert "Traceback" not in response.text
        assert "default-src 'none'" in response.headers["content-security-policy"]


def test_schedule_of_a_blog_is_stored(own_archive: Path) -> None:
    with served(own_archive) as site:
        planned = site.ask.put("/api/v1/blogs/127.0.0.1/schedule", json={"mode": "every", "hours": 36})
        assert planned.status_code == 200
        stored = site.ask.get("/api/v1/blogs/127.0.0.1").json()["blog"]
        assert stored["schedule"] == {"mode": "every", "hours": 36}
        assert stored["due_at"] == planned.json()["due_at"]
        wrong = site.ask.put("/api/v1/blogs/127.0.0.1/schedule", json={"mode": "every"})
        assert (wrong.status_code, wrong.headers["content-type"]) == (422, "application/problem+json")
    with served(own_archive, token="a secret of some length") as site:
        assert site.ask.put("/api/v1/blogs/127.0.0.1/schedule", json={"mode": "paused"}).status_code == 401
    with served(own_archive, public=True) as site:
        assert site.ask.put("/api/v1/blogs/127.0.0.1/schedule", json={"mode": "paused"}).status_code == 403


def test_address_of_a_blog_needs_no_scheme(own_archive: Path) -> None:
    with served(own_archive) as site:
        job = site.ask.post("/api/v1/jobs", json={"kind": "harvest", "url": " blog.invalid/here "}).json()
        assert job["target"] == "https://blog.invalid/here"
        for url in ("two words", "javascript:alert(1)", "ftp://blog.invalid/", ""):
            assert site.ask.post("/api/v1/jobs", json={"kind": "harvest", "url": url}).status_code == 422
