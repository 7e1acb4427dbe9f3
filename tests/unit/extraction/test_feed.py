"""Method `feed`: learned rules applied to a page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
import pytest

from posterity import extract, learn
from posterity.errors import InputError
from posterity.extraction import Context
from posterity.model import Feed, FeedEntry, FieldRule, Rule, RuleSet

URL = "http://blog.example/tides/"
PAGE = """<!DOCTYPE html><body><h1 class=title> On
 tides </h1><div id=text><p>The tide came in.</p></div>
<div id=old><p>Old.</p></div>"""


def rules(**fields: list[Rule]) -> RuleSet:
    return RuleSet(
        fields={
            name: tuple(FieldRule(rule=rule, confidence=0.8, pages=3, of_pages=4) for rule in some)
            for name, some in fields.items()
        }
    )


def test_rules_give_article_and_title() -> None:
    post = extract(
        PAGE, URL, method="feed", rules=rules(text=[Rule("id", "text")], title=[Rule("class", "title", "h1")])
    )
    assert post is not None
    assert (post.text, post.title, post.url) == ("The tide came in.", "On tides", URL)


def test_title_that_opens_the_article_is_none_of_its_text() -> None:
    page = "<body><div id=text><h3>On tides</h3><p>On tides and ferries.</p><h3>On tides</h3><p>More.</p></div>"
    post = extract(page, URL, method="feed", rules=rules(text=[Rule("id", "text")], title=[Rule("tag", "h3")]))
    assert post is not None
    assert (post.title, post.text.split("\n")[0]) == ("On tides", "On tides and ferries.")


def test_labels_of_parts_that_are_left_out_are_left_out_too() -> None:
    line = "<p><small><b>March 3</b> | categories: <i>sea</i> | tags: </small></p>"
    page = f"<body><div id=text>{line}<p>Note: <i>sea</i> water is salt.</p></div>"
    out = [Rule("tag", "b"), Rule("tag", "i", under=Rule("tag", "small"))]
    post = extract(page, URL, method="feed", rules=rules(text=[Rule("id", "text")], out=out))
    assert post is not None
    assert post.text == "Note: sea water is salt."


def test_sign_of_a_link_to_the_heading_is_none_of_the_title() -> None:
    page = PAGE.replace("tides </h1>", "tides<a href=#tides>¶</a></h1>")
    post = extract(page, URL, rules=rules(text=[Rule("id", "text")], title=[Rule("class", "title", "h1")]))
    assert post is not None
    assert post.title == "On tides"


@pytest.mark.parametrize(
    ("shown", "authors"),
    [
        ("Posted by Ada Lovelace", ("Ada Lovelace",)),
        ("投稿者： 山田太郎", ("山田太郎",)),
        ("Von Braun", ("Von Braun",)),
        ("Ada Lovelace", ("Ada Lovelace",)),
    ],
)
def test_lead_of_a_byline_is_none_of_the_name(shown: str, authors: tuple[str, ...]) -> None:
    page = f"{PAGE}<span class=author>{shown}</span>"
    post = extract(page, URL, rules=rules(text=[Rule("id", "text")], authors=[Rule("class", "author", "span")]))
    assert post is not None
    assert post.authors == authors


@pytest.mark.parametrize("label", ["<b>Published on:</b>", "Published on:", "by", "<b>发布于：</b>"])
def test_label_of_what_is_left_out_is_left_out(label: str) -> None:
    page = PAGE.replace("<p>The", f"<p>{label} <time>12 March 2021</time></p><p>The")
    found = rules(text=[Rule("id", "text")], out=[Rule("tag", "time")])
    post = extract(page, URL, method="feed", rules=found)
    assert post is not None
    assert post.text == "The tide came in."


def test_every_field_says_where_it_comes_from() -> None:
    post = extract(
        PAGE, URL, method="feed", rules=rules(text=[Rule("id", "text")], title=[Rule("class", "title", "h1")])
    )
    assert post is not None
    assert [
        (post.provenance[field].method, post.provenance[field].rule, post.provenance[field].confidence)
        for field in ("text", "title")
    ] == [
        ("feed", "#text", 0.8),
        ("feed", "h1.title", 0.8),
    ]


def test_next_rule_is_tried_where_the_best_names_nothing() -> None:
    post = extract(PAGE, URL, method="feed", rules=rules(text=[Rule("id", "new"), Rule("id", "old")]))
    assert post is not None
    assert post.text == "Old."


def test_page_without_an_article_gives_nothing() -> None:
    assert extract(PAGE, URL, method="feed", rules=rules(text=[Rule("id", "nothing")])) is None


def test_title_that_is_not_there_is_absent() -> None:
    post = extract(PAGE, URL, method="feed", rules=rules(text=[Rule("id", "text")], title=[Rule("id", "nothing")]))
    assert post is not None
    assert post.title is None
    assert "title" not in post.provenance


def test_method_feed_without_rules_says_what_it_needs() -> None:
    with pytest.raises(InputError, match="--rules"):
        extract(PAGE, URL, method="feed")


def test_unknown_method_is_answered_with_the_names_there_are() -> None:
    with pytest.raises(InputError, match=r"no method 'magic'.*feed.*mcst"):
        extract(PAGE, URL, method="magic")


def test_licence_that_the_page_declares_is_kept() -> None:
    page = PAGE + '<a rel="license" href="/cc-by">CC BY</a>'
    post = extract(page, URL, method="feed", rules=rules(text=[Rule("id", "text")]))
    assert post is not None
    assert post.license == "http://blog.example/cc-by"


def test_comment_inside_the_article_is_not_of_the_article() -> None:
    page = "<div id=text><p>The tide.</p><div id=comment-5><cite>Gwen</cite><p>Wire.</p></div></div>"
    post = extract(page, URL, method="feed", rules=rules(text=[Rule("id", "text")]))
    assert post is not None
    assert (post.text, [comment.text for comment in post.comments]) == ("The tide.", ["Wire."])


def test_container_serves_where_the_inner_wrapper_is_missing() -> None:
    body = Rule("class", "body")
    post = extract(
        "<div class=body><p>Old.</p></div>", URL, method="feed", rules=rules(text=[Rule("tag", "div", under=body)])
    )
    assert post is not None
    assert (post.text, post.provenance["text"].rule, post.provenance["text"].confidence) == ("Old.", ".body", 0.48)


def test_moment_of_the_feed_falls_on_the_day_that_the_page_shows() -> None:
    page = PAGE + "<p id=date>March 11, 2021</p>"
    entry = FeedEntry(published=datetime(2021, 3, 12, 3, 47, tzinfo=UTC))
    context = Context(rules=rules(text=[Rule("id", "text")], published=[Rule("id", "date")]), entry=entry)
    post = extract(page, URL, context=context)
    assert post is not None
    assert post.published == entry.published
    assert post.published is not None
    assert post.published.date().isoformat() == "2021-03-11"


def test_author_among_the_tags_is_no_tag() -> None:
    page = PAGE + "<p id=meta>by <a class=who>Maren</a> in <a>sea</a></p>"
    found = rules(
        text=[Rule("id", "text")],
        authors=[Rule("class", "who")],
        tags=[Rule("tag", "a", under=Rule("id", "meta"))],
    )
    post = extract(page, URL, method="feed", rules=found)
    assert post is not None
    assert (post.authors, post.tags) == (("Maren",), ("sea",))


PERSON = "<span itemprop=author><i itemprop=name><a href=/authors/x/>{}</a></i></span>"


@pytest.mark.parametrize("between", [", ", " and ", " ", " · <b>Editors:</b> "])
def test_all_people_of_one_byline_are_authors_although_the_rule_was_learned_from_one(between: str) -> None:
    byline = between.join(map(PERSON.format, ("Ada Lovelace", "Charles Babbage §")))
    page = f"{PAGE}<p>{byline}</p><p>Recent comments</p><p>{PERSON.format('Mary Somerville')}</p>"
    author = Rule("attr", "itemprop=name", under=Rule("attr", "itemprop=author"))
    post = extract(page, URL, method="feed", rules=rules(text=[Rule("id", "text")], authors=[author]))
    assert post is not None
    assert post.authors == (("Ada Lovelace", "Charles Babbage") if "Editors" not in between else ("Ada Lovelace",))


@pytest.mark.parametrize(("listed", "authors"), [("Ada Lovelace", 2), ("Mary Somerville", 1)])
def test_feed_that_names_one_of_several_authors_leaves_the_others(listed: str, authors: int) -> None:
    byline = f"<p class=by>{PERSON.format('Ada Lovelace')} and {PERSON.format('Charles Babbage')}</p>"
    found = rules(text=[Rule("id", "text")], authors=[Rule("attr", "itemprop=author")])
    post = extract(PAGE + byline, URL, context=Context(rules=found, entry=FeedEntry(authors=(listed,))))
    assert post is not None
    assert (post.authors[0], len(post.authors)) == (listed, authors)


@pytest.mark.parametrize(
    ("second", "authors"),
    [("Charles Babbage", ("Ada Lovelace", "Charles Babbage")), ("https://ada.example/", ("Ada Lovelace",))],
)
def test_all_people_that_the_head_names_are_the_authors(second: str, authors: tuple[str, ...]) -> None:
    head = "".join(f"<meta property=article:author content='{name}'>" for name in ("Ada Lovelace", second))
    author = Rule("attr", "property=article:author", "meta", attribute="content")
    found = rules(text=[Rule("id", "text")], authors=[author])
    post = extract(head + PAGE, URL, method="feed", rules=found)
    assert post is not None
    assert post.authors == authors


@pytest.mark.parametrize(("owner", "author"), [("Mary Somerville", "Ada Lovelace"), (None, "Mary Somerville")])
def test_owner_of_the_blog_in_its_feed_is_not_the_author_of_a_post(owner: str | None, author: str) -> None:
    found = msgspec.structs.replace(rules(text=[Rule("id", "text")], authors=[Rule("class", "by")]), feed_owner=owner)
    context = Context(rules=found, entry=FeedEntry(authors=("Mary Somerville",)))
    post = extract(f"{PAGE}<p class=by>Ada Lovelace</p>", URL, context=context)
    assert post is not None
    assert post.authors == (author,)


def test_declared_tags_and_the_category_in_the_feed_are_the_posts() -> None:
    head = "<meta property=article:tag content=moon><meta property=article:tag content=tides>"
    context = Context(rules=rules(text=[Rule("id", "text")]), entry=FeedEntry(tags=("Science",)))
    post = extract(head + PAGE, URL, context=context)
    assert post is not None
    assert post.tags == ("moon", "tides", "Science")


TERMS = "<p id=meta><a href=/category/sea/>Sea</a></p><p class=post-tags><a class=t href=/tags/moon/>#moon (4)</a></p>"


def test_marks_around_a_tag_are_none_of_it() -> None:
    post = extract(PAGE + TERMS, URL, method="feed", rules=rules(text=[Rule("id", "text")], tags=[Rule("class", "t")]))
    assert post is not None
    assert post.tags == ("moon",)


@pytest.mark.parametrize(("listed", "tags"), [(("Moon",), ("Sea", "moon")), (("salt",), ("salt",))])
def test_feed_that_leaves_out_a_category_of_the_page_does_not_take_it_away(
    listed: tuple[str, ...], tags: tuple[str, ...]
) -> None:
    context = Context(rules=rules(text=[Rule("id", "text")]), entry=FeedEntry(tags=listed))
    post = extract(PAGE + TERMS, URL, context=context)
    assert post is not None
    assert post.tags == tags


@pytest.mark.parametrize(("html_tag", "language"), [("<html>", "pt-BR"), ("<html lang=en>", "en")])
def test_language_of_the_feed_is_taken_where_the_page_declares_none(html_tag: str, language: str) -> None:
    learned = msgspec.structs.replace(rules(text=[Rule("id", "text")]), languages=("pt-BR",))
    post = extract(PAGE.replace("<body>", f"{html_tag}<body>"), URL, method="feed", rules=learned)
    assert post is not None
    assert post.language == language
    assert ("language" in post.provenance) == (language == "pt-BR")


def _signed_blog(signatures: Sequence[tuple[tuple[str, ...], str]]) -> tuple[Feed, dict[str, str]]:
    """A feed and its pages, given the authors of each entry and the line below the text."""
    pages, entries = {}, []
    for number, (authors, line) in enumerate(signatures):
        url, text = f"http://blog.example/{number}/", f"<p>{f'Tide number {number} came in late. ' * 12}</p>"
        pages[url] = f"<h1>Tide {number}</h1><div class=text>{text}<p class=posted>{line}</p></div>"
        published = datetime(2008, 9, number + 1, tzinfo=UTC)
        entries.append(FeedEntry(link=url, title=f"Tide {number}", authors=authors, content=text, published=published))
    return Feed(url="http://blog.example/feed", format="rss20", entries=tuple(entries)), pages


def _authors_below(line: str, signatures: Sequence[tuple[tuple[str, ...], str]]) -> tuple[str, ...]:
    feed, pages = _signed_blog(signatures)
    page = pages["http://blog.example/0/"].replace(signatures[0][1], line)
    post = extract(page, "http://blog.example/other/", rules=learn(feed, pages))
    assert post is not None
    return post.authors


SIGNED = [
    ((name,), f"Posted by {name} at September 1{day}, 2008 09:05 AM") for day in range(3) for name in ("Ada", "Bob")
]


def test_author_in_a_signed_line_is_learned_whatever_follows_the_name() -> None:
    assert _authors_below("Posted by Cleo at October 30, 2009 11:15 PM", SIGNED) == ("Cleo",)


def test_rule_for_one_author_gives_all_of_a_team() -> None:
    named = [((name,), f"Posted by {name}") for name in ("Ada Lovelace", "Mary Hill", "Grace Hopper", "Alan Ray")]
    line = "Posted by Ada Lovelace and Charles Babbage"
    assert _authors_below(line, named) == ("Ada Lovelace", "Charles Babbage")


def test_account_name_is_the_author_where_the_feed_has_no_other() -> None:
    named = [(("admin",), f"Posted by admin on September {day}, 2008") for day in range(1, 6)]
    assert _authors_below("Posted by admin on October 3, 2009", named) == ("admin",)


def _rules_with_out_place(before: str = "") -> RuleSet:
    place = FieldRule(rule=Rule("child", "p:-1"), confidence=1.0, pages=3, of_pages=3, before=before)
    known = rules(text=[Rule("id", "text")])
    return msgspec.structs.replace(known, fields={**known.fields, "out": (place,)})


def test_place_is_left_out_only_with_the_words_that_were_learned_for_it() -> None:
    known = _rules_with_out_place(before="You should follow me")
    for last, text in (("You should follow me here.", "Tides."), ("The last words.", "Tides.\n\nThe last words.")):
        post = extract(f"<!DOCTYPE html><div id=text><p>Tides.</p><p>{last}</p></div>", URL, rules=known)
        assert post is not None
        assert post.text == text


def test_rules_for_places_never_leave_out_all_there_is() -> None:
    post = extract("<!DOCTYPE html><div id=text><p>All there is.</p></div>", URL, rules=_rules_with_out_place())
    assert post is not None
    assert post.text == "All there is."


@pytest.mark.parametrize("known", [None, rules(text=[Rule("id", "text")])])
def test_comments_that_nobody_wants_are_not_read(known: RuleSet | None) -> None:
    thread = "<ol id=comments><li class=comment id=comment-1><cite>Ida</cite> 3 May 2021 10:15<p>High water.</p></ol>"
    whole, without = (
        extract(PAGE + thread, URL, context=Context(rules=known, comments=wanted)) for wanted in (True, False)
    )
    assert whole is not None
    assert without is not None
    assert (len(whole.comments), without.comments) == (1, ())
    assert without.text == whole.text


@pytest.mark.parametrize(
    ("last", "text"),
    [
        ("<p>Posted by jeff at November 17, 2002 09:46 PM</p>", "The tide came in."),
        (
            "<p>It came by night, on November 17, 2002.</p>",
            "The tide came in.\n\nIt came by night, on November 17, 2002.",
        ),
        ("<p>Painted by Ada.</p>", "The tide came in.\n\nPainted by Ada."),
    ],
)
def test_last_line_that_tells_who_posted_and_when_is_no_text(last: str, text: str) -> None:
    page = PAGE.replace("came in.</p>", f"came in.</p>{last}")
    post = extract(page, URL, method="feed", rules=rules(text=[Rule("id", "text")]))
    assert post is not None
    assert post.text == text


@pytest.mark.parametrize("by_entry", [True, False])
@pytest.mark.parametrize(
    ("head", "year"),
    [
        pytest.param(
            "<meta property=article:published_time content=2019-05-03T10:00:00Z>"
            "<meta property=article:modified_time content=2021-05-03T10:00:00Z>",
            2019,
            id="meta",
        ),
        pytest.param(
            '<script type=application/ld+json>{"@type": "BlogPosting", "headline": "On tides",'
            ' "datePublished": "2019-05-03", "dateModified": "2021-05-03T10:00:00Z"}</script>',
            2019,
            id="JSON-LD",
        ),
        pytest.param("<meta property=article:published_time content=2019-05-03T10:00:00Z>", 2021, id="no change"),
    ],
)
def test_day_of_a_declared_change_is_not_that_of_publication(head: str, year: int, by_entry: bool) -> None:
    moment = datetime(2021, 5, 3, 10, tzinfo=UTC)
    page = f"{PAGE}{head}<p class=when>3 May 2021</p>"
    found = rules(text=[Rule("id", "text")], published=[Rule("class", "when")])
    entry = FeedEntry(published=moment) if by_entry else None
    post = extract(page, URL, context=Context(rules=found, entry=entry))
    assert post is not None
    assert post.published is not None
    assert post.published.year == year
    assert (post.modified is not None and post.modified.date() == moment.date()) == (year == 2019)


@pytest.mark.parametrize("name", ["rp4wp-related-posts", "jp-relatedposts", "yarpp-related", "related_articles box"])
def test_list_of_related_posts_is_left_out_although_no_page_of_the_feed_had_one(name: str) -> None:
    links = "<h3>You may also like</h3><ul><li><a href=/seals/>Seals</a> bask.<li><a href=/terns/>Terns</a> dive.</ul>"
    page = f"<body><h1>Tides</h1><div id=text><p>The tide came in.</p><div class='{name}'>{links}</div></div>"
    assert _text_by_id(page) == "The tide came in."


def test_part_named_as_related_that_lists_no_posts_stays() -> None:
    for inside in (
        "<p>Related: <a href=/seals/>seals</a> were there too.</p>",
        "<p>The ebb is related to the flow.</p>",
    ):
        page = f"<body><h1>Tides</h1><div id=text><p>The tide came in.</p><div class=related-posts>{inside}</div></div>"
        assert len(_text_by_id(page).split("\n\n")) == 2
    only = "<div id=text><div class=related-posts><a href=/1/>One</a> <a href=/2/>Two</a></div></div>"
    assert _text_by_id(f"<body><h1>Tides</h1>{only}") == "One Two"


def test_series_of_a_post_is_left_out_with_its_legend() -> None:
    above = "<div class=seriesmeta>This entry is part 2 of 3 in the series <a href=/series/tides/>Tides</a></div>"
    sides = (f"<span class=series-nav-{side}><a href=/{side}/>{side}</a></span>" for side in ("left", "right"))
    below = f"<fieldset><legend>Series Navigation</legend>{''.join(sides)}</fieldset>"
    page = f"<body><h1>Tides</h1><div id=text>{above}<p>The tide came in.</p>{below}</div>"
    assert _text_by_id(page) == "The tide came in."


def _text_by_id(page: str) -> str:
    post = extract(page, URL, method="feed", rules=rules(text=[Rule("id", "text")], title=[Rule("tag", "h1")]))
    assert post is not None
    return post.text


@pytest.mark.parametrize("by_rule", [False, True])
def test_declared_name_goes_before_the_words_around_it(by_rule: bool) -> None:
    author = "<span itemprop=author class=who>De <span itemprop=name>Camille Perrin</span></span>"
    words = "Le port est sec deux fois par jour, et les bateaux attendent la mer. " * 6
    page = f"<h1>Marées</h1><p>{author} <time datetime=2021-05-03>3 mai</time></p><div id=text><p>{words}</p></div>"
    found = rules(text=[Rule("id", "text")], authors=[Rule("class", "who")]) if by_rule else None
    post = extract(f"<html lang=fr><body>{page}</body></html>", URL, context=Context(rules=found))
    assert post is not None
    assert post.authors == ("Camille Perrin",)
