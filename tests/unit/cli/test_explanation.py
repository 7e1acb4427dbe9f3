"""The output of `posterity extract --explain`."""

from posterity.cli.extract import explanation
from posterity.model import OddsChange, Post, TracedProvenance


def test_explanation_lists_what_decided_with_its_factor() -> None:
    trace = (OddsChange("h1 first", 2.61), OddsChange("cut at dash", 0.5))
    source = TracedProvenance(method="page", rule="h1", confidence=0.93, trace=trace)
    post = Post(id="1", url="https://blog.example/", title="On tides", provenance={"title": source})
    lines = [line.strip() for line in explanation("page.html", post).splitlines()]
    assert lines[0] == "page.html: https://blog.example/"
    assert "title      On tides   page    0.93        h1" in lines
    assert lines[-3:] == ["what decided on title:", "x2.61     h1 first", "x0.5      cut at dash"]


def test_explanation_of_a_record_without_trace_is_the_table_alone() -> None:
    post = Post(id="1", url="page.html", title="On tides")
    assert "what decided" not in explanation("page.html", post)
