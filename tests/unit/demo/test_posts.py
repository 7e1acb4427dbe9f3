"""The bundled posts: their number, variety and references to each other."""

import re
from collections import Counter

from posterity.demo.posts import all_posts, masthead, package_data


def test_there_are_36_posts_from_2019_to_2025_in_order() -> None:
    posts = all_posts()
    assert len(posts) == 36
    assert [post.published for post in posts] == sorted(post.published for post in posts)
    assert {post.published.year for post in posts} == set(range(2019, 2026))
    assert all(post.published.utcoffset() is not None for post in posts)


def test_two_authors_share_the_work() -> None:
    counts = Counter(post.author for post in all_posts())
    assert set(counts) == {author.name for author in masthead().authors}
    assert min(counts.values()) >= 15


def test_posts_are_in_three_languages() -> None:
    assert Counter(post.language for post in all_posts()) == {"en": 34, "de": 1, "fr": 1}


def test_every_post_has_one_to_six_tags_from_ten() -> None:
    assert all(1 <= len(set(post.tags)) == len(post.tags) <= 6 for post in all_posts())
    assert len({tag for post in all_posts() for tag in post.tags}) == 10


def test_comments_are_73_with_30_under_one_post() -> None:
    counts = [len(post.comments) for post in all_posts() if post.comments]
    assert sum(counts) == 73
    assert len(counts) == 13
    assert sorted(counts)[-2:] == [6, 30]


def test_comments_answer_older_comments_of_the_same_post() -> None:
    ids = [comment.id for post in all_posts() for comment in post.comments]
    assert len(ids) == len(set(ids))
    for post in all_posts():
        times = {comment.id: comment.published for comment in post.comments}
        for comment in post.comments:
            assert comment.published > post.published
            assert comment.parent is None or times[comment.parent] < comment.published


def test_posts_link_only_to_older_posts() -> None:
    # Links must also work when `posts_limit` leaves out the newer posts.
    seen: set[str] = set()
    for post in all_posts():
        assert set(re.findall(r"\]\(post:([\w-]+)\)", post.markdown)) <= seen
        seen.add(post.slug)


def test_images_are_small_and_all_used() -> None:
    images = {image.name: image.read_bytes() for image in package_data().joinpath("images").iterdir()}
    used = {name for post in all_posts() for name in re.findall(r"\(image:(\S+)", post.markdown)}
    assert set(images) == used
    assert all(body[:4] in {b"\x89PNG", b"\xff\xd8\xff\xe0"} and len(body) < 20_000 for body in images.values())
