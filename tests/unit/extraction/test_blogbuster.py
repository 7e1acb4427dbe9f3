"""BlogBuster: each of the published steps 1 to 4, nested matches, front pages, post pages (document 000)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.dom import parse
from posterity.extraction.blogbuster import posts
from posterity.extraction.method import Context

if TYPE_CHECKING:
    from posterity.model import Post

URL = "https://blog.example/"
INDEX = Context(index=True)


def found(html: str, context: Context = INDEX, url: str = URL) -> tuple[Post, ...]:
    return posts(parse(f"<body>{html}</body>", url), context)


def only(html: str) -> Post:
    (post,) = found(html)
    return post


@pytest.mark.parametrize(
    "attribute",
    [
        "class=post",
        "id=post-17",
        "class='x hentry y'",
        "class=divlog",
        "class='my-entry-and-post'",
        "name=the-post-1",
        "class=snap_preview",
    ],
)
def test_step_1a_any_attribute_of_a_div(attribute: str) -> None:
    assert only(f"<div {attribute}><div class=entry>Text</div></div>").text == "Text"


@pytest.mark.parametrize("open_tag", ["div class=blogpost", "div class=Post", "section class=post", "div class=entry"])
def test_step_1a_nothing_else(open_tag: str) -> None:
    assert found(f"<{open_tag}><div class=entry>Text</div></{open_tag.split(maxsplit=1)[0]}>") == ()


@pytest.mark.parametrize("name", ["my-post-body", "posts", "entry", "content", "x entry-content y", "snap_preview"])
def test_step_2a_class_of_the_div_itself(name: str) -> None:
    assert only(f"<div id=post-1 class='{name}'>Text</div>").provenance["text"].rule == "published 2a"


@pytest.mark.parametrize(
    "name", ["a post-body b", "posts", "entryX", "content", "the-entry-content", "text", "entrybody"]
)
def test_step_2b_class_of_a_child(name: str) -> None:
    post = only(f"<div class=post>Not this<div class='{name}'>Text</div></div>")
    assert (post.text, post.provenance["text"].rule) == ("Text", "published 2b")


def test_step_2c_no_text_no_post() -> None:
    assert found("<div class=post>Text without a div of its own</div>") == ()
    assert found("<div class=post><section><div class=entry>A grandchild</div></section></div>") == ()
    assert found("<div class=post><div class=entry>  </div></div>") == ()


def test_step_3a_children_by_tag_then_by_place() -> None:
    headings = "<a class=title>From a</a><h2 class=entry-title>From h2</h2><h3 id=my-post-title-1>From h3</h3>"
    html = f"<div class=post>{headings}<div class=text>T</div></div>"
    assert only(html).title == "From h3"
    assert only(html.replace("h3", "h4")).title == "From h2"
    assert only(html.replace("h3", "h4").replace("h2", "h5")).title == "From a"
    assert only(html).provenance["title"].rule == "published 3a"


def test_step_3b_nearest_heading_before() -> None:
    post = only("<h1>Far</h1><h5>Near</h5><p>between</p><div class=post><h2>unnamed</h2><div class=entry>T</div></div>")
    assert (post.title, post.provenance["title"].rule) == ("Near", "published 3b")


def test_step_3c_and_4d_missing_is_declared() -> None:
    post = only("<div class=post><div class=entry>T</div></div><h2>After</h2>")
    assert (post.title, post.published) == (None, None)
    assert set(post.provenance) == {"text"}


@pytest.mark.parametrize("name", ["it-was-posted-in-x", "datepost", "entrymeta", "date"])
def test_step_4a_child_div(name: str) -> None:
    post = only(f"<div class=post><div class='{name}'>Posted on 3 May 2010 by Ann</div><div class=entry>T</div></div>")
    assert post.published is not None
    assert (post.published.date().isoformat(), post.published_precision) == ("2010-05-03", "day")
    assert post.provenance["published"].rule == "published 4a"


@pytest.mark.parametrize(
    ("inner", "step"),
    [
        ("<span class=postdate>", "4b.i"),
        ("<span id=date>", "4b.i"),
        ("<small class='the time'>", "4b.ii"),
        ("<small title=mydate>", "4b.ii"),
    ],
)
def test_step_4b_child_of_an_info_div(inner: str, step: str) -> None:
    tag = inner[1:].split(maxsplit=1)[0]
    post = only(f"<div class=post><div class=post-head>{inner}May 3, 2010</{tag}></div><div class=entry>T</div></div>")
    assert post.provenance["published"].rule == f"published {step}"


def test_step_4c_nearest_sibling_before_with_a_date_name() -> None:
    html = "<h2 class=date-header>May 2, 2010</h2><h2>Other</h2><div class=post><div class=entry>One</div></div>"
    html += "<span class=my-date>May 3, 2010</span><div class=post><div class=entry>Two</div></div>"
    first, second = found(html)
    assert [post.published and post.published.day for post in (first, second)] == [2, 3]
    assert first.provenance["published"].rule == "published 4c"


def test_date_that_cannot_be_read_is_explained() -> None:
    post = only("<div class=post><div class=date>last Tuesday</div><div class=entry>T</div></div>")
    assert post.published is None
    assert post.provenance["published"].confidence == 0.0
    assert "last Tuesday" in (post.provenance["published"].rule or "")


BLOGGER = """<div class="blog-posts hfeed">
<h2 class="date-header">Monday, May 3, 2010</h2>
<div class="post hentry"><a name="1"></a><h3 class="post-title entry-title"><a href="/2010/05/one.html">One</a></h3>
<div class="post-header"></div><div class="post-body entry-content"><p>First text.</p></div>
<div class="post-footer">by Ann</div></div>
<h2 class="date-header">Sunday, May 2, 2010</h2>
<div class="post hentry"><h3 class="post-title entry-title"><a href="/2010/05/two.html">Two</a></h3>
<div class="post-body entry-content"><p>Second text.</p></div></div></div>"""


def test_front_page_of_blogger_gives_each_post_once() -> None:
    first, second = found(BLOGGER)
    assert (first.title, first.text, first.url) == ("One", "First text.", "https://blog.example/2010/05/one.html")
    assert (second.title, second.text) == ("Two", "Second text.")
    assert [post.published and post.published.day for post in (first, second)] == [3, 2]
    assert first.id != second.id


def test_front_page_is_recognised_by_titles_that_link_elsewhere() -> None:
    assert len(found(BLOGGER, Context())) == 2
    assert len(found(BLOGGER, Context(), url="")) == 2


def test_post_page_gives_one_post() -> None:
    page = BLOGGER.replace('href="/2010/05/one.html"', 'href="#"').replace("Second text.", "x")
    (post,) = found(page, Context())
    assert (post.title, post.text, post.url) == ("One", "First text.", URL)


def test_list_of_posts_is_not_a_post() -> None:
    inner = "<div id=post-{0}><h2 class=title>T{0}</h2><div class=entry>Text number {0}</div></div>"
    html = "<div class=posts>" + "".join(inner.format(number) for number in (1, 2, 3)) + "</div>"
    assert [post.text for post in found(html)] == ["Text number 1", "Text number 2", "Text number 3"]
    one = "<div class=posts>" + inner.format(1) + "</div>"
    assert [(post.title, post.text) for post in found(one)] == [("T1", "Text number 1")]


def test_boxes_inside_an_article_are_not_posts() -> None:
    boxes = "<div class=post-box><div class=text>box</div></div>" * 2
    post = only(f"<div class=post><div class=entry>{'A long article. ' * 9}{boxes}</div></div>")
    assert post.text.startswith("A long article.")


def test_posts_that_were_not_closed_stand_inside_each_other() -> None:
    html = "".join(f"<div class=post><h2 class=title>T{n}</h2><div class=entry>Text {n}</div>" for n in range(4))
    assert [(post.title, post.text) for post in found(html)] == [(f"T{n}", f"Text {n}") for n in range(4)]


def test_posts_without_address_have_ids_of_their_own() -> None:
    html = "<div class=post><div class=entry>One</div></div><div class=post id=post-b><div class=entry>Two</div></div>"
    first, second = found(html)
    assert (first.url, second.url) == (f"{URL}#post-1", f"{URL}#post-b")
    assert first.id != second.id


def test_thousands_of_posts_beside_each_other() -> None:
    html = "<h2 class=date>May 3, 2010</h2>" + "<div class=post><div class=entry>Text</div></div>" * 3000
    assert len(found(html)) == 3000


@given(
    st.lists(
        st.sampled_from(
            ["<div class=post>", "<div class=entry>", "<h2 class=title>", "</div>", "</h2>", "text", "<a href=/x>"]
        ),
        max_size=40,
    )
)
def test_any_page_gives_the_same_twice_and_no_post_twice(parts: list[str]) -> None:
    document = parse("".join(parts), URL)
    before = (list(document.tree.tag), list(document.tree.text))
    first = posts(document, INDEX)
    assert first == posts(document, INDEX)
    assert before == (document.tree.tag, document.tree.text)
    assert sum(post.text.count("text") for post in first) <= "".join(document.tree.text).count("text")
