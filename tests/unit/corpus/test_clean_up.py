"""The steps of a clean-up, together and one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.corpus.clean_up import AS_IT_IS, CleanUp, cleaned
from posterity.model import Post

if TYPE_CHECKING:
    from posterity.corpus.near_duplicates import NearDuplicate

STORY = (
    "The tide came in over the flats while we were still looking for the boat that we had left there in the morning."
)
SHARE = "Share this post with anna@rye.example"


def posts() -> list[Post]:
    """Three posts: the second repeats the first, all end alike, none says its language."""
    texts = [
        STORY,
        STORY.replace("morning", "evening"),
        "Nothing but bread was left in the house on the hill that day, e\u0301.",
    ]
    return [
        Post(id=str(n), url=f"https://x.example/{n}", blog="b", text=f"{text}\n{SHARE}") for n, text in enumerate(texts)
    ]


def ids(clean_up: CleanUp) -> list[str]:
    return [post.id for post in cleaned(lambda: iter(posts()), clean_up)]


def test_nothing_is_changed_without_a_word() -> None:
    assert list(cleaned(lambda: iter(posts()), AS_IT_IS)) == posts()


def test_near_duplicates_are_left_out_on_request_and_told_in_any_case() -> None:
    told: list[NearDuplicate] = []
    assert [post.id for post in cleaned(lambda: iter(posts()), AS_IT_IS, told.append)] == ["0", "1", "2"]
    assert [(one.id, one.of_id) for one in told] == [("1", "0")]
    assert ids(CleanUp(dedup=("post",))) == ["0", "2"]


def test_all_steps_together() -> None:
    everything = CleanUp(identify_language="missing", dedup=("paragraph",), normalise="NFC", mask_pii=True)
    first, _, third = cleaned(lambda: iter(posts()), everything)
    assert first.text == STORY
    assert first.language == "en"
    assert third.text.endswith("\u00e9.")


@pytest.mark.parametrize("clean_up", [CleanUp(mask_pii=True), CleanUp(mask_pii=True, dedup=("post",))])
def test_masks_stand_where_the_paragraph_stays(clean_up: CleanUp) -> None:
    assert all(post.text.endswith("Share this post with [e-mail]") for post in cleaned(lambda: iter(posts()), clean_up))
