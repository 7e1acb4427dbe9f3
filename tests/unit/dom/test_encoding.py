"""The encoding of a page: header, byte order mark, <meta>, detection, in this order."""

from __future__ import annotations

from encodings.aliases import aliases

import pytest

from posterity.dom import parse, text_of
from posterity.dom.source import decode, in_utf_8

RUSSIAN = (
    "Прилив приходит два раза в сутки, и рыбаки знают его по часам. Сегодня вода стоит высоко, а ветер дует с моря. "
    * 3
)
JAPANESE = (
    "潮の満ち引きは一日に二回あります。漁師たちは時計を見なくてもそれを知っています。今日は水位が高く、風は海から吹いています。"
    * 3
)
CHINESE = "潮水每天涨落两次，渔民们不用看钟就知道。今天水位很高，风从海上吹来，港口里停满了船。" * 3
FRENCH = (
    "La marée monte deux fois par jour, et les pêcheurs la connaissent déjà à l’heure près. Où êtes-vous, là-bas ? " * 3
)


def page(text: str, head: str = "") -> str:
    return f"<!DOCTYPE html><html><head>{head}<title>t</title></head><body><p>{text.strip()}</p></body></html>"


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("shift_jis", JAPANESE),
        ("euc-jp", JAPANESE),
        ("windows-1251", RUSSIAN),
        ("koi8-r", RUSSIAN),
        ("gb18030", CHINESE),
        ("big5", "潮水每天漲落兩次"),
        ("windows-1252", FRENCH),
        ("utf-8", RUSSIAN),
        ("utf-16-le", RUSSIAN),
    ],
)
def test_header_names_the_encoding(charset: str, text: str) -> None:
    document = parse(page(text).encode(charset), content_type=f"text/html; charset={charset}")
    assert text_of(document.tree) == text.strip()


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_byte_order_mark_names_the_encoding(codec: str) -> None:
    assert text_of(parse(page(RUSSIAN).encode(codec)).tree) == RUSSIAN.strip()


def test_byte_order_mark_is_no_text() -> None:
    assert parse("\ufeff<p>tide".encode()).tree.plain(0) == "tide"


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("shift_jis", JAPANESE),
        ("windows-1251", RUSSIAN),
        ("koi8-r", RUSSIAN),
        ("gb18030", CHINESE),
        ("gb2312", CHINESE),
    ],
)
@pytest.mark.parametrize(
    "meta", ["<meta charset={}>", '<meta http-equiv="Content-Type" content="text/html; charset={}">']
)
def test_meta_names_the_encoding(charset: str, text: str, meta: str) -> None:
    assert text_of(parse(page(text, meta.format(charset)).encode(charset)).tree) == text.strip()


def test_header_wins_over_meta() -> None:
    body = page(RUSSIAN, "<meta charset=koi8-r>").encode("windows-1251")
    assert text_of(parse(body, content_type="text/html; charset=windows-1251").tree) == RUSSIAN.strip()


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("shift_jis", JAPANESE),
        ("windows-1251", RUSSIAN),
        ("koi8-r", RUSSIAN),
        ("gb18030", CHINESE),
        ("utf-8", JAPANESE),
        ("windows-1252", FRENCH),
    ],
)
def test_encoding_that_nobody_names_is_detected(charset: str, text: str) -> None:
    assert text_of(parse(page(text).encode(charset)).tree) == text.strip()


def test_detection_looks_past_a_long_ascii_beginning() -> None:
    body = page(RUSSIAN, "<style>" + "p { color: red }\n" * 5000 + "</style>").encode("windows-1251")
    assert text_of(parse(body).tree) == RUSSIAN.strip()


@pytest.mark.parametrize(
    "content_type", ["text/html; charset=klingon", "text/html; charset=", "nonsense", "text/html; charset=utf-7x"]
)
def test_header_that_names_no_encoding_is_passed_over(content_type: str) -> None:
    assert text_of(parse(page(RUSSIAN).encode(), content_type=content_type).tree) == RUSSIAN.strip()


def test_bytes_that_do_not_fit_become_replacement_characters() -> None:
    assert parse(b"<p>a\xffb", content_type="text/html; charset=utf-8").tree.plain(0) == "a\ufffdb"


def test_page_in_utf_8_reaches_the_parser_as_it_came() -> None:
    body = "<p>Où êtes-vous</p>".encode()
    assert in_utf_8(body)[1] is body


@pytest.mark.parametrize(
    ("body", "page"),
    [
        (b"\xef\xbb\xbf<p>\xc3\xa9", "<p>é"),
        (b'<meta charset="iso-8859-1"><p>\xe9', '<meta charset="iso-8859-1"><p>é'),
        (b'<meta charset="utf-8"><p>\xff', '<meta charset="utf-8"><p>\ufffd'),
        ("<p>\ud800", "<p>?"),
    ],
)
def test_any_other_page_is_put_into_utf_8(body: bytes | str, page: str) -> None:
    assert in_utf_8(body)[1] == page.encode()


def test_utf_8_stays_as_it_is_even_with_replacement_characters_in_it() -> None:
    body = page("caf\ufffd").encode()
    assert in_utf_8(body) == ("utf-8", body)


def test_plain_ascii_keeps_the_name_of_the_encoding_that_it_declares() -> None:
    assert in_utf_8(page("tide", "<meta charset=iso-8859-1>").encode())[0] == "cp1252"


@pytest.mark.parametrize("declared", ["iso-8859-1", "windows-1251", "gb2312"])
def test_page_in_utf_8_that_declares_another_encoding_is_read_unless_the_server_declares_it_too(declared: str) -> None:
    body = page(FRENCH, f"<meta charset={declared}>").encode()
    assert text_of(parse(body).tree) == FRENCH.strip()
    assert text_of(parse(body, content_type=f"text/html; charset={declared}").tree) != FRENCH.strip()


_CODECS = sorted({*aliases.values(), "idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"})


@pytest.mark.parametrize("name", _CODECS)
def test_no_declared_encoding_raises_or_makes_tags_of_plain_letters(name: str) -> None:
    words = b"Words \\x3cb\\x3e +ADw-b+AD4- \\u003cb\\u003e ab-c-d"
    in_page = f"<meta charset={name}><p>".encode() + words
    _, plain = decode(in_page)
    _, by_header = decode(b"<p>" + words, f"text/html; charset={name}")
    assert "<b>" not in plain
    assert "<b>" not in by_header
