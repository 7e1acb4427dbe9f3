"""A page of a harvest is parsed once, and so is the content of a feed entry, however many steps read them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Response, Web

ENTRIES, TITLES_WITH_MARKUP = 10, 1
# Scripts that could bring missing text: the pages of the feed are compared with their entries.
HEAD = b'<script src="/menu.js"></script></head>'
# One process, so that the profiler sees all of it; the profiler counts calls and changes nothing.
COUNT = """
import cProfile, json, pstats, sys
from posterity.config import CrawlSettings, Settings
from posterity.crawl.jobs import HarvestJob
from posterity.crawl.worker import run

settings = Settings(crawl=CrawlSettings(delay_s=0.0, media=False))
with cProfile.Profile() as profile:
    run(HarvestJob(url=sys.argv[1], archive=sys.argv[2], settings=settings), lambda event: None)
calls = {(file[-11:], name): counts[1] for (file, _, name), counts in pstats.Stats(profile).stats.items()}
print(json.dumps(calls["document.py", "parse"]))
"""


def test_pages_and_feed_contents_of_a_harvest_are_parsed_once(
    serve: Callable[[dict[str, Response]], Web], response: type[Response], tmp_path: Path
) -> None:
    web = serve({})
    for path, resource in build(SiteOptions(base_url=web.base_url, feed_entries=ENTRIES, posts_limit=18)).items():
        body = resource.body.replace(b"</head>", HEAD)
        web.responses[path] = response(body, resource.content_type, resource.status)
    command = [sys.executable, "-c", COUNT, f"{web.base_url}/", str(tmp_path / "archive")]
    ended = subprocess.run(command, capture_output=True, check=True, text=True)
    read = {path for path in web.paths if path in web.responses and "html" in web.responses[path].content_type}
    assert len(read) > 18
    assert json.loads(ended.stdout.splitlines()[-1]) <= len(read) + ENTRIES + TITLES_WITH_MARKUP
