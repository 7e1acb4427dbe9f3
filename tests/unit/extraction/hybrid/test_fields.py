"""Title, authors and date of single pages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from posterity.dom import parse
from posterity.extraction.hybrid.article import Article
from posterity.extraction.hybrid.posts import fields_on
from posterity.extraction.method import Context
from posterity.model import RuleSet

URL = "https://tides.example/2021/a-year-of-tides/"
TEXT = "<p>The tide came in and the tide went out, and every day was a little later than the day before it.</p>" * 4

JSON_LD = (
    '<script type=application/ld+json>{"@graph": [{"@type": "BlogPosting", "headline": "A year of tides",'
    ' "author": {"@id": "#ada"}}, {"@type": "Person", "@id": "#ada", "name": "Ada Lovelace"}]}</script>'
)


def fields(head: str, top: str, bottom: str = "", url: str = URL, **context: Any) -> dict[str, Any]:
    html = f"<html lang=en><head>{head}</head><body>{top}<div id=text>{TEXT}</div>{bottom}</body></html>"
    document = parse(html, url)
    article = Article(node=document.tree.nodes_by_id["text"][0], confidence=0.9, why="")
    found = fields_on(document, article, Context(**context))
    assert all(0 < field.provenance.confidence <= 1 for field in found.values())
    return {name: value for field in found.values() for name, value in field.fields.items()}


FLAT_COMMENTS = (
    "{head}<div><p>Well seen.</p></div><p class=posted>Posted by: <a href=mailto:g@tides.example>Grace Hopper</a> at"
    " September 11, 2021 06:24 PM</p><div><p>And the ebb?</p></div><p class=posted>Posted by: Alan Turing at"
    " October 2, 2021 06:24 PM</p>"
)


@pytest.mark.parametrize("head", ["<h2 id=comments>Comments</h2>", "<a name=comments></a>"])
def test_comments_without_a_container_give_neither_author_nor_date(head: str) -> None:
    assert fields("", "<h1>A year of tides</h1>", FLAT_COMMENTS.format(head=head)).keys() == {"title"}


def test_author_and_date_stand_before_the_comments() -> None:
    posted = "<p class=posted>Posted by Ada Lovelace at July 13, 2021 05:52 PM</p>"
    bottom = posted + FLAT_COMMENTS.format(head="<h2 id=comments>Comments</h2>")
    found = fields("", "<h1>A year of tides</h1>", bottom)
    assert (found["authors"], found["published"].day, found["published"].month) == (("Ada Lovelace",), 13, 7)


@pytest.mark.parametrize("name", ["Ross", "Ada Lovelace", "ada"])
def test_only_line_with_a_name_and_a_date_names_the_author(name: str) -> None:
    """One word alone is a weak name, but not where it signs the post."""
    signature = f"<p class=posted>Posted by {name} at July 13, 2021 05:52 PM</p>"
    found = fields("", "<h3>A year of tides</h3>", signature)
    assert found["authors"] == (name,)
    second = "<p class=posted>Posted by Gwen at July 14, 2021 08:12 AM</p>"
    assert "authors" not in fields("", "<h3>A year of tides</h3>", signature.replace(name, "Ross") + second)


def test_date_that_only_comments_have_is_no_date_of_the_post() -> None:
    thread = (
        "<ol class=comments><li class=comment>Grace <a href=#c1>September 17, 2021 at 11:22</a><p>Well seen.</p></ol>"
    )
    assert "published" not in fields("", "<h1>A year of tides</h1>", thread)


def test_only_the_fields_that_are_wanted_are_given() -> None:
    head = f"{JSON_LD}<meta property=article:published_time content=2021-05-03>"
    top = "<h1>A year of tides</h1><p class=byline>by <a rel=author href=/ada>Ada Lovelace</a></p>"
    document = parse(f"<html><head>{head}</head><body>{top}<div>{TEXT}</div></body></html>", URL)
    article = Article(node=document.tree.nodes_by_tag["div"][0], confidence=0.9, why="")
    everything = fields_on(document, article, Context())
    assert everything.keys() == {"title", "authors", "published"}
    assert fields_on(document, article, Context(), wanted=["authors"]) == {"authors": everything["authors"]}


def test_site_name_is_cut_from_the_title() -> None:
    head = "<title>A year of tides | Tides Example</title><meta property=og:site_name content='Tides Example'>"
    assert fields(head, "")["title"] == "A year of tides"


def test_name_that_links_home_is_cut_from_the_title() -> None:
    head = "<title>Notes from a pier: A year of tides</title>"
    top = "<div><h1><a href='https://tides.example/'>Notes from a pier</a></h1></div>"
    assert fields(head, f"{top}<div class=title>A year of tides</div>")["title"] == "A year of tides"


def test_heading_that_names_the_site_is_not_the_title() -> None:
    head = "<title>A year of tides - Tides</title>"
    top = "<h1><a href=/>Tides</a></h1><h2 class=entry-title>A year of tides</h2>"
    assert fields(head, top)["title"] == "A year of tides"


def test_heading_above_the_title_with_the_end_of_the_pages_title_names_the_site() -> None:
    head, top = "<title>On salt : Rapid and lasting</title>", "<h1>Rapid and lasting</h1><p>Our motto</p>{}"
    for title in ("<h2>On salt</h2>", "<h3><span>[08:11]</span> On salt</h3>"):
        assert fields(head, top.format(title), url="https://tides.example/web/2010-10.html")["title"] == "On salt"
    beside = top.format(f"{TEXT}<h3>On salt</h3>")
    assert fields(head, beside, url="https://tides.example/web/2010-10.html")["title"] == "Rapid and lasting"


@pytest.mark.parametrize(
    ("head", "menu"),
    [
        ("<meta name=application-name content='On salt and bread'>", "<a href=/>Pier notes</a>"),
        ("", "<a href=/>Pier notes</a><a href=/><span>On salt and bread</span> back home</a>"),
    ],
)
def test_title_that_is_declared_as_the_name_of_the_site_is_the_title(head: str, menu: str) -> None:
    head += "<title>On salt and bread | Pier notes</title><meta property=og:title content='On salt and bread'>"
    top = f"<nav>{menu}</nav><header><h1 class=post-title>On salt and bread</h1></header><h2>Details</h2>"
    assert fields(head, top)["title"] == "On salt and bread"


def test_site_with_no_other_name_than_its_heading_keeps_it() -> None:
    head = "<title>Salt | Tides Example</title><meta property=og:site_name content='Tides Example'>"
    top = "<h1>Tides Example</h1><h2 class=entry-title>Salt</h2>"
    assert fields(head + "<meta property=og:title content='Tides Example'>", top)["title"] == "Salt"


@pytest.mark.parametrize(
    ("head", "top"),
    [
        ("<title>Salt - a history | Pier</title>", "<nav><a href=/>Pier</a></nav><span>Salt - a history</span>"),
        ("<title>Salt - a history</title>", "<div class=title> Salt - a history <p>5 minutes</p></div>"),
        (
            (
                "<title>Salt - a history | Pier</title><meta property=og:title content='Salt - a history'>"
                "<meta property=og:site_name content=Pier>"
            ),
            "",
        ),
    ],
)
def test_title_is_not_cut_at_a_dash_of_its_own(head: str, top: str) -> None:
    assert fields(head, top)["title"] == "Salt - a history"


def test_site_name_before_a_colon_is_no_part_of_the_title() -> None:
    top = "<h1>Tides: a year of them</h1>"
    assert fields("<title>Tides: a year of them</title>", top)["title"] == "a year of them"


def test_entities_that_were_escaped_twice_are_read() -> None:
    assert fields("<meta property=og:title content='Salt &amp;amp; sand'>", "")["title"] == "Salt & sand"


@pytest.mark.parametrize(
    ("head", "top"),
    [
        ("", "<h1>A year of tides</h1><p class=byline>By <a rel=author href=/author/ada/>Ada Lovelace</a></p>"),
        ("<meta name=author content='Ada Lovelace'>", "<h1>A year of tides</h1><p>By Ada Lovelace</p>"),
        (
            JSON_LD,
            "<h1>A year of tides</h1><span class=author>Ada Lovelace</span>",
        ),
    ],
)
def test_author_is_who_the_page_says_wrote_it(head: str, top: str) -> None:
    assert fields(head, top)["authors"] == ("Ada Lovelace",)


def test_commenter_is_not_the_author() -> None:
    comments = (
        "<ol class=commentlist><li class=comment><cite class=fn>Charles Babbage</cite> says: hear, hear</li></ol>"
    )
    assert "authors" not in fields("<title>A year of tides</title>", "<h1>A year of tides</h1>", comments)


def test_commenter_in_a_thread_without_names_is_not_the_author() -> None:
    days = ("Monday 4 May 2020, 17:09", "Tuesday 5 May 2020, 08:30", "Tuesday 5 May 2020, 21:12")
    notes = ("Well seen, and what about the ponds?", "I counted eleven of them last year.", "The harbour has none.")
    comments = "<h2>Replies</h2>" + "".join(
        f"<p class=who><a href=#c{place}>{place}.</a> On {day} by <b>Charles Babbage</b></p>"
        f"<blockquote class=note><p>{note}</p></blockquote>"
        for place, (day, note) in enumerate(zip(days, notes, strict=True), start=1)
    )
    top = "<h1>A year of tides</h1><p>By <a href=/me>Ada Lovelace</a> on Monday 4 May 2020, 16:09</p>"
    assert fields("<title>A year of tides</title>", top, comments)["authors"] == ("Ada Lovelace",)


def test_tags_in_a_byline_are_no_author() -> None:
    tags = "<a href=/tags/sea>sea</a> <a href=/tags/moon>moon</a>"
    top = "<h1>A year of tides</h1><div class=byline><time>2020-01-04</time> {}</div>"
    assert "authors" not in fields("", top.format(tags))
    assert fields("", top.format(f"By Ada Lovelace in {tags}"))["authors"] == ("Ada Lovelace",)


def test_two_authors_are_two_names() -> None:
    top = "<h1>A year of tides</h1><div class=byline>By Ada Lovelace and Charles Babbage</div>"
    head = "<meta property=og:type content=article>"
    assert fields(head, top)["authors"] == ("Ada Lovelace", "Charles Babbage")


def test_published_goes_before_modified_and_both_are_kept() -> None:
    head = (
        "<meta property=article:published_time content=2021-03-12T09:30:00+01:00>"
        "<meta property=article:modified_time content=2023-05-01T10:00:00+02:00>"
    )
    found = fields(head, "<h1>A year of tides</h1>")
    assert found["published"].isoformat() == "2021-03-12T09:30:00+01:00"
    assert found["published_precision"] == "minute"
    assert found["modified"].isoformat() == "2023-05-01T10:00:00+02:00"


def test_date_beside_the_title_is_read_in_the_language_of_the_page() -> None:
    top = "<h1>Ein Jahr Gezeiten</h1><p class=meta>Veröffentlicht am 12. März 2021</p>"
    assert fields("", top, url="https://gezeiten.example/jahr/")["published"] == datetime(2021, 3, 12, tzinfo=UTC)


def test_date_of_a_related_post_is_not_the_date_of_this_one() -> None:
    top = "<h1>A year of tides</h1><time class=entry-date datetime=2021-03-12>12 March</time>"
    others = (
        "<div class=related-posts><time datetime=2024-01-05>5 January</time> <time datetime=2024-02-05>5</time></div>"
    )
    assert fields("", top, others)["published"].date().isoformat() == "2021-03-12"


def test_day_in_the_address_is_a_witness() -> None:
    assert fields("", "", url="https://tides.example/2021/03/12/tides/")["published"].date().isoformat() == "2021-03-12"


def test_day_after_the_page_was_fetched_is_no_day_of_publication() -> None:
    head = "<meta property=article:published_time content=2031-03-12>"
    assert "published" not in fields(head, "", fetched_at=datetime(2024, 1, 1, tzinfo=UTC))


def test_page_that_tells_nothing_gets_nothing() -> None:
    assert fields("", "", url="") == {}


def test_tags_and_licence_are_what_the_page_declares() -> None:
    head = "<meta property=article:tag content=sea><meta property=article:tag content=moon>"
    found = fields(head, "", "<a rel=license href=https://creativecommons.org/licenses/by/4.0/>CC BY</a>")
    assert found["tags"] == ("sea", "moon")
    assert found["license"] == "https://creativecommons.org/licenses/by/4.0/"


def test_name_alone_under_the_title_is_the_author() -> None:
    top = "<h1>A year of tides</h1><p><span>Charles Babbage</span></p>"
    head = "<title>A year of tides</title><meta property=og:type content=article>"
    assert fields(head, top)["authors"] == ("Charles Babbage",)


@pytest.mark.parametrize("rules", [None, RuleSet()], ids=["page alone", "page of a blog"])
@pytest.mark.parametrize(
    "line",
    [
        "<p>2021-05-06 · Charles Babbage</p>",
        "<div><span>Charles Babbage</span><span>·</span><time datetime=2021-05-06>May 6, 2021</time></div>",
        "<ul><li>May 6, 2021</li><li><a href=/about>Charles Babbage</a></li><li>4 min read</li></ul>",
    ],
)
def test_person_beside_the_date_below_the_title_is_the_author(line: str, rules: RuleSet | None) -> None:
    found = fields("<title>A year of tides</title>", f"<h1>A year of tides</h1>{line}", rules=rules)
    assert found["authors"] == ("Charles Babbage",)


@pytest.mark.parametrize(("label", "authors"), [("Authors", ("Grace Hopper",)), ("Topic", None)])
def test_name_in_a_list_of_terms_is_the_authors_where_the_label_says_so(label: str, authors: tuple[str] | None) -> None:
    person = "<dl><dt class=sr-only>Name</dt><dd>Grace Hopper</dd><dd><a href=https://x.example/>@hopper</a></dd></dl>"
    top = f"<div>A year of tides</div><dl><dt class=sr-only>{label}</dt><dd><ul><li>{person}</li></ul></dd></dl>"
    assert fields("<title>A year of tides</title>", top, rules=RuleSet()).get("authors") == authors


def test_term_that_looks_like_a_person_beside_the_date_is_no_author() -> None:
    line = "<p><time>May 6, 2021</time> · <a href=/category/christian-life/>Christian Life</a></p>"
    assert "authors" not in fields("<title>A year of tides</title>", f"<h1>A year of tides</h1>{line}", rules=RuleSet())


def test_menu_entries_are_no_authors() -> None:
    top = "<div class=user-menu><a href=/user/login>Request Demo</a></div><h1>A year of tides</h1>"
    assert "authors" not in fields("<title>A year of tides</title>", top)


def test_address_that_nobody_can_open_costs_no_field() -> None:
    assert fields("<title>A year of tides</title>", "<h1>A year of tides</h1>", url="http://[::1")["title"]


def test_kicker_inside_the_heading_is_no_part_of_the_title() -> None:
    top = "<h1><span class=kicker>Coast and sea</span> <span class=headline>A year of tides on the old pier</span></h1>"
    head = "<meta property=og:title content='A year of tides on the old pier'>"
    assert fields(head, top)["title"] == "A year of tides on the old pier"


def test_emphasis_inside_the_heading_is_part_of_the_title() -> None:
    assert fields("", "<h1>A year of <em>tides</em></h1>")["title"] == "A year of tides"


def test_text_of_the_link_home_is_the_name_of_the_site() -> None:
    head = "<title>Just Rambling</title><meta property=og:title content='Just Rambling'>"
    top = "<a href=https://tides.example/>Just Rambling</a><h1 class=post-title>A year of tides</h1>"
    assert fields(head, top)["title"] == "A year of tides"


def test_byline_in_a_wrapper_named_after_comments_is_the_articles() -> None:
    top = "<div class='post comments-open'><h1>A year of tides</h1><p class=byline>By Ada Lovelace</p>"
    assert fields("", top, "</div>")["authors"] == ("Ada Lovelace",)


@pytest.mark.parametrize("who", ["admin", "Super User", "CC BY-NC 4.0 License", "Creative Commons"])
def test_roles_and_licences_are_no_authors(who: str) -> None:
    top = f"<h1>A year of tides</h1><p class=byline>By <a rel=author href=/x>{who}</a></p>"
    assert "authors" not in fields(f"<meta name=author content='{who}'>", top)


def test_date_of_a_comment_does_not_outvote_the_address() -> None:
    comments = "<div class=comments><time class=comment-date datetime=2021-03-20>Posted on March 20, 2021</time></div>"
    url = "https://tides.example/2021/03/12/a-year-of-tides/"
    assert fields("", "<h1>A year of tides</h1>", comments, url=url)["published"].date().isoformat() == "2021-03-12"


def test_month_in_the_address_settles_which_number_is_the_month() -> None:
    found = fields("", "<h1>A year of tides</h1><p>06/09/2010</p>", url="https://tides.example/2010/09/a-year/")
    assert found["published"].date().isoformat() == "2010-09-06"


def test_language_in_the_address_settles_which_number_is_the_month() -> None:
    html = f"<h1>A year of tides</h1><p class=date>02/10/2020</p><div id=text>{TEXT}</div>"
    document = parse(html, "https://tides.example/en-gb/a-year/")
    article = Article(node=document.tree.nodes_by_id["text"][0], confidence=0.9, why="")
    found = fields_on(document, article, Context())
    assert found["published"].fields["published"].date().isoformat() == "2020-10-02"


def test_moment_in_utc_is_of_the_day_that_the_address_names() -> None:
    head = "<meta property=article:published_time content=2021-03-13T02:30:00Z>"
    url = "https://tides.example/2021/03/12/a-year-of-tides/"
    found = fields(head, "<h1>A year of tides</h1>", url=url)
    assert found["published"] == datetime(2021, 3, 13, 2, 30, tzinfo=UTC)
    assert found["published"].date().isoformat() == "2021-03-12"


@pytest.mark.parametrize(
    "inside",
    ["<small>by Ada Lovelace</small>", "<a class=anchor href=#top>#</a>", "<time datetime=2021-05-03>3 May</time>"],
)
def test_byline_date_and_permalink_in_a_heading_are_not_of_the_title(inside: str) -> None:
    assert fields("", f"<h1>A year of tides {inside}</h1>")["title"] == "A year of tides"


def test_heading_shows_where_the_title_is_cut() -> None:
    head = "<title>The Harbour Notes: Tides again - Summer 2021</title>"
    assert fields(head, "<h3>Tides again - Summer 2021</h3>")["title"] == "Tides again - Summer 2021"
    head = "<title>Harbour ❘ A year of tides ❘ Letters from the pier</title>"
    assert fields(head, "<h3>A year of tides</h3>")["title"] == "A year of tides"


TEAM = ("Ada Lovelace", "Charles Babbage")
PERSON = (
    "<div class='col authorCol'><div class=avatar><a class=photo href=https://people.example/{0}><img alt='{0}'></a>"
    "<div class=avatar__intro itemprop=author itemscope><div class=avatar__name><a href=https://people.example/{0}>"
    "<span itemprop=name>{0}</span></a></div><small class=avatar__subtitle>{1}</small></div></div></div>"
)


@pytest.mark.parametrize(
    "byline",
    [
        "<p class=byline>By <a href=/author/ada>Ada Lovelace</a>, <a href=/author/charles>Charles Babbage</a></p>",
        "<div><span class=author>Ada Lovelace</span> <span class=author>Charles Babbage</span></div>",
        "<div><a rel=author href=/a>Ada Lovelace</a> and <a rel=author href=/c>Charles Babbage</a></div>",
        *(
            f"<div class=row>{''.join(PERSON.format(*one) for one in zip(TEAM, roles, strict=True))}</div>"
            for roles in (("", ""), ("Mathematician", "Engine builder"))
        ),
    ],
)
def test_all_authors_of_a_byline_are_given(byline: str) -> None:
    assert fields("", f"<h1>A year of tides</h1>{byline}")["authors"] == TEAM


@pytest.mark.parametrize("name", ["author", "article:author", "citation_author"])
def test_all_authors_that_the_head_declares_and_the_page_shows_are_given(name: str) -> None:
    team = ("Zorin Quaddle", "Xerath Morrowen", "Ilmar Vond Teasel")
    head = "".join(f"<meta name={name} content='{author}'>" for author in team)
    byline = ", ".join(f"{author} <a href='https://a.example/'>https://a.example/</a>" for author in team)
    top = f"<h1>A year of tides</h1><div class=byline>{byline}<br>09-17-2020</div>"
    assert fields(head, top)["authors"] == team


def test_authors_that_only_json_ld_lists_are_given() -> None:
    people = ", ".join(f'{{"@type": "Person", "name": "{name}"}}' for name in TEAM)
    item = f'{{"@type": "BlogPosting", "headline": "A year of tides", "author": [{people}]}}'
    head = f"<script type=application/ld+json>{item}</script>"
    assert fields(head, "<h1>A year of tides</h1>")["authors"] == TEAM


def test_person_who_checked_the_facts_is_no_author() -> None:
    ada, mary = ("<a class=who href=/author/ada>Ada Lovelace</a>", "<a class=who href=/author/mary>Mary Hill</a>")
    byline = f"<p class=byline>By {ada} Fact checked by {mary}</p>"
    assert fields("", f"<h1>A year of tides</h1>{byline}")["authors"] == ("Ada Lovelace",)


def test_declared_change_is_not_the_day_of_publication() -> None:
    head = (
        "<meta property=article:published_time content=2020-05-03T10:00:00Z>"
        "<meta property=article:modified_time content=2022-05-03T10:00:00Z>"
    )
    found = fields(
        head, "<h1>A year of tides</h1><time datetime=2022-05-03>May 3, 2022</time>", url="https://t.example/a"
    )
    assert (found["published"].year, found["modified"].year) == (2020, 2022)


def test_number_that_begins_a_slug_is_no_day() -> None:
    assert "published" not in fields("", "<h1>Vingt ans</h1>", url="https://t.example/2011/10/20-ans-plus-tard")


def test_day_of_a_commit_gives_way_to_a_time_element() -> None:
    commit = "<p class=git-revision-date>Created: 2018-01-02</p>"
    top = f"<h1>A year of tides</h1>{commit}<time datetime=2020-05-03>3 May</time>"
    assert fields("", top, url="https://t.example/a")["published"].year == 2020


@pytest.mark.parametrize(
    ("name", "rules", "authors"),
    [
        ("The Harbour Times", None, None),
        ("The Harbour Times", RuleSet(), ("The Harbour Times",)),
        ("harbour", None, ("harbour",)),
        ("Ada Lovelace", None, ("Ada Lovelace",)),
    ],
)
def test_doubtful_name_that_no_reader_sees_is_given_on_pages_of_known_blogs_only(
    name: str, rules: RuleSet | None, authors: tuple[str, ...] | None
) -> None:
    head = f"<title>A year of tides</title><meta name=author content='{name}'>"
    assert fields(head, "<h1>A year of tides</h1>", rules=rules).get("authors") == authors


def test_person_near_the_title_of_a_blogs_post_is_no_author_for_that() -> None:
    head, top = (
        "<title>A year of tides</title>",
        "<h1>A year of tides</h1><p>{} <a href=/e>Ethan Brandt</a>, last week</p>",
    )
    assert "authors" not in fields(head, top.format("What we saw of"), rules=RuleSet())
    assert fields(head, top.format("Posted by"), rules=RuleSet())["authors"] == ("Ethan Brandt",)


def test_site_name_that_is_the_headline_is_not_the_sites() -> None:
    head = (
        "<title>A year of tides</title><meta property=og:site_name content='A year of tides'><script"
        ' type=application/ld+json>{"@type": "BlogPosting", "headline": "A year of tides"}</script>'
    )
    assert fields(head, "<p>Harbour</p>", "<h2>Explore more like this</h2>")["title"] == "A year of tides"


@pytest.mark.parametrize("name", ["NG, Kin-chung", "Lovelace, Ada K."])
def test_declared_name_with_the_surname_first_is_one_name(name: str) -> None:
    item = f'{{"@type": "Article", "headline": "A year of tides", "author": [{{"@type": "Person", "name": "{name}"}}]}}'
    head = f"<meta property=article:author content='{name}'><script type=application/ld+json>{item}</script>"
    assert fields(head, "<h1>A year of tides</h1>")["authors"] == (name,)


PORTRAITS = (
    "<i class='icon icon-person'></i>",
    "<img class=round src=https://gravatar.example/avatar/1f>",
    "<img src=/z.png alt='Zorin Quaddle'>",
)


@pytest.mark.parametrize("portrait", PORTRAITS)
def test_person_with_a_portrait_beside_the_date_is_the_author(portrait: str) -> None:
    line = "<h1>A year of tides</h1><ul><li>{} Zorin Quaddle</li><li>3 May 2021</li></ul>"
    assert fields("", line.format(portrait))["authors"] == ("Zorin Quaddle",)
    assert "authors" not in fields("", line.format("<i class=icon></i>"))
    assert "authors" not in fields("", line.format(portrait).replace("3 May 2021", "Boats"))


def test_person_who_changed_the_page_is_no_author() -> None:
    change = "<div>Last updated on <b>3 May 2021</b> by <b>Charles Babbage</b></div>"
    assert "authors" not in fields("", f"<h1>A year of tides</h1>{'<hr>' * 150}", change)


FEED = "<link rel=alternate type=application/rss+xml title='{}' href=/feed>"


def test_nickname_in_chinese_behind_the_icon_of_a_person_beside_the_date_is_the_author() -> None:
    line = "<h1>A year of tides</h1><p><span>2021-08-31</span> / <span><i class=czs-user-l></i> 安言</span></p>"
    assert fields("", line)["authors"] == ("安言",)


def test_feed_of_the_post_does_not_name_the_site() -> None:
    head = f"<title>Ebb</title>{FEED.format('Ebb » A boat! » RSS 2.0')}"
    assert fields(head, "")["title"] == "Ebb"


def test_motto_of_the_blog_is_no_title_if_a_heading_has_a_part_of_the_declared_one() -> None:
    top = "<h1><a href=/>A boat!</a></h1><h2>Letters from a pier</h2><p>3 May 2021</p><h3>Gulls</h3>"
    assert fields("<title>A boat!: Gulls</title>", top)["title"] == "Gulls"


@pytest.mark.parametrize("feed", ["A boat! - Atom", "A boat! » Feed", "A boat! RSS 2.0"])
def test_name_in_the_title_of_a_feed_is_the_sites(feed: str) -> None:
    head = f"<title>A boat!: Ebb</title><meta property=og:title content=Ebb>{FEED.format(feed)}"
    assert fields(head, "<h1>A boat!</h1><h3 class=entry-title>Ebb</h3>")["title"] == "Ebb"


def test_untitled_post_gets_no_name_of_the_site() -> None:
    head = f"<title>A boat!</title>{FEED.format('A boat! » Feed')}"
    assert "title" not in fields(head, "<h1><a rel=home href=/blog/>A boat!</a></h1>")
    assert fields(head, "<h1><a rel=home href=/blog/>A boat!</a></h1><h2>Ebb</h2>")["title"] == "Ebb"


def test_link_in_a_sentence_to_a_page_of_users_names_no_author() -> None:
    link = "<a href=https://requests.example/en/latest/user/quickstart/>requests</a>"
    sentence = f"<p>For the client we take {link} of Python, which sends what it is given, and waits for a reply.</p>"
    assert "authors" not in fields("", f"<h1>A year of tides</h1>{sentence}")


def test_link_to_an_article_by_somebody_in_a_sentence_names_no_author() -> None:
    words = "which shows " + ", ".join(["that the tides of the north are the highest"] * 3)
    top = f"<h1>A year of tides</h1><p>There is an <a href=https://x.example/>article by Grace Hopper</a>, {words}.</p>"
    assert "authors" not in fields("<title>A year of tides</title>", top)


def test_sentence_with_a_date_before_by_is_no_byline() -> None:
    title = "<h1>Une année de marées</h1>"
    assert "authors" not in fields("", f"{title}<p>Formation du 25/03/2021 par Ada Lovelace</p>")
    for byline in ("25/03/2021 par Ada Lovelace", "Publié le 25/03/2021, par Ada Lovelace"):
        assert fields("", f"{title}<p>{byline}</p>")["authors"] == ("Ada Lovelace",)


@pytest.mark.parametrize("top", ["", "<p class=author>Salt and Tides</p>"])
def test_site_with_and_in_its_name_is_not_two_people(top: str) -> None:
    head = "<meta property=og:site_name content='Salt and Tides'><meta name=author content='Salt and Tides'>"
    assert fields(head, f"<h1>A year of tides</h1>{top}").get("authors") in (None, ("Salt and Tides",))


def article_by(*names: str) -> str:
    people = ", ".join(f'{{"@type": "Person", "name": "{name}"}}' for name in names)
    item = f'{{"@type": "NewsArticle", "headline": "A year of tides", "author": [{people}]}}'
    return f"<script type=application/ld+json>{item}</script>"


@pytest.mark.parametrize("place", ["<aside>{}</aside>", "<div>{}</div>"])
def test_declared_name_that_stands_alone_on_the_page_is_shown(place: str) -> None:
    name = place.format("<div><span class=t-info>Thandeka Nkosi</span><span>Harbour</span></div>")
    gap = "<div><b></b><i></i></div>" * 20
    assert fields(article_by("Thandeka Nkosi"), f"<h1>A year of tides</h1>{gap}{name}")["authors"] == (
        "Thandeka Nkosi",
    )


def test_declared_authors_are_surer_than_a_person_in_the_text() -> None:
    byline = "<p><a href=/meet/thandeka>Thandeka Nkosi</a> and <span>AP</span></p>"
    topic = "<p>What <a href=/people/george-canute>George Canute</a> did.</p>"
    found = fields(article_by("Thandeka Nkosi", "AP"), f"<h1>A year of tides</h1>{byline}{topic}")
    assert found["authors"] == ("Thandeka Nkosi", "AP")


def test_spellings_of_one_byline_do_not_compete() -> None:
    byline = "<p class=byline>By <a class=author href=/p-1/>Ada Lovelace For The Harbour Post</a></p>"
    head = f"<meta name=author content='Ada Lovelace'>{article_by('Ada Lovelace')}"
    assert fields(head, f"<h1>A year of tides</h1>{byline}")["authors"] == ("Ada Lovelace",)


@pytest.mark.parametrize("behind", ["For The Harbour Post", "Harbour Desk"])
def test_declared_name_ends_where_a_job_follows_on_the_page(behind: str) -> None:
    top = f"<h1>A year of tides</h1><p class=author-section>By <a class=author href=/p-1/>Ada Lovelace {behind}</a></p>"
    assert fields(article_by("Ada Lovelace"), top)["authors"] == ("Ada Lovelace",)


def test_all_names_behind_a_lead_in_an_element_of_its_own_are_authors() -> None:
    first, last = "<span class=x>{}</span>, ", "<span class='x last'>{}</span>"
    names = first.format("Ada Lovelace") + first.format("Mary Somerville") + "and " + last.format("Charles Babbage")
    top = f"<h1>A year of tides</h1><p><span>By </span>{names}</p>"
    assert fields("", top)["authors"] == ("Ada Lovelace", "Mary Somerville", "Charles Babbage")


def test_byline_of_another_article_adds_no_author() -> None:
    teaser = "<aside class=related><p class=author>Grace Hopper, Ada Lovelace</p></aside>"
    top = "<h1>A year of tides</h1><p class=author><a href=/people/ada>Ada Lovelace</a></p>"
    assert fields(article_by("Ada Lovelace"), top, teaser)["authors"] == ("Ada Lovelace",)


@pytest.mark.parametrize(
    ("head", "bottom"),
    [
        ("<meta property=article:author content='Quelda Tregarth'>", ""),
        ("<meta name=dc.creator content='Quelda Tregarth'>", "<footer>&copy; 2026 Quelda Tregarth<br></footer>"),
    ],
)
def test_person_whom_the_head_names_as_author_of_the_article_or_the_site_belongs_to_is_given(
    head: str, bottom: str
) -> None:
    top = "<h1>A year of tides</h1><time datetime=2021-03-04>4 March 2021</time>"
    assert fields(head, top, bottom)["authors"] == ("Quelda Tregarth",)


@pytest.mark.parametrize("attributes", ["cite='https://pub.example/1'", "class=pub-media"])
def test_embedded_post_of_another_site_gives_neither_author_nor_date(attributes: str) -> None:
    embedded = (
        f"<blockquote {attributes}><p>Well seen.</p><p>Posted by <a href='https://pub.example/grace'>Grace Hopper</a>"
        " on <a href='https://pub.example/1'>Sunday, February 6, 2022</a></p></blockquote>"
    )
    assert fields("", "<h1>A year of tides</h1>", embedded).keys() == {"title"}


def test_shown_day_of_a_change_gives_way_to_the_declared_day_of_publication() -> None:
    head = '<meta property="article:published_time" content="2020-03-05T10:00:00Z">'
    assert fields(head, "<h1>A year of tides</h1><p class=date>Updated June 7, 2021</p>")["published"].year == 2020


@pytest.mark.parametrize(
    "below",
    [
        "<div id=respond><h3 id=reply-title>Leave a reply <small><a href=#respond>Cancel reply</a></small></h3></div>",
        "<nav class=post-navigation><h2>Post navigation</h2><a href=/b/>Bread</a></nav>",
        "<section id=comments><h2>3 thoughts on Bread</h2></section>",
    ],
)
def test_headings_of_comments_and_menus_below_a_post_are_no_titles(below: str) -> None:
    title = fields("<title>Tides</title>", "<a href=/>Tides</a>", below).get("title")
    assert title in (None, "Tides")


def test_heading_below_a_post_is_its_title_if_the_page_declares_it() -> None:
    below = "<section id=comments><h2>Salt</h2></section>"
    assert fields("<title>Salt | Tides</title>", "<a href=/>Tides</a>", below)["title"] == "Salt"
