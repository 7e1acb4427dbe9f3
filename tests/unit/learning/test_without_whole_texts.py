"""Rules learned with a feed of summaries only, or without a feed: the text unique to each page decides."""

from __future__ import annotations

import posterity
from posterity.model import Feed, FeedEntry, Post, RuleSet

BASE = "http://blog.example"
NAMES = ("tides", "bread", "salt", "rope", "lamps", "stones")
WORDS = "harbour letter winter paper garden engine river copper morning window needle candle feather".split()


def _text(name: str, size: int = 40) -> str:
    start = sum(map(ord, name))
    return " ".join(WORDS[(start * step + step * step) % len(WORDS)] for step in range(1, size)) + f" {name}."


def _learned(page: str, **told: object) -> tuple[RuleSet, dict[str, str]]:
    """Rules from pages made from the template, of which only titles are known."""
    pages = {f"{BASE}/{name}/": page.format(name=name, text=_text(name), day=day) for day, name in enumerate(NAMES, 11)}
    entries = tuple(FeedEntry(link=f"{BASE}/{name}/", title=f"On {name}", **told) for name in NAMES)  # type: ignore[arg-type]
    return posterity.learn(Feed(url=BASE, format="none", entries=entries), pages), pages


def _post(page: str, **told: object) -> Post:
    rules, pages = _learned(page, **told)
    post = posterity.extract(pages[f"{BASE}/bread/"], f"{BASE}/bread/", rules=rules)
    assert post is not None
    return post


def test_content_that_is_called_after_the_sidebar_beside_it_is_found() -> None:
    page = (
        "<div id=content class=sidebar-right><h1>On {name}</h1><div class=text><p>{text}</p></div></div>"
        "<div class=sidebar>A word about me</div>"
    )
    assert _post(page).text == _text("bread")


def test_element_of_the_article_may_be_called_after_what_else_it_holds() -> None:
    page = "<h1>On {name}</h1><div class='entry share'><p>{text}</p></div><div class=share>Tell your friends</div>"
    assert _post(page).text == _text("bread")


def test_line_that_says_when_and_by_whom_is_none_of_the_article() -> None:
    page = (
        "<div class=post><h1>On {name}</h1><p class=info>By Ada on {day} March 2021, 11:17</p>"
        "<div class=said><p>{text}</p></div></div>"
    )
    assert _post(page).text == _text("bread")


def test_counts_that_differ_from_post_to_post_are_none_of_the_article() -> None:
    page = (
        "<div class=post><h1>On {name}</h1><ul class=facts><li>{day} March 2021</li><li>{day}-minute read</li></ul>"
        "<p>{text}</p></div>"
    )
    assert _post(page).text == _text("bread")


def test_title_that_is_named_by_what_is_around_the_article_is_none_of_it() -> None:
    page = (
        "<article><h3>About me</h3><p>I am here</p></article><section id=blog><article><div><h3>On {name}</h3></div>"
        "<p>{text}</p></article><aside>{name} {day} was liked by some of us, and {name} by others</aside></section>"
    )
    assert _post(page).text == _text("bread")


def test_heading_in_the_article_that_repeats_the_title_above_it_stays() -> None:
    page = "<h1>On {name}</h1><div class=text><h2>On {name}</h2><p>{text}</p></div>"
    assert _post(page).text == f"On bread\n\n{_text('bread')}"


def test_url_for_trackbacks_is_none_of_the_article() -> None:
    page = (
        "<div class=post><h1>On {name}</h1><p>{text}</p><h2>TrackBack</h2>"
        "<p class=technical>URL for this entry:<br>http://blog.example/tb.cgi/{day}</p></div>"
    )
    assert _post(page).text == _text("bread")


def test_code_that_many_posts_show_stays() -> None:
    page = "<h1>On {name}</h1><div class=text><p>{text}</p><pre class=code>import sea\nprint(sea)</pre></div>"
    assert "import sea" in _post(page).text


def test_heading_that_most_posts_have_stays() -> None:
    page = (
        "<h1>On {name}</h1><div class=text><h2 id=how-it-began>How it began</h2><p>{text}</p>"
        "<h2 class=tell>Tell your friends</h2></div>"
    )
    markdown = _post(page).markdown or ""
    assert "## How it began" in markdown
    assert "friends" not in markdown


TITLED = (
    "<div class=bar><h1>Tides</h1></div><div><article class=inner><h1 id='{name}'>On {name}</h1>REST</article></div>"
)


def test_posts_of_one_paragraph_do_not_make_the_paragraph_the_article() -> None:
    rules, _ = _learned(TITLED.replace("REST", "<p>{text}</p>"))
    longer = TITLED.replace("REST", "<p>The first of two.</p><p>The second of them.</p>").format(name="kites")
    post = posterity.extract(longer, f"{BASE}/kites/", rules=rules)
    assert post is not None
    assert post.text == "The first of two.\n\nThe second of them."


def test_first_paragraphs_as_contents_are_no_articles_although_some_posts_have_no_more() -> None:
    page = "<nav>Home</nav><main><section><h1>On {name}</h1><p>{text}</p>{more}</section></main>"
    more = "".join(f"<p>More about {{name}}, the {number} of many.</p>" for number in ("second", "third", "fourth"))
    pages = {
        f"{BASE}/{name}/": page.format(name=name, text=_text(name), more=more.format(name=name) if long else "")
        for name, long in zip(NAMES, (False, True, False, True, False, True), strict=True)
    }
    entries = tuple(
        FeedEntry(link=f"{BASE}/{name}/", title=f"On {name}", content=f"<p>{_text(name)}</p>") for name in NAMES
    )
    rules = posterity.learn(Feed(url=BASE, format="atom10", entries=entries), pages)
    post = posterity.extract(pages[f"{BASE}/rope/"], f"{BASE}/rope/", rules=rules)
    assert post is not None
    assert post.text.endswith("More about rope, the fourth of many.")


def test_title_inside_the_article_is_left_out_although_only_its_place_names_it() -> None:
    page = TITLED.replace("REST", "<p>{text}</p><p>And more of {name}, which is all that was to be said.</p>")
    assert _post(page).text.startswith(_text("bread"))


def test_class_of_the_author_that_goes_on_with_other_things_gives_the_author_alone() -> None:
    page = (
        "<h1>On {name}</h1><div class=text><p>{text}</p></div><ul><li>Author: <span class=info>Ada Byron</span></li>"
        "<li>Link: <span class=info>http://blog.example/{name}/</span></li></ul>"
    )
    assert _post(page, authors=("Ada Byron",)).authors == ("Ada Byron",)


def test_word_before_the_author_goes_with_the_name() -> None:
    page = (
        "<div class=post><h2>On {name}</h2> by <a rel=author href=/ada>Ada Byron</a> <p>{text}</p>"
        "<p>More of {name}, by and by.</p></div>"
    )
    assert _post(page, authors=("Ada Byron",)).text == f"{_text('bread')}\n\nMore of bread, by and by."


def test_first_link_of_the_pages_is_no_rule_for_the_author() -> None:
    page = "<p><a href=/>Ada Byron's home</a></p><h1>On {name}</h1><div class=text><p>{text}</p></div>"
    rules, _ = _learned(page, authors=("Ada Byron",))
    assert not [str(rule.rule) for rule in rules.rules_for("authors") if str(rule.rule) == "a"]
    assert _post(page, authors=("Ada Byron",)).authors == ("Ada Byron",)


def test_name_of_the_blog_in_a_menu_is_no_rule_for_the_author_although_the_feed_names_the_blog() -> None:
    page = (
        "<p class=crumbs><a href=/>The Tidal Almanac home</a></p><h1>On {name}</h1><div class=text><p>{text}</p></div>"
    )
    pages = {f"{BASE}/{name}/": page.format(name=name, text=_text(name)) for name in NAMES}
    entries = tuple(
        FeedEntry(link=f"{BASE}/{name}/", title=f"On {name}", authors=("The Tidal Almanac",)) for name in NAMES
    )
    rules = posterity.learn(Feed(url=BASE, format="none", title="The tidal almanac", entries=entries), pages)
    assert not rules.rules_for("authors")
    assert rules.only_author == "The Tidal Almanac"


def test_article_in_a_widget_is_found_beside_other_widgets() -> None:
    """Blogger's pages consist of widgets, one of which has the post."""
    page = (
        "<div class='widget Blog'><div class=post><h3>On {name}</h3><div class='post-body entry-content'><p>{text}</p>"
        "</div></div></div><div class='widget PopularPosts'><article>Stones, rope and salt</article>"
        "<article>Lamps and letters</article></div>"
    )
    assert _post(page, summary=None).text == _text("bread")


def test_links_to_the_lists_of_tags_are_none_of_the_article() -> None:
    page = (
        "<h1>On {name}</h1><div class=text><p>{text}</p><p><a class=to href=/on/{name}/>A word on {name}</a></p>"
        "<ul class=pills><li><a href=/tags/{name}/>{name}</a></li><li><a href=/tags/s{day}/>s{day}</a></li></ul></div>"
    )
    assert _post(page).text == f"{_text('bread')}\n\nA word on bread"


def test_tags_without_links_are_none_of_the_article() -> None:
    page = (
        "<h1>On {name}</h1><div class=text><div class=x-categories><div class=x-category>{name}</div> "
        "<div class=x-category>s{day}</div></div><p>{text}</p><p>That is all about {name}.</p></div>"
    )
    assert _post(page).text == f"{_text('bread')}\n\nThat is all about bread."


def test_names_of_the_posts_before_and_after_are_none_of_the_article() -> None:
    page = (
        "<div class=text><table><tr><td>Before: <a href=/before-{name}/>Kites of {day}</a></td></tr></table>"
        "<h1>On {name}</h1><p>{text}</p><div class=going><a href=/after-{name}/>« Ropes of {day}</a> | </div></div>"
    )
    assert _post(page).text == _text("bread")


def test_links_to_other_posts_in_a_sentence_stay() -> None:
    page = (
        "<h1>On {name}</h1><div class=text><p>{text}</p>"
        "<p>What {day} men said of <a class=own href=/kites-{name}/>kites and {name}</a> is still true.</p></div>"
    )
    assert _post(page).text.endswith("What 12 men said of kites and bread is still true.")


def test_what_is_told_of_one_of_several_authors_is_none_of_the_article() -> None:
    """Each of ten authors has written three posts, so each biography is on a tenth of the pages."""
    about = "She has lived at the shore for {} years, and writes of what the sea leaves there, and of what it takes."
    page = (
        "<div class=page><article class=story><h1>On {0}</h1><p>{1}</p><p>{2}</p></article><div class=box><p>{3}</p>"
        "</div></div>"
    )
    names = [f"{name}-{number}" for name in NAMES for number in range(5)]
    pages = {
        f"{BASE}/{name}/": page.format(name, _text(name, 9), _text(f"{name}s", 9), about.format(number % 10 + 20))
        for number, name in enumerate(names)
    }
    entries = tuple(FeedEntry(link=f"{BASE}/{name}/", title=f"On {name}") for name in names)
    rules = posterity.learn(Feed(url=BASE, format="none", entries=entries), pages)
    post = posterity.extract(pages[f"{BASE}/bread-1/"], f"{BASE}/bread-1/", rules=rules)
    assert post is not None
    assert post.text == f"{_text('bread-1', 9)}\n\n{_text('bread-1s', 9)}"


def test_title_that_is_no_heading_is_found_where_a_list_of_all_posts_has_it_as_one() -> None:
    listed = "".join(f"<h1><a href=/{name}/>On {name}</a></h1>" for name in NAMES)
    page = f"<div class=post><p class=headline>On {{name}}</p><p>{{text}}</p></div><aside>{listed}</aside>"
    rules, _ = _learned(page)
    assert [rule.rule.css for rule in rules.rules_for("title")] == ["p.headline"]
