"""Exports distinguish trackbacks from comments."""

from __future__ import annotations

import json
from io import BytesIO
from typing import IO, TYPE_CHECKING, BinaryIO
from xml.etree import ElementTree as ET

import msgspec
import pytest
from tests.unit.export.writing import POST, written

from posterity.export.atom import write_atom
from posterity.export.json_feed import write_json_feed
from posterity.export.json_lines import write_jsonl
from posterity.export.tei import write_tei
from posterity.export.vertical import write_vertical
from posterity.export.wxr import write_wxr
from posterity.importer.records.atom import records_in_atom
from posterity.importer.records.wxr import records_in_wxr
from posterity.model import Comment, Post

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from posterity.export.selection import Source
    from posterity.importer.records.found import FoundRecord

TRACKBACK = Comment(id="comment-11", author="Ebb", author_url="https://ebb.example/", text="Tides", type="trackback")
POST_WITH_TRACKBACK: Post = msgspec.structs.replace(POST, comments=(*POST.comments, TRACKBACK))


def exported(write: Callable[[Source, BinaryIO], None]) -> bytes:
    return written(write, [POST_WITH_TRACKBACK])


def test_wordpress_gets_the_type_of_each_comment() -> None:
    found = ET.fromstring(exported(write_wxr)).iter("{http://wordpress.org/export/1.2/}comment_type")
    assert [element.text for element in found] == ["comment", "comment", "trackback"]


def test_tei_calls_each_by_its_type() -> None:
    divisions = ET.fromstring(exported(write_tei)).iter("{http://www.tei-c.org/ns/1.0}div")
    kinds = [each.get("type") for each in divisions if each.get("n")]
    assert kinds == ["comment", "comment", "trackback"]


def test_json_has_the_type_of_trackbacks() -> None:
    comments = json.loads(exported(write_jsonl))["comments"]
    assert [each.get("type") for each in comments] == [None, None, "trackback"]
    (item,) = json.loads(exported(write_json_feed))["items"]
    assert [each.get("type") for each in item["_comments"]] == [None, None, "trackback"]


def test_vertical_calls_each_by_its_type() -> None:
    assert exported(write_vertical).count(b'type="trackback"') == 1


@pytest.mark.parametrize(("write", "read"), [(write_wxr, records_in_wxr), (write_atom, records_in_atom)])
def test_trackbacks_come_back_from_a_file(
    write: Callable[[Source, BinaryIO], None], read: Callable[[IO[bytes], str], Iterator[FoundRecord]]
) -> None:
    (found,) = read(BytesIO(exported(write)), "x.xml")
    assert found.post.comments[-1] == TRACKBACK
    assert [each.is_trackback for each in found.post.comments] == [False, False, True]
