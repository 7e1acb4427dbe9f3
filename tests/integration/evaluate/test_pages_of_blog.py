"""A blog's folder as pages with gold, and the evidence its rules are learned from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from posterity.errors import InputError
from posterity.evaluate.datasets import blog_site, datasets_in, file_of

if TYPE_CHECKING:
    from pathlib import Path

FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>B</title><link>https://blog.example/b/</link>
<item><title>One</title><link>https://blog.example/b/one/</link><description>first</description></item>
<item><title>Gone</title><link>https://blog.example/b/gone/</link><description>gone</description></item>
</channel></rss>"""
TRUTH = {
    "name": "blog",
    "base_url": "https://blog.example/b/",
    "mount": "/b/",
    "feed_path": "/b/feed.xml",
    "feed_file": "feed.xml",
    "posts": [
        {
            "path": "/b/one/",
            "file": "one/index.html",
            "title": "One",
            "date": "2020-01-02",
            "author": "Ann",
            "text": "first post",
            "comments": [{"author": "Cy", "date": None, "text": "nice"}],
        },
        {"path": "/b/two.html", "title": "Two", "date": None, "author": None, "text": "second post"},
        {"path": "/b/lost/", "title": "Lost", "text": "no file"},
    ],
}


@pytest.fixture
def blog(tmp_path: Path) -> Path:
    folder = tmp_path / "blog"
    (folder / "site" / "one").mkdir(parents=True)
    (folder / "site" / "one" / "index.html").write_text("<h1>One</h1><p>first post</p>")
    (folder / "site" / "two.html").write_bytes(
        "<meta charset=iso-8859-1><p>zweiter Beitrag für alle</p>".encode("latin-1")
    )
    (folder / "site" / "index.html").write_text("<h2><a href='/b/one/'>One</a></h2>")
    (folder / "site" / "feed.xml").write_text(FEED)
    (folder / "truth.json").write_text(json.dumps(TRUTH))
    return folder


def test_posts_whose_files_are_there_become_samples(blog: Path) -> None:
    site = blog_site(blog)
    assert [(sample.id, sample.url) for sample in site.samples] == [
        ("/b/one/", "https://blog.example/b/one/"),
        ("/b/two.html", "https://blog.example/b/two.html"),
    ]
    one, two = (sample.gold for sample in site.samples)
    assert (one.body, one.title, one.authors, one.date, one.date_tolerance_h) == (
        "first post",
        "One",
        ("Ann",),
        "2020-01-02",
        14,
    )
    assert one.comments is not None
    assert one.comments[0].text == "nice"
    # null is not known: neither scored nor held against an answer.
    assert (two.authors, two.date, two.comments) == (None, None, None)


def test_bytes_are_decoded_once_for_everybody(blog: Path) -> None:
    assert "für" in blog_site(blog).samples[1].html


def test_evidence_is_the_feed_with_the_pages_it_links_to(blog: Path) -> None:
    evidence = blog_site(blog).evidence
    assert evidence is not None
    assert len(evidence.feed.entries) == 2
    assert list(evidence.pages) == ["https://blog.example/b/one/"]


def test_a_blog_without_a_feed_has_no_evidence(blog: Path) -> None:
    (blog / "site" / "feed.xml").write_text("this is no feed")
    assert blog_site(blog).evidence is None
    (blog / "site" / "feed.xml").unlink()
    assert blog_site(blog).evidence is None


def test_front_pages_are_evaluated_against_their_list_of_posts(blog: Path, tmp_path: Path) -> None:
    fronts = tmp_path / "fronts.json"
    front = {
        "entry": "/b/",
        "file": "site/index.html",
        "posts": [{"path": "/b/one/", "title": "One", "date": "2020-01-02"}],
    }
    fronts.write_text(json.dumps({"blog": front, "another": {}}))
    (dataset,) = datasets_in([blog], fronts)
    (site,) = dataset.sites()
    (sample,) = site.samples
    assert sample.index
    assert sample.gold.posts is not None
    assert sample.gold.posts[0].url == "https://blog.example/b/one/"


@pytest.mark.parametrize(
    "link", ["/b/../../truth.json", "/b/", "/b/%00", "/b/%2e%2e/truth.json", "https://blog.example/b/none"]
)
def test_addresses_that_name_no_file_of_the_site(blog: Path, link: str) -> None:
    assert file_of(blog / "site", TRUTH, link) is None


@pytest.mark.parametrize("truth", ["no json", "[]"])
def test_a_broken_truth_is_our_error(blog: Path, truth: str) -> None:
    (blog / "truth.json").write_text(truth)
    with pytest.raises(InputError, match="truth"):
        blog_site(blog)
