"""Front pages of many layouts: every post with title, URL, date, author and text."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from posterity.extraction import extract_index
from posterity.extraction.method import Context
from posterity.model import FieldRule, Rule, RuleSet

if TYPE_CHECKING:
    from posterity.model import Post

HOME = "https://blog.example/"
TITLES = ("On tides", "Bread again", "A walk at night")
TEXT = "About {0}: the water comes and goes, and whoever lives at the shore knows when, without looking it up."
DAYS = ("12", "7", "3")
# One post of each layout: {title}, {slug}, {text}, {day} of March 2024.
LAYOUTS = {
    "articles": """<article class="post-{number} post hentry category-{slug}"><header><h2 class=entry-title>
      <a href="/{slug}/" rel=bookmark>{title}</a></h2><div class=entry-meta>
      <time datetime="2024-03-{day:0>2}">x</time> by
      <span class="author vcard"><a class="url fn" href=/author/ann/>Ann Other</a></span></div></header>
      <div class=entry-content><p>{text}</p><p><a class=more-link href="/{slug}/#more-{number}">Continue reading</a></p>
      <div class=sharedaddy>Share this</div></div>
      <footer class=entry-footer>Posted in <a href=/category/sea/ rel=tag>Sea</a> |
      <a href="/{slug}/#comments">3 comments</a></footer></article>""",
    "rows of a table": """<tr><td><b class=title><a href="/{slug}/">{title}</a></b><br>
      <small>{day}.03.2024 von Ann Other</small></td></tr><tr><td>{text}</td></tr>""",
    "nothing around a post": """<h3><a href=/category/sea/>Sea</a></h3><h1><a href="/{slug}/index.html">{title}</a></h1>
      <div><small>{day:0>2}.03.24 von Ann Other <b>|</b> <a href="/{slug}/index.html#comments">3</a></small></div>
      <div class=post><p>{text}</p></div>""",
    "cards": """<li class="card"><a href="/{slug}/"><img src=x.png><h2>{title}</h2><h3>March {day}, 2024</h3>
      <h4>5 min read</h4><h5>by Ann Other</h5><p>{text}</p></a></li>""",
    "cards of no more than <div>": """<a class=css-1ab href="/{slug}/"><div class=css-2t>{title}</div>
      <div class=css-3x>{text}</div><div class=css-4m><span>March {day}, 2024</span>
      <span>by Ann Other</span></div></a>""",
    "date above": """<div class=date-outer><h2 class=date-header>Tuesday, March {day}, 2024</h2><div class=post-outer>
      <h3 class=post-title><a href="/{slug}/">{title}</a></h3><div class=post-body>{text}</div>
      <div class=post-footer><span class=post-author>Posted by <span class=fn>Ann Other</span></span></div></div>
      </div>""",
    "a list of definitions": """<dt><a class=title href="/{slug}/">{title}</a> <i>{day} March 2024 by Ann Other</i></dt>
      <dd>{text}</dd>""",
}  # fmt: skip
FRAMES = {
    "rows of a table": "<table><tbody>{0}</tbody></table>",
    "cards": "<ul>{0}</ul>",
    "a list of definitions": "<dl>{0}</dl>",
}
AROUND = """<html lang=en><body><header><h1><a href=/>The blog</a></h1><nav><ul><li><a href=/about/>About</a><li>
<a href=/archive/>Archive</a><li><a href=/contact/>Contact</a></ul></nav></header><main>{0}</main>
<aside class=sidebar><h3>Recent</h3><ul><li><a href=/one/>One</a><li><a href=/two/>Two</a><li><a href=/three/>Three</a>
<li><a href=/four/>Four</a></ul></aside><footer>© 2024 The blog</footer></body></html>"""


def front(layout: str, pattern: str = "") -> str:
    posts = "".join(
        (pattern or LAYOUTS[layout]).format(
            title=title, slug=slug(title), text=TEXT.format(title), day=day, number=number
        )
        for number, (title, day) in enumerate(zip(TITLES, DAYS, strict=True), start=41)
    )
    return AROUND.format(FRAMES.get(layout, "{0}").format(posts))


def slug(title: str) -> str:
    return title.lower().replace(" ", "-")


def days(posts: tuple[Post, ...]) -> list[int]:
    return [post.published.day for post in posts if post.published is not None]


@pytest.fixture(params=LAYOUTS)
def posts(request: pytest.FixtureRequest) -> tuple[Post, ...]:
    return extract_index(front(request.param), HOME)


def test_every_post_has_its_title_in_order(posts: tuple[Post, ...]) -> None:
    assert tuple(post.title for post in posts) == TITLES


def test_every_post_has_its_own_address(posts: tuple[Post, ...]) -> None:
    assert [slug(title) in post.url for post, title in zip(posts, TITLES, strict=True)] == [True] * 3


def test_every_post_has_its_day(posts: tuple[Post, ...]) -> None:
    assert days(posts) == [12, 7, 3]


def test_every_post_has_its_author(posts: tuple[Post, ...]) -> None:
    assert {post.authors for post in posts} == {("Ann Other",)}


def test_text_is_the_post_and_nothing_else(posts: tuple[Post, ...]) -> None:
    assert [post.text for post in posts] == [TEXT.format(title) for title in TITLES]


def test_post_without_title_is_a_post_at_its_permalink() -> None:
    untitled = """<article class="post hentry"><div class=entry-content><p>Just a thought, and no title to it.</p></div>
      <a rel=bookmark href=/thought/><time datetime=2024-03-01>1 March</time></a></article>"""
    found = extract_index(front("articles").replace("</main>", f"{untitled}</main>"), HOME)
    assert [post.title for post in found] == [*TITLES, None]
    assert found[-1].url == "https://blog.example/thought/"
    assert found[-1].text == "Just a thought, and no title to it."


def test_featured_post_that_stands_elsewhere_is_among_the_posts() -> None:
    featured = LAYOUTS["articles"].format(title="First of all", slug="first", text=TEXT, day="20", number=1)
    found = extract_index(front("articles").replace("<main>", f"<main><div class=featured>{featured}</div><div>"), HOME)
    assert [post.title for post in found] == ["First of all", *TITLES]


def test_headings_inside_the_posts_are_no_posts() -> None:
    pattern = LAYOUTS["articles"].replace(
        "<p>{text}</p>", "<h3>What</h3><p>{text}</p><h3>Why {title}</h3><p>{text}</p>"
    )
    assert tuple(post.title for post in extract_index(front("articles", pattern), HOME)) == TITLES


@pytest.mark.parametrize("written", ["{day}/3/2024", "3/{day}/2024"])
def test_order_of_day_and_month_is_told_by_the_other_dates(written: str) -> None:
    """All are ambiguous; in one order they are nine days, in the other nine months."""
    pattern = f"<article class=post><h2><a href='/{{slug}}/'>{{title}}</a></h2><p class=date>{written}</p><p>{{text}}"
    found = extract_index(front("articles", f"{pattern}</article>"), HOME)
    assert [(post.published.month, post.published.day) for post in found if post.published] == [(3, 12), (3, 7), (3, 3)]


def test_address_tells_the_day_where_the_page_shows_none() -> None:
    pattern = "<article class=post><h2><a href='/2024/03/{day:0>2}/{slug}/'>{title}</a></h2><p>{text}</p></article>"
    assert days(extract_index(front("articles", pattern), HOME)) == [12, 7, 3]


def test_month_is_read_in_languages_that_the_page_does_not_declare() -> None:
    pattern = (
        "<article class=post><h2><a href='/{slug}/'>{title}</a></h2><p>{day} marca 2024</p><p>{text}</p></article>"
    )
    assert days(extract_index(front("articles", pattern), HOME)) == [12, 7, 3]


def test_days_told_from_now_are_read_where_it_is_known_when_now_was() -> None:
    pattern = "<article class=post><h2><a href='/{slug}/'>{title}</a></h2><p>{day} days ago</p><p>{text}</p></article>"
    now = datetime(2024, 3, 15, 12, tzinfo=UTC)
    assert days(extract_index(front("articles", pattern), HOME, context=Context(fetched_at=now))) == [3, 8, 12]
    assert days(extract_index(front("articles", pattern), HOME)) == []


def test_menu_alone_is_no_list_of_posts() -> None:
    assert extract_index(AROUND.format("<p>Nothing here yet.</p>"), HOME) == ()


def test_rules_of_the_blog_say_which_of_two_lists_has_the_posts() -> None:
    other = "".join(f"<div class=ad><h2><a href=/ad{n}/>Buy {n}</a></h2><p>{TEXT * 4}</p></div>" for n in range(4))
    page = front("articles").replace("</main>", f"<section>{other}</section></main>")
    rule = FieldRule(rule=Rule("class", "entry-content", "div"), confidence=1.0, pages=3, of_pages=3)
    rules = RuleSet(fields={"text": (rule,)})
    assert extract_index(page, HOME)[0].title == "Buy 0"
    assert tuple(post.title for post in extract_index(page, HOME, context=Context(rules=rules))) == TITLES


def test_plain_list_of_dated_links_is_a_list_of_posts() -> None:
    rows = "".join(
        f"<li><span>2007年1月{day}日</span> <a href='/2007/{day}.html'>About the tides {day}</a></li>"
        for day in (31, 29, 18)
    )
    posts = extract_index(f"<h1>January</h1><ul>{rows}</ul>", "http://blog.example/2007/01/")
    assert [(post.url, post.published and post.published.day) for post in posts] == [
        (f"http://blog.example/2007/{day}.html", day) for day in (31, 29, 18)
    ]
