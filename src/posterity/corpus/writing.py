"""Posts written by one format: into a stream, a file or a folder, with the files that belong beside it."""

from __future__ import annotations

import gzip
import importlib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from posterity.corpus.formats import Format
    from posterity.corpus.source import Source

_GZIP = ".gz"


def write_stream(source: Source, form: Format, stream: BinaryIO | IO[bytes]) -> None:
    """Write a format that is a stream."""
    function_at(form.writer)(source, stream)


def write_whole(source: Source, form: Format, growing: Path, name: str) -> None:
    """Write one export to `growing`; `name` is what it will be called."""
    if form.kind == "stream":
        # A WARC file is compressed record by record by whoever writes it.
        with _opened(growing, compressed=name.endswith(_GZIP) and not form.ending.endswith(_GZIP)) as stream:
            write_stream(source, form, stream)
    else:
        function_at(form.writer)(source, growing)
    if form.beside is not None:
        for ending, content in function_at(form.beside)(source, name).items():
            growing.with_name(growing.name + ending).write_bytes(content)


def function_at(place: str) -> Any:
    """Return the function that `module:function` names; its module is loaded only now."""
    module, _, function = place.partition(":")
    return getattr(importlib.import_module(module), function)


@contextmanager
def _opened(path: Path, *, compressed: bool) -> Iterator[BinaryIO | IO[bytes]]:
    with path.open("wb") as stream:
        if not compressed:
            yield stream
            return
        # Neither name nor time in the header: the same posts give the same bytes.
        with gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0) as packed:
            yield cast("IO[bytes]", packed)
