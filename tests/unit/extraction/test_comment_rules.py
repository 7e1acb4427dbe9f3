"""A blog's markup of comments, or their absence, is learned from several of its pages."""

from __future__ import annotations

from posterity.dom import Document, parse
from posterity.extraction.comment_areas import comment_tree
from posterity.extraction.comments import comments_on
from posterity.extraction.feed import learn_comments
from posterity.model import FieldRule, Rule, RuleSet

POST = f"<div class=post><h1>Tides</h1><p>{'The tide comes in twice a day. ' * 12}</p></div>"
NAMES = ("Anna", "Beat", "Corinne", "Dominik", "Eva", "Fritz")


def page(*items: str) -> Document:
    return parse(f"<body>{POST}<h3>Comments</h3><ul class=wort>{''.join(items)}</ul></body>", "http://blog.example/p")


def line(place: int) -> str:
    """A comment whose author has no element, in a dialect that is not in the lexicon."""
    day, name = place + 13, NAMES[place]
    return f"<li class=meinig>Am {day}.3.2009 het {name} gmeint:<p>Comment number {place} on tides.</p></li>"


def test_author_without_element_is_learned_from_other_pages() -> None:
    rules = learn_comments([page(line(0), line(1)), page(line(2)), page(line(3), line(4))])
    assert rules is not None
    lone = page(line(5))
    tree = comment_tree(lone, rules)
    assert tree is not None
    (comment,) = comments_on(tree, languages=("de",), rules=rules)
    assert (comment.author, comment.text) == ("Fritz", "Comment number 5 on tides.")
    assert comment.published is not None
    assert comment.published.date().isoformat() == "2009-03-18"


def test_class_of_all_comments_and_nothing_else_names_them() -> None:
    rules = learn_comments([page(line(0), line(1)), page(line(2)), page(line(3), line(4))])
    assert rules is not None
    assert rules.item == "meinig"
    assert comment_tree(page(), rules) is None


def test_few_pages_do_not_tell_what_names_a_comment() -> None:
    rules = learn_comments([page(line(0), line(1)), page(line(2))])
    assert rules is not None
    assert rules.item == ""


def bare(extra: str = "") -> Document:
    return parse(f"<body>{POST}{extra}</body>", "http://blog.example/p")


def test_older_posts_may_have_comments_if_the_newest_have_none() -> None:
    """A blog may have closed its comments, and its feed and first pages have its last posts only."""
    assert learn_comments([bare()] * 5) is None
    assert learn_comments([bare("<form><textarea name=c></textarea></form>")] * 5) is None
    assert learn_comments([bare()] * 4) is None


FORM = "<form><p>Write one.</p><textarea name=c></textarea></form>"
SIGNED = "<div><b>Anna</b> <i>5 May 2014, 10:12</i><p>The tide was late here.</p></div>"


def test_place_of_comments_is_learned_from_pages_without_any() -> None:
    rules = learn_comments([bare(f"<section id=antworten class=comments>{FORM}</section>")] * 5)
    assert rules is not None
    assert rules.place == Rule("id", "antworten")
    empty = bare(f"<section id=antworten class=comments>{FORM}</section>")
    assert comment_tree(empty, rules) is None  # like the pages without comments
    tree = comment_tree(bare(f"<section id=antworten class=comments>{SIGNED * 2}{FORM}</section>"), rules)
    assert tree is not None
    assert [comment.author for comment in comments_on(tree, rules=rules)] == ["Anna", "Anna"]


def test_page_without_the_learned_place_is_searched() -> None:
    rules = learn_comments([bare(f"<section id=antworten class=comments>{FORM}</section>")] * 5)
    tree = comment_tree(page(line(0), line(1)), rules)
    assert tree is not None
    assert len(comments_on(tree, languages=("de",), rules=rules)) == 2


def test_line_above_comments_inside_the_article_goes_with_them() -> None:
    comment = "<div class='u-comment h-cite'><p class=p-content>I saw it.</p><a class='u-author h-card'>Ida</a></div>"
    html = f"<body><div class=text><p>{'The tide comes in twice a day. ' * 9}</p>%s{comment}{comment}</div></body>"
    rule = FieldRule(rule=Rule("class", "text"), confidence=0.9, pages=4, of_pages=4)
    rules = RuleSet(fields={"text": (rule,)})
    for above, is_left in (("<h3>2 <i>Comments</i></h3>", False), ("<p>Till tomorrow!</p>", True)):
        post = rules.extract(html % above, "http://blog.example/p")
        assert post is not None
        assert len(post.comments) == 2
        assert post.text.endswith("Till tomorrow!" if is_left else "twice a day.")


def test_class_of_comments_that_answer_nothing_names_no_comments() -> None:
    """WordPress's "depth-1": replies have another, and the newest posts may have no replies."""
    one = "<div class='{0} depth-1' id=comment-{1}><b>{2}</b> <i>5 May 2014, 10:1{1}</i><p>Said {1}.</p></div>"
    said = [one.format("even" if place % 2 else "odd", place, name) for place, name in enumerate(NAMES)]
    rules = learn_comments([page(*said[start : start + 2]) for start in (0, 2, 4)])
    assert rules is not None
    assert rules.item == ""
