"""Measures posts found per request on a site with ten times as many other pages, for a harvest and other crawl orders.

The generated site is a blog of 300 posts without a sitemap, beside a wiki, a forum and a calendar, with 3,000 other
pages in total. Every page links to all four parts, posts link to wiki and forum, and some pages there link to a post.
The harvest runs over HTTP, and its curve is computed from the server's log, which includes robots.txt and the feed.
Breadth first and depth first follow all links from the home page. The oracle knows all links of the site in advance and
always takes a known post, or else the page that links to most unknown posts.

    python benchmarks/crawl_priority.py --plot docs/images/crawl-priority.svg
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

POSTS, WIKI, FORUM, CALENDAR, TAGS = 300, 1400, 1000, 600, 30
PER_PAGE, IN_FEED = 10, 10
WORDS = "tide bread radio harbour lamp stone letter winter paper garden engine river salt copper morning".split()
GOAL = 0.95

Site = dict[str, list[str]]  # the links of each page, as paths


def post_path(number: int) -> str:
    return f"/{2010 + number // 30}/{1 + number % 12:02}/post-{WORDS[number % 15]}-{number}/"


def site(rng: random.Random) -> Site:
    """Return every page with its links; posts are numbered from the oldest."""
    posts = [post_path(number) for number in range(POSTS)]
    latest = posts[::-1]
    menu = ["/", "/wiki/Main_Page", "/forum/", "/calendar/2010/01/01/", "/about/"]
    pages: Site = {}
    lists = [latest[start : start + PER_PAGE] for start in range(0, POSTS, PER_PAGE)]
    for number, listed in enumerate(lists, 1):
        onward = [f"/page/{number + 1}/"] if number < len(lists) else []
        pages["/" if number == 1 else f"/page/{number}/"] = [
            *menu,
            *listed,
            *onward,
            *(f"/tag/t{n}/" for n in range(5)),
        ]
    for tag in range(TAGS):
        pages[f"/tag/t{tag}/"] = [*menu, *latest[tag::TAGS]]
    wiki = ["/wiki/Main_Page", *(f"/wiki/{rng.choice(WORDS).title()}_{number}" for number in range(1, WIKI))]
    forum = ["/forum/", *(f"/forum/topic/{number}/" for number in range(1, FORUM))]
    days = [f"/calendar/{2010 + n // 360}/{1 + n // 30 % 12:02}/{1 + n % 30:02}/" for n in range(CALENDAR)]
    for path in posts:
        pages[path] = [*menu, rng.choice(wiki), rng.choice(forum), f"/tag/t{rng.randrange(TAGS)}/"]
    for group, sprinkled in ((wiki, 0.05), (forum, 0.05)):
        for path in group:
            onward = rng.sample(group, 12) + ([rng.choice(posts)] if rng.random() < sprinkled else [])
            pages[path] = [*menu, *onward]
    for number, path in enumerate(days):
        pages[path] = [*menu, *days[number + 1 : number + 3]]
    pages["/about/"] = menu
    return pages


def is_post(path: str) -> bool:
    return "/post-" in path


def curve(visits: list[str]) -> list[int]:
    """Return the number of posts found after each visit."""
    seen: set[str] = set()
    found = []
    for path in visits:
        seen |= {path} if is_post(path) else set()
        found.append(len(seen))
    return found


def in_order(pages: Site, take: Callable[[deque[str]], str]) -> list[str]:
    """Visit all pages, starting at the home page, in the order chosen by `take`."""
    waiting, known, visits = deque(["/"]), {"/"}, []
    while waiting:
        path = take(waiting)
        visits.append(path)
        fresh = [link for link in dict.fromkeys(pages.get(path, ())) if link not in known]
        known.update(fresh)
        waiting.extend(fresh)
    return visits


def oracle(pages: Site) -> list[str]:
    """Visit known posts first, else the known page that links to most unknown posts."""
    known, visits = {"/"}, ["/"]
    known.update(pages["/"])
    waiting = set(pages["/"]) - {"/"}
    while sum(map(is_post, visits)) < POSTS and waiting:
        posts = sorted(filter(is_post, waiting))
        best = posts[0] if posts else max(waiting, key=lambda path: _unknown(pages, path, known))
        visits.append(best)
        waiting |= set(pages[best]) - known
        waiting.discard(best)
        known.update(pages[best])
    return visits


def _unknown(pages: Site, path: str, known: set[str]) -> tuple[int, str]:
    return sum(is_post(link) and link not in known for link in set(pages[path])), path


def html(path: str, pages: Site) -> str:
    rng = random.Random(path)
    links = "".join(f'<li><a href="{link}">{link}</a></li>' for link in pages[path])
    title = path.strip("/").replace("/", " ") or "Home"
    text = "".join(f"<p>{' '.join(rng.choices(WORDS, k=40))}.</p>" for _ in range(5))
    body = f'<article class="post"><h1 class="title">{title}</h1><div class="body">{text}</div></article>'
    body = body if is_post(path) else f"<main><h1>{title}</h1>{text}</main>"
    feed = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    return f"<html><head><title>{title}</title>{feed}</head><body>{body}<ul>{links}</ul></body></html>"


def feed(pages: Site, base: str) -> str:
    chosen = [post_path(number) for number in range(POSTS - 1, POSTS - 1 - IN_FEED, -1)]
    items = []
    for path in chosen:
        page = html(path, pages)
        title = page.partition('<h1 class="title">')[2].partition("</h1>")[0]
        text = page.partition('<div class="body">')[2].partition("</div>")[0]
        items.append(
            f"<item><title>{title}</title><link>{base}{path}</link><description><![CDATA[{text}]]></description></item>"
        )
    return f'<rss version="2.0"><channel><title>B</title>{"".join(items)}</channel></rss>'


def harvested(pages: Site) -> list[str]:
    """Return the paths that a harvest requests, in order."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            is_feed = self.path == "/feed.xml"
            body = feed(pages, base) if is_feed else html(self.path, pages) if self.path in pages else ""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/xml" if is_feed else "text/html")
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    base = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "posterity", "harvest", f"{base}/", "--delay", "0", "--render", "never"]
        ended = subprocess.run([*command, "--json", "--archive", folder + "/a"], capture_output=True, check=True)
        report = json.loads(ended.stdout.splitlines()[-1])["report"]
    server.shutdown()
    print(
        f"harvest: {report['posts']} of {POSTS} posts stored, {report['requests']} requests; {report['ended_because']}"
    )
    return asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plot", metavar="FILE", help="draw the curves into this SVG file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    pages = site(random.Random(options.seed))
    print(f"{POSTS} posts, {sum(not is_post(path) for path in pages)} other pages")
    curves = {
        "oracle": curve(oracle(pages)),
        "posterity": curve(harvested(pages)),
        "breadth first": curve(in_order(pages, deque.popleft)),
        "depth first": curve(in_order(pages, deque.pop)),
    }
    goal = int(GOAL * POSTS)
    best = next(at for at, found in enumerate(curves["oracle"], 1) if found >= goal)
    for name, found in curves.items():
        at = next((at for at, count in enumerate(found, 1) if count >= goal), None)
        reached = f"{GOAL:.0%} after {at} requests, {at / best:.2f} times the oracle's" if at else "never enough"
        print(f"{name:14} {found[-1]} posts in {len(found)} requests; {reached}")
    if options.plot:
        plotted = [
            (name, [(float(at), float(count)) for at, count in thinned(found)]) for name, found in curves.items()
        ]
        Path(options.plot).write_text(rendered(plotted), encoding="utf-8")


def thinned(found: list[int]) -> list[tuple[int, int]]:
    """Return every tenth point and the last, which is enough for a plot."""
    points = list(enumerate(found, 1))
    return [*points[::10], points[-1]]


def rendered(curves: list[tuple[str, list[tuple[float, float]]]]) -> str:
    from posterity.charts import Axis, Chart

    most = max(points[-1][0] for _, points in curves)
    chart = Chart("Posts found", Axis(label="requests", low=0, high=most), Axis(label="posts", low=0, high=POSTS))
    for name, points in curves:
        chart.line(name, points)
    return chart.svg()


if __name__ == "__main__":
    main()
