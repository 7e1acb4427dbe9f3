"""Which encoding a page is in: by header, byte order mark, <meta>, and only then by detection."""

from __future__ import annotations

from codecs import BOM_UTF8

from w3lib.encoding import html_body_declared_encoding, html_to_unicode, http_content_type_encoding

# Detection reads this much: enough for any script, and a page of megabytes costs no more than a small one.
_SAMPLE_BYTES = 16_384
# What undeclared pages are in. With rarer ones among the choices, French is taken for Baltic.
_ON_THE_WEB = (
    "cp1252 cp1251 cp1250 cp1253 cp1254 cp1255 cp1256 koi8_r shift_jis euc_jp gb18030 big5 euc_kr utf_16 utf_8"
).split()


def decode(body: bytes, content_type: str = "") -> tuple[str, str]:
    """Return the encoding's name and the text. Bytes that do not fit become U+FFFD; nothing raises."""
    encoding, text = html_to_unicode(content_type or None, body, default_encoding="utf-8", auto_detect_fun=_detected)
    return encoding, text


def in_utf_8(body: bytes | str, content_type: str = "") -> tuple[str, bytes]:
    """Return the encoding's name, and the page in UTF-8: what the parser reads, and what most pages are in already."""
    if isinstance(body, bytes) and _is_in_utf_8(body, content_type):
        return "utf-8", body
    encoding, text = ("utf-8", body) if isinstance(body, str) else decode(body, content_type)
    # Unpaired surrogates (from a str) have no UTF-8 form.
    return encoding, text.encode("utf-8", "replace")


def _is_in_utf_8(body: bytes, content_type: str) -> bool:
    """Tell whether the bytes can stay as they are: nothing declares another encoding, and they are right."""
    declared = http_content_type_encoding(content_type) or html_body_declared_encoding(body) or "utf-8"
    if declared != "utf-8" or body.startswith(BOM_UTF8):
        return False
    try:
        return body.isascii() or bool(body.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _detected(body: bytes) -> str | None:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        from charset_normalizer import from_bytes  # most pages declare it, or are in UTF-8

        best = from_bytes(_text_sample(body), cp_isolation=_ON_THE_WEB).best()
        return best.encoding if best else "cp1252"
    return "utf-8"


def _text_sample(body: bytes) -> bytes:
    """Start at the first byte that is not ASCII: before it, all encodings look alike."""
    first = next((index for index, byte in enumerate(body) if byte > 127), 0)
    return body[max(0, first - 1024) : first + _SAMPLE_BYTES]


_BINARY_SAMPLE_BYTES = 1024
_MAX_SHARE = 0.05  # in random bytes one in ten is such a character
_CONTROLS = bytes(set(range(1, 32)) - {9, 10, 12, 13, 27}) + b"\x7f"
_BEGINNINGS = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF-",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"\xfd7zXZ",
    b"RIFF",
    b"\x7fELF",
)


def is_binary(body: bytes | str) -> bool:
    """Tell whether the bytes are no text. A `str` is text, and so is nothing at all."""
    if isinstance(body, str) or not body:
        return False
    sample = body[:_BINARY_SAMPLE_BYTES]
    if sample.startswith(_BEGINNINGS):
        return True
    return len(sample) - len(sample.translate(None, _CONTROLS)) > _MAX_SHARE * len(sample)
