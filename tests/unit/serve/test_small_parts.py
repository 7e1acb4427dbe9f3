"""Small parts of the server: limits, forms, threads, plots, texts for people."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import pytest
from starlette.requests import Request

from posterity.archive import Snippet
from posterity.archive.overview import Month
from posterity.errors import UnreadablePage
from posterity.model import Comment
from posterity.model.post import Precision
from posterity.serve.api.responses import cursor_of, form_of, has_tag, place_of
from posterity.serve.extraction import ExtractionPool, ExtractRequest
from posterity.serve.jobs import Job
from posterity.serve.pages.blog import timeline
from posterity.serve.pages.post import threads
from posterity.serve.problems import Problem
from posterity.serve.services import Rate
from posterity.serve.templating import ago, clean_article, format_date, highlight_marks, percent
from posterity.text.normal_form import count_of


def test_rate_gives_as_many_as_it_says_and_then_waits() -> None:
    rate = Rate(3)
    assert [rate.wait_s("a") > 0 for _ in range(5)] == [False, False, False, True, True]
    assert rate.wait_s("b") == 0


@pytest.mark.parametrize("place", [("2024-01-01T00:00:00.000000Z", "p1"), ("z", "p2"), ("", "")])
def test_cursor_leads_back_to_its_place(place: tuple[str, str]) -> None:
    assert place_of(cursor_of(place)) == place


@pytest.mark.parametrize("cursor", ["x", "%", "bnVsbA", "WzFd", "é"])
def test_cursor_of_somebody_else_is_refused(cursor: str) -> None:
    with pytest.raises(Problem):
        place_of(cursor)


@pytest.mark.parametrize(
    ("accept", "name"),
    [
        ("text/html,application/xhtml+xml,*/*;q=0.8", "json"),
        ("application/xml", "xml"),
        ("text/plain, application/json;q=0.5", "text"),
        ("application/json;q=0.1, text/markdown", "markdown"),
        ("", "json"),
    ],
)
def test_form_follows_accept(accept: str, name: str) -> None:
    request = Request({"type": "http", "headers": [(b"accept", accept.encode())]})
    assert form_of(request).name == name


@pytest.mark.parametrize("accept", ["image/png", "application/json;q=0", "x"])
def test_form_that_does_not_exist_is_refused(accept: str) -> None:
    with pytest.raises(Problem):
        form_of(Request({"type": "http", "headers": [(b"accept", accept.encode())]}))


def test_comments_become_threads_and_none_is_lost() -> None:
    some = (
        Comment(id="1", text="a"), Comment(id="2", parent="1", text="b"), Comment(id="3", parent="none", text="c"),
        Comment(id="4", parent="5", text="d"), Comment(id="5", parent="4", text="e"),
    )  # fmt: skip
    found = threads(some)
    assert [one.comment.id for one in found] == ["1", "3", "4", "5"]
    assert [one.comment.id for one in found[0].replies] == ["2"]


def test_timeline_has_a_bar_for_every_month_between() -> None:
    svg = ET.fromstring(timeline([Month(month="2023-11", posts=3), Month(month="2024-02", posts=6, comments=2)]))
    bars = [float(one.get("height", 0)) for one in svg.iter("rect") if one.get("class") == "posts"]
    assert len(bars) == 4
    assert bars[3] == 2 * bars[0] > bars[1] == 0


def test_timeline_of_a_slow_blog_shows_years() -> None:
    months = [Month(month=f"{year}-0{month}", posts=1) for year in range(2001, 2011) for month in (1, 4, 7)]
    bars = [one for one in ET.fromstring(timeline(months)).iter("rect") if one.get("class") == "posts"]
    assert len(bars) == 10


def test_empty_timeline_is_nothing() -> None:
    assert timeline([]) == ""


@pytest.mark.parametrize(
    ("header", "known"), [('"a"', True), ('W/"a"', True), ('"b", "a"', True), ("*", True), ('"b"', False), ("", False)]
)
def test_tag_is_found_among_those_of_the_client(header: str, known: bool) -> None:
    assert has_tag(header, '"a"') is known


def test_article_is_shown_without_what_runs_or_loads() -> None:
    html = '<p onclick="x()">a<script>x()</script><img src="https://b.example/i.png"><a href="javascript:x()">l</a></p>'
    shown = clean_article(html)
    assert "script" not in shown
    assert "onclick" not in shown
    assert "b.example" not in shown
    assert '<img src="/media/aa/b.png">' in clean_article(html, {"https://b.example/i.png": "aa/b.png"})


def test_article_shows_formulas_captions_and_folded_parts() -> None:
    figure = "<figure><figcaption>A tide</figcaption></figure>"
    details = "<details><summary>More</summary><p>text</p></details>"
    assert clean_article(figure + details) == figure + details
    shown = clean_article(formula("a_1", ' display="block"'))
    assert '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">' in shown
    assert "<msub><mi>a</mi><mn>1</mn></msub>" in shown


def formula(tex: str, attributes: str = "") -> str:
    annotation = f'<annotation encoding="application/x-tex">{tex}</annotation>'
    return f"<math{attributes}><semantics><mrow><mi>x</mi></mrow>{annotation}</semantics></math>"


def test_formula_that_cannot_be_converted_is_shown_as_tex() -> None:
    assert clean_article(formula("\\unknown{x}")) == formula("\\unknown{x}").replace("<mrow><mi>x</mi></mrow>", "")


def test_formulas_beyond_the_limit_stay_tex() -> None:
    shown = clean_article(formula("a" * 1900) * 8)
    assert (shown.count("<mrow>") > 0, shown.count("<semantics><annotation")) == (True, 3)


def test_code_is_highlighted_by_its_language() -> None:
    html = '<pre><code class="language-python">if x: # "no"\n    return "a &lt; b", 42</code></pre>'
    assert clean_article(html) == (
        '<pre><code class="language-python"><span class="code-k">if</span> x: <span class="code-c"># "no"</span>\n'
        '    <span class="code-k">return</span> <span class="code-s">"a &lt; b"</span>, '
        '<span class="code-m">42</span></code></pre>'
    )


@pytest.mark.parametrize(
    "html", ['<code class="evil language-x">if</code>', "<code>if</code>", '<code class="language-x"><b>if</b></code>']
)
def test_other_code_is_left_as_it_is(html: str) -> None:
    assert "code-k" not in clean_article(html)


def test_footnotes_lead_to_their_place_in_the_article() -> None:
    html = '<p>Word<sup><a href="#fn-1">1</a></sup>.</p><ol><li id="fn-1">A note.</li></ol>'
    shown = clean_article(html, prefix="comment-3-")
    assert 'href="#comment-3-fn-1"' in shown
    assert '<li id="comment-3-fn-1">' in shown


def test_checkboxes_of_task_lists_cannot_be_changed() -> None:
    shown = clean_article('<input type="checkbox" checked> done <input name="a" value="b" type="password">')
    assert [sorted(found.split()) for found in re.findall(r"<input([^>]*)>", shown)] == [
        ['checked=""', 'disabled=""', 'type="checkbox"'],
        ['disabled=""', 'type="checkbox"'],
    ]


@pytest.mark.parametrize("tag", ["video", "audio"])
def test_player_loads_only_stored_files_and_only_when_asked(tag: str) -> None:
    html = f'<{tag} src="https://b.example/film?a&amp;b" poster="https://b.example/i.jpg" controls autoplay></{tag}>'
    shown = clean_article(html, {"https://b.example/film?a&b": "aa/b.mp4"})
    assert 'src="/media/aa/b.mp4"' in shown
    assert 'preload="none"' in shown
    assert "controls" in shown
    assert "autoplay" not in shown
    assert "b.example" not in shown


def test_player_of_a_file_that_is_not_stored_is_a_link() -> None:
    shown = clean_article('<p><video src="https://b.example/film.mp4" controls></video></p>')
    assert "<video" not in shown
    assert '<a href="https://b.example/film.mp4"' in shown
    assert ">film.mp4</a>" in shown


@pytest.mark.parametrize(
    "html",
    [
        "<math><mtext><table><mglyph><style><img src=x onerror=x()>",
        "<math><annotation-xml encoding='text/html'><script>x()</script></annotation-xml></math>",
        "<math><semantics><annotation><script>x()</script><img src=x onerror=x()></annotation></semantics></math>",
        '<video src="https://b.example/&quot;&gt;<script>x()</script>"></video>',
        '<video src="javascript:x()"></video><video><source src="https://b.example/f.mp4"></video>',
    ],
)
def test_formulas_and_players_bring_in_nothing_that_runs_or_loads(html: str) -> None:
    shown = clean_article(html)
    assert not re.search(r"<(?:script|style|source|mtext|mglyph|annotation-xml)|<[^>]*(?:onerror|javascript:)", shown)
    assert not re.search(r"<[^>]* (?:src|poster)=", shown)


def test_found_words_are_marked_and_the_rest_is_escaped() -> None:
    assert highlight_marks(Snippet("<b> salt </b>", ((4, 8),))) == "&lt;b&gt; <mark>salt</mark> &lt;/b&gt;"


@pytest.mark.parametrize(("share", "said"), [(1.0, "100 %"), (0.9999, "99 %"), (0.5, "50 %"), (None, "?")])
def test_little_missing_is_never_everything(share: float | None, said: str) -> None:
    assert percent(share) == said


def test_times_and_numbers_are_said_as_people_do() -> None:
    now = datetime.now(UTC)
    assert ago(now - timedelta(days=2, hours=1)) == "2 days ago"
    assert ago(now + timedelta(hours=3, minutes=1)) == "in 3 hours"
    assert ago(None) == "never"
    assert count_of(1, "post") == "1 post"
    assert count_of(1200, "post") == "1,200 posts"


def test_listener_gets_the_events_it_has_not_heard() -> None:
    job = Job("export", "x", lambda job: job.add_event("a", 1))
    job.run()
    assert [name for _, name, _ in job.events_after(0)] == ["a", "over"]
    assert [name for _, name, _ in job.events_after(1)] == ["over"]
    assert job.events_after(2) == []


def test_job_that_fails_says_so_and_not_more() -> None:
    def work(_: Job) -> None:
        raise ValueError("secret/path")

    job = Job("export", "x", work)
    job.run()
    assert job.status().state == "failed"
    assert "secret" not in str(job.status().problem)


def test_worker_that_dies_is_replaced() -> None:
    extractor = ExtractionPool(30)
    page = b"<article><h1>T</h1><p>Words to read, and some more of them to make a text.</p></article>"
    try:
        assert extractor.extract(ExtractRequest(body=page, method="mcst")).posts
        for worker in list(extractor._running):
            worker._process.kill()
            worker._process.wait()
        for _ in range(3):
            assert extractor.extract(ExtractRequest(body=page, method="mcst")).posts
        with pytest.raises(UnreadablePage):
            extractor.extract(ExtractRequest(body=b"\x89PNG\r\n\x1a\n\x00\x00", method="mcst"))
    finally:
        extractor.close()


@pytest.mark.parametrize(
    ("precision", "shown"),
    [
        ("year", "about 2018"),
        ("month", "about March 2018"),
        ("week", "about 5 March 2018"),
        ("day", "5 March 2018"),
        ("minute", "5 March 2018, 15:05"),
        (None, "5 March 2018, 15:05"),
    ],
)
def test_a_date_is_shown_as_exactly_as_it_is_known(precision: Precision | None, shown: str) -> None:
    assert format_date(datetime(2018, 3, 5, 15, 5, tzinfo=UTC), precision) == shown
