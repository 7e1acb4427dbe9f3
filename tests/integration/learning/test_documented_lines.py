"""The lines that the documentation shows do what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    import pytest

PAGE = Path(__file__).parents[3] / "docs" / "feed-rules.md"
BASE = "http://blog.example"


def test_python_lines_learn_and_extract(capsys: pytest.CaptureFixture[str]) -> None:
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    site = build(SiteOptions(base_url=BASE, feed_format="json"))
    oldest = site.truth[-1]
    names: dict[str, Any] = {
        "feed_bytes": site[next(path for path in site if "json" in path)].body,
        "pages": {post.url: site[post.path].body for post in site.truth[:10]},
        "html": site[oldest.path].body,
        "url": oldest.url,
    }
    exec(compile(found.group(1), str(PAGE), "exec"), names)
    printed = capsys.readouterr().out
    assert oldest.title in printed
    assert str(oldest.author) in printed
    assert "div.entry-content" in printed
