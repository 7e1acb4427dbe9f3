"""Comments that are recognisable only by the line above them and by form."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.extraction import extract
from posterity.extraction.comment_areas import comment_tree
from posterity.extraction.comments import comment_roots, comments_of_page, comments_on
from posterity.model import FieldRule, Rule, RuleSet

POST = f"<div class=x1><h1>Ladders</h1><p>{'Words of the post about ladders. ' * 12}</p></div>"
SAID = {"Ann": "I have one, too.", "Ben": "Mine is taller than the house.", "Eve": "Nice post, thank you."}


def found(below: str) -> list[tuple[str | None, str]]:
    """The comments of a page that ends like this, which must be the same with rules and without."""
    document = parse(f"<html><body>{POST}{below}</body></html>", "https://blog.example/")
    alone = comments_of_page(document.tree, document.base_url)
    place = comment_tree(document)
    assert (comments_on(place, document.base_url) if place is not None else ()) == alone
    return [(comment.author, comment.text) for comment in alone]


def thread(one: str, names: tuple[str, ...] = tuple(SAID)) -> str:
    return "".join(one.format(name=name, day=f"{place + 3}", said=SAID[name]) for place, name in enumerate(names))


@pytest.mark.parametrize(
    "one",
    [
        "<div class=k><div><span>{name}</span><span>{day}.3.2024</span></div><div>{said}</div></div>",
        "<div class=k><h5>{name}</h5><small>March {day}, 2024</small><p>{said}</p></div>",
        "<div class=k><a href=/u>{name}</a> <span>{day} days ago</span><div>{said}</div><button>Reply</button></div>",
        "<div class=k><p>{said}</p><p>Posted by: <a href=/u>{name}</a> | March {day}, 2024 at 10:15 AM</p></div>",
        "<div class=k><p>{said}</p><p>Posted by {name} on March {day}, 2024</p></div>",
        "<div class=k><b>{name}</b><br>2024-03-0{day} 12:30<br>{said}<br><a href=#r>Reply</a></div>",
        "<div class=k><div><cite>{name}</cite> says:</div><div>{said}</div></div>",
        "<p class=who>{day}. On March {day}, 2024 by <b>{name}</b></p><blockquote><p>{said}</p></blockquote>",
        "<dt>{name} said...</dt><dd>{said}</dd><dd>March {day}, 2024 10:15 AM</dd>",
        "<div><p>{said}</p></div><p class=posted>投稿者 {name} : 2024年03月{day}日 10:15</p>",
        "<div><p>{said}</p></div><p class=posted>Rédigé par : {name} | 2024-03-0{day} 10:15</p>",
        "<div><p>{said}</p></div><p class=posted>Geschrieben von: {name} am 0{day}.03.2024 10:15</p>",
    ],
)
def test_signed_elements_side_by_side_below_the_announcement_are_comments(one: str) -> None:
    assert found(f"<div class=x2><h3>3 comments</h3>{thread(one)}</div>") == list(SAID.items())


def test_rows_of_a_table_are_comments() -> None:
    rows = thread("<tr class=a><td>{name}, March {day}, 2024</td></tr><tr class=b><td>{said}</td></tr>")
    assert found(f"<h3>Comments</h3><table>{rows}</table>") == list(SAID.items())


def test_comments_are_found_through_wrappers_and_small_print() -> None:
    one = "<li><b>{name}</b> <i>2024-03-0{day}</i><div>{said}</div></li>"
    below = f"<div><div><span>Responses</span> (3)</div><p>Newest first</p></div><div><ol>{thread(one)}</ol></div>"
    assert found(below) == list(SAID.items())


def test_dates_and_links_of_authors_are_read() -> None:
    one = "<div class=k><a href=/who/{name}>{name}</a> <i>2024-03-0{day}</i><div>{said}</div></div>"
    document = parse(f"{POST}<h3>Comments</h3>{thread(one)}", "https://blog.example/")
    comments = comments_of_page(document.tree, document.base_url)
    assert [str(one.published)[:10] for one in comments] == ["2024-03-03", "2024-03-04", "2024-03-05"]
    assert comments[0].author_url == "https://blog.example/who/Ann"


def test_answers_stand_below_what_they_answer() -> None:
    one = "<li class=k><b>{}</b> <i>2024-03-0{}</i><div>{}</div>{}</li>"
    inner = f"<ul>{one.format('Ben', 4, 'Answer.', '')}</ul>"
    body = f"<h3>2 replies</h3><ul>{one.format('Ann', 3, 'Question?', inner)}</ul>"
    comments = comments_of_page(parse(POST + body).tree)
    assert [(each.author, each.text, each.parent) for each in comments] == [
        ("Ann", "Question?", None),
        ("Ben", "Answer.", comments[0].id),
    ]


ONE = "<div class=k><b>{name}</b> <i>2024-03-0{day}</i><div>{said}</div></div>"


def test_lone_comment_is_found_below_a_longer_post() -> None:
    assert found(f"<h3>1 comment</h3>{thread(ONE, ('Ann',))}") == [("Ann", SAID["Ann"])]
    assert found(f"<h3>Comments</h3>{thread(ONE, ('Ann',))}") == [("Ann", SAID["Ann"])]


@pytest.mark.parametrize(
    "below",
    [
        f"<h3>Events</h3>{thread(ONE)}",
        f"<h3>Comments (0)</h3>{thread(ONE)}",
        f"<h3>Comments (2)</h3>{thread(ONE)}",
        f"<div><h3>Comments</h3></div><h3>More posts</h3>{thread(ONE)}",
        f"<h3>Comments</h3><p>{'Nobody said anything so far, and it is late. ' * 4}</p>{thread(ONE)}",
        f"<aside><h3>Comments</h3>{thread(ONE)}</aside>",
        f"<div class=sidebar><h3>Comments</h3>{thread(ONE)}</div>",
        f"<p>By Tom | <a href=#c>3 comments</a></p>{thread(ONE)}",
        f"<h3>Comments</h3>{thread('<div class=k><h3><a href=/p>{name}</a></h3>2024-03-0{day}<p>{said}</p></div>')}",
        f"<h3>Comments</h3>{thread('<div class=k><b>{name}</b> 2024-03-0{day}<p>{said}</p><i>4 comments</i></div>')}",
        f"<h3>Comments</h3>{thread('<div class=k><b>{name}</b> 2024-03-0{day}<p><a href=/p>{said}</a></p></div>')}",
        f"<h3>Comments</h3>{thread('<div class=k><b>{name}</b><p>{said}</p></div>')}",
        "<h3>Replies</h3><dl><dt>Replies</dt><dd>6</dd><dt>Views</dt><dd>612</dd></dl>",
    ],
    ids=(
        "not announced, announced as none, more than announced, below another heading, far below, aside, sidebar, "
        "below a link to the comments, teasers, posts, links, not signed, figures"
    ).split(", "),
)
def test_what_is_no_thread_gives_no_comments(below: str) -> None:
    assert found(below) == []


def test_lone_text_below_a_link_to_comments_is_the_article() -> None:
    page = f"<p>Add a comment</p><div><b>Tom</b> <i>2024-03-01</i><p>{'Words of the post. ' * 30}</p></div>"
    assert comments_of_page(parse(page).tree) == ()


def test_comments_inside_the_article_are_none_of_its_text() -> None:
    page = f"<div id=post>{POST}<h3>3 comments</h3>{thread(ONE)}</div>"
    rule = FieldRule(rule=Rule("id", "post"), confidence=0.9, pages=3, of_pages=3)
    post = extract(page, "https://blog.example/p", method="feed", rules=RuleSet(fields={"text": (rule,)}))
    assert post is not None
    assert len(post.comments) == len(SAID)
    assert not any(said in post.text for said in SAID.values())
    assert len(comment_roots(parse(page).tree)) == len(SAID)


def test_page_alone_keeps_the_comments_out_of_the_article() -> None:
    post = extract(f"<html><body><div>{POST}<h3>3 comments</h3>{thread(ONE)}</div></body></html>")
    assert post is not None
    assert "Words of the post" in post.text
    assert not any(said in post.text for said in SAID.values())


def test_page_without_an_announcement_is_not_read_for_comments() -> None:
    assert comment_tree(parse(f"<html><body>{POST}{thread(ONE)}</body></html>")) is None
