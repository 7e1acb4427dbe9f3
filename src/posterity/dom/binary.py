"""Bytes that are no text: pictures, archives and documents that somebody took for a page.

The parser makes a document of anything, and a method finds "text" in any document. A share of control characters that
no text in any encoding has, or a well-known beginning, tells them apart; NUL bytes alone do not, since UTF-16 without
a byte order mark is full of them.
"""

from __future__ import annotations

_SAMPLE_BYTES = 1024
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
    sample = body[:_SAMPLE_BYTES]
    if sample.startswith(_BEGINNINGS):
        return True
    return len(sample) - len(sample.translate(None, _CONTROLS)) > _MAX_SHARE * len(sample)
