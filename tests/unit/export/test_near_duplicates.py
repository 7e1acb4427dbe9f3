"""Nearly equal posts are found within and across blogs; posts that only resemble each other are not."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from posterity.export.near_duplicates import NearDuplicates, near_duplicates
from posterity.model import Post

if TYPE_CHECKING:
    from collections.abc import Iterator

_chance = random.Random(5)
WORDS = ["".join(_chance.choices("abcdefghijklmnop", k=6)) for _ in range(3000)]


@pytest.fixture
def seen() -> Iterator[NearDuplicates]:
    with near_duplicates() as nothing_yet:
        yield nothing_yet


def post(number: int, text: str, blog: str = "b") -> Post:
    return Post(id=str(number), url=f"https://{blog}.example/{number}", blog=blog, text=text)


def text(words: int = 300) -> list[str]:
    return _chance.choices(WORDS, k=words)


def test_edited_copy_on_another_blog_is_named_with_its_original(seen: NearDuplicates) -> None:
    original = text()
    copy = [*original[:150], "one", "more", "sentence", *original[150:], "Via", "salt"]
    assert seen.find_or_add(post(1, " ".join(original), "salt")) is None
    found = seen.find_or_add(post(2, " ".join(copy), "rye"))
    assert found is not None
    assert (found.id, found.of_id, found.of_url) == ("2", "1", "https://salt.example/1")
    assert found.similarity >= 0.8


def test_all_of_many_copies_are_found_and_nothing_else(seen: NearDuplicates) -> None:
    originals = [text() for _ in range(100)]
    assert not any(seen.find_or_add(post(number, " ".join(words))) for number, words in enumerate(originals))
    copies = [[*words[:5], "changed", *words[6:]] for words in originals]
    found = [seen.find_or_add(post(100 + number, " ".join(words))) for number, words in enumerate(copies)]
    assert [one.of_id if one else None for one in found] == [str(number) for number in range(100)]


def test_posts_that_share_half_their_text_are_two_posts(seen: NearDuplicates) -> None:
    first = text()
    seen.find_or_add(post(1, " ".join(first)))
    assert seen.find_or_add(post(2, " ".join([*first[:150], *text(150)]))) is None


def test_short_posts_are_never_duplicates(seen: NearDuplicates) -> None:
    assert seen.find_or_add(post(1, "Happy new year!")) is None
    assert seen.find_or_add(post(2, "Happy new year!")) is None


def test_case_and_white_space_do_not_matter(seen: NearDuplicates) -> None:
    words = text(40)
    seen.find_or_add(post(1, " ".join(words)))
    assert seen.find_or_add(post(2, "\n".join(words).upper())) is not None


def test_copy_of_a_late_post_among_posts_of_one_form_is_found(seen: NearDuplicates) -> None:
    form = [f"form{number}" for number in range(100)]
    texts = [" ".join([*form, *(f"own{number}x{word}" for word in range(45))]) for number in range(250)]
    assert not any(seen.find_or_add(post(number, text)) for number, text in enumerate(texts))
    found = seen.find_or_add(post(250, texts[240]))
    assert found is not None
    assert (found.of_id, found.similarity) == (post(240, "").id, 1.0)
