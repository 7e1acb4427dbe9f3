"""A post that two updates do not find gets a tombstone; one that comes back loses it; one that moves is followed."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from posterity.archive import open_archive
from posterity.crawl.jobs import Gone

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Response
    from tests.integration.update.conftest import Followed, Plain

    from posterity.archive.history import Tombstone
    from posterity.demo.blog import Entry

OLD, YOUNG = "salt-loaf", "letters-to-the-harbour-master"


def without(slug: str) -> Callable[[Entry], Entry | None]:
    return lambda entry: None if slug in entry.path else entry


def tombstones(followed: Followed) -> list[Tombstone]:
    with open_archive(followed.archive) as store:
        return store.tombstones(store.blog(followed.url).id)


def events_of(followed: Followed, slug: str) -> list[str]:
    with open_archive(followed.archive) as store:
        return [event.kind for event in store.history(followed.post(slug).id).events]


def test_post_is_gone_after_the_second_update_that_does_not_find_it(followed: Followed) -> None:
    followed.change(without(OLD))
    first = followed.update(revisits=0).report
    assert (first.missing, first.gone) == (1, 0)
    assert tombstones(followed) == []
    second = followed.update(revisits=0)
    assert (second.report.missing, second.report.gone) == (0, 1)
    assert [(event.status, OLD in event.url) for event in second.events if isinstance(event, Gone)] == [(404, True)]
    (stone,) = tombstones(followed)
    assert (OLD in stone.url, stone.status) == (True, 404)
    assert followed.post(OLD).text
    assert followed.update(revisits=0).paths == ["/feed/", "/sitemap.xml"]


def test_post_that_the_feed_dropped_is_noticed_without_a_change_in_the_sitemap(followed: Followed) -> None:
    sitemap = followed.blog.site["/sitemap.xml"]
    followed.change(without(YOUNG))
    resources = {**followed.blog.site.resources, "/sitemap.xml": sitemap}
    followed.blog.site = replace(followed.blog.site, resources=MappingProxyType(resources))
    assert followed.update(revisits=0).report.missing == 1
    assert followed.update(revisits=0).report.gone == 1


def test_post_that_was_away_for_one_update_is_not_gone(followed: Followed) -> None:
    whole = followed.blog.site
    followed.change(without(OLD))
    assert followed.update(revisits=0).report.missing == 1
    followed.blog.site = whole
    report = followed.update(revisits=0).report
    assert (report.gone, report.missing, report.new) == (0, 0, 0)
    followed.change(without(OLD))
    assert followed.update(revisits=0).report.gone == 0
    assert tombstones(followed) == []


def test_post_comes_back(followed: Followed) -> None:
    whole = followed.blog.site
    followed.change(without(OLD))
    followed.update(revisits=0)
    followed.update(revisits=0)
    assert len(tombstones(followed)) == 1
    followed.blog.site = whole
    report = followed.update(revisits=0).report
    assert (report.back, report.new, report.edited) == (1, 0, 0)
    assert tombstones(followed) == []
    assert events_of(followed, OLD) == ["gone", "back"]


def test_server_error_is_no_deletion(followed: Followed) -> None:
    path = next(true.path for true in followed.blog.site.truth if OLD in true.path)
    resources = dict(followed.blog.site.resources)
    resources[path] = replace(resources[path], status=500)
    followed.blog.site = replace(followed.blog.site, resources=MappingProxyType(resources))
    for _ in range(3):
        assert followed.update(revisits=14).report.gone == 0
    assert tombstones(followed) == []
    # Neither is it asked for on every update for ever.
    assert followed.update().paths == ["/feed/", "/sitemap.xml"]


def test_server_without_validators_costs_two_requests_as_well(plain: Plain) -> None:
    before = len(plain.web.asked)
    assert plain.update().requests == 2
    assert plain.web.paths[before:] == ["/feed/", "/sitemap.xml"]
    with open_archive(plain.archive) as store:
        *_, latest = store.captures(f"{plain.web.base_url}/feed/")
    assert (latest.kind, latest.status) == ("revisit", 200)


def test_post_that_moved_is_kept_once(plain: Plain, response: type[Response]) -> None:
    old, new = "/2019/09/23/salt-loaf/", "/2019/09/23/the-salt-loaf/"
    responses = plain.web.responses
    for path, page in list(responses.items()):
        body = page.body if isinstance(page.body, bytes) else page.body.encode()
        responses[path] = page._replace(body=body.replace(old.encode(), new.encode()))
    responses[new] = responses[old]
    responses[old] = response(status=301, location=new)
    report = plain.update()
    assert (report.moved, report.gone, report.missing) == (1, 0, 0)
    with open_archive(plain.archive) as store:
        assert [post.url for post in store.posts() if OLD in post.url] == [plain.web.base_url + new]
        assert store.post(plain.web.base_url + old).url == plain.web.base_url + new
        assert len(list(store.posts())) == 9
