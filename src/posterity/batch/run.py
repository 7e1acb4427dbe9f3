"""The run of an extraction: every given page in its order, then the pages of crawl files, site by site."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from posterity.batch.method import MethodChoice, PageResult, Sites, choose_method, confident_result, extract_given_page
from posterity.batch.sources import FailedInput, Sources, is_on_web
from posterity.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from posterity.config import RenderMode
    from posterity.importer.crawl_file import Damage
    from posterity.importer.grouping import Grouped, Progress


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
    on_damage: Callable[[Damage], None] | None = None,
    progress: Progress | None = None,
) -> Iterator[PageResult]:
    """Yield the posts of every page in files, folders, URLs, WARC, ARC or WACZ files, and JSON lines.

    The arguments are the options of `posterity extract`; a name may also be "-" for standard input. `options` are
    switches of the method. Pages of one host that are given together help each other. A page that cannot be read
    yields a `PageResult` with the error in `problem`, and the others go on; wrong arguments raise `UsageError` or
    `InputError` when the first result is requested.

    `on_damage` is called with the place of every damaged record of a crawl file, which is left out. `progress` is
    called with the bytes of crawl files that were read, and with their total.
    """
    names = [str(page) for page in ([pages] if isinstance(pages, str | os.PathLike) else pages)]
    if render == "always" and not all(is_on_web(name) for name in names):
        raise UsageError("--render always works on pages of the web. Give their URLs, or leave it out for files.")
    with Sources(names, url, render=render, progress=progress) as sources:
        chosen = choose_method(method, rules, feed, sources)
        chosen = msgspec.structs.replace(chosen, options={**chosen.options, **(options or {})}, explain=explain)
        for result in _results(sources, chosen, index=index, reference=reference, on_damage=on_damage):
            yield confident_result(result, dict(min_confidence)) if min_confidence else result


def _results(
    sources: Sources,
    chosen: MethodChoice,
    *,
    index: bool,
    reference: str | None,
    on_damage: Callable[[Damage], None] | None,
) -> Iterator[PageResult]:
    sites = Sites(chosen, sources, index=index, reference=reference)
    for place, page in enumerate(sources.given()):
        if isinstance(page, FailedInput):
            yield PageResult(page.name, problem=page.problem)
        else:
            yield extract_given_page(page, chosen, sites.context(place, page))
    if sources.crawl is not None:
        if on_damage is not None:
            for damage in sources.crawl.damaged:
                on_damage(damage)
        yield from _crawl_results(sources.crawl, chosen, index=index, reference=reference)


def _crawl_results(crawl: Grouped, chosen: MethodChoice, *, index: bool, reference: str | None) -> Iterator[PageResult]:
    # Loaded only now: this takes longer than to extract a page.
    from posterity.batch.crawl_sites import extract_crawl

    for name, problem in crawl.failures:
        yield PageResult(name, problem=problem)
    found = False
    for result in extract_crawl(crawl, chosen, index=index, reference=reference):
        found = True
        yield result
    if not found and not crawl.failures:
        yield PageResult("the crawl", problem=InputError("The crawl files hold no HTML page with status 200."))
