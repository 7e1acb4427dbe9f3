"""Rules learned from annotated pages find the posts on these and on similar pages."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.errors import InputError, NothingLearned
from posterity.extraction.blogbuster import posts
from posterity.extraction.blogbuster_rules import rules_from_toml
from posterity.extraction.method import Context
from posterity.learning.annotated import (
    AnnotatedPost,
    Annotation,
    annotation_from_json,
    names_day,
    rules_from_annotated,
    selected,
)

WORDS = ("harbour", "meadow", "lantern", "granite", "orchard", "thunder")


def front_page(words: tuple[str, ...]) -> str:
    entry = """<li class="story story-{0}"><div class=top><h4><a href=/{1}>The {1}</a></h4>
    <i class=when>{0} mai 2010</i> par <u class=who>Zoe</u></div>
    <div class="copy wide"><p>A first paragraph about the {1}.</p>
    <p>And a second one about the {1} again.</p></div></li>"""
    items = "".join(entry.format(number, word) for number, word in enumerate(words, start=3))
    return f"<body><h1>The blog</h1><div class='copy'>About this blog</div><ul class=stories>{items}</ul></body>"


def annotation(words: tuple[str, ...]) -> Annotation:
    return Annotation(
        posts=tuple(
            AnnotatedPost(
                title=f"The {word}",
                date=f"2010-05-{number:02}",
                author="Zoe",
                text=f"A first paragraph about the {word}.\nAnd a second one about the {word} again.",
            )
            for number, word in enumerate(words, start=3)
        )
    )


def test_posts_are_found_on_a_page_that_was_not_annotated() -> None:
    toml = rules_from_annotated([(parse(front_page(WORDS[:3])), annotation(WORDS[:3]))])
    found = posts(
        parse(front_page(WORDS[3:]), "https://blog.example/"), Context(index=True, options={"rules_text": toml})
    )
    assert [post.title for post in found] == [f"The {word}" for word in WORDS[3:]]
    assert [post.authors for post in found] == [("Zoe",)] * 3
    assert found[0].text == "A first paragraph about the granite.\n\nAnd a second one about the granite again."
    # The place of the date is learned, but its French month is not read yet; provenance has the rule.
    assert "3 mai 2010" in (found[0].provenance["published"].rule or "")


def test_rules_say_what_was_learned() -> None:
    rules = rules_from_toml(rules_from_annotated([(parse(front_page(WORDS)), annotation(WORDS))]))
    assert (rules.post[0].tags, rules.post[0].patterns) == (("li",), ("story",))
    assert (rules.text[0].where, rules.text[0].patterns) == ("descendants", ("wide",))
    assert (rules.title[0].where, rules.title[0].tags) == ("descendants", ("h4",))
    assert rules.date[0].patterns == ("when",)


def test_flat_page_has_its_titles_before_the_text() -> None:
    page = "".join(
        f"<h2>The {word}</h2><b class=day>2010-05-0{n}</b><div class=body>Some words on the {word} here</div>"
        for n, word in enumerate(WORDS, start=1)
    )
    quoted = tuple(
        AnnotatedPost(title=f"The {word}", date=f"2010-05-0{n}", text=f"Some words on the {word} here")
        for n, word in enumerate(WORDS, start=1)
    )
    toml = rules_from_annotated([(parse(page), Annotation(posts=quoted))])
    found = posts(parse(page), Context(index=True, options={"rules_text": toml}))
    assert [post.title for post in found] == [f"The {word}" for word in WORDS]
    assert [post.published and post.published.day for post in found] == [1, 2, 3, 4, 5, 6]


def test_date_in_an_attribute_is_read_there() -> None:
    time = "<time datetime=2010-05-03T10:00Z>lundi</time>"
    page = f"<article class=a><h2>The harbour</h2>{time}<div class=t>Some words on the harbour</div></article>"
    quoted = Annotation(
        posts=(AnnotatedPost(title="The harbour", date="2010-05-03", text="Some words on the harbour"),)
    )
    rules = rules_from_toml(rules_from_annotated([(parse(page), quoted)]))
    assert (rules.date[0].tags, rules.date[0].read) == (("time",), "datetime")


def test_selectors_instead_of_quotations() -> None:
    by_selector = annotation_from_json(
        '{"selectors": {"post": "ul.stories li", "text": "div.copy", "title": "h4", "date": ".when"}}'
    )
    rules = rules_from_toml(rules_from_annotated([(parse(front_page(WORDS)), by_selector)]))
    assert rules.post[0].patterns == ("story",)
    assert rules.title[0].tags == ("h4",)


def test_of_names_that_fit_equally_the_first_wins() -> None:
    page = parse("".join(f"<div class='zeta alpha mu k{n}'><h2>T</h2></div>" for n in range(3)))
    rules = rules_from_toml(rules_from_annotated([(page, Annotation(selectors={"post": "div", "title": "h2"}))]))
    assert rules.post[0].patterns == ("zeta",)


def test_same_input_same_rules() -> None:
    pages = [(parse(front_page(WORDS)), annotation(WORDS)), (parse(front_page(WORDS[2:])), annotation(WORDS[2:]))]
    assert rules_from_annotated(pages) == rules_from_annotated(pages)


def test_annotation_of_another_page_teaches_nothing() -> None:
    other = Annotation(posts=(AnnotatedPost(text="Entirely different words that stand nowhere"),))
    with pytest.raises(NothingLearned):
        rules_from_annotated([(parse(front_page(WORDS)), other)])
    with pytest.raises(NothingLearned):
        rules_from_annotated([])


@pytest.mark.parametrize("text", ["", "[]", '{"posts": 1}', '{"posts": [{"title": 3}]}'])
def test_broken_annotations_are_our_error(text: str) -> None:
    with pytest.raises(InputError):
        annotation_from_json(text)


def test_selector_parts() -> None:
    tree = parse("<div class='a b' id=x><p data-k=v>1</p></div><p>2</p>").tree
    assert [tree.tag[node] for node in selected(tree, "div.a.b#x")] == ["div"]
    assert len(selected(tree, ".a [data-k=v]")) == len(selected(tree, "body .b p")) == 1
    assert len(selected(tree, "p")) == 2
    for broken in ("", "p > a", "p:first-child"):
        with pytest.raises(InputError):
            selected(tree, broken)


def test_day_is_recognised_without_a_dictionary() -> None:
    assert names_day("lundi 3 mai 2010", "2010-05-03")
    assert not names_day("lundi 4 mai 2010", "2010-05-03")
    assert names_day("Posted: Whitsun Monday", "whitsun monday")
