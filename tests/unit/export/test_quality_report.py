"""Figures and charts of a quality report."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from posterity.archive import open_archive
from posterity.export.export import Tally
from posterity.export.quality import charts, count_figures, write_quality_report
from posterity.export.selection import Source
from posterity.model import Blog, Comment, HarvestReport, Media, MissingPost, Post, Provenance

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2024, 1, 2, tzinfo=UTC)
STORY = "The tide came in over the flats while we were still looking for the boat that we had left there. "
BLOG = Blog(id="b", url="https://x.example/", title="Salt & <b>Rye</b>", harvested_at=NOW)


def posts(count: int = 6) -> list[Post]:
    return [
        Post(
            id=str(number),
            url=f"https://x.example/{number}",
            blog="b",
            title=f"Title {number}",
            authors=("Anna <script>",),
            published=datetime(2018 + number, 3, 4, tzinfo=UTC) if number else None,
            published_precision="day",
            language="de" if number == 1 else None,
            text=f"{number} " + STORY * (number + 1),
            comments=(Comment(id="c", author="Bo", text="Nice."),) * number,
            provenance={
                "title": Provenance(method="feed", confidence=0.95),
                "text": Provenance(method="mcst", confidence=0.5),
            },
        )
        for number in range(count)
    ]


def report(tmp_path: Path, some: list[Post]) -> str:
    with open_archive(tmp_path / "a", create=True) as archive:
        archive.put_blog(BLOG)
        archive.put_report(
            HarvestReport(
                blog="b", url=BLOG.url, started_at=NOW, ended_at=NOW, ended_because="done", posts=6,
                missing=(MissingPost(url="https://x.example/9", reason="networkError"),) * 2,
            )
        )  # fmt: skip
        out = BytesIO()
        write_quality_report(Source(archive, some, (BLOG,), NOW), out)
    return out.getvalue().decode()


def test_figures_are_right() -> None:
    figures = count_figures(posts())
    assert (figures.posts, figures.undated, figures.day_only) == (6, 1, 5)
    assert figures.months["2019-03"] == 1
    assert figures.languages == {"en": 5, "de": 1}
    assert figures.guessed_languages == 5
    assert figures.disagreements == {("de", "en"): 1}
    assert figures.authors == {"Anna <script>": 6}
    assert figures.commenters == {"Bo": 15}
    assert figures.blogs["b"].comments == 15
    assert figures.fields["title"].methods == {"feed": 6}
    assert figures.fields["title"].confidences == {9: 6}
    assert figures.fields["published"].present == 5
    assert figures.median_length == 1 + 20 * 3.5


def test_charts_are_well_formed_and_complete() -> None:
    rendered = dict(charts(count_figures(posts())))
    assert [title.split(":")[0] for title in rendered] == [
        "Posts by year" if "Posts by year" in rendered else "Posts by month",
        "Lengths of posts",
        "Languages",
        "Authors with most posts",
        "Comments on a post",
        "Confidence of title",
        "Confidence of text",
    ]
    for svg in rendered.values():
        ET.fromstring(svg)
    years = (
        ET.fromstring(rendered["Posts by month"])
        if "Posts by month" in rendered
        else ET.fromstring(rendered["Posts by year"])
    )
    labels = [bar.text or "" for bar in years.iter("{http://www.w3.org/2000/svg}title")]
    assert sum(int(label.rpartition(": ")[2]) for label in labels if ": " in label) == 5


def test_page_needs_nothing_else_and_quotes_what_it_shows(tmp_path: Path) -> None:
    page = report(tmp_path, posts())
    assert "<script" not in page
    assert "Salt &amp; &lt;b&gt;Rye" in page
    assert "src=" not in page
    assert "75.0%" in page  # 6 of the 8 listed
    assert "networkError 2" in page
    assert "Coverage: per cent" in page
    assert "state of 2024-01-02" in page


def test_same_posts_give_the_same_page(tmp_path: Path) -> None:
    assert report(tmp_path / "1", posts()) == report(tmp_path / "2", posts())


def test_corpus_without_posts_has_a_report_too(tmp_path: Path) -> None:
    assert "<td>0</td>" in report(tmp_path, [])


def test_embeds_of_other_sites_are_counted_apart_from_media() -> None:
    media = (
        Media(url="https://x.example/a.png"),
        Media(url="https://x.example/film.mp4", kind="video"),
        Media(url="https://www.youtube.com/watch?v=a", kind="video", provider="YouTube"),
        Media(url="https://maps.example/", kind="embed"),
    )
    some = [Post(id="1", url="https://x.example/1", blog="b", text=STORY, media=media)]
    figures, tally = count_figures(some), Tally(some)
    list(tally)
    assert (figures.media, figures.embeds, tally.media, tally.embeds) == (2, 2, 2, 2)
