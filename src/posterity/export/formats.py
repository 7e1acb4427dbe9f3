"""The table of export formats. A new format is one module and one line here; packages add theirs by entry points."""

from __future__ import annotations

import logging
from functools import cache
from importlib.metadata import entry_points
from typing import Literal

import msgspec

from posterity.errors import UsageError

_log = logging.getLogger(__name__)

# A stream can be written to standard output; a file cannot, because its writer has to seek or to count first.
Kind = Literal["stream", "file", "folder"]


class Format(msgspec.Struct, frozen=True):
    """A format: its writer (`module:function`), what it writes, the file extension, and a line of help."""

    writer: str
    kind: Kind
    ending: str
    about: str
    # The function that returns the files beside the main one, by the extension that is added to its name.
    beside: str | None = None
    # The function that writes several complete files, none larger than a given size.
    sized: str | None = None


def _own(writer: str, kind: Kind, ending: str, about: str, **more: str) -> Format:
    functions = {name: f"posterity.export.{function}" for name, function in more.items()}
    return Format(f"posterity.export.{writer}", kind, ending, about, **functions)


FORMATS: dict[str, Format] = {
    "jsonl": _own("json_lines:write_jsonl", "stream", ".jsonl", "one post per line, all fields"),
    "csv": _own("csv_table:write_csv", "stream", ".csv", "one post per row, for spreadsheets, R and pandas",
                beside="csv_table:blogs_beside"),
    "parquet": _own("parquet:write_parquet", "folder", "", "tables of posts, comments and blogs"),
    "xml": _own("blogbuster_xml:write_xml", "stream", ".xml", "the XML of a BlogBuster corpus"),
    "tei": _own("tei:write_tei", "stream", ".xml", "TEI P5, a teiCorpus with one text per post"),
    "cleaneval": _own("cleaneval:write_cleaneval", "stream", ".txt", "lines marked <h>, <p>, <l>"),
    "vertical": _own("vertical:write_vertical", "stream", ".vert",
                     "one token per line, for Sketch Engine; with a registry file", beside="vertical:registry"),
    "markdown": _own("markdown:write_markdown", "folder", "", "a folder for Hugo, Jekyll, Eleventy or Pelican"),
    "epub": _own("epub:write_epub", "file", ".epub", "a book with its images; passes epubcheck"),
    "wxr": _own("wxr:write_wxr", "stream", ".xml", "for the WordPress importer and `posterity import`",
                sized="wxr:write_wxr_parts"),
    "atom": _own("atom:write_atom", "stream", ".atom", "the full history as Atom; can be imported again"),
    "jsonfeed": _own("json_feed:write_json_feed", "stream", ".json", "the full history as JSON Feed 1.1"),
    "warc": _own("warc:write_warc", "stream", ".warc.gz", "the raw pages and the records extracted from them"),
    "wacz": _own("wacz:write_wacz", "file", ".wacz", "raw pages and records, for ReplayWeb.page; can be imported"),
    "report": _own("quality:write_quality_report", "stream", ".html", "a page of figures and charts about the corpus"),
    "standoff": _own("standoff:write_standoff", "stream", ".standoff",
                     "URLs, digests and offsets, no texts; see `rehydrate`"),
    "dolma": _own("json_lines:write_dolma", "stream", ".jsonl", "documents for the Dolma toolkit"),
    "datatrove": _own("json_lines:write_datatrove", "stream", ".jsonl", "documents for datatrove"),
}  # fmt: skip

PLUGINS = "posterity.formats"  # the entry point group


@cache
def all_formats() -> dict[str, Format]:
    """Return the built-in formats and those of installed packages, each a `Format` at an entry point.

    A format that cannot be loaded is logged and left out.
    """
    found = dict(FORMATS)
    for point in sorted(entry_points(group=PLUGINS)):
        try:
            form = point.load()
        except Exception as problem:  # noqa: BLE001 - third-party code
            _log.warning("The export format %s of %s cannot be loaded: %r", point.name, point.value, problem)
            continue
        found.setdefault(point.name, form)
    return found


DEFAULT_FORMAT = "jsonl"


def format_of(name: str) -> str:
    """Return the format for a file name by its extension; without one, the default.

    The extension is that of the format's files, or its name. Raises `UsageError` if no format or several formats match.
    """
    plain = name.lower().removesuffix(".gz")
    endings = {each: form.ending.removesuffix(".gz") for each, form in all_formats().items()}
    fitting = [each for each, own in endings.items() if plain.endswith((f".{each}", own or f".{each}"))]
    ending = plain.replace("\\", "/").rpartition("/")[2].rpartition(".")
    if not fitting and ending[0] and ending[2]:
        raise UsageError(f"No format has the extension .{ending[2]} of {name}. Choose one with --format.")
    if DEFAULT_FORMAT in fitting or not fitting:
        return DEFAULT_FORMAT
    if len(fitting) > 1:
        raise UsageError(f"{name} may be {', '.join(fitting)}. Choose one with --format.")
    return fitting[0]
