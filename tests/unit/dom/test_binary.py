"""Binary data instead of text."""

from __future__ import annotations

import pytest

from posterity.dom.source import is_binary


@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"%PDF-1.4 plain so far",
        b"\x1f\x8b\x08",
        bytes(range(256)) * 4,
        b"PK\x03\x04x",
    ],
)
def test_pictures_and_packages_are_binary(body: bytes) -> None:
    assert is_binary(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<p>tide",
        "<p>Flut".encode("utf-16"),
        "<p>Flut".encode("utf-16-le"),
        "潮が満ちる".encode("iso-2022-jp"),
        "прилив".encode("koi8-r"),
        "潮が満ちる".encode("shift_jis"),
        b"<p>one stray control \x01 in a long line of ordinary words",
        "\x01\x02 a str is text",
    ],
)
def test_text_in_any_encoding_is_not(body: bytes | str) -> None:
    assert not is_binary(body)
