"""A browser that is killed in the middle of a harvest."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from tests.e2e.render import js_blog

from posterity.archive import open_archive
from posterity.config import CrawlSettings, RenderSettings, Settings
from posterity.crawl.jobs import Event, Stored
from posterity.crawl.run import harvest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Response, Web


def browsers_below(ancestor: int) -> list[int]:
    """The main processes of browsers that this process has started, however far below."""
    parents: dict[int, int] = {}
    mains: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int(folder.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            command = folder.joinpath("cmdline").read_bytes()
        except (OSError, IndexError):
            continue
        if b"chrom" in command.split(b"\0")[0] and b"--type=" not in command:
            mains.append(int(folder.name))

    def is_below(process: int) -> bool:
        while process not in (0, ancestor):
            process = parents.get(process, 0)
        return process == ancestor

    return [main for main in mains if is_below(main)]


def test_killed_browser_costs_the_harvest_no_post(
    serve: Callable[[dict[str, Response]], Web], response: type[Response], tmp_path: Path
) -> None:
    web = serve({})
    web.responses |= js_blog.drawn_blog(response, history=True, base_url=web.base_url)
    # Posts that the feed does not name are still to come when the first are stored.
    feed = web.responses["/feed.xml"].body
    assert isinstance(feed, str)
    web.responses["/feed.xml"] = response(
        feed[: feed.index("<item><title>The letter")] + "</channel></rss>", "text/xml"
    )
    others, killed = browsers_below(os.getpid()), list[int]()

    def tell(event: Event) -> None:
        if isinstance(event, Stored) and not killed:
            killed.extend(set(browsers_below(os.getpid())) - set(others))
            for process in killed:
                os.kill(process, signal.SIGKILL)

    settings = Settings(crawl=CrawlSettings(delay_s=0), render=RenderSettings(pages=1))
    harvest(f"{web.base_url}/", tmp_path / "archive", settings=settings, on_event=tell)
    assert len(killed) == 1
    with open_archive(tmp_path / "archive") as store:
        assert len(list(store.posts())) == js_blog.POSTS
