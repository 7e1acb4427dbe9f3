"""Pages of other people never run in our origin: what is shown inline is cleaned, what is framed has no origin."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from tests.integration.serve.running import Served, served

from posterity.archive import open_archive
from posterity.model import Blog, Comment, Post
from posterity.urls import blog_id, post_id

if TYPE_CHECKING:
    from collections.abc import Iterator

ATTACKS = """
<script>window.parent.ran = 1</script><img src=x onerror="parent.ran=1"><a href="javascript:parent.ran=1">a</a>
<svg onload="parent.ran=1"><style>&lt;/style>&lt;script>parent.ran=1&lt;/script></style></svg>
<iframe srcdoc="<script>parent.parent.ran=1</script>"></iframe>
<form action="/api/v1/jobs" method="post"><button>b</button></form>
<object data="data:text/html,x"></object><meta http-equiv="refresh" content="0;url=https://evil.example">
<base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/a.css">
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=parent.ran=1&gt;"></table>
</mtext></math>
<p style="background:url(https://evil.example/x.png)" onmouseover="parent.ran=1">text that can be read by anybody</p>
<noscript><img src="https://evil.example/n.png"></noscript>
<video src="https://evil.example/v.mp4" onerror="x()"></video>
"""
NEVER = (
    "<script",
    "onerror",
    "onload",
    "onmouseover",
    "javascript:",
    "<iframe",
    "<form",
    "<object",
    "<meta http",
    "<base",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose one post is an attack, in every field that is shown."""
    folder = tmp_path_factory.mktemp("hostile") / "archive"
    home = "https://evil.example/"
    blog = Blog(id=blog_id(home), url=home, title="<script>parent.ran=1</script>", harvested_at=datetime.now(UTC))
    comment = Comment(id="1", author="<img src=x onerror=parent.ran=1>", text="hi", html=ATTACKS)
    post = Post(
        id=post_id(f"{home}p"), url=f"{home}p", blog=blog.id, title="<script>parent.ran=1</script>", html=ATTACKS,
        text="text that can be read by anybody", authors=("<b onclick=x()>me</b>",), comments=(comment,),
        tags=("<script>1</script>",), published=datetime(2024, 1, 2, tzinfo=UTC), language='"><script>1</script>',
    )  # fmt: skip
    with open_archive(folder, create=True) as archive:
        archive.put_blog(blog)
        archive.put_post(post)
    with served(folder) as site:
        yield site


def test_record_is_shown_without_anything_that_runs(hostile: Served) -> None:
    page = hostile.ask.get(f"/posts/{post_id('https://evil.example/p')}", headers={"Accept": "text/html"}).text
    record = page.partition('<article class="record"')[2].partition("</main>")[0].partition('<iframe src="/posts')[0]
    assert "text that can be read by anybody" in record
    found = [word for word in NEVER if word in record.replace("&lt;script", "").replace("&lt;img src=x onerror", "")]
    assert not found
    assert "https://evil.example/x.png" not in record


@pytest.mark.parametrize("path", ["/", "/search?q=text", "/blogs/evil.example"])
def test_names_are_escaped_everywhere(hostile: Served, path: str) -> None:
    page = hostile.ask.get(path, headers={"Accept": "text/html"}).text
    assert "<script>parent" not in page
    assert "<script>1" not in page


def test_pasted_page_is_framed_without_an_origin(hostile: Served) -> None:
    made = hostile.ask.post("/demo", json={"html": f"<body>{ATTACKS}</body>", "methods": ["mcst"]})
    assert made.status_code == 201, made.text
    frame = hostile.ask.get(made.json()["href"] + "/page?method=mcst")
    policy = frame.headers["content-security-policy"]
    assert policy.startswith("sandbox;")
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert not [word for word in NEVER if word in frame.text]
    body = frame.text.partition("</head>")[2]
    assert "evil.example/n.png" not in body
    assert " src=" not in body


def test_frame_to_select_in_runs_our_script_alone(hostile: Served) -> None:
    made = hostile.ask.post("/demo", json={"html": f"<body>{ATTACKS}</body>", "methods": ["mcst"]}).json()
    frame = hostile.ask.get(made["href"] + "/page?method=mcst&select=true")
    policy = frame.headers["content-security-policy"]
    assert "sandbox allow-scripts;" in policy
    assert "allow-same-origin" not in policy
    nonce = policy.partition("'nonce-")[2].partition("'")[0]
    assert len(nonce) >= 20
    assert frame.text.count("<script") == frame.text.count(f'<script nonce="{nonce}">') == 1
    again = hostile.ask.get(made["href"] + "/page?method=mcst&select=true").headers["content-security-policy"]
    assert nonce not in again


@pytest.mark.parametrize("path", ["/", "/demo", "/search", "/api", "/login", "/evaluate", "/nothing", "/api/v1/posts"])
def test_our_pages_run_only_our_files(site: Served, path: str) -> None:
    response = site.ask.get(path, headers={"Accept": "text/html"})
    policy = response.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["x-content-type-options"] == "nosniff"


def test_replayed_page_is_in_a_sandbox(site: Served, post: dict[str, str]) -> None:
    for path in (f"/posts/{post['id']}/page", f"/memento/20260101000000/{post['url']}"):
        response = site.ask.get(path)
        assert response.status_code == 200
        assert response.headers["content-security-policy"].startswith("sandbox;")
        assert "<script" not in response.text


@pytest.mark.parametrize(
    "file", ["../posterity.db", "..%2fposterity.db", "/etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "aa/none"]
)
def test_media_leads_nowhere_else(site: Served, file: str) -> None:
    assert site.ask.get(f"/media/{file}").status_code == 404
