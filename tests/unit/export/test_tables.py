"""CSV, Dolma and datatrove have the columns and keys that their readers expect."""

from __future__ import annotations

import csv
import json
from io import BytesIO, StringIO
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.export.writing import POST, source_of, written

from posterity.export.csv_table import COLUMNS, original_cell, write_csv
from posterity.export.json_lines import write_datatrove, write_dolma
from posterity.export.parquet import write_parquet
from posterity.model import Media, Post


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(content.decode(), newline="")))


def test_csv_has_one_row_a_post_and_the_comments_whole() -> None:
    (row,) = rows(written(write_csv, [POST]))
    assert (row["id"], row["title"], row["authors"], row["tags"]) == (
        "p1",
        POST.title,
        "Maren Tregarth; Ann",
        "sea; moon",
    )
    assert (row["published"], row["text"], row["comment_count"]) == ("2021-03-12T08:30:00+01:00", POST.text, "2")
    assert [comment["parent"] for comment in json.loads(row["comments"])] == [None, "comment-9"]


def test_csv_writes_a_day_where_only_the_day_is_known() -> None:
    post = Post(id="p", url="u", published=POST.published, published_precision="day")
    assert rows(written(write_csv, [post]))[0]["published"] == "2021-03-12"


def test_csv_of_no_posts_is_a_line_of_names() -> None:
    assert written(write_csv, []).decode().strip().split(",") == list(COLUMNS)


VIDEO = Media(
    url="https://vimeo.com/12345", kind="video", provider="Vimeo", title="Ebb", poster="https://i.example/12345.jpg"
)


def test_csv_has_every_field_of_the_media() -> None:
    (row,) = rows(written(write_csv, [Post(id="p", url="u", media=(VIDEO,))]))
    assert row["media"] == VIDEO.url
    assert msgspec.json.decode(row["media_details"], type=tuple[Media, ...]) == (VIDEO,)


def test_parquet_has_every_field_of_the_media(tmp_path: Path) -> None:
    write_parquet(source_of([Post(id="p", url="u", media=(VIDEO,))]), tmp_path / "tables")
    (row,) = pq.read_table(tmp_path / "tables" / "posts.parquet").to_pylist()
    assert row["media"] == [msgspec.structs.asdict(VIDEO)]


def test_datatrove_has_kind_and_provider_of_what_was_not_downloaded() -> None:
    (medium,) = json.loads(written(write_datatrove, [Post(id="p", url="u", media=(VIDEO,))]))["media"]
    assert medium["type"] == 1
    assert medium["metadata"] == {"kind": "video", "provider": "Vimeo", "title": "Ebb", "poster": VIDEO.poster}


@given(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])))
def test_any_text_comes_back_from_csv(text: str) -> None:
    assert original_cell(rows(written(write_csv, [Post(id="p", url="u", text=text)]))[0]["text"]) == text


@given(st.text("'= a\t+"))
def test_texts_that_look_neutralised_come_back_from_csv(text: str) -> None:
    """Random texts rarely begin with an apostrophe and a formula; most of these do."""
    assert original_cell(rows(written(write_csv, [Post(id="p", url="u", text=text)]))[0]["text"]) == text


@given(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])))
def test_raw_cells_of_csv_have_any_text_unchanged(text: str) -> None:
    source, out = source_of([Post(id="p", url="u", text=text)]), BytesIO()
    source.raw_cells = True
    write_csv(source, out)
    assert rows(out.getvalue())[0]["text"] == text


def test_dolma_document_has_the_toolkits_keys() -> None:
    document = json.loads(written(write_dolma, [POST]))
    assert list(document) == ["id", "text", "source", "added", "created", "metadata"]
    assert (document["id"], document["added"]) == ("p1", "2024-05-06T07:08:09Z")
    assert document["created"] == "2021-03-12T07:30:00Z"
    assert document["metadata"]["license"] == POST.license
    assert document["metadata"]["optout"] == "noai, tdm-reservation"


def test_dolma_leaves_out_a_date_that_is_not_known() -> None:
    assert "created" not in json.loads(written(write_dolma, [Post(id="p", url="u")]))


def test_datatrove_metadata_are_texts_and_numbers() -> None:
    document = json.loads(written(write_datatrove, [POST]))
    assert list(document) == ["text", "id", "media", "metadata"]
    assert document["media"][0]["type"] == 0
    assert {type(value) for value in document["metadata"].values()} <= {str, int}
