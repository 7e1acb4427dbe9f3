"""Figures, tables, files and the report, from invented results."""

from __future__ import annotations

import io
from html.parser import HTMLParser

import pytest
from rich.console import Console

from posterity.evaluate.datasets import Gold, Prediction, Sample
from posterity.evaluate.measures import page_scores
from posterity.evaluate.output import comparison_table, domain_table, failures_table, tables
from posterity.evaluate.report import cumulative_time, largest_site, report_html, section
from posterity.evaluate.runner import Result
from posterity.evaluate.summary import comparisons, domain_rows, headline, over_blogs, rows
from posterity.evaluate.worker import PageOutcome, failed_outcome

HOSTILE = "<script>alert(1)</script><img src=https://evil.example/x>"


def result(candidate: str, number: int, text: str, seconds: float = 0.01) -> Result:
    gold = Gold(body=f"the whole text of post {number}", title=f"Post {number}", date="2020-01-01")
    sample = Sample(id=f"page {number}", url=f"https://blog.example/{number}", html="<p>", gold=gold)
    response = Prediction(text=text, title=HOSTILE)
    outcome = PageOutcome(
        prediction=response, scores=page_scores(gold, response), seconds=seconds, ready_s=0.5 if number == 0 else 0.0
    )
    return Result(dataset="set", candidate=candidate, site="blog.example", sample=sample, outcome=outcome)


@pytest.fixture
def results() -> list[Result]:
    good = [result("good", n, f"the whole text of post {n}") for n in range(12)]
    bad = [result("bad", n, f"menu {HOSTILE} the text", 0.02) for n in range(11)]
    lost = result("bad", 11, "")
    return [
        *good,
        *bad,
        Result(
            dataset="set",
            candidate="bad",
            site="blog.example",
            sample=lost.sample,
            outcome=failed_outcome(lost.sample, "timeout"),
        ),
    ]


def test_rows_have_the_means_and_count_failures(results: list[Result]) -> None:
    good, bad = rows("set", results)
    assert good.value("token F1") == 1.0
    assert good.failures == 0
    assert bad.failures == 1
    assert bad.pages == 12
    assert good.mean_s == pytest.approx(0.01 + 0.5 / 12)
    assert good.median_s == pytest.approx(0.01)
    assert good.value("comments F1") is None
    figure = bad.figures["token F1"]
    assert figure.precision is not None
    assert figure.recall is not None
    assert headline([good, bad]) == "token F1"


def test_fields_have_the_precision_of_what_was_given(results: list[Result]) -> None:
    title = rows("set", results)[1].figures["title"]
    assert (title.interval.value, title.precision, title.recall) == (0.0, 0.0, 0.0)


def test_the_best_is_compared_with_the_others(results: list[Result]) -> None:
    (found,) = comparisons(results, "token F1")
    assert (found.first, found.second, found.wins, found.pages) == ("good", "bad", 12, 12)
    assert found.p_value < 0.01


def test_every_blog_weighs_the_same() -> None:
    big = rows("big", [result("x", n, f"the whole text of post {n}") for n in range(9)])
    small = rows("small", [result("x", 1, "")])
    (together,) = over_blogs("all", [*big, *small])
    assert together.value("token F1") == pytest.approx(0.5)
    assert together.pages == 10


def test_domains_with_several_pages_have_rows(results: list[Result]) -> None:
    found = domain_rows(results)
    assert [(row.dataset, row.candidate, row.pages) for row in found] == [
        ("blog.example", "good", 12),
        ("blog.example", "bad", 12),
    ]


def test_tables_print_what_was_measured(results: list[Result]) -> None:
    out = io.StringIO()
    console = Console(file=out, width=200)
    found = rows("set", results)
    failures = failures_table("set", results)
    assert failures is not None
    for table in [
        *tables("set", found),
        comparison_table("set", "token F1", comparisons(results, "token F1")),
        domain_table("set", found),
        failures,
    ]:
        console.print(table)
    text = out.getvalue()
    assert "token F1" in text
    assert "1.000 ±.000" in text
    assert "timeout" in text
    assert failures_table("set", results[:3]) is None


def attributes_of(html: str) -> list[tuple[str, str, str | None]]:
    found: list[tuple[str, str, str | None]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend((tag, name, value) for name, value in attrs)

    Reader().feed(html)
    return found


def test_the_report_needs_nothing_from_elsewhere(results: list[Result]) -> None:
    html = report_html([section("set", results)], {"workers": "1"})
    loading = ("src", "href", "xlink:href", "action", "data", "srcset", "background")
    assert {value for tag, name, value in attributes_of(html) if name in loading} == {"#s1"}
    assert "url(" not in html
    assert "@import" not in html
    assert "default-src 'none'" in html


def test_the_report_shows_hostile_text_and_does_not_run_it(results: list[Result]) -> None:
    html = report_html([section("<b>set</b>", results)], {"x": HOSTILE})
    assert "<script" not in html
    assert "<img" not in html
    assert "<b>set" not in html
    assert "&lt;script&gt;alert(1)" in html


def test_the_report_has_plots_and_the_worst_pages_side_by_side(results: list[Result]) -> None:
    found = section("set", results)
    assert [title for title, _ in found.charts] == [
        "Share of pages with at least this token F1",
        "token F1: precision against recall",
        "Share of pages that are done within a time",
        "Time over the pages of blog.example",
    ]
    assert {page.candidate for page in found.worst} == {"bad"}
    assert found.worst[0].failure == "timeout"
    html = report_html([found], {})
    assert html.count("<svg") == 4
    assert "<del>" in html
    assert "<ins>" in html


def test_the_same_results_give_the_same_report(results: list[Result]) -> None:
    first, second = (report_html([section("set", list(results))], {"a": "b"}) for _ in range(2))
    assert first == second


def test_learning_counts_for_the_first_page_of_the_curve(results: list[Result]) -> None:
    chart = cumulative_time(results, "blog.example", feed_entries=5).svg()
    assert "feed" in chart
    assert largest_site(results) == "blog.example"
    assert largest_site(results[:5]) is None
