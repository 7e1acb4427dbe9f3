"""Charts as SVG: lines, dots and bars with axes and a legend.

Text and axes use the page's text colour, so that charts are readable in light and dark mode.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

import msgspec

# The colour-blind-safe palette of Okabe and Ito; further series are dashed.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8a6d00")
_DASHES = ("", "7 3", "2 3", "9 3 2 3")
_LEFT, _TOP, _RIGHT, _BOTTOM = 58, 12, 176, 44
_WIDTH, _HEIGHT = 600, 330
# A line needs no more points than it has pixels.
_MAX_POINTS = 400


class Axis(msgspec.Struct, frozen=True, kw_only=True):
    """A range of values with its label; logarithmic for times."""

    label: str
    low: float
    high: float
    log: bool = False

    def place(self, value: float) -> float:
        """Return the position of a value on the axis, 0.0 to 1.0; values outside the range are clamped."""
        low, high, at = self.low, self.high, min(max(value, self.low), self.high)
        if self.log:
            low, high, at = math.log10(low), math.log10(high), math.log10(at)
        return (at - low) / (high - low) if high > low else 0.5

    def ticks(self) -> list[float]:
        """Return round values for the labels of the axis."""
        if self.log:
            powers = range(math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9) + 1)
            return [10.0**power for power in powers]
        step = _round_step((self.high - self.low) / 5)
        first = math.ceil(self.low / step - 1e-9)
        return [number * step for number in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _round_step(raw: float) -> float:
    """Round up to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(raw)) if raw > 0 else 1.0
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1e-9))


class Chart:
    """A chart of one or more series; `svg()` returns it as text."""

    def __init__(self, title: str, x: Axis, y: Axis) -> None:
        self.title, self._x, self._y = title, x, y
        self._marks: list[str] = []
        self._names: list[str] = []

    def line(self, name: str, points: Sequence[tuple[float, float]]) -> None:
        """Add a series as a line through these points."""
        step = max(1, -(-len(points) // _MAX_POINTS))
        chosen = [*points[::step], *points[-1:]]
        path = " ".join(f"{self._px(x):.1f},{self._py(y):.1f}" for x, y in chosen)
        self._marks.append(f'<polyline points="{path}" fill="none" stroke-width="1.8" {self._style(name)}/>')

    def dot(self, name: str, x: float, y: float) -> None:
        """Add a series that is a single dot."""
        colour = _COLOURS[self._number(name) % len(_COLOURS)]
        title = f"<title>{escape(name)}: {x:.3f}, {y:.3f}</title>"
        self._marks.append(
            f'<circle cx="{self._px(x):.1f}" cy="{self._py(y):.1f}" r="5" fill="{colour}">{title}</circle>'
        )

    def guide(self, points: Iterable[tuple[float, float]], label: str = "") -> None:
        """Add a thin auxiliary line, labelled at its end."""
        inside = [(self._px(x), self._py(y)) for x, y in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in inside)
        self._marks.append(
            f'<polyline points="{path}" fill="none" stroke="currentColor" stroke-opacity=".35" stroke-dasharray="3 3"/>'
        )
        if label and inside:
            self._marks.append(_text(inside[-1][0] + 3, inside[-1][1] + 12, label, opacity=0.6))

    def svg(self) -> str:
        """Return the chart as a self-contained <svg> element."""
        return _svg(self.title, _WIDTH, _HEIGHT, [*self._axes(), *self._marks, *self._legend()])

    def _axes(self) -> Iterable[str]:
        left, right, top, bottom = _LEFT, _WIDTH - _RIGHT, _TOP, _HEIGHT - _BOTTOM
        yield f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="currentColor"/>'
        for tick in self._x.ticks():
            x = self._px(tick)
            yield f'<path d="M{x:.1f} {bottom}v5" stroke="currentColor"/>'
            yield _text(x, bottom + 18, _number_text(tick), anchor="middle")
        for tick in self._y.ticks():
            y = self._py(tick)
            yield f'<path d="M{left} {y:.1f}H{right}" stroke="currentColor" stroke-opacity=".12"/>'
            yield _text(left - 6, y + 4, _number_text(tick), anchor="end")
        yield _text((left + right) / 2, _HEIGHT - 8, self._x.label, anchor="middle")
        middle = (top + bottom) / 2
        yield f'<g transform="rotate(-90 14 {middle:.0f})">{_text(14, middle, self._y.label, anchor="middle")}</g>'

    def _legend(self) -> Iterable[str]:
        x = _WIDTH - _RIGHT + 14
        for place, name in enumerate(self._names):
            y = _TOP + 8 + 18 * place
            yield f'<path d="M{x} {y}h20" stroke-width="3" {self._style(name)}/>'
            yield _text(x + 26, y + 4, _clip(name, 22))

    def _style(self, name: str) -> str:
        dash, colour = divmod(self._number(name), len(_COLOURS))
        return f'stroke="{_COLOURS[colour]}" stroke-dasharray="{_DASHES[dash % len(_DASHES)]}"'

    def _number(self, name: str) -> int:
        if name not in self._names:
            self._names.append(name)
        return self._names.index(name)

    def _px(self, value: float) -> float:
        return _LEFT + self._x.place(value) * (_WIDTH - _LEFT - _RIGHT)

    def _py(self, value: float) -> float:
        return _HEIGHT - _BOTTOM - self._y.place(value) * (_HEIGHT - _TOP - _BOTTOM)


def _text(x: float, y: float, words: str, anchor: str = "start", opacity: float = 1.0) -> str:
    faint = f' fill-opacity="{opacity}"' if opacity < 1 else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor"{faint}>{escape(words)}</text>'


def _number_text(value: float) -> str:
    return f"{value:.10g}" if abs(value) < 1e6 else f"{value:.0e}"


def _clip(name: str, max_chars: int) -> str:
    return name if len(name) <= max_chars else f"{name[: max_chars - 1]}…"


_FILL = _COLOURS[0]
_BAR_WIDTH = 640
_ROW, _NAMES, _FIGURES = 22, 190, 70
_BAR_HEIGHT, _BAR_LEFT, _BAR_TOP, _BAR_BOTTOM = 240, 52, 12, 46
# The width of a name under upright bars.
_LABEL_WIDTH = 44


def bars_across(title: str, counts: Sequence[tuple[str, float]]) -> str:
    """Return a chart of horizontal bars, one per name; the height grows with their number."""
    most = max((value for _, value in counts), default=0) or 1
    room = _BAR_WIDTH - _NAMES - _FIGURES
    parts = []
    for place, (name, value) in enumerate(counts):
        y = place * _ROW
        width = room * value / most
        parts.append(_text(_NAMES - 6, y + 15, _clip(name, 28), "end"))
        parts.append(f'<rect x="{_NAMES}" y="{y + 3}" width="{width:.1f}" height="{_ROW - 6}" fill="{_FILL}"/>')
        parts.append(_text(_NAMES + width + 5, y + 15, _figure(value)))
    return _svg(title, _BAR_WIDTH, len(counts) * _ROW + 4, parts)


def bars_upright(title: str, counts: Sequence[tuple[str, float]], x_label: str = "", y_label: str = "") -> str:
    """Return a chart of vertical bars, one per name, in the given order."""
    most = max((value for _, value in counts), default=0) or 1
    axis = Axis(label=y_label, low=0.0, high=float(most))
    bottom, room = _BAR_HEIGHT - _BAR_BOTTOM, _BAR_WIDTH - _BAR_LEFT - 8
    step = room / max(1, len(counts))
    every = max(1, -(-len(counts) * _LABEL_WIDTH // room))
    parts = [_grid_line(axis, tick, bottom) for tick in axis.ticks()]
    for place, (name, value) in enumerate(counts):
        height = (bottom - _BAR_TOP) * axis.place(value)
        x = _BAR_LEFT + place * step
        bar = f'x="{x:.1f}" y="{bottom - height:.1f}" width="{max(0.5, step * 0.9):.1f}" height="{height:.1f}"'
        parts.append(f'<rect {bar} fill="{_FILL}"><title>{escape(name)}: {_figure(value)}</title></rect>')
        if place % every == 0:
            parts.append(_text(x + step * 0.45, bottom + 15, name, "middle"))
    parts.append(f'<path d="M{_BAR_LEFT} {_BAR_TOP}V{bottom}H{_BAR_LEFT + room}" fill="none" stroke="currentColor"/>')
    parts.append(_text(_BAR_LEFT + room / 2, _BAR_HEIGHT - 8, x_label, "middle"))
    middle = (_BAR_TOP + bottom) / 2
    parts.append(f'<g transform="rotate(-90 13 {middle:.0f})">{_text(13, middle, y_label, "middle")}</g>')
    return _svg(title, _BAR_WIDTH, _BAR_HEIGHT, parts)


def _grid_line(axis: Axis, tick: float, bottom: int) -> str:
    y = bottom - (bottom - _BAR_TOP) * axis.place(tick)
    line = f'<path d="M{_BAR_LEFT} {y:.1f}H{_BAR_WIDTH - 8}" stroke="currentColor" stroke-opacity=".12"/>'
    return line + _text(_BAR_LEFT - 6, y + 4, _figure(tick), "end")


def _svg(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    # Browsers need the namespace to show an SVG file; inside HTML it is optional.
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-size="12"'
    return f'{head} aria-label="{escape(title)}"><title>{escape(title)}</title>{"".join(parts)}</svg>'


def _figure(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"
