"""Posts of generated blogs in git repositories, labelled by their feeds."""

import subprocess
from pathlib import Path

import msgspec
from tools.feed_pages import FeedBlog, FeedPage, Repository, capped, find_blog, line_of

MIT = "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy"
SENTENCES = [f"On day {number} we sat on the wall and counted {number} boats as they came in." for number in range(9)]
POST = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)


def entry(number: int, content: str) -> str:
    head = f'<title>Day {number}</title><link href="https://boats.example/blog/{number}/"/>'
    return f'<entry>{head}<content type="html"><![CDATA[{content}]]></content></entry>'


def repository(folder: Path, licence: str, entries: list[str], page: str) -> Repository:
    work = folder / "anna+boats" / "repo"
    files = {
        "LICENSE": licence,
        "_site/feed.xml": f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Boats</title>{"".join(entries)}</feed>',
        "_site/1/index.html": page,
    }
    for name, text in files.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text, encoding="utf-8")
    git = ["git", "-C", str(work), "-c", "user.name=Anna", "-c", "user.email=anna@boats.example"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Build"]):
        subprocess.run([*git, *command], check=True)
    return Repository(folder / "anna+boats")


def page_with(text: str) -> str:
    return f"<body><nav class=menu><p>Home and all the boats</p></nav><div class=post>{text}</div></body>"


def test_post_is_labelled_by_the_entry_of_its_feed(tmp_path: Path) -> None:
    found = find_blog(repository(tmp_path, MIT, [entry(1, POST)], page_with(POST)))
    assert not isinstance(found, str)
    blog, pages = found
    assert (blog.repository, blog.licence, blog.feed) == ("anna/boats", "MIT", "_site/feed.xml")
    line = line_of(blog, 0, pages[0])
    assert line["gold"]["body"].split("\n")[0] == SENTENCES[0]
    assert line["gold"]["title"] == "Day 1"


def test_repository_without_a_permissive_licence_is_not_used(tmp_path: Path) -> None:
    terms = "Attribution-NonCommercial 4.0 International. Creative Commons Attribution"
    assert find_blog(repository(tmp_path, terms, [entry(1, POST)], page_with(POST))) == "no permissive licence"


def test_feed_with_beginnings_of_posts_labels_nothing(tmp_path: Path) -> None:
    beginning = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES[:3])
    found = find_blog(repository(tmp_path, MIT, [entry(1, beginning)], page_with(POST)))
    assert found == "its feed has beginnings of posts"


def test_feed_that_has_another_text_than_the_page_labels_nothing(tmp_path: Path) -> None:
    other = "".join(f"<p>Nobody has seen the lighthouse since the winter of year {number}.</p>" for number in range(9))
    assert find_blog(repository(tmp_path, MIT, [entry(1, other)], page_with(POST))) == "feed and pages disagree"


def test_few_pages_of_one_theme_are_taken(tmp_path: Path) -> None:
    found = find_blog(repository(tmp_path, MIT, [entry(1, POST)], page_with(POST)))
    assert not isinstance(found, str)
    blog, (page,) = found
    other = msgspec.structs.replace(page, names=frozenset({"sidebar", "byline"}))
    blogs: list[tuple[FeedBlog, list[FeedPage]]] = [(blog, [page] * 6)] * 3 + [(blog, [other] * 6)]
    assert [(theme, len(pages)) for _, theme, pages in capped(blogs)] == [(0, 6), (0, 4), (1, 6)]
