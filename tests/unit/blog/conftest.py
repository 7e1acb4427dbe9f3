"""The bundled blog as stored pages in memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol

import pytest

from posterity.blog.page_source import StoredPages, StoredResponse
from posterity.demo.server import build
from posterity.model import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from posterity.demo.blog import SiteOptions

THEN = datetime(2024, 5, 6, tzinfo=UTC)


class MakePage(Protocol):
    """Makes a page that was fetched some days after the first."""

    def __call__(
        self, url: str, body: str = "", *, kind: str = "text/html", days: int = 0, status: int = 200
    ) -> Page: ...


class StorePages(Protocol):
    """Stores these pages, and redirects fetched on a later day."""

    def __call__(self, pages: Iterable[Page], redirects: dict[str, str] | None = None) -> StoredPages: ...


@pytest.fixture(scope="session")
def page() -> MakePage:
    return _page


@pytest.fixture(scope="session")
def stored() -> StorePages:
    return _stored


def _page(url: str, body: str = "", *, kind: str = "text/html", days: int = 0, status: int = 200) -> Page:
    return Page(
        url=url,
        requested_url=url,
        status=status,
        content_type=kind,
        body=body.encode(),
        fetched_at=THEN + timedelta(days=days),
    )


def _stored(pages: Iterable[Page], redirects: dict[str, str] | None = None) -> StoredPages:
    kept = list(pages)
    responses = [
        StoredResponse(
            url=one.url,
            status=one.status,
            content_type=one.content_type,
            fetched_at=one.fetched_at,
            where=(str(place), 0, 0),
        )
        for place, one in enumerate(kept)
    ]
    responses += [
        StoredResponse(
            url=url,
            status=301,
            content_type="",
            fetched_at=THEN + timedelta(days=100),
            where=("0", 0, 0),
            location=target,
        )
        for url, target in (redirects or {}).items()
    ]
    return StoredPages(
        responses, lambda response: kept[int(response.where[0])] if isinstance(response.where, tuple) else kept[0]
    )


@pytest.fixture(scope="session")
def site_pages() -> Callable[[SiteOptions], list[Page]]:
    """Builds the bundled blog and returns its pages."""

    def pages(options: SiteOptions) -> list[Page]:
        site = build(options)
        return [
            Page(
                url=options.base_url + path,
                requested_url=options.base_url + path,
                status=200,
                content_type=resource.content_type,
                body=resource.body,
                fetched_at=THEN,
            )
            for path, resource in site.items()
        ]

    return pages
