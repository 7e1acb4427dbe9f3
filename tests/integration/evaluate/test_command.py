"""`posterity evaluate` from the command line to the report, on a small data set made here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from posterity.cli.evaluate import command
from posterity.errors import InputError, PosterityError

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "A post about the sea, with a sentence or two on tides and boats and the people of the harbour. "


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    path = tmp_path / "posts.jsonl"
    with path.open("w") as lines:
        for number in range(12):
            text = WORDS * 4 + f"This is number {number}."
            html = f"<body><ul><li><a href=/>Home</a></ul><div class=post><p>{text}</p></div></body>"
            gold = {"body": text, "title": f"Number {number}"}
            lines.write(
                json.dumps({"id": str(number), "url": f"https://blog.example/{number}", "html": html, "gold": gold})
                + "\n"
            )
    return path


def test_tables_are_printed_and_files_written(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = CliRunner().invoke(
        command,
        [str(dataset), "--method", "mcst", "--method", "bte", "--workers", "2", "-o", str(out)],
        catch_exceptions=False,
    )
    assert run.exit_code == 0
    assert "posts: the article" in run.output
    assert "mcst" in run.output
    assert sorted(file.name for file in out.iterdir()) == ["figures.csv", "pages.csv", "pages.jsonl", "report.html"]
    assert len((out / "pages.jsonl").read_text().splitlines()) == 24
    assert (out / "report.html").read_text().count("<svg") == 4


def test_json_lines_are_for_programs(dataset: Path, tmp_path: Path) -> None:
    arguments = [str(dataset), "--method", "mcst", "--sample", "3", "--json", "-o", str(tmp_path / "out")]
    run = CliRunner().invoke(command, arguments, catch_exceptions=False)
    (row,) = map(json.loads, run.output.splitlines())
    assert (row["dataset"], row["candidate"], row["pages"]) == ("posts", "mcst", 3)
    assert row["figures"]["token F1"]["interval"]["value"] > 0.9


def test_a_feed_method_is_left_out_where_there_is_no_feed(dataset: Path, tmp_path: Path) -> None:
    arguments = [str(dataset), "--method", "feed", "--method", "mcst", "--sample", "2", "-o", str(tmp_path / "out")]
    run = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert "feed left out, because there is no feed" in run.output


def test_wrong_names_are_our_error_before_anything_runs(dataset: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke(command, [str(dataset), "--method", "nonsense", "-o", str(tmp_path / "out")])
    assert isinstance(run.exception, InputError)
    assert not (tmp_path / "out").exists()


def test_rows_of_domains_are_in_every_form(dataset: Path, tmp_path: Path) -> None:
    """E-mCST paper, Table 3."""
    out = tmp_path / "out"
    arguments = [str(dataset), "--method", "mcst", "--sample", "3", "--domains", "-o", str(out)]
    assert "by domain" in CliRunner().invoke(command, arguments, catch_exceptions=False).output
    assert "\nblog.example,mcst,TCS,3," in (out / "figures.csv").read_text()
    run = CliRunner().invoke(command, [*arguments, "--json"], catch_exceptions=False)
    assert [json.loads(line)["dataset"] for line in run.output.splitlines()] == ["posts", "blog.example"]


def test_tables_of_a_paper_have_its_figures_and_ours(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = [str(dataset), "--paper", "004", "--sample", "4", "--workers", "1", "-o", str(out)]
    run = CliRunner().invoke(command, arguments, catch_exceptions=False)
    written = (out / "paper-004.md").read_text()
    assert written in run.output
    assert "| E-mCST | `e-mcst` | .982 | 1.000 | .944 | 1.000 | .980 | 1.000 | .956 | 1.000 |" in written
    assert "Here: all posts, 4 of them." in written
    assert "| blog.example | 4 | 1.000 | 1.000 |" in written


def test_figures_of_a_paper_are_json_for_programs(dataset: Path, tmp_path: Path) -> None:
    arguments = [str(dataset), "--paper", "002", "--sample", "2", "--workers", "1", "--json", "-o", str(tmp_path)]
    run = CliRunner().invoke(command, arguments, catch_exceptions=False)
    lines = [json.loads(line) for line in run.output.splitlines()]
    found = {(one["table"], one["row"], one["column"]): one for one in lines}
    best = found["Tables 3.2 and 3.3: Silver standard", "WCC PR", "F"]
    assert (best["candidate"], best["published"], best["pages"]) == ("wc-multi+prune+sparse", 0.6792, 2)
    assert found["Table 3.1: Gold standard", "BTE", "P"]["measured"] > 0.5


def test_table_without_fitting_pages_is_named(dataset: Path, tmp_path: Path) -> None:
    arguments = [str(dataset), "--paper", "002", "--sample", "1", "--workers", "1", "-o", str(tmp_path)]
    run = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert "Not measured: the data has no pages of sites with several pages." in run.output


@pytest.mark.parametrize(
    ("given", "words"), [(["--paper", "000"], "--fronts"), (["--paper", "004", "--method", "bte"], "--method")]
)
def test_paper_with_the_wrong_data_or_methods_is_an_error(dataset: Path, given: list[str], words: str) -> None:
    run = CliRunner().invoke(command, [str(dataset), *given])
    assert isinstance(run.exception, PosterityError)
    assert words in str(run.exception)


def _front_blog(root: Path, name: str, page: str) -> dict[str, object]:
    """Write a blog with a front page; return what stands on that page."""
    site = root / name / "site"
    site.mkdir(parents=True)
    (site / "index.html").write_text(f"<body>{page}</body>")
    listed = [{"path": f"/{one}/", "title": f"On {one}", "date": "2021-03-05"} for one in ("tides", "bread")]
    truth = {"base_url": f"http://{name}.example/", "engine": "Blogger", "posts": [p | {"text": WORDS} for p in listed]}
    (site.parent / "truth.json").write_text(json.dumps(truth))
    return {"file": "site/index.html", "entry": "/", "posts": listed}


def _front_tables(tmp_path: Path, **pages: str) -> str:
    fronts = tmp_path / "fronts.json"
    fronts.write_text(json.dumps({name: _front_blog(tmp_path / "blogs", name, page) for name, page in pages.items()}))
    arguments = [str(tmp_path / "blogs"), "--paper", "000", "--fronts", str(fronts), "-o", str(tmp_path / "out")]
    return CliRunner().invoke(command, arguments, catch_exceptions=False).output


TITLED = "".join(
    f"<div class=post><h3 class=post-title><a href=/{name}/>On {name}</a></h3><div class=post-body>{WORDS}</div></div>"
    for name in ("tides", "bread")
)


def test_front_pages_give_the_tables_of_blogbuster(tmp_path: Path) -> None:
    shown = _front_tables(tmp_path, one=TITLED)
    assert "| Blog posts | `blogbuster` | 1.000 | 1.000 | .857 | 1.000 | .923 | 1.000 | 1.000 |" in shown
    assert "Not measured: the data has no front pages made by WordPress." in shown


def test_tables_of_blogbuster_count_blogs(tmp_path: Path) -> None:
    """42 of 49 blogs are 85.71 %, 41 of the 42 with posts 97.62 %: the published figures are of blogs."""
    untitled = f"<h2>Latest</h2><div class=post><div class=post-body>{WORDS}</div></div>"
    shown = _front_tables(tmp_path, one=TITLED, other=untitled, silent="<p>Nothing.</p>")
    found = "| Blog posts | `blogbuster` | 1.000 | 1.000 | .857 | .667 | .923 | .800 |"
    titles = "| Title | `blogbuster` | .976 | .500 | .837 | .333 | .901 | .400 |"
    assert found in shown
    assert titles in shown
