"""Charts: well-formed, inside their frame, and safe with any name."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.charts import Axis, Chart

SVG = "{http://www.w3.org/2000/svg}"  # without this namespace, a file is not rendered
values = st.floats(0, 1000, allow_nan=False)


@given(st.lists(st.tuples(values, values), min_size=1, max_size=30))
def test_a_chart_is_well_formed_and_stays_in_its_frame(points: list[tuple[float, float]]) -> None:
    chart = Chart("A & B", Axis(label="x", low=0, high=100), Axis(label="<y>", low=0, high=10))
    chart.line("one", points)
    root = ET.fromstring(chart.svg())
    (line,) = [element for element in root if element.tag == f"{SVG}polyline"]
    for pair in line.attrib["points"].split():
        x, y = map(float, pair.split(","))
        assert 0 <= x <= 600
        assert 0 <= y <= 330


def test_ticks_are_round_numbers() -> None:
    assert Axis(label="", low=0.0, high=1.0).ticks() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert Axis(label="", low=0.1, high=1000, log=True).ticks() == pytest.approx([0.1, 1, 10, 100, 1000])


def test_names_are_escaped() -> None:
    chart = Chart("t", Axis(label="x", low=0, high=1), Axis(label="y", low=0, high=1))
    chart.dot("<script>", 0.5, 0.5)
    assert "<script>" not in chart.svg()


def test_an_axis_of_one_value_does_not_divide_by_zero() -> None:
    assert Axis(label="", low=3, high=3).place(3) == 0.5
