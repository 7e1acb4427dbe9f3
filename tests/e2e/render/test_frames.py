"""Comments that live in a frame or in a shadow tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom import parse
from posterity.extraction.comment_areas import comment_tree
from posterity.extraction.comments import comments_on

if TYPE_CHECKING:
    from tests.e2e.render.conftest import Draw

    from posterity.model import Comment
    from posterity.render.rendered import Rendered

# Made like Disqus's frame: posts with an id, nested in lists, and a button for the next ones.
FRAME = """<html><body><div id=conversation><ul id=post-list></ul>
<a href="#" class="load-more__button" id=more>Load more comments</a></div><script>
const one = (id, depth) => `<li class="post" id="post-${id}"><div class="post-content"><header>
    <span class="post-byline"><span class="author">Reader ${id % 5}</span></span><span class="post-meta">
    <a class="time-ago" title="Friday, May 3, 2019 4:${10 + id % 40} PM">7 years ago</a></span></header>
    <div class="post-message"><p>Words of comment ${id}</p></div><footer><a href="#">Reply</a></footer></div>
    <ul class="children">${depth < 3 && id % 3 == 0 ? one(id * 10 + 1, depth + 1) + one(id * 10 + 2, depth + 1) : ''}
    </ul></li>`;
let shown = 0;
function show() {
    const list = document.getElementById('post-list');
    for (let k = 0; k < 10; k++) list.insertAdjacentHTML('beforeend', one(1000 + shown++, 1));
    if (shown >= 40) more.remove();
}
more.onclick = () => setTimeout(show, 30); show();
</script></body></html>"""
PAGE = """<article><h1>Post</h1><p>Words of the post.</p></article><div id=disqus_thread></div><script>
const frame = document.createElement('iframe'); frame.src = 'frame'; frame.title = 'Disqus';
document.getElementById('disqus_thread').append(frame)</script>"""


def comments(page: Rendered) -> tuple[Comment, ...]:
    place = comment_tree(parse(page.html, page.url))
    return comments_on(place, page.url) if place is not None else ()


def expected() -> dict[str, str | None]:
    """Every comment of the frame with what it answers."""
    found: dict[str, str | None] = {}

    def add(number: int, parent: str | None, depth: int) -> None:
        found[f"comment-{number}"] = parent
        if depth < 3 and number % 3 == 0:
            add(number * 10 + 1, f"comment-{number}", depth + 1)
            add(number * 10 + 2, f"comment-{number}", depth + 1)

    for number in range(1000, 1040):
        add(number, None, 1)
    return found


def test_thread_in_a_frame_is_complete_with_answers_authors_and_dates(draw: Draw) -> None:
    found = comments(draw(PAGE, frame=FRAME))
    assert {comment.id: comment.parent for comment in found} == expected()
    first = found[0]
    assert (first.author, first.text) == ("Reader 0", "Words of comment 1000")
    assert first.published is not None
    assert first.published.strftime("%Y-%m-%d %H:%M") == "2019-05-03 16:10"


def test_frame_of_a_film_is_not_joined(draw: Draw) -> None:
    page = draw("<p>Words.</p><iframe src=frame title='A film'></iframe>", frame="<p>Subscribe to our channel</p>")
    assert "channel" not in page.html


def test_scripts_of_a_frame_do_not_come_along(draw: Draw) -> None:
    page = draw(
        "<p>Words.</p><iframe id=comments src=frame></iframe>",
        frame="<p onclick='evil()'>Said.</p><script>var own = 1</script>",
    )
    assert "Said." in page.html
    assert "evil" not in page.html
    assert "var own" not in page.html


def test_comments_in_a_shadow_tree_are_joined(draw: Draw) -> None:
    page = draw(
        "<p>Words.</p><my-comments></my-comments><script>"
        "const root = document.querySelector('my-comments').attachShadow({mode: 'open'});"
        "root.innerHTML = '<div class=comment id=comment-7><b>Ann</b><p>From the shadow.</p></div>'</script>"
    )
    assert [comment.text for comment in comments(page)] == ["From the shadow."]
