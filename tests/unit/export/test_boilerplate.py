"""Paragraphs that a blog repeats are removed from all forms of its posts."""

from __future__ import annotations

import msgspec

from posterity.dom import parse
from posterity.export.clean_up import RepeatedParagraphs
from posterity.extraction.record import article_fields
from posterity.model import Media, Post

PLEA = "<div><p>If you like this blog, <a href='https://give.example/'>buy me a <b>coffee</b></a>.</p></div>"


def post(number: int, body: str, blog: str = "b") -> Post:
    fields = article_fields(parse(body, "https://x.example/").tree, "https://x.example/")
    return Post(id=str(number), url=f"https://x.example/{number}", blog=blog, **fields)


def posts(count: int = 4) -> list[Post]:
    return [post(n, f"<p>Post number {n} is about the sea.</p>{PLEA}<p>* * *</p>") for n in range(count)]


def test_repeated_paragraph_goes_from_text_html_and_markdown() -> None:
    found = RepeatedParagraphs(posts()).without(posts()[1])
    assert found.text == "Post number 1 is about the sea.\n\n* * *"
    assert "coffee" not in (found.html or "")
    assert "coffee" not in (found.markdown or "")
    assert found.links == ()


def test_headings_code_and_short_lines_stay() -> None:
    code = "<pre>import everything from somewhere</pre>"
    body = f"<h2>What we can learn from all this</h2>{code}<p>Read on:</p><p>まとめです。</p>"
    some = [post(n, f"<p>Number {n}.</p>{body}") for n in range(5)]
    assert RepeatedParagraphs(some).without(some[0]) is some[0]


def test_other_blogs_keep_the_paragraph() -> None:
    other = post(9, PLEA, blog="other")
    assert RepeatedParagraphs([*posts(), other]).without(other) is other


def test_paragraph_of_two_posts_stays() -> None:
    two = posts(2)
    assert RepeatedParagraphs(two).without(two[0]) is two[0]


def test_paragraph_of_few_posts_of_a_large_blog_stays() -> None:
    many = [post(n, f"<p>Only {n}.</p>") for n in range(300)]
    some = [post(1000 + n, f"<p>Merry Christmas to all of you.</p><p>This is year {n}.</p>") for n in range(4)]
    assert RepeatedParagraphs([*many, *some]).without(some[0]) is some[0]


def test_files_of_pictures_are_kept() -> None:
    body = f"<p>Sea.</p><img src='https://x.example/a.png' alt='boat'>{PLEA}"
    own = post(7, body)
    picture = Media(url="https://x.example/a.png", file="ab/cd.png", digest="sha256:x", alt="boat")
    own = Post(**{name: getattr(own, name) for name in own.__struct_fields__} | {"media": (picture,)})
    assert RepeatedParagraphs([*posts(), own]).without(own).media == (picture,)


def test_post_without_html_loses_the_line() -> None:
    plain = [
        Post(id=str(n), url="u", blog="b", text=f"Number {n}.\nShare this with all your friends!") for n in range(3)
    ]
    assert RepeatedParagraphs(plain).without(plain[2]).text == "Number 2."


def test_captions_that_the_text_lacks_stay_out_of_it() -> None:
    whole = [
        post(n, f"<figure><img src=/{n}><figcaption>Boat {n}</figcaption></figure><p>Sea.</p>{PLEA}") for n in range(4)
    ]
    some = [msgspec.structs.replace(each, text=each.text.replace(f"Boat {each.id}", "").strip()) for each in whole]
    found = RepeatedParagraphs(some).without(some[1])
    assert found.text == "Sea."
    assert "Boat 1" in (found.html or "")
    assert "Boat 1" in (found.markdown or "")
