"""Measures the CPU time of `posterity update` when no blog has new posts, including start-up.

python benchmarks/update.py --blogs 16
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from contextlib import ExitStack

from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving


def main() -> None:
    """Harvest the blogs, update them twice, and print the CPU time of the second update."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--blogs", type=int, default=16)
    blogs = options.parse_args().blogs
    with ExitStack() as stack:
        archive = stack.enter_context(tempfile.TemporaryDirectory()) + "/archive"
        served = [stack.enter_context(serving(SiteOptions(posts_limit=14))) for _ in range(blogs)]
        _run("harvest", *(f"{blog.base_url}/" for blog in served), "--archive", archive, "--delay", "0")
        _run("update", "--all", "--archive", archive)
        seconds = _run("update", "--all", "--archive", archive)
    print(f"{blogs} blogs without news: {seconds:.2f} s of processor time, {seconds / blogs:.2f} s a blog")


def _run(*arguments: str) -> float:
    """Return the CPU time of a command and all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "posterity", *arguments, "-q"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
