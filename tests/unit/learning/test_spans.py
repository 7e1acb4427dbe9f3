"""Articles that are consecutive children of an element with more in it, as in the templates of early blog software."""

from __future__ import annotations

import pytest

import posterity
from posterity.dom import parse
from posterity.dom.tree import matches
from posterity.model import Rule

HOST = "http://flats.example"
TOPICS = ("seals", "terns", "eelgrass", "oysters", "samphire", "plovers", "cockles", "mussels")

OTHERS = ("ada", "gwen", "the pilot", "uncle ben", "her aunt", "the baker", "a tourist", "the vicar")


def title_of(number: int) -> str:
    return f"What the {TOPICS[number]} did in the night"


def body_of(number: int) -> list[str]:
    """Several shapes of posts: paragraphs, a quotation first, headings, one line that repeats a title."""
    topic = TOPICS[number]
    lines = [
        f"<p>{topic.title()} came over the bar at half past four, {number} of them, and stayed until dark.</p>",
        f"<p>{OTHERS[number].title()} said nobody knew where the {topic} had been since the storm, or why.</p>",
    ]
    if number % 3 == 0:
        lines.insert(0, f"<blockquote>Old pilots counted {topic} before they counted fathoms.</blockquote>")
    if number % 3 == 1:
        lines.append(f"<p>I would still like to know about it: {title_of(number)}, and the morning after.</p>")
    if number % 4 == 2:
        lines.append(f"<h4>Later</h4><p>By {number + 5} in the evening the {topic} were gone.</p>")
    return lines[: 1 + number % 4] if number % 4 else lines


def page_of(number: int, *, more: str = "") -> str:
    before = f"&laquo; {title_of(number - 1)}" if number else "the first one"
    behind = f"{title_of(number + 1)} &raquo;" if number + 1 < len(TOPICS) else "the last one"
    comments = "".join(
        f"<div id=c{number}{each}><p>Comment {each}: my aunt keeps {TOPICS[-each]} of her own.</p></div>"
        f"<p class=posted>Posted by Reader {each} on April {each + 3}, 2005 08:1{each} PM</p>"
        for each in range(1, 1 + number % 4)
    )
    return (
        f"<html><head><title>The Flats: {title_of(number)}</title></head><body><div id=container><div id=banner>"
        f"<h1><a href='{HOST}/'>The Flats</a></h1></div><div class=content>"
        f"<p align=right><a href='{HOST}/{number - 1}.html'>{before}</a> | <a href='{HOST}/'>Main</a> | "
        f"<a href='{HOST}/{number + 1}.html'>{behind}</a></p>"
        f"<h2>March {number + 1}, 2005</h2><h3>{title_of(number)}</h3>{''.join(body_of(number))}{more}"
        f"<div id=a0000{number}more></div>"
        f"<p class=posted>Posted by Ada at March {number + 1}, 2005 07:15 PM</p>"
        f"<h2 id=trackbacks>Trackback Pings</h2><p class=techstuff>TrackBack URL for this entry: {HOST}/tb/{number}</p>"
        f"<h2 id=comments>Comments</h2>{comments}<h2>Post a comment</h2><form><p>Thanks for signing in. Now you can "
        "comment. (If you have not left a comment here before, the owner may have to approve it.)</p></form>"
        "</div></div></body></html>"
    )


def feed_of(numbers: range) -> bytes:
    items = "".join(
        f"<item><title>{title_of(number)}</title><link>{HOST}/{number}.html</link>"
        f"<pubDate>{number + 1:02} Mar 2005 19:15:00 +0000</pubDate>"
        f"<content:encoded><![CDATA[{''.join(body_of(number))}]]></content:encoded></item>"
        for number in numbers
    )
    return (
        "<rss version='2.0' xmlns:content='http://purl.org/rss/1.0/modules/content/'><channel>"
        f"<title>The Flats</title><link>{HOST}/</link>{items}</channel></rss>"
    ).encode()


def rest_of(number: int) -> str:
    rest = f"There was more about {TOPICS[number]} that {OTHERS[-number]} had heard of, years ago."
    return f"<div class=entry-more><p>{rest}</p></div>"


def text_of_body(number: int) -> str:
    (body,) = parse(f"<div id=body>{''.join(body_of(number))}</div>", HOST).all("#body")
    return "".join(body.plain(0).split())


def learned(feed: bytes, pages: dict[str, str]) -> posterity.RuleSet:
    return posterity.learn(feed, pages, feed_url=f"{HOST}/index.xml")


def test_article_without_an_element_is_what_stands_between_two_others() -> None:
    pages = {f"{HOST}/{number}.html": page_of(number) for number in range(6)}
    rules = learned(feed_of(range(6)), pages)
    assert [str(rule.rule) for rule in rules.rules_for("text")] == ["div.content"]
    assert [(rule.rule.kind, rule.rule.value) for rule in rules.rules_for("out")[:2]] == [
        ("until", "h3"),
        ("from", "p.posted"),
    ]
    for number in range(len(TOPICS)):
        post = rules.extract(page_of(number), f"{HOST}/{number}.html")
        assert post is not None
        assert "".join(post.text.split()) == text_of_body(number)
        assert post.title == title_of(number)
        assert len(post.comments) == number % 4


def test_text_below_read_more_stays_although_the_feed_ends_before_it() -> None:
    pages = {f"{HOST}/{number}.html": page_of(number, more=rest_of(number)) for number in range(6)}
    rules = learned(feed_of(range(6)), pages)
    for number in range(len(TOPICS)):
        post = rules.extract(page_of(number, more=rest_of(number)), f"{HOST}/{number}.html")
        assert post is not None
        assert post.text.endswith(
            f"There was more about {TOPICS[number]} that {OTHERS[-number]} had heard of, years ago."
        )


def test_boundaries_select_children_up_to_the_first_that_fits_and_from_it_on() -> None:
    page = "<div><p>1</p><h3>2</h3>loose<p class='x posted'>3</p><h3>4</h3><p class=posted>5</p><i id=end>6</i></div>"
    (tree,) = parse(page, HOST).all("div")

    def selected(kind: str, value: str) -> str:
        return "".join(tree.plain(node) for node in matches(tree, Rule(kind, value)))  # type: ignore[arg-type]

    assert selected("until", "h3") == "12"
    assert selected("until", "p.posted") == "12loose3"
    assert selected("from", "p.posted") == "3456"
    assert selected("from", "#end") == "6"
    assert selected("until", "h5") == selected("from", "h5") == ""


POSTED = "contains(concat(' ', normalize-space(@class), ' '), ' posted ')"


@pytest.mark.parametrize(
    ("rule", "css", "xpath"),
    [
        (
            Rule("from", "p.posted", under=Rule("id", "main")),
            "#main > p.posted, #main > p.posted ~ *",
            f"//*[@id='main']/*[self::p[{POSTED}] or preceding-sibling::p[{POSTED}]]",
        ),
        (
            Rule("until", "h3", under=Rule("id", "main")),
            "#main > :not(h3 ~ *)",
            "//*[@id='main']/*[not(preceding-sibling::h3)]",
        ),
        (
            Rule("from", "#end"),
            ":scope > #end, :scope > #end ~ *",
            "./*[self::*[@id='end'] or preceding-sibling::*[@id='end']]",
        ),
    ],
)
def test_boundaries_are_written_as_selectors(rule: Rule, css: str, xpath: str) -> None:
    assert rule.css == css
    assert rule.xpath == xpath


def test_post_of_a_picture_alone_has_no_text_of_what_precedes_it() -> None:
    pages = {f"{HOST}/{number}.html": page_of(number) for number in range(6)}
    rules = learned(feed_of(range(6)), pages)
    picture = page_of(7).replace("".join(body_of(7)), "<p><img src=/pier.jpg alt=''></p>")
    post = rules.extract(picture, f"{HOST}/7.html")
    assert post is not None
    assert (post.text, [media.url for media in post.media]) == ("", [f"{HOST}/pier.jpg"])
