"""Names and options of candidates, and their input besides the page."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.errors import InputError
from posterity.evaluate.candidates import RIVALS, Candidate, candidates, rival_named
from posterity.evaluate.datasets import Gold, Sample, SampleSite, SiteEvidence, prediction_of
from posterity.evaluate.worker import extractor_for
from posterity.extraction.method import MAX_SITE_PAGES
from posterity.model import Feed, FeedEntry, Post, Provenance

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.extraction.method import Context

seen: list[Context] = []


def spy(document: Document, context: Context) -> tuple[Post, ...]:
    """A custom method that records its input."""
    seen.append(context)
    return (Post(id="", url=document.url, text=document.tree.plain(0)),)


def unsure(document: Document, context: Context) -> tuple[Post, ...]:
    """A custom method with low confidence."""
    (post,) = spy(document, context)
    return (msgspec.structs.replace(post, provenance={"text": Provenance(method="unsure", confidence=0.4)}),)


SPY = Candidate(f"{__name__}:spy+prune+depth=3+mode=fast", "method")


@pytest.fixture
def known_module(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    seen.clear()
    # A plain import does not find test files under the names that pytest gives them.
    module = type(sys)(__name__)
    module.spy, module.unsure = spy, unsure  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, __name__, module)


def site(pages: int) -> SampleSite:
    samples = (
        Sample(id=str(n), url=f"https://blog.example/{n}", html=f"<p>page {n}" + "x" * 10 * n, gold=Gold())
        for n in range(pages)
    )
    return SampleSite(name="blog.example", samples=tuple(samples))


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="mcst"):
        candidates(["mcts"], [])
    with pytest.raises(InputError, match="trafilatura"):
        candidates([], ["trafilatur"])
    with pytest.raises(InputError, match="--method or a --rival"):
        candidates([], [])


def test_everybody_takes_part_once() -> None:
    chosen = candidates(["mcst", "bte", "mcst"], ["justext", "justext"])
    assert [(one.name, one.kind) for one in chosen] == [("mcst", "method"), ("bte", "method"), ("justext", "rival")]


def test_switches_become_options() -> None:
    assert SPY.options == {"prune": True, "depth": 3, "mode": "fast"}
    assert Candidate("wc-multi+prune", "method").base == "wc-multi"


@pytest.mark.usefixtures("known_module")
def test_what_is_less_sure_than_demanded_does_not_count_as_said() -> None:
    for demanded, said in (("0.5", 0), ("authors=0.5", 1)):
        extract_page, _ = extractor_for(Candidate(f"{__name__}:unsure+min_confidence={demanded}", "method"), site(1))
        assert len(extract_page(0)) == said


def test_demand_that_is_none_is_told() -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        extractor_for(Candidate("bte+min_confidence=70", "method"), site(1))


def test_feed_alone_cannot_play_without_a_feed() -> None:
    assert not Candidate("feed", "method").can_run(with_feed=False)
    assert Candidate("feed", "method").can_run(with_feed=True)
    assert Candidate("mcst", "method").can_run(with_feed=False)


@pytest.mark.usefixtures("known_module")
def test_a_method_gets_site_reference_and_options() -> None:
    extract_page, ready_s = extractor_for(SPY, site(5))
    assert ready_s >= 0.0
    assert extract_page(0)[0].text.startswith("page 0")
    extract_page(2)
    first, second = seen
    assert first.site is second.site
    assert len(first.site) == 5
    # The median of the others' sizes: 3 for 1 2 3 4, and for 0 1 3 4.
    assert [context.reference.url for context in seen if context.reference] == ["https://blog.example/3"] * 2
    assert first.options == SPY.options


@pytest.mark.usefixtures("known_module")
def test_alone_and_without_feed_withhold_what_they_say() -> None:
    feed = Feed(url="https://blog.example/feed", format="rss20", entries=(FeedEntry(link="https://blog.example/1"),))
    blog = SampleSite(name="b", samples=site(3).samples, evidence=SiteEvidence(feed=feed, pages={}))
    extractor_for(SPY, blog, alone=True, without_feed=True)[0](0)
    assert (seen[0].rules, seen[0].reference, seen[0].site) == (None, None, ())


@pytest.mark.usefixtures("known_module")
def test_a_lonely_page_has_no_site_and_no_reference() -> None:
    extractor_for(SPY, site(1))[0](0)
    assert (seen[0].reference, seen[0].site) == (None, ())


@pytest.mark.usefixtures("known_module")
def test_large_sites_are_given_in_part() -> None:
    extractor_for(SPY, site(3 * MAX_SITE_PAGES + 1))[0](0)
    assert MAX_SITE_PAGES // 2 <= len(seen[0].site) <= MAX_SITE_PAGES


def test_a_method_that_cannot_be_loaded_is_our_error() -> None:
    with pytest.raises(InputError, match="cannot be loaded"):
        extractor_for(Candidate("no.such.module:method", "method"), site(1))


def test_a_missing_rival_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(package: str) -> str:
        raise PackageNotFoundError(package)

    monkeypatch.setattr("importlib.metadata.version", missing)
    with pytest.raises(InputError, match=r"pip install posterity\[rivals\]"):
        rival_named("goose3")


SENTENCE = "The tide comes in and the tide goes out, as it has done for years, and nobody in the town minds it much. "
ARTICLE = (
    "<html lang=en><head><title>The tide</title></head><body><nav><a href=/>Home</a></nav><article><h1>The tide</h1>"
    + f"<p>{SENTENCE * 3}</p>" * 4
    + "</article><footer>All rights reserved</footer></body></html>"
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", list(RIVALS))
def test_every_installed_rival_answers_in_our_form(name: str) -> None:
    try:
        rival = rival_named(name)
    except InputError:
        pytest.skip(f"{name} is not installed")
    post = rival(ARTICLE, "https://blog.example/tide")
    assert "the tide goes out" in post.text
    assert prediction_of((post,)).text
