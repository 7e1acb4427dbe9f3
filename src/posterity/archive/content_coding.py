"""Takes content codings (gzip, deflate, brotli, zstd) off a body; what cannot be decoded stays as it is."""

from __future__ import annotations

import contextlib
import zlib
from io import BytesIO

from posterity.archive.fast_warc import BrotliReader, ZstdReader

# A small body can unfold into gigabytes; no page that a reader could open is larger.
MAX_DECODED_BYTES = 256 * 1024 * 1024
_RAW_DEFLATE = -zlib.MAX_WBITS
_ANY_HEADER = zlib.MAX_WBITS + 32


def decoded_body(body: bytes, content_encoding: str) -> bytes:
    """Return the body without the codings that the header lists, the last applied taken off first.

    A body that was cut gives what can be read of it, as in a browser. A header that is wrong gives the body.
    """
    for coding in reversed([name.strip().lower() for name in content_encoding.split(",")]):
        body = _without(coding, body)
    return body


def _without(coding: str, body: bytes) -> bytes:
    if coding in ("gzip", "x-gzip", "deflate"):
        return _inflated(body)
    reader = {"br": BrotliReader, "zstd": ZstdReader}.get(coding)
    if reader is None:
        return body
    plain = body
    with contextlib.suppress(OSError, ValueError):
        plain = reader(BytesIO(body)).read(MAX_DECODED_BYTES)
    return plain


def _inflated(body: bytes) -> bytes:
    for bits in (_ANY_HEADER, _RAW_DEFLATE):  # some servers send deflate without its header
        try:
            return zlib.decompressobj(bits).decompress(body, MAX_DECODED_BYTES)
        except zlib.error:
            continue
    return body
