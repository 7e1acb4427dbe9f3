"""The tables of docs/articles.md: every example gives the stated Markdown, HTML and text."""

from __future__ import annotations

from pathlib import Path

import pytest

from posterity.dom import parse
from posterity.extraction.record import article_fields

PAGE = Path(__file__).parents[3] / "docs" / "articles.md"
URL = "https://blog.example/p"
COLUMNS = 5


def _value(cell: str) -> str:
    return cell.strip().removeprefix("`` ").removesuffix(" ``").replace("⏎", "\n").replace("¦", "|")


def examples() -> list[list[str]]:
    rows = [line.strip("|\n").split(" | ") for line in PAGE.read_text("utf-8").splitlines() if "| `` " in line]
    assert rows
    assert {len(row) for row in rows} == {COLUMNS}
    return [[_value(cell) for cell in row] for row in rows]


@pytest.mark.parametrize("row", examples(), ids=lambda row: row[0])
def test_example_gives_what_the_table_names(row: list[str]) -> None:
    _, html, markdown, written, text = row
    tree = parse(html, URL).tree
    fields = article_fields(tree, URL, tree.nodes_by_tag["body"][0])
    assert fields["markdown"] == markdown
    assert fields["html"] == written
    assert fields["text"] == text


@pytest.mark.parametrize(
    ("html", "kind", "provider"),
    [
        (
            '<iframe src="https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/1">',
            "audio",
            "SoundCloud",
        ),
        ('<iframe src="https://open.spotify.com/embed/track/abc">', "audio", "Spotify"),
        ('<iframe src="https://codepen.io/anna/embed/xyz">', "embed", "CodePen"),
        ('<iframe src="https://www.google.com/maps/embed?pb=1">', "embed", "Google Maps"),
        ('<iframe src="https://tube.example/videos/embed/0a1b-2c3d">', "video", "PeerTube"),
        ('<iframe src="https://social.example/@anna/123/embed">', "embed", "Mastodon"),
        ('<embed src="https://www.youtube.com/v/abcdefghijk">', "video", "YouTube"),
        ('<div class="youtube-player" data-id="abcdefghijk"></div>', "video", "YouTube"),
    ],
)
def test_embed_has_kind_and_provider(html: str, kind: str, provider: str) -> None:
    tree = parse(f"<body><p>a</p>{html}</body>", URL).tree
    (medium,) = article_fields(tree, URL)["media"]
    assert (medium.kind, medium.provider) == (kind, provider)
