"""The worker behind `extraction`: reads requests and writes responses as lines of JSON, within a memory limit."""

from __future__ import annotations

import sys
import time
from functools import cache

import msgspec

from posterity.archive import open_archive
from posterity.discover.feed import declared_feeds, read_feed
from posterity.discover.links import stylesheets
from posterity.dom import parse
from posterity.dom.source import is_binary
from posterity.errors import PosterityError, UnreadablePage
from posterity.evaluate.worker import PageLimits, restrict_memory
from posterity.extraction import Context, extract_posts
from posterity.extraction.blogforever import learn_rules
from posterity.extraction.feed import learn
from posterity.model import to_json
from posterity.serve import extraction
from posterity.serve.replay.clean_page import framed_html
from posterity.serve.rule_correction import proposal

_opened_archive = cache(open_archive)
_MAX_LINKS = 100  # the server uses a few
_REQUESTS: msgspec.json.Decoder[extraction.WorkerRequest] = msgspec.json.Decoder(extraction.WorkerRequest)
_PAGE = (
    b"<html lang=en><title>Page</title><body><article><h1>Page</h1><time datetime=2024-01-02>2 January 2024</time>"
    b"<p>Some words, so that there is something to read.</p></article></body></html>"
)


def main() -> None:
    """Process requests until standard input ends."""
    restrict_memory(PageLimits(memory_mb=2048))
    # Warm up by extracting a page: loading what the default method needs takes longer than most pages.
    extract_posts(parse(_PAGE, "https://warm.example/2024/01/02/page/"))
    sys.stdout.buffer.write(extraction.READY)
    sys.stdout.buffer.flush()
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(to_json(_result(_REQUESTS.decode(line))) + b"\n")
        sys.stdout.buffer.flush()


def _result(request: extraction.WorkerRequest) -> extraction.ExtractResult:
    try:
        match request:
            case extraction.ExtractRequest():
                return _extract(request)
            case extraction.FrameRequest():
                html = framed_html(
                    request.page,
                    request.posts,
                    request.rules,
                    archive=_opened_archive(request.archive) if request.archive else None,
                    sheets=request.sheets,
                    nonce=request.nonce,
                )
                return extraction.ExtractResult(html=html.encode("utf-8", "replace").decode())
            case extraction.CorrectionRequest():
                tried = proposal(request.page, request.node, request.field, request.rules, request.others)
                return extraction.ExtractResult(proposal=tried)
            case extraction.LinksRequest():
                page = request.page
                if request.wanted == "entries":
                    entries = read_feed(page.body, page.url, page.content_type).entries
                    return extraction.ExtractResult(urls=tuple(one.link for one in entries if one.link)[:_MAX_LINKS])
                document = parse(page.body, page.url, page.content_type)
                found = declared_feeds(document) if request.wanted == "feeds" else stylesheets(document)
                return extraction.ExtractResult(urls=tuple(found)[:_MAX_LINKS])
    except PosterityError as problem:
        return extraction.ExtractResult(error=type(problem).__name__, message=str(problem))
    except Exception as problem:  # noqa: BLE001 - a page on which a method fails is a result too
        message = f"The page cannot be read: {type(problem).__name__}."
        return extraction.ExtractResult(error="UnreadablePage", message=message)


def _extract(request: extraction.ExtractRequest) -> extraction.ExtractResult:
    began = time.perf_counter()
    if request.feed is not None and request.method == "blogforever":  # learns its rules differently
        rules = learn_rules(read_feed(request.feed, request.feed_url), request.site)
        request = msgspec.structs.replace(request, rules=rules)
    elif request.feed is not None:
        return extraction.ExtractResult(rules=learn(request.feed, request.site, feed_url=request.feed_url))
    if is_binary(request.body):
        raise UnreadablePage("This is not a page: its bytes are not text.")
    document = parse(request.body, request.url, request.content_type)
    others = tuple(parse(body, url) for url, body in request.site.items() if url != request.url)
    posts = extract_posts(
        document,
        method=request.method,
        context=Context(
            rules=request.rules,
            site=others,
            reference=others[0] if others else None,
            index=request.index,
            # The published rules fit front pages of 2010; "blogs" fits today's.
            options={"rules": "blogs"} if request.index and request.method == "blogbuster" else {},
        ),
    )
    return extraction.ExtractResult(posts=posts, seconds=time.perf_counter() - began)


if __name__ == "__main__":
    main()
