"""Broken markup that hides text from an HTML parser."""

from __future__ import annotations

import pytest

from posterity.dom import parse, text_of

SHOWN = "<p>High water at noon.</p>"


def text(page: str | bytes) -> str:
    return text_of(parse(page, "https://blog.example/p").tree)


@pytest.mark.parametrize("name", ["script", "style", "iframe", "title", "textarea", "noembed", "xmp"])
@pytest.mark.parametrize("attributes", ["", ' src="a.js" async', " data-x='/'"])
def test_element_closed_by_a_slash_ends_there(name: str, attributes: str) -> None:
    assert text(f"<body><{name}{attributes}/>{SHOWN}") == "High water at noon."
    assert text(f"<body><{name}{attributes} />{SHOWN}<script>more()</script>") == "High water at noon."


def test_slash_before_an_end_tag_changes_nothing() -> None:
    assert text(f'<body><script src="x.js"/>call()</script>{SHOWN}') == "High water at noon."


def test_tags_in_scripts_are_left_alone() -> None:
    script = "<script>document.write('<script src=\"x.js\" />'); let a = 'not shown';</script>"
    assert text(f"<body>{script}{SHOWN}") == "High water at noon."


def test_unquoted_value_may_end_in_a_slash() -> None:
    assert text(f"<body><iframe src=/a/>not shown</iframe>{SHOWN}") == "High water at noon."


def test_content_for_readers_without_frames_is_content() -> None:
    page = f"<html><frameset cols='20%,80%'><frame src=a><noframes><body>{SHOWN}</body></noframes></frameset></html>"
    assert text(page) == "High water at noon."


def test_declared_shadow_root_is_content_and_other_templates_are_not() -> None:
    page = f"<body><x-post><template shadowrootmode=open>{SHOWN}<template><p>no</p></template></template></x-post>"
    assert text(page) == "High water at noon."


def test_html_in_svg_is_content_and_labels_of_diagrams_are_not() -> None:
    long = "<p>" + "High water at noon. " * 9 + "</p>"
    svg = "<svg><g><foreignObject width=9>{}</foreignObject><path d='M0 0'/></g></svg>"
    assert text(f"<body>{svg.format(long)}<p>Ebb.</p>") == ("High water at noon. " * 9).strip() + "\n\nEbb."
    assert text(f"<body>{svg.format('<p>Start</p>')}<p>Ebb.</p>") == "Ebb."


def test_shapes_closed_by_a_slash_are_no_levels() -> None:
    shapes = '<path d="M0 0" />' * 30_000
    assert text(f"<body><svg>{shapes}</svg>{SHOWN}") == "High water at noon."


def test_utf_16_declared_in_bytes_of_ascii_is_utf_8() -> None:
    assert (
        text(f"<meta charset=utf-16><body>{SHOWN}<p>Ebbe über Föhr</p>".encode())
        == "High water at noon.\n\nEbbe über Föhr"
    )
