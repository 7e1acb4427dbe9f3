"""Tags and categories: links to terms beside the article, in the markup of any theme."""

from __future__ import annotations

import json

import pytest

import posterity
from posterity.model import Feed, FeedEntry, FieldRule, Post, Rule, RuleSet

URL = "https://blog.example/2021/03/tides/"
WORDS = "The tide comes in twice a day, and the boats lie dry in between for some hours. " * 6
ARTICLE = f"<div class=entry><p>{WORDS}</p><p>{WORDS}</p></div>"
MENU = "<nav><a href=/categories/boats/>Boats</a> <a href=/categories/birds/>Birds</a></nav>"


def extracted(body: str, rules: RuleSet | None = None) -> Post:
    page = f"<html lang=en><title>Tides</title><body>{MENU}<main>{body}</main></body></html>"
    post = posterity.extract(page, URL, rules=rules)
    assert post is not None
    return post


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        pytest.param("", "<footer class=post-footer><ul class=post-tags>{}</ul></footer>", id="footer"),
        pytest.param("<header><h1>Tides</h1><p>4 March 2021 in {}</p></header>", "", id="header"),
        pytest.param(
            "<h1>Tides</h1><div class=tag_share><div class=post-meta__tag-list>{}</div></div>", "", id="share"
        ),
        pytest.param("", "<p class=postmetadata>Posted in {} by Ada on 4 March 2021 | No Comments</p>", id="sentence"),
        pytest.param("<h1>Tides</h1>", "<div><span>Tags:</span> {}</div><h3>2 Comments</h3>", id="label"),
        pytest.param("<h1>Tides</h1><div class=page-sidebar><h3>Categories</h3>{}</div>", "", id="own side column"),
        pytest.param(
            "<div class=sidebar><nav class=md-nav><ul class=md-post__meta><li>in {}</ul></nav></div><h1>Tides</h1>",
            "",
            id="meta in a side column",
        ),
    ],
)
@pytest.mark.parametrize(
    "link",
    [
        "<a href=/tags/{slug}/>{name}</a>",
        "<a rel='category tag' href=/c/{slug}>{name}</a>",
        "<a href='/?cat={slug}'>{name}</a>",
        "<a href=/tags#{slug}>#{name}</a>",
        "<a class=post-tag href=/about-{slug}>{name}<sup>12</sup></a>",
        "<a class=hashtag href=/tag:{slug}><span>#</span><span class=p-category>{name}</span></a>",
        "<a href=/category/{slug}.html>{name} (3)</a>",
        "<a href=/blog-tags/{slug}/>{name}</a>",
        "<a href=/tagged/{slug}>{name}</a>",
        "<a href=/blog/tag:{slug}>{name}</a>",
        "<a href=/cat/{slug}>{name}</a>",
        "<a href='/stories?topic={slug}'>{name}</a>",
        "<a href=/vocabulary/{slug} typeof=skos:Concept>{name}</a>",
    ],
)
def test_terms_beside_the_article_are_tags(before: str, behind: str, link: str) -> None:
    links = ", ".join(link.format(slug=name.lower(), name=name) for name in ("Salt", "Water"))
    post = extracted(f"<article>{before.format(links)}{ARTICLE}{behind.format(links)}</article>")
    assert post.tags == ("Salt", "Water")


def test_signs_of_a_term_stay_and_the_label_before_the_terms_is_none() -> None:
    terms = "<a rel=tag href=/tag/c%23>C#</a>, <a rel=tag href=/tag/salt>#salt</a>"
    links = f"<a href=http://tags.example/search/12>Harbour Tags</a>: {terms}"
    assert extracted(f"<article><h1>Tides</h1>{ARTICLE}<p class=post-tags>{links}</p></article>").tags == ("C#", "salt")


def test_numbered_keywords_of_spip_are_tags() -> None:
    links = "<a href='spip.php?mot12'>Salt</a>, <a href='spip.php?rubrique3'>Water</a>"
    assert extracted(f"<article><h1>Tides</h1>{ARTICLE}<p>{links}</p></article>").tags == ("Salt", "Water")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"<article><h1>Tides</h1>{ARTICLE}</article>", id="menu"),
        pytest.param(
            f"<article><h1>Tides</h1><div><p>{WORDS} More about <a href=/tags/salt/>salt</a>.</p></div></article>",
            id="in a sentence",
        ),
        pytest.param(
            f"<article>{ARTICLE}</article><div class=sidebar><a href=/tags/salt/>Salt</a></div>", id="side column"
        ),
        pytest.param(
            f"<article>{ARTICLE}</article><h3>Categories</h3><ul><li><a href=/category/salt/>Salt (1)</a></li></ul>",
            id="terms of the blog, counted",
        ),
        pytest.param(
            f"<article>{ARTICLE}</article><div><h3><a href=/2021/02/ebb/>Ebb</a></h3><a href=/tags/ebb/>Ebb</a></div>",
            id="another post",
        ),
        pytest.param(f"<article>{ARTICLE}<p><a class=tags href=#respond>6</a></p></article>", id="a number"),
        pytest.param(
            "<article>"
            + ARTICLE
            + "<div>"
            + " ".join(f"<a rel=tag href=/tags/t{number}/>term {number}</a>" for number in range(40))
            + "</div></article>",
            id="a cloud",
        ),
    ],
)
def test_other_links_are_no_tags(body: str) -> None:
    assert extracted(body).tags == ()


def test_terms_of_the_whole_blog_behind_those_of_the_post_are_left_out() -> None:
    own = "<p><a rel=tag href=/tags/salt/>Salt</a></p>"
    cloud = " ".join(f"<a rel=tag href=/tags/{name}/>{name}</a>" for name in ("Salt", "Birds", "Boats", "Wind"))
    assert extracted(f"<article><h1>Tides</h1>{own}{ARTICLE}<div>{cloud}</div></article>").tags == ("Salt",)


def test_list_of_all_tags_above_the_post_is_the_blogs() -> None:
    own = "<p class=byline><time>12 March 2021</time> <a rel=tag href=/tags/Salt/>Salt</a></p>"
    names = ("Salt", "Birds", "Boats", "Wind")
    listed = "".join(f"<li><a rel=tag href=/tags/{name}/>{name}</a></li>" for name in names)
    assert extracted(f"<div><ul>{listed}</ul></div><article><h1>Tides</h1>{own}{ARTICLE}</article>").tags == ("Salt",)
    few = listed.partition("<li><a rel=tag href=/tags/Boats/>")[0].replace("Salt", "Tides")
    tags = extracted(f"<article><ul>{few}</ul><h1>Tides</h1>{own}{ARTICLE}</article>").tags
    assert tags == ("Tides", "Birds", "Salt")


@pytest.mark.parametrize("own", ["Salt", "Water"])
def test_terms_of_the_whole_blog_have_a_heading_of_their_own(own: str) -> None:
    tail = f"<p><a href=/categories/sea/>Sea</a>, <a href=/tags/{own.lower()}/>{own}</a></p>"
    cloud = " ".join(f"<a href=/tags/{name.lower()}/>{name}</a>" for name in ("Salt", "Birds", "Boats", "Wind"))
    panel = f"<div id=panel><h3>Trending Tags</h3><div>{cloud}</div></div>"
    assert extracted(f"<article><h1>Tides</h1>{ARTICLE}{tail}</article>{panel}").tags == ("Sea", own)


def test_headings_over_tags_and_categories_do_not_part_them() -> None:
    tags = "<h4>Categories</h4><a href=/categories/sea/>Sea</a><h4>Tags</h4><a href=/tags/salt/>Salt</a>"
    assert extracted(f"<article><h1>Tides</h1>{ARTICLE}<footer>{tags}</footer></article>").tags == ("Sea", "Salt")


def test_keywords_in_structured_data_are_tags_where_nothing_else_is() -> None:
    data = '<script type="application/ld+json">{"@type": "BlogPosting", "headline": "Tides", "keywords": "Salt, Water"}'
    assert extracted(f"{data}</script><article><h1>Tides</h1>{ARTICLE}</article>").tags == ("Salt", "Water")


def test_keywords_of_the_article_go_before_terms_by_class_and_beside_linked_ones() -> None:
    item = '{"@type": "NewsArticle", "headline": "Tides", "keywords": ["Salt"]}'
    data = f"<script type=application/ld+json>{item}</script>"
    weak, linked = "<p class=tags><a href=/more/>More views</a></p>", "<p><a href=/categories/sea/>Sea</a></p>"
    assert extracted(f"{data}<article><h1>Tides</h1>{ARTICLE}{weak}</article>").tags == ("Salt",)
    assert extracted(f"{data}<article><h1>Tides</h1>{ARTICLE}{linked}</article>").tags == ("Salt", "Sea")


@pytest.mark.parametrize(
    ("meta", "tags"),
    [
        ("name=keywords content='tide, boats, harbour masters'", ("tide", "boats", "harbour masters")),
        ("name=news_keywords content='boats, day, Ireland'", ("boats", "day", "Ireland")),
        ("name=keywords content='blog, personal, day, boats'", ()),
        ("name=keywords content='sea blog, tides, photographs, travel'", ()),
    ],
)
def test_keywords_are_tags_where_they_are_of_the_page_and_not_of_the_site(meta: str, tags: tuple[str, ...]) -> None:
    assert extracted(f"<meta {meta}><article><h1>The tide</h1>{ARTICLE}</article>").tags == tags


def test_keywords_give_way_to_links_to_terms() -> None:
    tail = "<p><a rel=tag href=/tags/salt/>Salt</a></p>"
    page = f"<meta name=keywords content='tide, boats'><article><h1>The tide</h1>{ARTICLE}{tail}</article>"
    assert extracted(page).tags == ("Salt",)


def test_keywords_for_software_are_no_tags() -> None:
    words = [
        "8ae9ab2d-fe1b-4230-acb8-a59b52877682",
        "100312",
        "_prio",
        "Type: Article",
        "Time: 11",
        "Salt",
        "Sea",
        "Ropes",
    ]
    words += ["Lamps", "Wells", "Roofs"]
    data = f'{{"@type": "NewsArticle", "headline": "Tides", "keywords": {json.dumps(words)}}}'
    page = f"<script type=application/ld+json>{data}</script><article><h1>Tides</h1>{ARTICLE}</article>"
    assert extracted(page).tags == ("Salt", "Sea", "Ropes", "Lamps", "Wells", "Roofs")


def test_taxonomies_without_links_are_tags() -> None:
    terms = "<h3>Tags</h3><ul class=page-taxonomies><li class=page-taxonomy>Salt</li></ul>"
    assert extracted(f"<article><h1>Tides</h1>{terms}{ARTICLE}</article>").tags == ("Salt",)


def test_values_of_a_property_with_several_choices_are_tags() -> None:
    items = "".join(f"<div class=notion-property-multi_select-item>{name}</div>" for name in ("Salt", "Old boats"))
    row = f"<div>Tags</div><span class='notion-property notion-property-multi_select'>{items}</span>"
    assert extracted(f"<main><h1>Tides</h1>{row}{ARTICLE}</main>").tags == ("Salt", "Old boats")


def test_labels_of_a_form_are_no_tags() -> None:
    form = "<form><ul class=tags><li class=tag>Your name (optional)</li><li class=tag>Your town</li></ul></form>"
    assert extracted(f"<article><h1>Tides</h1>{ARTICLE}{form}</article>").tags == ()


def test_post_by_rules_without_a_rule_for_tags_has_the_terms_of_its_page() -> None:
    rule = FieldRule(rule=Rule("class", "entry"), confidence=0.9, pages=3, of_pages=3)
    footer = "<footer class=post-footer><ul class=post-tags><li><a href=/tags/salt/>Salt</a></li></ul></footer>"
    post = extracted(f"<article><h1>Tides</h1>{ARTICLE}{footer}</article>", RuleSet(fields={"text": (rule,)}))
    assert post.tags == ("Salt",)
    assert post.provenance["tags"].rule == "URL of a term"


def test_post_by_rules_has_the_terms_of_a_header_that_rules_leave_out() -> None:
    text, out = (FieldRule(rule=Rule("tag", tag), confidence=0.9, pages=3, of_pages=3) for tag in ("article", "header"))
    icons = "<span><i></i></span>" * 50
    header = f"<header><h2>Tides</h2><p>4 March 2021 {icons} in <a href=/categories/sea/>Sea</a></p>{icons}</header>"
    body = f"<article>{header}{f'<p>{WORDS}</p>' * 90}</article>"
    assert extracted(body, RuleSet(fields={"text": (text,), "out": (out,)})).tags == ("Sea",)


def _rules_of_pages(line: str) -> RuleSet:
    pages, items = {}, ""
    for number, subject in enumerate(("tides", "lamps", "ropes", "boats", "wells", "roofs")):
        url = f"http://blog.example/{subject}/"
        text = f"<p>Everything that I know about {subject} has its place here, in {number + 3} long sentences.</p>" * 4
        pages[url] = (
            f"<!DOCTYPE html><main><h1>On {subject}</h1><div class=body>{text}</div>{line.format(subject)}</main>"
        )
        items += f"<item><title>On {subject}</title><link>{url}</link>"
        items += f"<description><![CDATA[{text}]]></description></item>"
    feed = f"<rss version='2.0'><channel><title>A blog</title>{items}</channel></rss>"
    return posterity.learn(feed.encode(), pages)


def test_blog_whose_pages_have_no_tags_is_known_as_such() -> None:
    assert "tags" in _rules_of_pages("<p>The end.</p>").absent
    assert "tags" not in _rules_of_pages("<p><a rel=tag href=/tag/sea/>sea</a></p>").absent


def test_same_terms_on_all_pages_are_those_of_the_blog() -> None:
    rules = _rules_of_pages("<p class=themes><a href=/tag/sea/>sea</a> <a href=/tag/land/>land</a></p>")
    assert "tags" in rules.absent
    assert not rules.rules_for("tags")


def test_terms_below_a_second_heading_are_those_of_the_blog() -> None:
    lists = "<h4>Pages</h4><ul><li><a href=/about/>About</a></ul><h4>Topics</h4><ul><li><a href=/tag/sea/>sea</a></ul>"
    assert extracted(f"<div><h1>Tides</h1>{ARTICLE}{lists}</div>").tags == ()


def test_category_above_and_below_an_article_is_no_list_of_the_blog_if_tags_follow() -> None:
    category = "<a href=/category/sea/>sea</a>"
    tags = " ".join(f"#<a href=/tag/{name}/>{name}</a>" for name in ("salt", "rope", "knots"))
    page = f"<div><h1>Tides</h1><p>in {category}</p>{ARTICLE}<div>in {category}<br>Tags: {tags}</div></div>"
    assert extracted(page).tags == ("sea", "salt", "rope", "knots")


def test_label_of_the_tags_below_a_list_of_other_posts_is_no_heading_of_the_blog() -> None:
    others = "<div><h4>More about <a href=/category/salt>salt</a></h4><ul><li><a href=/1/>One</a></li></ul></div>"
    tags = "<div class=tags><h2>Tags</h2><a href=/tag/salt rel=tag>salt</a>, <a href=/tag/rope rel=tag>rope</a></div>"
    assert extracted(f"<article><h1>Tides</h1>{ARTICLE}</article>{others}{tags}").tags == ("salt", "rope")
    no_label = (others + tags).replace("class=tags", "").replace("<a href=/category/salt>salt</a>", "salt")
    assert extracted(f"<article><h1>Tides</h1>{ARTICLE}</article>{no_label}").tags == ()


def test_list_in_an_aside_below_the_title_of_an_article_is_of_the_post() -> None:
    aside = "<aside><ul><li>4 March 2021</li><li>Tags: <a href=/tag/salt/>#salt</a></li></ul></aside>"
    assert extracted(f"<main><article><h1>Tides</h1>{aside}<p>{WORDS}</p></article></main>").tags == ("salt",)


def test_rule_for_tags_is_learned_from_the_pages_where_the_feed_has_none() -> None:
    rules = _rules_of_pages("<p class=themes><a href=/tag/sea/>sea</a> <a href=/tag/{0}/>{0}</a></p>")
    assert rules.rules_for("tags")
    page = "<!DOCTYPE html><main><h1>On nets</h1><div class=body><p>Words.</p></div>{}</main>"
    tagged = rules.extract(page.format("<p class=themes><a href=/tag/nets/>nets</a></p>"), "http://blog.example/nets/")
    assert tagged is not None
    assert tagged.tags == ("nets",)


def test_fields_that_no_page_has_are_known_as_absent() -> None:
    assert "authors" in _rules_of_pages("<p>The end.</p>").absent
    assert "authors" not in _rules_of_pages("<p>Posted by <a rel=author href=/a/>Ada Lovelace</a></p>").absent


def test_no_rule_is_learned_where_some_posts_have_categories_and_others_tags() -> None:
    def page(name: str, kinds: str) -> str:
        text = "".join(f"<p>{' '.join(f'{name}{number}{word}' for word in range(12))}</p>" for number in range(6))
        category = f"<a class=cat href=/category/{name}/>in {name}</a>" if "c" in kinds else "<i class=cat></i>"
        tag = f"<a class=mark href=/tags/{name}/>of {name}</a>" if "t" in kinds else "<i class=mark></i>"
        return f"<h1>On {name}</h1><div>{category}</div><ul><li>{tag}</li></ul><div class=text>{text}</div>"

    names = {"salt": "c", "rope": "c", "moon": "c", "bread": "t", "lamps": "t", "wind": "t"}
    pages = {f"http://blog.example/{name}/": page(name, kinds) for name, kinds in names.items()}
    entries = tuple(FeedEntry(link=url, title="On " + url.split("/")[3]) for url in pages)
    rules = posterity.learn(Feed(url="http://blog.example/", format="none", entries=entries), pages)
    post = posterity.extract(page("kites", "ct"), "http://blog.example/kites/", rules=rules)
    assert post is not None
    assert post.tags == ("in kites", "of kites")


def test_tag_that_is_called_as_the_category_does_not_hide_the_other_tags() -> None:
    category = "<p>4 March 2021 in <a href=/categories/salt/>Salt</a></p>"
    tags = " ".join(f"<a rel=tag href=/tags/{name}/>#{name}</a>" for name in ("Boats", "Salt", "Wind"))
    body = f"<article><h1>Tides</h1>{category}{ARTICLE}<footer class=post-tags>{tags}</footer></article>"
    assert set(extracted(body).tags) == {"Salt", "Boats", "Wind"}


LONG = "".join(
    f"<p>On day {number} the tide comes in, and the boats lie dry for some hours.</p>" for number in range(50)
)


def test_long_list_of_tags_at_the_end_of_the_article_is_whole() -> None:
    names = [f"word {number}" for number in range(20)]
    items = "".join(f"<li><a href=/tags/{number}/><span>{name}</span></a></li>" for number, name in enumerate(names))
    body = f"<article><h1>Tides</h1>{LONG}<ul class=post-tags>{items}</ul><p>The end: {WORDS}</p></article>"
    assert extracted(body).tags == tuple(names)


TITLED = "<h1>Tides</h1><p><time>04.03.2021</time> in <a href=/tags/salt/>Salt</a></p>"
CONTENTS = "".join(f"<li><a href=#part{number}>Part {number}</a></li>" for number in range(60))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            f"<header>{TITLED}</header><nav><ul>{CONTENTS}</ul></nav><article>{ARTICLE}</article>", id="apart"
        ),
        pytest.param(f"<div><div><ul>{CONTENTS}</ul></div>{TITLED}{LONG}</div>", id="far inside the article"),
    ],
)
def test_tags_right_below_the_title_are_found_far_from_the_text(body: str) -> None:
    assert extracted(body).tags == ("Salt",)


POST = "<article class='post-7 post hentry category-sea-salt tag-water'><h1>Tides</h1>{}</article>"
BLOG = "<li><a href=/category/{}/>{}</a></li>"


def test_terms_in_the_classes_of_the_post_are_tags_wherever_they_are_linked() -> None:
    lists = BLOG.format("birds", "Birds") + BLOG.format("sea-salt", "Sea Salt")
    behind = f"<h3>About the author</h3><p>Ada.</p><a rel=tag href=/tag/water/>Water</a><ul class=widget>{lists}</ul>"
    assert extracted(POST.format(ARTICLE) + behind).tags == ("Sea Salt", "Water")


def test_terms_that_are_not_in_the_classes_of_the_post_are_those_beside_it() -> None:
    beside = "<footer class=entry-footer><a rel=tag href=/tag/w%C3%A4sser/>Wässer</a></footer>"
    post = "<article class='post-7 category-sea-salt tag-12'><h1>Tides</h1>{}</article>"
    lists = f"<aside><ul class=widget>{BLOG.format('birds', 'Birds')}{BLOG.format('sea-salt', 'Sea Salt')}</ul></aside>"
    assert extracted(post.format(ARTICLE + beside) + lists).tags == ("Wässer", "Sea Salt")


def test_classes_of_another_element_name_no_terms() -> None:
    lists = f"<aside><ul class=widget>{BLOG.format('birds', 'Birds')}{BLOG.format('sea-salt', 'Sea Salt')}</ul></aside>"
    assert extracted(f"<article class='card category-birds'>{ARTICLE}</article>{lists}").tags == ()


def test_cloud_of_tags_below_the_post_is_the_blogs() -> None:
    own = "<ul class=links><li><a rel=tag href=/tag/salt>Salt</a></ul>"
    cloud = "".join(f"<a class='tagadelic level3' rel=tag href=/tag/{name}>{name}</a> " for name in ("boats", "birds"))
    assert extracted(f"<h1>Tides</h1>{own}{ARTICLE}<div class=block>{cloud}</div>").tags == ("Salt",)


def test_card_about_the_post_in_a_side_column_has_its_tags() -> None:
    card = (
        "<div class='ablog-sidebar-item ablog__postcard'><ul><li><a href=/blog/tag/salt.html>Salt</a></li></ul></div>"
    )
    column = f"<div class=bd-sidebar><div class=items>{card}</div></div>"
    assert extracted(f"{column}<div><article><h1>Tides</h1>{ARTICLE}</article></div>").tags == ("Salt",)
