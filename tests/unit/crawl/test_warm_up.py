"""After a warm-up, everything is loaded."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
from posterity.crawl.worker_process import warm_up
warm_up()
loaded = set(sys.modules)
warm_up()
print(sorted(set(sys.modules) - loaded), "posterity.extraction.hybrid.posts" in loaded, "feedparser" in loaded)
"""


def test_warm_up_loads_all_that_pages_and_feeds_need() -> None:
    ended = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("[] True True\n", "")
