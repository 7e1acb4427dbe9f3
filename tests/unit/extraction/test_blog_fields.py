"""Fields that pages agree on, if no rule was learned from their feed."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from posterity.dom import Document, parse
from posterity.extraction.blog_fields import (
    feed_owner,
    with_agreed_fields,
    with_inner_article,
    with_sure_article,
    without_inferior_rules,
    without_repeated_titles,
)
from posterity.extraction.details import DETAILS
from posterity.extraction.feed import facts_of_pages
from posterity.extraction.method import Context, extract_posts
from posterity.model import Feed, FeedEntry, FieldRule, Rule, RuleSet
from posterity.model.page import NO_FEED

NOON = datetime(2021, 3, 12, 12, tzinfo=UTC)
TEXT = "<p>The tide came in and the tide went out, and every day was a little later than the day before it.</p>" * 4
ARTICLE = FieldRule(rule=Rule(kind="tag", value="body"), confidence=0.9, pages=4, of_pages=4)
BY = FieldRule(rule=Rule(kind="class", value="by"), confidence=0.9, pages=4, of_pages=4)


def evidence(authors: tuple[str, ...] = ()) -> list[tuple[Document, FeedEntry]]:
    def page(number: int) -> Document:
        url = f"https://blog.example/{number}/"
        html = f"<html lang=en><title>On {number}</title><h1>On {number}</h1><p>9 June 2023 by Ada Lovelace</p>{TEXT}"
        return parse(html, url)

    entries = (
        FeedEntry(link=f"https://blog.example/{number}/", published=NOON, authors=authors) for number in range(4)
    )
    return [(page(number), entry) for number, entry in enumerate(entries)]


def agreed(pages: list[tuple[Document, FeedEntry]], rules: RuleSet | None = None) -> RuleSet:
    feed = Feed(url="https://blog.example/feed", format="rss20", entries=tuple(entry for _, entry in pages))
    return with_agreed_fields(rules or RuleSet(), feed, pages)


def test_author_whom_the_pages_name_is_the_one_author_where_the_feed_names_nobody() -> None:
    assert agreed(evidence()).only_author == "Ada Lovelace"


def test_feed_that_names_authors_is_believed() -> None:
    assert agreed(evidence(authors=("Charles Babbage",))).only_author is None


@pytest.mark.parametrize(("short", "full"), [("ada", "Ada Lovelace"), ("al", "Ada Lovelace"), ("charles", None)])
def test_name_on_pages_goes_before_what_is_short_for_it_in_the_feed(short: str, full: str | None) -> None:
    pages = evidence(authors=(short,))
    rules = agreed(pages, RuleSet(fields={"text": (ARTICLE,)}))
    assert rules.only_author == full
    posts = [extract_posts(page, context=Context(rules=rules, entry=entry))[0] for page, entry in pages]
    assert {post.authors for post in posts} == {(full or short,)}


@pytest.mark.parametrize(
    ("listed", "declared", "owner"),
    [
        pytest.param(["Mary Somerville"], ["Ada Lovelace", "Charles Babbage"], "Mary Somerville", id="others"),
        pytest.param(["Mary Somerville"], ["Ada Lovelace", "Mary Somerville"], None, id="one of them"),
        pytest.param(["Mary Somerville"], ["The Tides"], None, id="one name on all pages"),
        pytest.param(["Mary Somerville"], [], None, id="nobody"),
        pytest.param(["Mary Somerville", "Ada"], ["Ada Lovelace", "Charles Babbage"], None, id="several in the feed"),
    ],
)
def test_feed_of_one_owner_whose_pages_declare_other_authors(
    listed: list[str], declared: list[str], owner: str | None
) -> None:
    item = (
        '<script type=application/ld+json>{"@type": "BlogPosting", "headline": "On", "author": {"name": "%s"}}</script>'
    )
    pages = [parse(item % declared[number % len(declared)] if declared else "<p>On") for number in range(4)]
    entries = tuple(FeedEntry(authors=(listed[number % len(listed)],)) for number in range(4))
    assert feed_owner(Feed(url="https://blog.example/feed", format="rss20", entries=entries), pages) == owner


@pytest.mark.parametrize(("names", "kept"), [(["Ada Lovelace", "Charles Babbage"], False), (["Ada Lovelace"], True)])
def test_site_that_every_page_declares_as_author_goes_behind_names_beside_the_dates(
    names: list[str], kept: bool
) -> None:
    meta = Rule("attr", "name=author", "meta", attribute="content")
    declared = FieldRule(rule=meta, confidence=0.7, pages=4, of_pages=4)
    rules = RuleSet(fields={"text": (ARTICLE,), "authors": (declared,)})
    head = "<html lang=en><meta name=author content='The Tides'><title>On {0}</title><h1>On {0}</h1>"
    byline = "<p class=author>by {1}</p><time>9 June 2023</time>" + TEXT
    shown = (head + byline).format
    pages = [
        (parse(shown(number, names[number % len(names)]), f"https://blog.example/{number}/"), FeedEntry())
        for number in range(4)
    ]
    assert bool(without_inferior_rules(rules, pages).rules_for("authors")) is kept


def test_days_that_are_not_the_feeds_are_not_believed_unless_a_rule_was_learned() -> None:
    assert agreed(evidence()).undated
    assert not agreed(evidence(), RuleSet(fields={"published": (BY,)})).undated


def titled(number: int) -> str:
    return (
        f"<html lang=en><title>Tides, part {number}</title><p class=terms>Salt and water</p><div id=entry>"
        f"<h1 style='display:none'>Tides, part {number}</h1>{TEXT}</div>"
    )


def test_rule_for_what_stands_in_place_of_a_hidden_title_is_dropped() -> None:
    text, terms = (
        FieldRule(rule=rule, confidence=0.6, pages=4, of_pages=4)
        for rule in (Rule("id", "entry"), Rule("class", "terms"))
    )
    urls = [f"https://blog.example/{number}/" for number in range(4)]
    entries = [FeedEntry(link=url, title=f"Tides, part {number}") for number, url in enumerate(urls)]
    pages = [(parse(titled(number), url), entries[number]) for number, url in enumerate(urls)]
    rules = without_inferior_rules(RuleSet(fields={"text": (text,), "title": (terms,)}), pages)
    assert rules.fields.keys() == {"text"}
    post = rules.extract(titled(9), "https://blog.example/9/")
    assert post is not None
    assert post.title == "Tides, part 9"


def test_rule_that_gives_what_the_feed_has_stays() -> None:
    right = RuleSet(fields={"authors": (BY,)}, entries={})
    html = f"<title>Tides</title><b class=by>Ada</b><i>by Bob Miller</i><div>{TEXT}</div>"
    pages = [(parse(html, entry.link or ""), entry) for _, entry in evidence(authors=("Ada",))]
    assert without_inferior_rules(right, pages) == right


@pytest.mark.parametrize("count", [1, 4])
def test_rule_for_tags_is_dropped_where_pages_show_categories_besides(count: int) -> None:
    html = (
        f"<title>Tides</title><p>in <a href=/category/sea/>Sea</a></p><div id=entry>{TEXT}</div>"
        "<p><a class=t href=/tags/moon/>Moon</a></p>"
    )
    text, tags = (
        FieldRule(rule=rule, confidence=0.9, pages=4, of_pages=4) for rule in (Rule("id", "entry"), Rule("class", "t"))
    )
    urls = [f"https://blog.example/{number}/" for number in range(4)]
    pages = [(parse(html, url), FeedEntry(link=url, tags=("Moon",))) for url in urls[:count]]
    rules = without_inferior_rules(RuleSet(fields={"text": (text,), "tags": (tags,)}), pages)
    post = rules.extract(html, "https://blog.example/9/")
    assert post is not None
    assert post.tags == ("Sea", "Moon")


SENTENCE = "On day {number} the {subject} was {number} hours late, and nobody at the harbour of {subject} minded it. "
SUBJECTS = ("ferry", "tide", "post", "baker", "moon", "fog", "clock", "train")


def boxed(number: int, beginning: str = "") -> tuple[Document, FeedEntry]:
    """A page whose article is between a line about its age and a box about its licence, all in one element."""
    subject = SUBJECTS[number]
    text = "".join(f"<p>{SENTENCE.format(number=number + line, subject=subject) * 2}</p>" for line in range(4))
    html = (
        f"<html lang=en><title>The {subject} - Harbour notes</title><nav><a href=/>Harbour notes</a></nav>"
        f"<article class=outer><p class=age>Last updated: {number + 2} years and {number} months ago</p>"
        f"{beginning}<div class=inner>{text}</div>"
        f"<div class=terms><div>The {subject}</div><div>Author</div><div>Ida</div>"
        f"<div>https://blog.example/{subject}/</div><div>Licence</div></div></article>"
    )
    url = f"https://blog.example/{subject}/"
    return parse(html, url), FeedEntry(link=url, title=f"The {subject}", summary=text[:60])


def test_article_is_in_the_inner_element_where_the_feed_has_beginnings_only() -> None:
    pages = [boxed(number) for number in range(len(SUBJECTS))]
    outer = FieldRule(rule=Rule("class", "outer"), confidence=0.9, pages=8, of_pages=8)
    rules = with_inner_article(RuleSet(fields={"text": (outer,)}), pages)
    assert rules.rules_for("text")[0].rule.css == "div.inner"


def test_inner_element_with_what_follows_the_beginning_is_not_the_article() -> None:
    """Movable Type has the text below "read more" in an element of its own, and the beginning in none."""
    pages = []
    for number, subject in enumerate(SUBJECTS):
        beginning = f"<p class=age>Why so slow, dear {subject}?</p>"
        document, entry = boxed(number, beginning)
        pages.append((document, msgspec.structs.replace(entry, summary=beginning)))
    outer = FieldRule(rule=Rule("class", "outer"), confidence=0.9, pages=8, of_pages=8)
    rules = with_inner_article(RuleSet(fields={"text": (outer,)}), pages)
    assert rules.rules_for("text") == (outer,)


def test_field_that_is_found_beside_the_inner_article_is_not_absent() -> None:
    pages = [page for page, _ in [*evidence(), *evidence()]]
    facts = facts_of_pages(RuleSet(fields={"text": (ARTICLE,)}, absent=("authors",)), pages)
    assert facts["absent"] == ("tags", *DETAILS)


def test_element_that_holds_the_whole_texts_of_the_feed_stays() -> None:
    pages = [boxed(number) for number in range(len(SUBJECTS))]
    told = [(document, FeedEntry(link=entry.link, content=document.tree.plain(0))) for document, entry in pages]
    outer = RuleSet(fields={"text": (FieldRule(rule=Rule("class", "outer"), confidence=0.9, pages=8, of_pages=8),)})
    assert with_inner_article(outer, told) == outer


def repetitive(number: int, body: str = "div class=entry-content") -> tuple[Document, FeedEntry]:
    url = f"https://blog.example/{number}/"
    html = (
        f"<html lang=en><title>Week {number}</title><body><nav><a href=/>Home</a> <a href=/about/>About</a></nav>"
        f"<article><h1>Week {number}</h1><{body}>{TEXT}<pre><code class=language-sh>tide {number}</code></pre></div>"
        "</article><footer><p>Made by the sea</p></footer></body></html>"
    )
    return parse(html, url), FeedEntry(link=url, title=f"Week {number}", summary="The tide came in")


def text_rules(rule: Rule, **others: tuple[FieldRule, ...]) -> RuleSet:
    return RuleSet(fields={"text": (FieldRule(rule=rule, confidence=0.9, pages=5, of_pages=5),), **others})


def test_article_of_posts_that_repeat_their_paragraphs_is_what_the_pages_alone_are_sure_of() -> None:
    rules = with_sure_article(text_rules(Rule("class", "language-sh")), map(repetitive, range(5)))
    assert rules is not None
    assert "entry-content" in rules.rules_for("text")[0].rule.css


def test_rules_for_what_is_left_out_go_where_they_leave_out_the_article() -> None:
    most = FieldRule(rule=Rule("class", "most"), confidence=0.9, pages=5, of_pages=5)
    rules = text_rules(Rule("class", "entry-content"))
    of_few = msgspec.structs.replace(rules, fields={**rules.fields, "out": (most,)})
    body = f"div class=entry-content>{TEXT}<section class=most>{TEXT * 3}</section"
    assert with_sure_article(of_few, [repetitive(number, body) for number in range(5)]) == rules


def test_rules_that_fit_and_those_of_two_pages_stay() -> None:
    for rules, count in ((text_rules(Rule("class", "entry-content")), 5), (text_rules(Rule("tag", "code")), 2)):
        assert with_sure_article(rules, map(repetitive, range(count))) == rules


def test_no_pages_agree_on_nothing() -> None:
    assert agreed([]) == RuleSet()


def test_rule_for_titles_that_finds_a_link_of_the_menu_is_dropped() -> None:
    def rule(value: str) -> FieldRule:
        return FieldRule(rule=Rule(kind="tag", value=value), confidence=0.9, pages=4, of_pages=4)

    def pages(*titles: str) -> list[tuple[Document, FeedEntry]]:
        menu = "<nav><b>About me</b></nav>"
        return [(parse(f"{menu}<h1>{title}</h1>{TEXT}"), FeedEntry(title=title)) for title in titles]

    rules = RuleSet(fields={"title": (rule("h1"), rule("b"))})
    kept = without_repeated_titles(rules, pages("Tides", "Boats", "About me", "Salt"))
    assert kept.rules_for("title") == (rule("h1"),)
    assert without_repeated_titles(rules, pages("Links", "Links", "Links", "Salt")).rules_for("title") == (rule("h1"),)
    assert without_repeated_titles(RuleSet(), pages("Tides", "Boats", "Salt")) == RuleSet()


@pytest.mark.parametrize(("names", "stays"), [("Ada Lovelace and Charles Babbage", True), ("Charles Babbage", False)])
def test_rule_that_gives_further_authors_than_the_feeds_one_stays(names: str, stays: bool) -> None:
    given = RuleSet(fields={"text": (ARTICLE,), "authors": (BY,)})
    data = '<script type=application/ld+json>{"headline": "On tides", "author": {"name": "Ada Lovelace"}}</script>'
    html = f"<title>Tides</title>{data}<p class=by>{names}</p><div>{TEXT}</div>"
    pages = [(parse(html, entry.link or ""), entry) for _, entry in evidence(authors=("Ada Lovelace",))]
    assert bool(without_inferior_rules(given, pages).rules_for("authors")) == stays


def test_nickname_that_pages_without_a_feed_show_is_the_one_author() -> None:
    pages = []
    for number in range(4):
        byline = f"<p>Posted by ada at June {number + 3}, 2023</p>"
        html = f"<html lang=en><title>On {number}</title><h1>On {number}</h1>{TEXT}{byline}"
        entry = FeedEntry(link=f"https://blog.example/{number}/", published=NOON, authors=("ada",))
        pages.append((parse(html, f"https://blog.example/{number}/"), entry))
    feed = Feed(url="https://blog.example/", format=NO_FEED, entries=tuple(entry for _, entry in pages))
    assert with_agreed_fields(RuleSet(), feed, pages).only_author == "ada"


def test_tags_by_a_rule_that_are_the_same_on_all_pages_are_the_blogs() -> None:
    terms = "".join(f"<li class=term><a href=/category/{name}/>{name}</a></li>" for name in ("boats", "salt", "wind"))
    pages = []
    for page, _ in [*evidence(), *evidence()]:
        number = page.url.rsplit("/", 2)[1]
        html = f"<title>On {number}</title><body><div class=post><h1>On {number}</h1>{TEXT}</div><ul>{terms}</ul>"
        pages.append(parse(html, page.url))
    term = FieldRule(rule=Rule("class", "term"), confidence=0.5, pages=8, of_pages=8)
    facts = facts_of_pages(RuleSet(fields={"text": (ARTICLE,), "tags": (term,)}), pages)
    assert "tags" not in facts["fields"]


def test_older_posts_have_tags_also_if_the_newest_have_categories_only() -> None:
    html = f"<title>Tides</title><div id=entry>{TEXT}</div><p class=in>in <a href=/category/sea/>Sea</a></p>"
    text, tags = (
        FieldRule(rule=rule, confidence=0.9, pages=4, of_pages=4)
        for rule in (Rule("id", "entry"), Rule("tag", "a", under=Rule("class", "in")))
    )
    urls = [f"https://blog.example/{number}/" for number in range(4)]
    pages = [(parse(html, url), FeedEntry(link=url, tags=("Sea",))) for url in urls]
    rules = without_inferior_rules(RuleSet(fields={"text": (text,), "tags": (tags,)}), pages)
    post = rules.extract(f"{html}<p class=tags><a href=/tag/moon/>Moon</a></p>", "https://blog.example/9/")
    assert post is not None
    assert post.tags == ("Sea", "Moon")
