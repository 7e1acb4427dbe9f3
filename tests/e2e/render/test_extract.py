"""`posterity extract --render`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.e2e.render import js_blog

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Posterity, Response, Web

FRONT = """<html><body><div id=main></div><script>
document.getElementById('main').innerHTML = [1, 2, 3].map(number => `<div class="post hentry">
    <h3 class="post-title entry-title"><a href="/${number}/">Title ${number}</a></h3>
    <div class="post-body entry-content"><p>Words of post ${number}, and some more of them for good measure.</p></div>
    </div>`).join('')</script></body></html>"""


def test_page_is_drawn_before_it_is_read(
    serve: Callable[[dict[str, Response]], Web], response: type[Response], posterity: Posterity
) -> None:
    web = serve(js_blog.commented_blog(response, tells=False))
    ended = posterity("extract", f"{web.base_url}/2024/post-1/", "--render")
    post = json.loads(ended.stdout)
    assert len(post["comments"]) == 8
    assert post["title"] == js_blog.title(1)


def test_blogbuster_reads_the_drawn_page(
    serve: Callable[[dict[str, Response]], Web], response: type[Response], posterity: Posterity
) -> None:
    web = serve({"/": response(FRONT)})
    ended = posterity(
        "extract", f"{web.base_url}/", "--render", "--index", "--method", "blogbuster", "--format", "jsonl"
    )
    titles = [json.loads(line)["title"] for line in ended.stdout.splitlines()]
    assert titles == ["Title 1", "Title 2", "Title 3"]


def test_file_is_not_drawn(posterity: Posterity) -> None:
    ended = posterity("extract", "page.html", "--render")
    assert ended.returncode == 2
    assert "--render always works only with URLs" in ended.stderr


def test_empty_page_is_rendered_unless_that_is_forbidden(
    serve: Callable[[dict[str, Response]], Web], response: type[Response], posterity: Posterity
) -> None:
    web = serve({"/": response(FRONT)})
    options = ("--index", "--method", "blogbuster", "--format", "jsonl")
    assert len(posterity("extract", f"{web.base_url}/", *options).stdout.splitlines()) == 3
    assert len(posterity("extract", f"{web.base_url}/", "--render", "never", *options).stdout.splitlines()) == 0
