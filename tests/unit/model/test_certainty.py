"""Fields and posts with too low a confidence."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.model import Post, Provenance, demands_in, sure_part


def by(confidence: float) -> Provenance:
    return Provenance(method="page", confidence=confidence)


POST = Post(
    id="p",
    url="https://x.example/p",
    title="Tides",
    authors=("Anna",),
    published=datetime(2020, 5, 3, tzinfo=UTC),
    published_precision="day",
    text="The tide came in.",
    tags=("sea",),
    provenance={"text": by(0.9), "title": by(0.8), "authors": by(0.4), "published": by(0.6), "rendering": by(0.1)},
)


def test_doubtful_fields_are_left_out_and_the_others_stay() -> None:
    sure = sure_part(POST, {"all": 0.7})
    assert sure is not None
    assert (sure.title, sure.authors, sure.published, sure.published_precision) == ("Tides", (), None, None)
    assert sure.text == POST.text
    assert sure.tags == ("sea",)  # without a confidence


def test_provenance_still_tells_what_was_doubted() -> None:
    sure = sure_part(POST, {"all": 0.7})
    assert sure is not None
    assert sure.provenance == POST.provenance


def test_post_of_doubtful_text_is_none() -> None:
    assert sure_part(POST, {"text": 0.95}) is None


def test_as_sure_as_demanded_is_enough() -> None:
    assert sure_part(POST, {"all": 0.4}) is POST


def test_demand_on_one_field_counts_more_than_that_on_all() -> None:
    sure = sure_part(POST, {"all": 0.7, "authors": 0.3, "title": 0.85})
    assert sure is not None
    assert (sure.title, sure.authors, sure.published) == (None, ("Anna",), None)


def test_demands_are_read_from_words() -> None:
    assert demands_in(["0.5", "authors=0.7"]) == {"all": 0.5, "authors": 0.7}
    assert demands_in([]) == {}


@pytest.mark.parametrize("word", ["much", "authors=", "1.5", "authors=-1", "nan", "writer=0.5"])
def test_words_that_are_no_demand_are_told(word: str) -> None:
    with pytest.raises(ValueError, match=r"is not a confidence|between 0 and 1|no field"):
        demands_in([word])
