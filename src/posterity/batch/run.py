"""Extraction of all given pages in order, then of the pages of crawl files, site by site."""

from __future__ import annotations

import logging
import os
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from posterity.batch.method import MethodChoice, PageResult, choose_method, confident_result, given_results
from posterity.batch.sources import Sources, is_on_web
from posterity.engine import collect_rarely
from posterity.errors import InputError, PosterityError, UsageError
from posterity.extraction import extract
from posterity.extraction.wc_density import FLAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from posterity.config import RenderMode
    from posterity.importer.crawl_file import Damage
    from posterity.importer.grouping import Progress
    from posterity.model import Post, RuleSet

_log = logging.getLogger(__name__)


def extract_pages(  # noqa: PLR0913 - one argument for every option of the command
    pages: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    url: str = "",
    method: str | None = None,
    options: Mapping[str, object] | None = None,
    feed: str | None = None,
    rules: str | None = None,
    reference: str | None = None,
    render: RenderMode = "auto",
    index: bool = False,
    min_confidence: Mapping[str, float] | None = None,
    explain: bool = False,
    sorted_file: str | os.PathLike[str] | None = None,
    on_damage: Callable[[Damage], None] | None = None,
    progress: Progress | None = None,
) -> Iterator[PageResult]:
    """Yield the posts of every page in files, folders, URLs, WARC, ARC or WACZ files, and JSON lines.

    The arguments are the options of `posterity extract`; a name may also be "-" for standard input. `options` are
    switches of the method. Several pages of one host improve each other's results. A page that cannot be read
    yields a `PageResult` with the error in `problem`, and the others continue; wrong arguments raise `UsageError` or
    `InputError` when the first result is requested.

    `sorted_file` is written before the first result: the responses of the given crawl files, site after site.
    `on_damage` is called with the place of every damaged record of a crawl file, which is left out. `progress` is
    called with the bytes of crawl files that were read, and with their total.
    """
    names = [str(page) for page in ([pages] if isinstance(pages, str | os.PathLike) else pages)]
    if render == "always" and not all(is_on_web(name) for name in names):
        raise UsageError("--render always works only with URLs. Remove it to read files.")
    with Sources(names, url, render=render, progress=progress, all_files=sorted_file is not None) as sources:
        chosen = choose_method(_named_or_implied(method, options or {}), rules, feed, sources)
        if sorted_file is not None:
            _write_sorted(sources, Path(sorted_file))
        chosen = msgspec.structs.replace(chosen, options={**chosen.options, **(options or {})}, explain=explain)
        for result in _results(sources, chosen, index=index, reference=reference, on_damage=on_damage):
            yield confident_result(result, dict(min_confidence)) if min_confidence else result


GivenHtml: TypeAlias = "bytes | str | tuple[bytes | str, str]"


def extract_many(
    pages: Iterable[GivenHtml], *, workers: int | None = None, method: str | None = None, rules: RuleSet | None = None
) -> Iterator[Post | PosterityError | None]:
    """Yield for every page, in order, its post, None if there is none, or the error that it raised.

    A page is its HTML, or a pair of HTML and URL. `workers` processes extract at the same time, by default one per
    processor; pages are read from the iterable as results are consumed, so memory use does not depend on their number.
    With one worker, everything runs in this process.
    """
    if isinstance(pages, str | bytes | dict):
        raise InputError("extract_many takes several pages, each its HTML or a pair of HTML and URL.")
    count = workers or os.cpu_count() or 1
    extract_chunk = partial(_extract_chunk, method, rules)
    if count == 1:
        for chunk in _chunks(pages, 1):
            yield from extract_chunk(chunk)
        return
    # Not "fork": the caller may have threads, and a forked child may deadlock on their locks.
    with ProcessPoolExecutor(count, get_context("spawn"), initializer=collect_rarely) as pool:
        waiting: deque[Future[list[Post | PosterityError | None]]] = deque()
        for chunk in _chunks(pages, _CHUNK_PAGES):
            waiting.append(pool.submit(extract_chunk, chunk))
            if len(waiting) > _CHUNKS_PER_WORKER * count:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


_CHUNK_PAGES = 8  # extracting a page takes 10 ms, transferring it 0.1 ms
_CHUNKS_PER_WORKER = 4


def _chunks(pages: Iterable[GivenHtml], size: int) -> Iterator[list[GivenHtml]]:
    left = iter(pages)
    while chunk := list(islice(left, size)):
        yield chunk


def _extract_chunk(
    method: str | None, rules: RuleSet | None, pages: list[GivenHtml]
) -> list[Post | PosterityError | None]:
    return [_extract_one(method, rules, page) for page in pages]


def _extract_one(method: str | None, rules: RuleSet | None, page: GivenHtml) -> Post | PosterityError | None:
    html, url = page if isinstance(page, tuple) else (page, "")
    try:
        return extract(html, url, method=method, rules=rules)
    except PosterityError as problem:
        return problem
    except Exception as problem:  # noqa: BLE001 - an error on one page must not stop the others
        _log.exception("%s cannot be extracted", url or "a page")
        return PosterityError(f"{url or 'A page'} cannot be extracted, which is a bug: {problem!r}.")


def _named_or_implied(method: str | None, options: Mapping[str, object]) -> str | None:
    """Return the method; the switches of the thesis's tool imply its default method, `wc-multi`.

    With another method they would have no effect, so this is an error.
    """
    switches = [flag.name for flag in FLAGS if flag.option and options.get(flag.option)]
    if not switches or (method and method.startswith("wc-")):
        return method
    if method is None:
        return "wc-multi"
    raise UsageError(f"{switches[0]} is for --method wc-single or wc-multi, not for {method}.")


def _write_sorted(sources: Sources, out: Path) -> None:
    from posterity.importer.grouping import write_sorted

    if sources.crawl is None:
        raise UsageError("--sorted sorts the pages of WARC, ARC or WACZ files by site, and none of these is given.")
    write_sorted(sources.crawl.spool, out)


def _results(
    sources: Sources,
    chosen: MethodChoice,
    *,
    index: bool,
    reference: str | None,
    on_damage: Callable[[Damage], None] | None,
) -> Iterator[PageResult]:
    yield from given_results(sources, chosen, index=index, reference=reference)
    if sources.crawl is not None:
        if on_damage is not None:
            for damage in sources.crawl.damaged:
                on_damage(damage)
        # Imported lazily: this takes longer than extracting a page.
        from posterity.batch.crawl_sites import extract_crawl

        for name, problem in sources.crawl.failures:
            yield PageResult(name, problem=problem)
        found = False
        for result in extract_crawl(sources.crawl, chosen, index=index, reference=reference):
            found = True
            yield result
        if not found and not sources.crawl.failures:
            yield PageResult("the crawl", problem=InputError("The crawl files contain no HTML page with status 200."))
