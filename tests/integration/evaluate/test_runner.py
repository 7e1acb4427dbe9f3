"""The runner with real processes: methods that crash, never end, or eat memory cost their page and nothing else."""

from __future__ import annotations

import multiprocessing
import os
from typing import TYPE_CHECKING

import pytest

from posterity.evaluate.candidates import Candidate
from posterity.evaluate.datasets import Gold, Sample, SampleSite
from posterity.evaluate.runner import Result, RunSettings, run
from posterity.evaluate.worker import PageLimits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

METHODS = '''
"""Methods for the tests: each misbehaves on the page that says so."""
import os, signal, time
from posterity.model import Post

def answer(document, context):
    return (Post(id="", url=document.url, text=document.tree.plain(0)),)

def crash(document, context):
    if "bad" in document.tree.plain(0):
        os.kill(os.getpid(), signal.SIGSEGV)
    return answer(document, context)

def leave(document, context):
    if "bad" in document.tree.plain(0):
        os._exit(7)
    return answer(document, context)

def loop(document, context):
    while "bad" in document.tree.plain(0):
        pass
    return answer(document, context)

def eat(document, context):
    if "bad" in document.tree.plain(0):
        eaten = [bytearray(64 * 1024 * 1024) for _ in range(1000)]
    return answer(document, context)

def fail(document, context):
    if "bad" in document.tree.plain(0):
        raise ValueError("a page I dislike")
    return answer(document, context)

def count(document, context):
    return (Post(id="", url=document.url, text=f"{len(context.site)} {context.reference is not None}"),)
'''
PAGES = ["good one", "bad two", "good three", "bad four", "good five"]


@pytest.fixture(autouse=True)
def misbehaving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "misbehaving_methods.py").write_text(METHODS)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    # Whatever happened, no worker may outlive its run.
    assert multiprocessing.active_children() == []


def method(name: str) -> Candidate:
    return Candidate(f"misbehaving_methods:{name}", "method")


def sites() -> list[SampleSite]:
    samples = [
        Sample(id=text, url=f"https://blog.example/{n}", html=f"<p>{text}", gold=Gold(body=text))
        for n, text in enumerate(PAGES)
    ]
    return [
        SampleSite(name="blog.example", samples=tuple(samples[:4])),
        SampleSite(name="other.example", samples=tuple(samples[4:])),
    ]


def run_on_pages(*candidates: Candidate, workers: int = 2, limits: PageLimits | None = None) -> list[Result]:
    return run("set", sites(), candidates, RunSettings(workers=workers, limits=limits or PageLimits(time_s=30)))


def outcomes(results: list[Result]) -> dict[str, tuple[float, str | None]]:
    return {one.sample.id: (one.outcome.scores["token F1"].value, one.outcome.failure) for one in results}


def test_results_come_in_the_order_of_candidates_and_pages() -> None:
    results = run_on_pages(method("answer"), method("fail"))
    assert [(one.candidate, one.sample.id) for one in results] == [
        (f"misbehaving_methods:{name}", page) for name in ("answer", "fail") for page in PAGES
    ]
    assert outcomes(results[:5]) == dict.fromkeys(PAGES, (1.0, None))


@pytest.mark.parametrize(
    ("name", "limits", "why"),
    [
        ("crash", PageLimits(), "killed by SIGSEGV while extracting"),
        ("leave", PageLimits(), "process ended with exit code 7 while extracting"),
        ("loop", PageLimits(time_s=2), "timeout after 2 s while extracting"),
        ("eat", PageLimits(memory_mb=1024), "MemoryError"),
        ("fail", PageLimits(), "ValueError: a page I dislike"),
    ],
)
def test_a_bad_page_is_an_empty_answer_and_the_others_are_answered(name: str, limits: PageLimits, why: str) -> None:
    found = outcomes(run_on_pages(method(name), limits=limits))
    for page in PAGES:
        score, failure = found[page]
        assert (score, failure) == ((1.0, None) if "good" in page else (0.0, why)), page


def test_one_candidate_cannot_spoil_another() -> None:
    results = run_on_pages(method("crash"), method("answer"), method("leave"), workers=1)
    assert [one.outcome.failure for one in results[5:10]] == [None] * 5
    assert sum(one.outcome.failure is not None for one in results) == 4


def test_a_method_that_cannot_be_loaded_fails_on_every_page() -> None:
    results = run_on_pages(method("missing"), method("answer"))
    assert all("not ready: InputError" in (one.outcome.failure or "") for one in results[:5])
    assert [one.outcome.failure for one in results[5:]] == [None] * 5


def test_pages_of_a_site_are_given_together_unless_alone_is_asked_for() -> None:
    together = run("set", sites(), [method("count")])
    assert [one.outcome.prediction.text for one in together] == ["4 True"] * 4 + ["0 False"]
    alone = run("set", sites(), [method("count")], RunSettings(alone=True))
    assert {one.outcome.prediction.text for one in alone} == {"0 False"}


def test_the_same_pages_get_the_same_scores_with_any_number_of_workers() -> None:
    one, three = (run_on_pages(method("answer"), method("fail"), workers=number) for number in (1, 3))
    assert [(a.outcome.scores, a.outcome.prediction) for a in one] == [
        (a.outcome.scores, a.outcome.prediction) for a in three
    ]


def test_progress_is_told_of_every_page() -> None:
    told: list[str] = []
    run("set", sites(), [method("crash")], progress=lambda result: told.append(result.sample.id))
    assert sorted(told) == sorted(PAGES)


def test_an_interrupted_run_leaves_no_process_behind() -> None:
    def interrupt(result: Result) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run("set", sites(), [method("answer")], RunSettings(workers=2), interrupt)
    assert os.getpid()
