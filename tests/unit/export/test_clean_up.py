"""The steps of a clean-up, together and separately."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.export.clean_up import NO_CLEAN_UP, CleanUp, clean_posts
from posterity.model import Post, Provenance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.export.near_duplicates import NearDuplicate

STORY = (
    "The tide came in over the flats while we were still looking for the boat that we had left there in the morning."
)
SHARE = "Share this post with anna@rye.example"


def posts() -> list[Post]:
    """Three posts: the second repeats the first, all end alike, none declares its language."""
    texts = [
        STORY,
        STORY.replace("morning", "evening"),
        "Nothing but bread was left in the house on the hill that day, e\u0301.",
    ]
    return [
        Post(id=str(n), url=f"https://x.example/{n}", blog="b", text=f"{text}\n{SHARE}") for n, text in enumerate(texts)
    ]


def ids(clean_up: CleanUp) -> list[str]:
    return [post.id for post in clean_posts(lambda: iter(posts()), clean_up)]


def test_nothing_is_changed_without_a_word() -> None:
    assert list(clean_posts(lambda: iter(posts()), NO_CLEAN_UP)) == posts()


def test_near_duplicates_are_left_out_on_request_and_told_in_any_case() -> None:
    told: list[NearDuplicate] = []
    assert [post.id for post in clean_posts(lambda: iter(posts()), NO_CLEAN_UP, told.append)] == ["0", "1", "2"]
    assert [(one.id, one.of_id) for one in told] == [("1", "0")]
    assert ids(CleanUp(dedup=("post",))) == ["0", "2"]


def test_posts_and_fields_that_are_not_sure_enough_are_left_out() -> None:
    def told(text: float, title: float) -> Iterator[Post]:
        sources = {
            "text": Provenance(method="page", confidence=text),
            "title": Provenance(method="page", confidence=title),
        }
        return (msgspec.structs.replace(post, title="T", provenance=sources) for post in posts())

    clean_up = CleanUp(min_confidence={"all": 0.7})
    assert list(clean_posts(lambda: told(0.6, 0.9), clean_up)) == []
    assert [post.title for post in clean_posts(lambda: told(0.9, 0.6), clean_up)] == [None] * 3
    assert [post.title for post in clean_posts(lambda: told(0.7, 0.7), clean_up)] == ["T"] * 3


def test_all_steps_together() -> None:
    everything = CleanUp(identify_language="missing", dedup=("paragraph",), normalise="NFC", mask_pii=True)
    first, _, third = clean_posts(lambda: iter(posts()), everything)
    assert first.text == STORY
    assert first.language == "en"
    assert third.text.endswith("\u00e9.")


@pytest.mark.parametrize("clean_up", [CleanUp(mask_pii=True), CleanUp(mask_pii=True, dedup=("post",))])
def test_masks_stand_where_the_paragraph_stays(clean_up: CleanUp) -> None:
    assert all(
        post.text.endswith("Share this post with [e-mail]") for post in clean_posts(lambda: iter(posts()), clean_up)
    )
