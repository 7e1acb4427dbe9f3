"""Bar charts as SVG: how many of each, by name, or along time or a scale.

Like the line charts of `svg`, they take the colour of the page they stand on, so that they can be printed.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from posterity.draw.svg import Axis

if TYPE_CHECKING:
    from collections.abc import Sequence

_FILL = "#0072b2"  # of Okabe and Ito's palette, as in `svg`
_WIDTH = 640
_ROW, _NAMES, _FIGURES = 22, 190, 70
_HEIGHT, _LEFT, _TOP, _BOTTOM = 240, 52, 12, 46
# Names under upright bars need this much room each.
_LABEL_WIDTH = 44
_MAX_NAME = 28


def bars_across(title: str, counts: Sequence[tuple[str, float]]) -> str:
    """Return a chart with a bar from left to right for every name, as high as there are names."""
    most = max((value for _, value in counts), default=0) or 1
    room = _WIDTH - _NAMES - _FIGURES
    parts = []
    for place, (name, value) in enumerate(counts):
        y = place * _ROW
        width = room * value / most
        parts.append(_text(_NAMES - 6, y + 15, _clipped(name), "end"))
        parts.append(f'<rect x="{_NAMES}" y="{y + 3}" width="{width:.1f}" height="{_ROW - 6}" fill="{_FILL}"/>')
        parts.append(_text(_NAMES + width + 5, y + 15, _figure(value)))
    return _svg(title, len(counts) * _ROW + 4, parts)


def bars_upright(title: str, counts: Sequence[tuple[str, float]], x_label: str = "", y_label: str = "") -> str:
    """Return a chart with a bar from bottom to top for every name, in their order."""
    most = max((value for _, value in counts), default=0) or 1
    axis = Axis(label=y_label, low=0.0, high=float(most))
    bottom, room = _HEIGHT - _BOTTOM, _WIDTH - _LEFT - 8
    step = room / max(1, len(counts))
    every = max(1, -(-len(counts) * _LABEL_WIDTH // room))
    parts = [_grid_line(axis, tick, bottom) for tick in axis.ticks()]
    for place, (name, value) in enumerate(counts):
        height = (bottom - _TOP) * axis.place(value)
        x = _LEFT + place * step
        bar = f'x="{x:.1f}" y="{bottom - height:.1f}" width="{max(0.5, step * 0.9):.1f}" height="{height:.1f}"'
        parts.append(f'<rect {bar} fill="{_FILL}"><title>{escape(name)}: {_figure(value)}</title></rect>')
        if place % every == 0:
            parts.append(_text(x + step * 0.45, bottom + 15, name, "middle"))
    parts.append(f'<path d="M{_LEFT} {_TOP}V{bottom}H{_LEFT + room}" fill="none" stroke="currentColor"/>')
    parts.append(_text(_LEFT + room / 2, _HEIGHT - 8, x_label, "middle"))
    middle = (_TOP + bottom) / 2
    parts.append(f'<g transform="rotate(-90 13 {middle:.0f})">{_text(13, middle, y_label, "middle")}</g>')
    return _svg(title, _HEIGHT, parts)


def _grid_line(axis: Axis, tick: float, bottom: int) -> str:
    y = bottom - (bottom - _TOP) * axis.place(tick)
    line = f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - 8}" stroke="currentColor" stroke-opacity=".12"/>'
    return line + _text(_LEFT - 6, y + 4, _figure(tick), "end")


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    head = f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}" font-size="12">'
    return f"{head}<title>{escape(title)}</title>{''.join(parts)}</svg>"


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor">{escape(words)}</text>'


def _figure(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def _clipped(name: str) -> str:
    return name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1]}…"
