"""Exports are safe to open: no formulas, valid front matter, no control characters on a terminal."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.export.writing import POST, source_of

from posterity.archive import Archive, open_archive
from posterity.export.csv_table import write_csv
from posterity.export.export import export
from posterity.export.formats import all_formats
from posterity.export.markdown import markdown_file
from posterity.export.media_paths import LocalPaths
from posterity.export.tei import write_tei
from posterity.model import Blog, Post

_FORMULAS = [
    "=1+1",
    "+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "  =1",
    "\uff1d1",
    "'=1",
    "'' @a",
    '=HYPERLINK("http://x.example","y")',
]


def _rows(title: str, *, raw_cells: bool) -> list[dict[str, str]]:
    out = io.BytesIO()
    source = source_of([msgspec.structs.replace(POST, title=title)])
    source.raw_cells = raw_cells
    write_csv(source, out)
    return list(csv.DictReader(io.StringIO(out.getvalue().decode(), newline="")))


@pytest.mark.parametrize("title", _FORMULAS)
def test_cell_that_begins_a_formula_is_neutralised(title: str) -> None:
    assert _rows(title, raw_cells=False)[0]["title"] == f"'{title}"
    assert _rows(title, raw_cells=True)[0]["title"] == title


def test_other_cells_stay_as_they_are() -> None:
    assert _rows("Salt = bread", raw_cells=False)[0]["title"] == "Salt = bread"


@given(st.text(st.characters(codec="utf-8")))
def test_front_matter_is_yaml_for_any_title(title: str) -> None:
    with LocalPaths(by_host=False) as paths:
        paths.add(POST)
        text = markdown_file(msgspec.structs.replace(POST, title=title), paths, {})
    front = text.removeprefix("---\n").partition("\n---\n")[0]
    assert (yaml.safe_load(front).get("title") or "") == title


_TEMPLATES = '{{< readFile "/etc/passwd" >}} {{% x %}} {{ .Site }} {% include x %}'


@pytest.fixture
def hostile_post(tmp_path: Path) -> Iterator[Archive]:
    """An archive with a post that attacks programs that build or open an export of it."""
    html = f"<p>{_TEMPLATES}</p><a href='javascript:alert(1)'>x</a><script>alert(1)</script><img src=x onerror=x()>"
    post = Post(
        id="../../../evil", url="https://h.example/../../x", blog="b1", title=f"../../x\x00 {_TEMPLATES}",
        authors=("a\n---\nevil: 1",), tags=("../x",), text=_TEMPLATES, markdown=_TEMPLATES, html=html,
    )  # fmt: skip
    with open_archive(tmp_path / "archive", create=True) as archive:
        archive.put_blog(Blog(id="b1", url="https://h.example/", title=_TEMPLATES))
        archive.put_post(post)
        yield archive


def test_site_runs_no_template_of_a_post_and_no_file_is_outside(tmp_path: Path, hostile_post: Archive) -> None:
    export(hostile_post, str(tmp_path / "out" / "site"), "markdown")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"site", "site.manifest.json"}
    assert not list(tmp_path.glob("**/evil*"))
    pages = [path.read_text() for path in (tmp_path / "out" / "site").rglob("*.md")]
    assert pages
    for page in pages:
        front, _, body = page.removeprefix("---\n").partition("\n---\n")
        assert "\nevil: 1" not in front
        assert "{{<" not in body
        assert "{{%" not in body
    config = (tmp_path / "out" / "site" / "_config.yml").read_text()
    assert "render_with_liquid: false" in config


def test_book_runs_no_script_of_a_post(tmp_path: Path, hostile_post: Archive) -> None:
    export(hostile_post, str(tmp_path / "book.epub"), "epub")
    with zipfile.ZipFile(tmp_path / "book.epub") as book:
        for name in book.namelist():
            assert ".." not in Path(name).parts
            text = book.read(name).decode("utf-8", "replace")
            assert "javascript:" not in text
            assert "<script" not in text
            assert "onerror" not in text


_IDS = ["../../../evil", "/../../evil", "a/../../../b", "..", "a\x00b", "a" * 5000, "con", "\u202egnp.exe", "a\nb"]


@pytest.mark.parametrize("form", all_formats())
def test_no_id_or_title_leads_out_of_the_folder(tmp_path: Path, form: str) -> None:
    """Imported records may have any id; each record occurs twice with the same name, so that file names use ids."""
    posts = [
        Post(id=identifier + end, url="https://h.example/", blog=f"../{identifier}", title=title, text="Words.",
             html="<p>Words.</p>", markdown="Words.")
        for identifier in _IDS
        for end, title in (("", "…"), ("x", "…"), ("y", identifier), ("z", "nul"))
    ]  # fmt: skip
    (tmp_path / "in").mkdir()
    with open_archive(tmp_path / "in" / "archive", create=True) as archive:
        archive.put_posts(posts)
        (tmp_path / "a" / "b" / "out").mkdir(parents=True)
        export(archive, str(tmp_path / "a" / "b" / "out" / "x"), form)
    assert {path.name for path in tmp_path.iterdir()} == {"in", "a"}
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["out"]
    names = {path.name for path in (tmp_path / "a" / "b" / "out").rglob("*")}
    assert not [name for name in names if name.partition(".")[0] in ("con", "nul") or len(name.encode()) > 255]


_DEEP = {
    "quotations": "<blockquote>" * 500 + "<p>brine</p>" * 50,
    "lists": "<ul><li>" * 250 + "<p>brine</p>" * 50,
    "tables": "<table><tr><td>" * 160 + "<p>brine</p>" * 50,
    "marks": "<b><i>" * 250 + "<p>brine</p>" * 50,
    "notes": "".join(f'<a href="#fn-{n}">{n}</a>' for n in range(400))
    + "".join(f'<div id="fn-{n}">' for n in range(400))
    + "<p>brine</p>" * 50,
}


@pytest.mark.parametrize("form", all_formats())
def test_post_of_any_depth_is_exported(tmp_path: Path, form: str) -> None:
    with open_archive(tmp_path / "archive", create=True) as archive:
        archive.put_posts(
            Post(id=kind, url=f"https://h.example/{kind}", title=kind, text="brine\n" * 50, html=html)
            for kind, html in _DEEP.items()
        )
        assert export(archive, str(tmp_path / "out"), form).posts == len(_DEEP)
    written = sum(path.stat().st_size for path in tmp_path.glob("out*"))
    assert written < 20 * sum(map(len, _DEEP.values()))


@pytest.mark.parametrize("kind", _DEEP)
def test_every_word_below_many_levels_is_in_the_export(kind: str) -> None:
    out = io.BytesIO()
    write_tei(source_of([msgspec.structs.replace(POST, html=_DEEP[kind], comments=())]), out)
    assert out.getvalue().count(b"brine") == 50
