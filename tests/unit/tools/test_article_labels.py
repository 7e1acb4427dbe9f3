"""Blocks are labelled by the annotated text."""

from tools.article_labels import UNKNOWN, labels, segment_labels

LONG = "The tide came in early that morning and the ferry was late"
MORE = "So we sat on the wall and counted the boats as they came"


def test_blocks_of_the_article_are_labelled_and_others_not() -> None:
    assert labels(["Home", LONG, "Share this post with all your friends", MORE], f"{LONG}\n\n{MORE}") == [0, 1, 0, 1]


def test_a_short_block_counts_only_where_its_neighbours_are() -> None:
    texts = ["Boats", "Home", LONG, "Boats", MORE, "Home"]
    assert labels(texts, f"{LONG}\nBoats\n{MORE}") == [0, 0, 1, 1, 1, 0]


def test_the_same_text_is_labelled_once() -> None:
    assert sum(labels([LONG, MORE, LONG], f"{LONG}\n{MORE}")) == 2


def test_a_page_without_any_of_the_text_has_no_labels() -> None:
    assert labels(["Home", MORE], "Something else entirely was written here by somebody") == [0, 0]


def test_pieces_label_only_the_blocks_that_hold_them() -> None:
    assert segment_labels([LONG, "Sign in", MORE], ["The tide came in"], ["Sign in"]) == [1.0, 0.0, UNKNOWN]
