"""Bar charts: well-formed, bar lengths proportional to values, names truncated and escaped."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from posterity.charts import bars_across, bars_upright


def test_bars_across_are_as_long_as_their_figures() -> None:
    svg = ET.fromstring(bars_across("Who", [("Anna", 10), ("Bo & Co", 5)]))
    widths = [float(bar.get("width", 0)) for bar in svg.findall(".//{*}rect")]
    assert widths[0] == 2 * widths[1]
    assert [text.text for text in svg.findall(".//{*}text")] == ["Anna", "10", "Bo & Co", "5"]


def test_upright_bars_are_as_high_as_their_figures() -> None:
    svg = ET.fromstring(bars_upright("When", [("2019", 4), ("2020", 0), ("2021", 2)], "year", "posts"))
    heights = [float(bar.get("height", 0)) for bar in svg.findall(".//{*}rect")]
    assert heights[0] == 2 * heights[2]
    assert heights[1] == 0


def test_labels_that_have_no_room_are_left_out() -> None:
    svg = ET.fromstring(bars_upright("When", [(str(year), 1) for year in range(1900, 2000)]))
    shown = [text.text for text in svg.findall(".//{*}text") if (text.text or "").startswith("19")]
    assert 5 <= len(shown) <= 20


def test_chart_without_bars_is_empty_but_whole() -> None:
    ET.fromstring(bars_across("None", []))
    ET.fromstring(bars_upright("None", []))


def test_long_name_is_clipped() -> None:
    assert "x" * 30 not in bars_across("t", [("x" * 50, 1)])
