"""Date, author and tags declared by a page or its URL, if no rule finds any."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.extraction.record import (
    FoundFields,
    date_in_url,
    date_on,
    declared_authors,
    declared_date,
    tags_beside,
    tags_by_rules,
)
from posterity.model import FieldRule, Rule, RuleSet

URL = "http://blog.example/tides/"


@pytest.mark.parametrize(
    "markup",
    [
        "<meta property=article:published_time content=2021-03-12T09:30:00+01:00>",
        "<time itemprop=datePublished datetime=2021-03-12T09:30:00+01:00>then</time>",
        "<time class=dt-published datetime=2021-03-12T09:30:00+01:00>then</time>",
        '<script type=application/ld+json>{"@type": "Article", "datePublished": "2021-03-12T09:30:00+01:00"}</script>',
        '<script type=application/ld+json>{"@graph": [{"datePublished": "2021-03-12T09:30:00+01:00"}]}</script>',
        "<time datetime=2021-03-12T09:30:00+01:00>then</time>",
    ],
)
def test_declared_date_is_read_to_the_minute(markup: str) -> None:
    found = declared_date(parse(markup, URL))
    assert found is not None
    assert found.fields["published"].isoformat() == "2021-03-12T09:30:00+01:00"
    assert found.fields["published_precision"] == "minute"
    assert (found.provenance.method, found.provenance.confidence < 0.9) == ("declared", True)


def test_declared_date_counts_though_the_pages_learned_from_had_none() -> None:
    found = date_on(parse("<time datetime=2021-03-12>then</time>", URL), RuleSet(absent=("published",)), None)
    assert found is not None
    assert found.fields["published"].date().isoformat() == "2021-03-12"


@pytest.mark.parametrize(
    ("declared", "moment"),
    [
        ("2021-03-12T09:30:00Z", "2021-03-12T09:30:00+00:00"),
        ("2021-03-11T23:30:00Z", "2021-03-12T00:30:00+01:00"),
        ("2021-03-12T00:00:00Z", "2021-03-12T00:00:00+00:00"),
        ("2022-05-01T09:30:00Z", "2021-03-12T00:00:00+00:00"),
    ],
)
def test_day_by_a_rule_has_the_time_that_the_page_declares_for_it(declared: str, moment: str) -> None:
    rule = FieldRule(rule=Rule("tag", "time"), confidence=0.8, pages=4, of_pages=4)
    data = f'<script type=application/ld+json>{{"datePublished": "{declared}"}}</script>'
    page = f"{data}<time class=dt-published datetime=2021-03-12>12 March 2021</time>"
    found = date_on(parse(page, URL), RuleSet(fields={"published": (rule,)}, languages=("en",)), None)
    assert found is not None
    assert (found.fields["published"].isoformat(), found.provenance.method) == (moment, "feed")


@pytest.mark.parametrize(
    ("url", "day"),
    [
        ("http://blog.example/2021/03/12/tides/", "2021-03-12"),
        ("http://blog.example/2021/3/5/tides/", "2021-03-05"),
        ("http://blog.example/posts/2010-07-02-tides/", "2010-07-02"),
        ("http://blog.example/archives/20100702.html", "2010-07-02"),
    ],
)
def test_day_in_the_address_is_the_date(url: str, day: str) -> None:
    found = date_in_url(url)
    assert found is not None
    assert (found.fields["published"].date().isoformat(), found.fields["published_precision"]) == (day, "day")
    assert found.provenance.method == "url"


@pytest.mark.parametrize(
    "url",
    [
        "http://blog.example/2021/03/tides/",
        "http://blog.example/2021/13/12/",
        "http://blog.example/2021/02/30/",
        "http://blog.example/p/1202103129",
        "http://blog.example/?p=2021312",
        "http://blog.example/",
    ],
)
def test_other_numbers_in_an_address_are_no_date(url: str) -> None:
    assert date_in_url(url) is None


def test_several_times_do_not_date_a_page() -> None:
    page = "<time datetime=2021-03-12>a</time><time datetime=2021-04-12>b</time>"
    assert declared_date(parse(page, URL)) is None


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ('{"@type": "Person", "name": "Maren"}', ("Maren",)),
        ('[{"name": "Maren"}, {"name": "Jonas"}]', ("Maren", "Jonas")),
        ('"Maren"', ("Maren",)),
    ],
)
def test_json_ld_names_the_authors(author: str, names: tuple[str, ...]) -> None:
    page = f'<script type=application/ld+json>{{"headline": "Tides", "author": {author}}}</script>'
    found = declared_authors(parse(page, URL))
    assert found is not None
    assert found.fields["authors"] == names


@pytest.mark.parametrize(
    "script",
    [
        "{broken",
        '{"headline": "x", "author": {"name": "Authors"}}',
        '{"author": {"name": "The blog"}}',
        '{"headline": "x", "author": 7}',
    ],
)
def test_what_names_nobody_gives_nobody(script: str) -> None:
    assert declared_authors(parse(f"<script type=application/ld+json>{script}</script>", URL)) is None


def beside(markup: str) -> FoundFields | None:
    document = parse(f"{markup}<div id=article><p>Salt.</p></div>", URL)
    return tags_beside(document, next(node for node, attrs in enumerate(document.tree.attrs) if attrs.get("id")))


def test_tags_told_to_machines_come_before_links_to_terms() -> None:
    told = "<meta property='article:tag' content='moon'><meta property='article:tag' content='sea'>"
    links = "<a rel='tag' href='/t/moon'>Moon</a> <a rel='category tag' href='/c/tides'>Tides</a>"
    found = [beside(markup) for markup in (told + links, links, "<p>no tags</p>")]
    assert [one.fields["tags"] if one else None for one in found] == [("moon", "sea", "Tides"), ("Moon", "Tides"), None]


def test_cloud_of_tags_is_not_the_posts() -> None:
    cloud = "".join(f"<a rel='tag' href='/t/{number}'>tag {number}</a> " for number in range(30))
    assert beside(cloud) is None


def test_people_declared_as_contributors_are_authors_after_the_first() -> None:
    people = '[{"@type": "Person", "name": "Mei Okafor"}, {"@type": "Organization", "name": "Tides Ltd"}]'
    item = f'{{"headline": "Tides", "author": {{"name": "Ada Lovelace"}}, "contributor": {people}}}'
    found = declared_authors(parse(f"<script type=application/ld+json>{item}</script>", URL))
    assert found is not None
    assert found.fields["authors"] == ("Ada Lovelace", "Mei Okafor")


def test_tags_declared_at_once_are_separated_at_commas() -> None:
    found = beside("<meta property='article:tag' content='moon,sea, salt'>")
    assert found is not None
    assert found.fields["tags"] == ("moon", "sea", "salt")


def test_tags_stand_in_a_line_between_the_blocks_of_the_post() -> None:
    line = "<span>:: <a href='/tags/moon/'>#Moon</a>, <a href='/tags/sea/'>#Sea</a></span>"
    found = beside(f"<div class=post><h1>Tides</h1>{line}<p>{'A long sentence about the tides. ' * 20}</p></div>")
    assert found is not None
    assert found.fields["tags"] == ("Moon", "Sea")


def test_style_in_a_list_of_tags_is_no_text() -> None:
    style = f"<style>{'.chip { color: red }' * 20}</style>"
    found = beside(f"<ul>{style}<li><a href='/tag/moon/'>Moon</a></li></ul>")
    assert found is not None
    assert found.fields["tags"] == ("Moon",)


def test_class_of_a_post_that_names_its_category_makes_no_tags_of_its_links() -> None:
    document = parse(
        "<div class='post category-latest tag-moon'><h2><a href='/author/maren'>View blog</a></h2>"
        "<div id=article><p>Salt.</p></div></div>",
        URL,
    )
    article = next(node for node, attrs in enumerate(document.tree.attrs) if attrs.get("id"))
    assert tags_beside(document, article) is None


@pytest.mark.parametrize(
    ("link", "tags"),
    [
        ("<a href='https://shop.example/book?id=1&tag=maren-22'>a book</a>", None),
        ("<a rel=tag href='https://tags.example/tag/moon'>Moon</a>", ("Moon",)),
        ("<a href='/tag/moon'>Moon</a>", ("Moon",)),
    ],
)
def test_link_in_the_article_to_another_host_is_a_tag_only_by_rel(link: str, tags: tuple[str, ...] | None) -> None:
    document = parse(f"<div id=article><p>Salt.</p><p>{link}</p></div>", URL)
    article = next(node for node, attrs in enumerate(document.tree.attrs) if attrs.get("id"))
    found = tags_beside(document, article)
    assert (found.fields["tags"] if found else None) == tags


def test_links_with_rel_tag_may_be_long_or_numbers_and_stand_in_a_notice() -> None:
    notice = (
        "This entry was posted on Monday, May 3rd, 2010 at 9:12 am and is filed under "
        "<a rel='category tag' href='/c/1'>Rhymes of the times that were never sung aloud</a>, "
        "<a rel=tag href='/t/150'>150</a>. You can follow any responses to this entry through the feed. "
        "You can leave a response, or trackback from your own site."
    )
    found = beside(f"<p>{notice}</p>")
    assert found is not None
    assert found.fields["tags"] == ("Rhymes of the times that were never sung aloud", "150")


def test_header_with_the_posts_title_is_the_posts_whatever_it_is_called() -> None:
    links = "<a href=/tags/moon/>Moon</a> <a href=/tags/sea/>Sea</a>"
    found = [
        beside(f"<header class=masthead>{title}<div>{links}</div></header>")
        for title in ("<h1>Tides</h1>", "<h1><a href=/>The Salt Almanac</a></h1>", "")
    ]
    assert [one.fields["tags"] if one else None for one in found] == [("Moon", "Sea"), None, None]


def test_tags_are_found_where_the_article_is_the_whole_page() -> None:
    text = "<p>The tide came in, and the tide went out.</p>" * 30
    page = (
        f"<body><nav><a href=/tags/salt/>Salt</a></nav><div><div>{text}</div><p><a href=/tags/moon/>Moon</a></p></div>"
    )
    document = parse(page, URL)
    found = tags_beside(document, document.tree.tag.index("body"))
    assert found is not None
    assert found.fields["tags"] == ("Moon",)


def test_terms_in_a_header_that_is_left_out_of_the_article_are_the_posts() -> None:
    icons = "<span><i></i></span>" * 50
    header = f"<header><h2>Tides</h2><p>4 March 2021 {icons} in <a href=/categories/sea/>Sea</a></p>{icons}</header>"
    document = parse(f"<div id=article>{header}{'<p>The tide came in, and the tide went out.</p>' * 90}</div>", URL)
    article = next(node for node, attrs in enumerate(document.tree.attrs) if attrs.get("id"))
    found = tags_beside(document, article, frozenset({document.tree.tag.index("header")}))
    assert found is not None
    assert found.fields["tags"] == ("Sea",)


def test_link_to_the_list_of_all_categories_is_no_category() -> None:
    found = beside("<p class=categories><a href=/categories/>Categories</a>: <a href=/categories/sea/>Sea</a></p>")
    assert found is not None
    assert found.fields["tags"] == ("Sea",)


def test_tags_without_links_are_known_by_the_names_of_their_elements() -> None:
    label, tags = "<b class=tags-label>Tags:</b>", ("Moon", "Salt water")
    chips = f"<div class=x-categories>{label}{''.join(f'<div class=x-category>{tag}</div> ' for tag in tags)}</div>"
    found = beside(f"<header><h1>Tides</h1>{chips}</header>")
    assert found is not None
    assert found.fields["tags"] == tags
    assert beside("<header><div class=category>Moon</div></header>") is None
    assert beside("<pre><code><span class='token tag'><span class='token tag'>div</span></span></code></pre>") is None


def test_tag_whose_page_lies_beside_the_post_is_found_by_its_relative_url() -> None:
    found = beside("<p>Tags: <a href='tag_Moon.html'>Moon</a>, <a href='tag_Sea.html'>Sea</a></p>")
    assert found is not None
    assert found.fields["tags"] == ("Moon", "Sea")


def test_link_to_comments_in_the_element_of_the_tags_is_no_tag() -> None:
    found = beside("<p class=tags><a href=/tag/moon/ rel=tag>Moon</a> <a href=/tides.html#respond>Comments Off</a></p>")
    assert found is not None
    assert found.fields["tags"] == ("Moon",)


@pytest.mark.parametrize(
    ("links", "tags"),
    [
        ("<a href=/>Home</a> : <a href=/sea/>Sea</a>", ("Sea",)),
        ("<a href=/tags/sea/>Sea</a> <a href=http://other.example/tides/#comments>Comments</a>", ("Sea",)),
        ("<a href=/#sea>Sea</a> <a href=/#sky>Sky</a>", ("Sea", "Sky")),
        ("<a href=/>Sea</a> <a href=/>Sky</a>", ("Sea", "Sky")),
        ("<a href=/tides/>permanent link</a> <a href=/sea/>Sea</a>", ("Sea",)),
        ("<a href=/tides/?tag=sea>Sea</a> <a href=/tides/?tag=sky>Sky</a>", ("Sea", "Sky")),
    ],
)
def test_link_to_the_front_page_or_to_this_page_beside_terms_is_no_tag(links: str, tags: tuple[str, ...]) -> None:
    rule = FieldRule(rule=Rule("tag", "a", under=Rule("id", "terms")), confidence=0.9, pages=4, of_pages=4)
    found = tags_by_rules(parse(f"<p id=terms>{links}</p>", URL), RuleSet(fields={"tags": (rule,)}))
    assert found is not None
    assert found.fields["tags"] == tags
