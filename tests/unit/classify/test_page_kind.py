"""Post, index or other."""

from __future__ import annotations

import pytest

from posterity.classify import PageKind, page_kind
from posterity.classify.page_kind import UrlEvidence, kind_of_page
from posterity.dom import parse
from posterity.model import FieldRule, Rule, RuleSet
from posterity.urls import PostPattern, post_pattern

PATTERN = PostPattern(r"/\d{4}/[^/?]+/")
POST = "http://blog.example/2021/tides/"
ODD = "http://blog.example/a/b/c/tides"
WORDS = "The water comes and goes, and whoever lives at the shore knows when, without looking it up in a table. "
ARTICLE = f"<body class=single-post><article><h1>On tides</h1><p>12 March 2024</p>{f'<p>{WORDS}</p>' * 6}</article>"
TEASER = "<article class=post><h2><a href=/{0}/>Title {0}</a></h2><time>12 March 2024</time><p>{1}</p></article>"
LIST = "<body class=archive>" + "".join(TEASER.format(name, WORDS) for name in ("tides", "bread", "walks", "rain"))
LITTLE = "<p>Hello.</p>"


def rules(per_page: int = 1) -> RuleSet:
    return RuleSet(
        fields={
            "text": (FieldRule(rule=Rule("class", "entry"), confidence=0.9, pages=3, of_pages=3, per_page=per_page),)
        }
    )


@pytest.mark.parametrize(
    ("entries", "url", "kind"),
    [
        (1, POST, "post"),
        (1, "http://blog.example/about/", "other"),
        (3, "http://blog.example/", "index"),
        (3, POST, "index"),
        (0, POST, "other"),
    ],
)
def test_address_and_number_of_articles_decide(entries: int, url: str, kind: PageKind) -> None:
    assert page_kind(parse("<div class=entry>x</div>" * entries, url), rules(), PATTERN) == kind


def test_blog_whose_posts_repeat_the_mark_is_not_all_indexes() -> None:
    page = parse("<div class=entry>x</div>" * 2, POST)
    assert page_kind(page, rules(per_page=2), PATTERN) == "post"


def test_without_rules_nothing_is_a_post() -> None:
    assert page_kind(parse("<div class=entry>x</div>", POST), RuleSet(), PATTERN) == "other"


def test_page_about_the_blog_is_no_post_although_its_address_fits() -> None:
    at_the_root = PostPattern(r"/[^/?]+/", depth=(0, 0))
    page = "<div class=entry>x</div>"
    assert page_kind(parse(page, "http://blog.example/about/"), rules(), at_the_root) == "other"
    assert page_kind(parse(page, "http://blog.example/tides/"), rules(), at_the_root) == "post"


def test_list_beside_the_posts_is_no_post_although_its_url_fits_and_no_post_has_a_date() -> None:
    flat = PostPattern(r"/[^/?]+\.html", depth=(0, 0))
    page = "<div class=entry><h3>All tags</h3><ul><li><a href=tag_salt.html>salt</a> - 1 post</ul></div>"
    for name in ("all_tags", "tag_salt", "all_posts"):
        assert page_kind(parse(page, f"http://blog.example/{name}.html"), rules(), flat) == "index"
    assert page_kind(parse(page, "http://blog.example/tides.html"), rules(), flat) == "post"


def test_table_in_a_post_is_no_further_post_of_a_blog_laid_out_in_cells() -> None:
    cells = RuleSet(
        fields={
            "text": (FieldRule(rule=Rule("tag", "td"), confidence=0.9, pages=3, of_pages=3, per_page=2),),
            "published": (FieldRule(rule=Rule("tag", "h3"), confidence=0.9, pages=3, of_pages=3),),
        }
    )
    table = "<table><tr><td>high<td>6:12<tr><td>low<td>12:20</table>"
    menu = "<td>menu</table>"
    post = f"<table><tr><td><h3>3 May 2021</h3><p>Tides.</p>{table}{menu}"
    index = f"<table><tr><td><h3>3 May 2021</h3><p>Tides.</p>{table}<h3>2 May 2021</h3><p>Wind.</p>{menu}"
    assert page_kind(parse(post, POST), cells, PATTERN) == "post"
    assert page_kind(parse(index, POST), cells, PATTERN) == "index"


def test_galleries_in_a_post_are_no_further_posts_of_a_blog_of_pictures() -> None:
    found = RuleSet(
        fields={
            "text": (FieldRule(rule=Rule("class", "gallery"), confidence=0.9, pages=9, of_pages=9),),
            "title": (FieldRule(rule=Rule("tag", "h1"), confidence=0.9, pages=9, of_pages=9),),
        }
    )
    galleries = "<div class=gallery>Kyoto</div>" * 3
    assert page_kind(parse(f"{ARTICLE}{galleries}", POST), found, PATTERN) == "post"
    assert page_kind(parse(f"<h1>Pictures</h1>{LIST}{galleries}", POST), found, PATTERN) == "index"


def test_page_that_a_feed_lists_is_a_post_although_its_parts_are_called_as_posts_are() -> None:
    page = parse(f"{ARTICLE}{'<div class=entry>Rutz 2022</div>' * 3}", POST)
    assert page_kind(page, rules(), PATTERN) == "index"
    assert page_kind(page, rules(), PATTERN, UrlEvidence(is_listed=True)) == "post"


def test_comments_that_are_called_as_posts_are_make_no_index() -> None:
    comment = "<div class=comment><div class=entry>So it is.</div></div>"
    post = f"<div class=entry>Tides.</div><div id=comments>{comment * 5}</div>"
    assert page_kind(parse(post, POST), rules(), PATTERN) == "post"


def kind_with(html: str, url: str, **known: bool) -> PageKind:
    return page_kind(parse(html, url), rules(), PATTERN, UrlEvidence(**known))


def test_page_on_which_the_place_of_the_article_is_empty_is_no_post() -> None:
    page = f"<h1></h1><div class=entry></div><p>12 March 2024</p><p>{WORDS * 4}</p>"
    assert kind_with(page, POST) == "other"
    assert kind_with(page, POST, is_listed=True) == "post"
    title = FieldRule(rule=Rule("tag", "h1"), confidence=0.9, pages=3, of_pages=3)
    titled = RuleSet(fields={**rules().fields, "title": (title,)})
    assert page_kind(parse(page, POST), titled, PATTERN) == "other"
    assert page_kind(parse(page.replace("<h1>", "<h1>On tides"), POST), titled, PATTERN) == "post"


def test_post_that_a_feed_lists_below_another_need_not_look_like_one_beyond_doubt() -> None:
    page = f"<div class=entry><p>12 March 2024</p><p>{WORDS[:70]}</p></div>"
    assert 0.5 < kind_of_page(parse(page, ODD))[1] < 0.75
    assert kind_with(page, ODD, is_below_post=True) == "other"
    assert kind_with(page, ODD, is_below_post=True, is_listed=True) == "post"


def test_page_that_a_feed_lists_is_a_post_whatever_its_url_looks_like() -> None:
    assert kind_with("<div class=entry>x</div>", ODD) == "other"
    assert kind_with("<div class=entry>x</div>", ODD, is_listed=True) == "post"
    assert kind_with(LITTLE, ODD, is_listed=True) == "post"
    assert kind_with("<div class=entry>x</div>", "http://blog.example/about/", is_listed=True) == "post"


@pytest.mark.parametrize("names", ["page-template-default page page-id-7 wp-embed-responsive", "page pageid-7"])
def test_page_that_wordpress_calls_a_page_is_no_post_unless_a_feed_lists_it(names: str) -> None:
    page = ARTICLE.replace("class=single-post", f'class="{names}"')
    assert kind_with(ARTICLE, POST) == "post"
    assert kind_with(page, POST) == "other"
    assert kind_with(page, POST, is_in_list=True, is_in_sitemap=True) == "other"
    assert kind_with(page, POST, is_listed=True) == "post"


@pytest.mark.parametrize("name", ["?page_id=2", "index.html%3Fpage_id=2.html"])
def test_page_that_wordpress_numbers_as_a_page_is_no_post(name: str) -> None:
    assert kind_with(ARTICLE, f"http://blog.example/{name}", is_in_list=True) == "other"
    assert kind_with(ARTICLE, f"http://blog.example/{name}", is_listed=True) == "post"


def test_page_that_a_feed_lists_and_that_surely_is_a_list_is_none() -> None:
    assert kind_with(LIST, "http://blog.example/2021/", is_listed=True) == "index"
    assert kind_with("<div class=entry>x</div>" * 3, POST, is_listed=True) == "index"


def test_section_with_other_pages_below_it_is_a_post_only_if_it_surely_looks_like_one() -> None:
    assert kind_with("<div class=entry>x</div>", POST) == "post"
    assert kind_with("<div class=entry>x</div>", POST, is_section=True) == "other"
    assert kind_with(LIST, POST, is_section=True) == "index"
    assert kind_with(ARTICLE, POST, is_section=True) == "post"


def test_page_below_a_post_is_a_post_only_if_it_surely_looks_like_one() -> None:
    below = f"{POST}2/"
    assert kind_with("<div class=entry>x</div>", below, is_below_post=True, is_in_list=True) == "other"
    assert kind_with("<div class=entry>x</div>", POST, is_below_post=True) == "other"


def test_page_of_another_template_is_judged_by_itself() -> None:
    assert kind_with(ARTICLE, POST) == "post"
    assert kind_with(ARTICLE, ODD) == "other"
    assert kind_with(ARTICLE, ODD, is_in_list=True) == "post"
    assert kind_with(LIST, POST) == "index"


def test_short_page_of_another_template_is_a_post_where_lists_and_urls_of_posts_agree() -> None:
    specific = PostPattern(r"/\d{4}/[^/?]+/", dated=True)
    page = parse(LITTLE, POST)
    assert page_kind(page, rules(), specific) == "other"
    assert page_kind(page, rules(), specific, UrlEvidence(is_in_list=True)) == "post"
    assert page_kind(page, rules(), PATTERN, UrlEvidence(is_in_list=True)) == "other"


def test_url_on_a_list_of_posts_is_a_post_if_title_and_date_are_there() -> None:
    dated = RuleSet(
        fields={
            "text": (FieldRule(rule=Rule("class", "entry"), confidence=0.9, pages=3, of_pages=3, per_page=1),),
            "title": (FieldRule(rule=Rule("tag", "h1"), confidence=0.9, pages=3, of_pages=3),),
            "published": (FieldRule(rule=Rule("tag", "time"), confidence=0.9, pages=3, of_pages=3),),
        },
        evidence=("a", "b", "c"),
    )
    whole = "<h1>On tides</h1><time>3 May 2021</time><div class=entry>x</div>"
    undated = "<h1>On tides</h1><div class=entry>x</div>"
    listed = UrlEvidence(is_in_list=True)
    assert page_kind(parse(whole, ODD), dated, PATTERN, listed) == "post"
    assert page_kind(parse(whole, ODD), dated, PATTERN) == "other"
    assert page_kind(parse(undated, ODD), dated, PATTERN, listed) == "other"
    assert page_kind(parse(whole, "http://blog.example/tag/tides/"), dated, PATTERN, listed) == "other"


def test_url_on_a_list_is_a_post_of_a_blog_whose_dates_no_rule_finds_if_it_looks_like_one() -> None:
    found = RuleSet(
        fields={
            "text": (FieldRule(rule=Rule("tag", "article"), confidence=0.9, pages=3, of_pages=3),),
            "title": (FieldRule(rule=Rule("tag", "h1"), confidence=0.9, pages=3, of_pages=3),),
        }
    )
    listed = UrlEvidence(is_in_list=True)
    assert page_kind(parse(ARTICLE, ODD), found, PATTERN, listed) == "post"
    assert page_kind(parse(f"<article><h1>Hours</h1>{LITTLE}</article>", ODD), found, PATTERN, listed) == "other"


def test_section_whose_titles_are_called_otherwise_is_harvested_where_the_rule_of_the_title_fits_some_posts_alone() -> (
    None
):
    def found(pages: int) -> RuleSet:
        text = FieldRule(rule=Rule("tag", "article"), confidence=0.9, pages=2, of_pages=2)
        titles = tuple(
            FieldRule(rule=Rule("class", name), confidence=0.7, pages=pages, of_pages=2)
            for name in ("chapter", "episode")
        )
        return RuleSet(fields={"text": (text,), "title": titles}, evidence=("a", "b"))

    page = parse(ARTICLE, "http://blog.example/blog/on-tides/")
    named = UrlEvidence(is_in_sitemap=True)
    assert page_kind(page, found(1), PATTERN, named) == "post"
    assert page_kind(page, found(2), PATTERN, named) == "other"


def test_list_in_a_frame_that_all_pages_have_is_none() -> None:
    frame = RuleSet(
        fields={
            "text": (FieldRule(rule=Rule("class", "content"), confidence=0.9, pages=3, of_pages=3),),
            "title": (FieldRule(rule=Rule("class", "title"), confidence=0.9, pages=3, of_pages=3),),
            "published": (FieldRule(rule=Rule("tag", "time"), confidence=0.9, pages=3, of_pages=3),),
        },
        evidence=("a", "b", "c"),
    )
    loose = PostPattern(r"/[^/?]+/[^/?]+/", depth=(1, 1))
    title, day = "<h2 class=title>\n {}\n</h2>", "<time>12 March 2024</time>"
    post = f"<div class=content>{title.format('On tides')}{day}<p>{WORDS * 6}</p></div>"
    linked = [
        f"<article>{title.format(f'<a href=/salt/{name}/>{name}</a>')}{day}<p>{WORDS}</p></article>" for name in "abcd"
    ]
    many, one = (f"<div class=content>{''.join(linked[:count])}</div>" for count in (4, 1))
    assert page_kind(parse(post, "http://blog.example/salt/tides/"), frame, loose) == "post"
    assert page_kind(parse(many, "http://blog.example/people/ann/"), frame, loose) == "index"
    assert page_kind(parse(one, "http://blog.example/tags/salt/"), frame, loose) == "index"


def test_url_that_the_page_declares_counts_like_its_own() -> None:
    declared = f"<link rel=canonical href={POST}><div class=entry>x</div>"
    assert kind_with(declared, "http://blog.example/tides?view=print") == "post"


def test_undated_page_of_a_manual_that_a_sitemap_names_is_no_post_of_a_dated_blog() -> None:
    dated = RuleSet(
        fields={
            "text": (FieldRule(rule=Rule("class", "entry"), confidence=0.9, pages=3, of_pages=3, per_page=1),),
            "published": (FieldRule(rule=Rule("tag", "time"), confidence=0.9, pages=3, of_pages=3),),
        },
        evidence=("a", "b", "c"),
    )
    manual = parse(ARTICLE.replace("<p>12 March 2024</p>", ""), "http://blog.example/docs/basics/tides/")
    named = UrlEvidence(is_in_list=True, is_in_sitemap=True)
    assert page_kind(manual, rules(), PATTERN, named) == "post"
    assert page_kind(manual, dated, PATTERN, named) == "other"
    assert page_kind(parse(ARTICLE, manual.url), dated, PATTERN, named) == "post"
    old = parse(ARTICLE.replace("<p>12 March 2024</p>", ""), "http://blog.example/old/basics/tides.html")
    assert page_kind(old, dated, PATTERN, named) == "post"


@pytest.mark.parametrize("without_article", [(), ("only a video",)])
def test_undated_page_at_the_root_of_a_blog_that_dates_all_posts_is_none(without_article: tuple[str, ...]) -> None:
    dated = RuleSet(
        fields={
            "text": (FieldRule(rule=Rule("class", "entry"), confidence=0.9, pages=3, of_pages=3, per_page=1),),
            "published": (FieldRule(rule=Rule("tag", "time"), confidence=0.9, pages=3, of_pages=3),),
        },
        evidence=("a", "b", "c", *without_article),
    )
    at_the_root = PostPattern(r"/[^/?]+/", depth=(0, 0))
    page = f"<h1>Our house</h1><div class=entry>{f'<p>{WORDS}</p>' * 6}</div><a href=/film/>Film 2007-2008</a>"
    url = "http://blog.example/our-house-at-the-shore/"
    assert page_kind(parse(page, url), dated, at_the_root) == "other"
    assert page_kind(parse(page + "<p>12 March 2021</p>", url), dated, at_the_root) == "post"


def test_post_whose_parts_are_called_as_posts_are_is_one_if_its_url_is_surely_a_posts() -> None:
    specific = PostPattern(r"/\d{4}/[^/?]+/", dated=True)
    page = parse(ARTICLE.replace("<p>", "<p class=entry>"), POST)
    assert page_kind(page, rules(), specific) == "post"
    assert page_kind(page, rules(), PATTERN) == "index"


def test_list_with_one_post_in_it_is_no_post() -> None:
    sections = PostPattern(r"/recipes/[^/?]+/", depth=(1, 1))
    card = (
        "<title>Lime juice</title><h2>Lime juice</h2><article><h3><a href=/recipes/tides/>On tides</a></h3>"
        f"<p>12 March 2024</p>{f'<p>{WORDS}</p>' * 6}</article>"
    )
    term = parse(f"<body class=single-post>{card}", "http://blog.example/ingredients/lime-juice/")
    own = parse(f"<body class=single-post>{card}", "http://blog.example/recipes/tides/")
    in_list = UrlEvidence(is_in_list=True)
    assert page_kind(term, rules(), sections, in_list) == "index"
    assert page_kind(own, rules(), sections, in_list) == "post"
    by_rules = parse(f"<div class=entry>{card}</div>", "http://blog.example/bread/")
    assert page_kind(by_rules, rules(), PostPattern(r"/(?:recipes/)?[^/?]+/", depth=(0, 1))) == "post"


def test_list_of_one_post_is_none_although_the_names_of_posts_begin_with_a_date() -> None:
    named_by_day = post_pattern(
        f"http://blog.example/2021-03-{day}-{name}.html" for day, name in ((12, "tides"), (14, "salt"))
    )
    titled = RuleSet(
        fields={
            "text": (FieldRule(rule=Rule("id", "content"), confidence=0.9, pages=3, of_pages=3),),
            "title": (FieldRule(rule=Rule("class", "post-title"), confidence=0.9, pages=3, of_pages=3),),
        },
        evidence=("a", "b", "c"),
    )
    title, section = "<h1 class=post-title>{}</h1>", f"<h2>At the shore</h2>{f'<p>{WORDS}</p>' * 6}"
    link = title.format("<a href=/2021-03-12-tides.html>Tides</a>")
    page = "<div id=content>{}<p>12 March 2021</p>{}<p>Hello.</p>{}</div>"
    post = parse(page.format("", title.format("Tides"), section), "http://blog.example/2021-03-12-tides.html")
    tag = parse(page.format("<h1>Posts about the sea</h1>", link, section), "http://blog.example/tag-sea.html")
    assert (page_kind(post, titled, named_by_day), page_kind(tag, titled, named_by_day)) == ("post", "index")


def test_list_of_one_post_in_a_clickable_card_is_no_post() -> None:
    time, text = "<time datetime=2024-03-12>12 March 2024</time>", f"<div>Tides</div><p>{WORDS}</p>"
    for page, kind in ((f"<h1>Articles</h1><a href=/2024/tides/>{text}{time}</a>", "index"), (text + time, "post")):
        assert kind_with(page, POST) == kind
