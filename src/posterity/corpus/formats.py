"""The table of export formats. Adding one is one file and one line here."""

from __future__ import annotations

FORMATS: dict[str, str] = {
    "jsonl": "posterity.corpus.jsonl:write_jsonl",
    "markdown": "posterity.corpus.markdown:write_markdown",
}
