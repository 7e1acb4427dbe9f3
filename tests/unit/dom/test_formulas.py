"""Formulas become safe MathML in bounded time, or stay TeX."""

from __future__ import annotations

import re
from html import escape
from xml.etree import ElementTree as ET

import pytest
from latex2mathml import converter

from posterity.dom import parse
from posterity.dom.formulas import Formula, formula_in_class, formula_in_math, mathml_of


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        ("x_i^2", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"),
        (r"\frac{a}{b}", "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>"),
        (r"a < b", "<mo>&lt;</mo>"),
        (r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", "<mtable>"),
    ],
)
def test_tex_becomes_mathml_with_its_source(tex: str, shown: str) -> None:
    math = mathml_of(Formula(tex))
    assert math is not None
    assert shown in math
    annotation = ET.fromstring(math).find(".//{*}annotation")
    assert annotation is not None
    assert annotation.text == tex


@pytest.mark.parametrize(
    "tex",
    [
        r"\frac{",
        r"\unknown{x}",
        "{" * 5000,
        "x" * 2001,
        r"\left(" * 100,
        r"\def\a{xx}\def\b{\a\a}\b",
        r"\newcommand{\a}{xx}\a",
        "x^2^3",
    ],
)
def test_tex_that_is_broken_or_costly_is_not_converted(tex: str) -> None:
    assert mathml_of(Formula(tex)) is None


def test_mathml_of_a_page_is_kept_without_what_it_must_not_have() -> None:
    inside = '<mi mathvariant="bold">a</mi><maction><mi>b</mi></maction><script>x</script>'
    page = f'<math><mrow onclick="x()">{inside}</mrow></math>'
    tree = parse(page).tree
    found = formula_in_math(tree, tree.nodes_by_tag["math"][0])
    assert found is not None
    assert "onclick" not in found.mathml
    assert "maction" not in found.mathml
    assert '<mi mathvariant="bold">a</mi><mi>b</mi>' in found.mathml
    assert found.mathml in (mathml_of(found) or "")


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<mi>a</mi><mo>≤</mo><mi>v</mi>", r"a\le v"),
        ("<mi>x</mi><mo>∈</mo><mi mathvariant='double-struck'>R</mi>", r"x\in\mathbb{R}"),
        ("<msup><mi>x</mi><mi>α</mi></msup><mi>y</mi>", r"x^\alpha y"),
        ("<mstyle><mo>→</mo><mi>b</mi></mstyle>", r"\to b"),
        ("<mi>sin</mi><mo>\u2061</mo><mi>x</mi>", r"\sin x"),
        ("<mi>x</mi><mtext> for all </mtext><mi>y</mi>", r"x\text{ for all }y"),
    ],
)
def test_mathml_without_annotation_becomes_tex_that_can_be_read(mathml: str, tex: str) -> None:
    document = parse(f"<p><math>{mathml}</math></p>")
    found = formula_in_math(document.tree, document.tree.tag.index("math"))
    assert found is not None
    assert found.tex == tex


@pytest.mark.parametrize(
    "tex",
    [
        r"\frac{a}{b}+\sqrt{x}",
        r"\sum_{i=1}^{n}x_{i}^{2}\le\infty",
        r"\alpha\in\mathbb{R}",
        r"\hat{x}\to\sqrt[3]{y}",
        r"\int_{0}^{\infty}e^{-x}dx",
        r"\lambda f(x)=\begin{matrix}1 & 0 \\ 0 & 1\end{matrix}",
    ],
)
def test_tex_comes_back_from_its_mathml(tex: str) -> None:
    there = converter.convert(tex)
    document = parse(there)
    found = formula_in_math(document.tree, document.tree.tag.index("math"))
    assert found is not None
    assert re.sub(r"</?mrow>", "", converter.convert(found.tex)) == re.sub(r"</?mrow>", "", there)


@pytest.mark.parametrize(("data", "tex"), [(r"e^{i\\pi}", r"e^{i\pi}"), (r"\q", None)])
def test_formula_in_the_data_of_its_script_is_read(data: str, tex: str | None) -> None:
    attribute = escape(f'{{"persistentExpression":"{data}","id":"X"}}')
    document = parse(f'<div class="latex-rendered" data-attrs="{attribute}"></div>')
    found = formula_in_class(document.tree, document.tree.nodes_by_tag["div"][0], "latex-rendered")
    assert (found and found.tex) == tex
