"""Data sets: every packing, what their fields become, and what is said of broken ones."""

from __future__ import annotations

import gzip
import json
import lzma
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from posterity.errors import InputError
from posterity.evaluate.datasets import (
    Gold,
    GoldPost,
    Sample,
    datasets_in,
    host_of,
    pick_samples,
    read_samples,
    sites_of,
)

if TYPE_CHECKING:
    from pathlib import Path

PAGE: dict[str, Any] = {
    "id": "1",
    "url": "https://blog.example/one",
    "html": "<p>one</p>",
    "gold": {"body": "one", "title": "One", "author": ["Ann"], "date": "2020-01-02", "comments": "yes"},
    "tags": {"blog_url": True},
}


def write_lines(path: Path, *pages: dict[str, Any]) -> Path:
    text = "".join(json.dumps(page) + "\n" for page in pages).encode()
    if path.suffix == ".xz":
        text = lzma.compress(text)
    elif path.suffix == ".gz":
        text = gzip.compress(text)
    path.write_bytes(text)
    return path


@pytest.mark.parametrize("name", ["set.jsonl", "set.jsonl.xz", "set.jsonl.gz"])
def test_every_packing_is_read(tmp_path: Path, name: str) -> None:
    path = write_lines(tmp_path / name, PAGE, PAGE | {"id": "2"})
    (dataset,) = datasets_in([path])
    assert (dataset.name, dataset.kind) == ("set", "pages")
    (site,) = dataset.sites()
    assert [sample.id for sample in site.samples] == ["1", "2"]
    gold = site.samples[0].gold
    assert (gold.body, gold.title, gold.authors, gold.date, gold.comments_text) == (
        "one",
        "One",
        ("Ann",),
        "2020-01-02",
        "yes",
    )


def test_segments_posts_and_unknown_fields(tmp_path: Path) -> None:
    gold = {
        "with": ["a"],
        "without": ["b"],
        "comment_segments": ["c"],
        "author": [],
        "posts": [{"text": "t", "user": "u"}],
    }
    (sample,) = read_samples(write_lines(tmp_path / "s.jsonl", PAGE | {"gold": gold}))
    expected = Gold(
        segments_with=("a",),
        segments_without=("b",),
        comment_segments=("c",),
        authors=(),
        posts=(GoldPost(text="t", author="u"),),
    )
    assert sample.gold == expected


def test_numbers_in_the_place_of_texts_are_not_known(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text('{"html": "x", "gold": {"date": NaN, "title": 7, "with": ["a", null]}}')
    (sample,) = read_samples(tmp_path / "s.jsonl")
    assert (sample.gold.date, sample.gold.title, sample.gold.segments_with) == (None, None, ("a",))


def test_labels_that_are_no_addresses_are_not_shown_to_methods(tmp_path: Path) -> None:
    (sample,) = read_samples(write_lines(tmp_path / "s.jsonl", PAGE | {"url": "hard::page.html"}))
    assert sample.url == ""


def test_half_surrogates_do_not_travel_on(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text('{"id": "1", "html": "a\\ud800b", "gold": {}}\n', encoding="utf-8")
    (sample,) = read_samples(tmp_path / "s.jsonl")
    sample.html.encode()


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[]",
        '{"html": "x", "gold": "y"}',
        '{"id": 1}',
        '{"html": "x", "gold": {"posts": [1]}}',
        "[" * 100_000,
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "s.jsonl").write_text(json.dumps(PAGE) + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2 is not an annotated page") as raised:
        list(read_samples(tmp_path / "s.jsonl"))
    assert "AttributeError" not in str(raised.value)


def test_a_broken_packing_is_our_error(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl.xz").write_bytes(b"no xz at all")
    with pytest.raises(InputError, match="cannot be read"):
        list(read_samples(tmp_path / "s.jsonl.xz"))


def test_a_folder_stands_for_the_files_and_blogs_in_it(tmp_path: Path) -> None:
    write_lines(tmp_path / "b.jsonl", PAGE)
    write_lines(tmp_path / "a.jsonl.gz", PAGE)
    (tmp_path / "README.md").write_text("not a data set")
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog" / "truth.json").write_text("{}")
    assert [(one.name, one.kind) for one in datasets_in([tmp_path])] == [
        ("a", "pages"),
        ("b", "pages"),
        ("blog", "blog"),
    ]
    assert [one.name for one in datasets_in([tmp_path / "blog"])] == ["blog"]


def test_selector_names_the_tags_of_a_blogs_pages(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "tides.html").write_text("<p class=tags><a>#moon</a> <a>sea (4)</a></p><p>Salt.</p>")
    truth = {"base_url": "https://blog.example/", "posts": [{"path": "/tides.html", "file": "tides.html"}]}
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    (blog,) = datasets_in([tmp_path])
    (without,), (site,) = blog.sites(), msgspec.structs.replace(blog, tags=".tags a").sites()
    assert (without.samples[0].gold.tags, site.samples[0].gold.tags) == (None, ("moon", "sea"))


def test_nothing_to_evaluate_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No data set"):
        datasets_in([tmp_path])
    with pytest.raises(InputError, match="no file or folder"):
        datasets_in([tmp_path / "missing"])


def test_a_sample_is_always_the_same_and_keeps_the_order() -> None:
    pages = [Sample(id=str(number), html="", gold=Gold()) for number in range(100)]
    some = pick_samples(iter(pages), 10)
    assert some == pick_samples(iter(pages), 10)
    assert len(some) == 10
    assert [int(one.id) for one in some] == sorted(int(one.id) for one in some)
    assert pick_samples(pages, 1000) == pages


def test_pages_are_grouped_by_the_host_they_came_from() -> None:
    urls = [
        "https://www.blog.example/1",
        "http://blog.example/2",
        "https://web.archive.org/web/20130807id_/http://blog.example/3",
        "https://other.example/",
        "",
        "",
        "http://[broken/",
    ]
    samples = [Sample(id=str(place), url=url, html="", gold=Gold()) for place, url in enumerate(urls)]
    groups = [[sample.id for sample in site.samples] for site in sites_of(samples)]
    assert groups == [["0", "1", "2"], ["3"], ["4"], ["5"], ["6"]]
    assert host_of(urls[2]) == "blog.example"
