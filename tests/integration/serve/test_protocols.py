"""What other archives and readers speak: Atom, JSON Feed, OAI-PMH, Memento."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import feedparser
import pytest
from tests.integration.serve.running import Served, served

from posterity.archive import open_archive
from posterity.model import Post
from posterity.serve.api import oai

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OAI = "{http://www.openarchives.org/OAI/2.0/}"
DC = "{http://purl.org/dc/elements/1.1/}"


def numbered_post(number: int, title: str = "Salt") -> Post:
    return Post(id=f"p{number}", url=f"https://salt.example/{number}", blog="b", title=title, text="Salt and bread.")


def asked(site: Served, **arguments: str) -> ET.Element:
    response = site.ask.get("/oai", params=arguments)
    assert response.status_code == 200
    return ET.fromstring(response.content)


def test_atom_is_read_by_a_reader(site: Served) -> None:
    feed = feedparser.parse(site.ask.get("/feed.atom").content)
    assert not feed.bozo
    assert feed.version == "atom10"
    assert len(feed.entries) == 12
    assert all(entry.title and entry.content[0].value for entry in feed.entries)


def test_json_feed_has_every_field_it_must(site: Served) -> None:
    feed = site.ask.get("/feed.json").json()
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert all(item["id"] and item["content_html"] for item in feed["items"])


def test_feed_of_one_blog_is_only_its_own(site: Served) -> None:
    assert len(feedparser.parse(site.ask.get("/feed.atom?blog=127.0.0.1").content).entries) == 12
    assert site.ask.get("/feed.atom?blog=none.example").status_code == 404


def test_oai_identifies_itself(site: Served) -> None:
    found = asked(site, verb="Identify").find(f"{OAI}Identify")
    assert found is not None
    assert found.findtext(f"{OAI}protocolVersion") == "2.0"
    assert found.findtext(f"{OAI}deletedRecord") == "transient"


def test_oai_gives_every_record_once_over_resumption_tokens(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oai, "_PAGE", 5)
    found, arguments = [], {"verb": "ListRecords", "metadataPrefix": "oai_dc"}
    for _ in range(10):
        listed = asked(site, **arguments).find(f"{OAI}ListRecords")
        assert listed is not None
        found += [header.text for header in listed.iter(f"{OAI}identifier")]
        token = listed.findtext(f"{OAI}resumptionToken")
        if not token:
            break
        arguments = {"verb": "ListRecords", "resumptionToken": token}
    assert len(found) == len(set(found)) == 12


def harvested(
    site: Served, since: dict[str, str] | None = None, between: Callable[[int], None] = lambda _: None
) -> dict[str, str]:
    """Every record of a list with its datestamp, as a harvester leafs through it; `between` two of its pages."""
    found: dict[str, str] = {}
    wanted = {"verb": "ListRecords", "metadataPrefix": "oai_dc", **(since or {})}
    for number in range(100):
        listed = asked(site, **wanted).find(f"{OAI}ListRecords")
        if listed is None:
            return found
        for header in listed.iter(f"{OAI}header"):
            found[header.findtext(f"{OAI}identifier", "")] = header.findtext(f"{OAI}datestamp", "")
        token = listed.findtext(f"{OAI}resumptionToken")
        if not token:
            return found
        wanted = {"verb": "ListRecords", "resumptionToken": token}
        between(number)
    raise AssertionError("the list does not end")


def test_oai_misses_nothing_that_changes_while_it_is_harvested(tmp_path: Path) -> None:
    with open_archive(tmp_path / "archive", create=True) as archive:
        archive.put_posts(numbered_post(number) for number in range(1_050))

        def change(page: int) -> None:
            archive.put_posts(numbered_post(2_000 + 10 * page + number) for number in range(10))
            archive.put_post(numbered_post(page, title="Edited"))
            archive.mark_gone(f"p{1_000 + page}", 410)

        with served(tmp_path / "archive") as site:
            begun = asked(site, verb="Identify").findtext(f"{OAI}responseDate", "")
            first = harvested(site, between=change)
            known = {f"oai:posterity:{post.id}" for post in archive.posts()}
            assert set(first) == known
            assert len(known) > 1_150
            later = harvested(site, {"from": begun})
            assert known == set(later), "an answer's date is early enough to ask from it the next time"
            stamps = sorted(first.values())
            narrow = harvested(site, {"from": stamps[0], "until": stamps[0]})
            assert set(narrow) <= {name for name, stamp in first.items() if stamp == stamps[0]}


def test_post_that_comes_back_is_a_record_again_with_a_new_date(own_archive: Path) -> None:
    with open_archive(own_archive) as archive, served(own_archive) as site:
        gone = next(archive.posts())
        before = harvested(site)[f"oai:posterity:{gone.id}"]
        archive.mark_gone(gone.id, 410)
        time.sleep(1.1)  # the protocol counts whole seconds
        archive.put_post(gone)
        header = asked(site, verb="GetRecord", metadataPrefix="oai_dc", identifier=f"oai:posterity:{gone.id}").find(
            f".//{OAI}header"
        )
        assert header is not None
        assert header.get("status") is None
        stamp = header.findtext(f"{OAI}datestamp", "")
        assert stamp > before
        assert f"oai:posterity:{gone.id}" in harvested(site, {"from": stamp})


def test_post_that_moved_is_deleted_under_its_old_identifier(own_archive: Path) -> None:
    with open_archive(own_archive) as archive, served(own_archive) as site:
        old, new, *_ = archive.posts()
        archive.mark_moved(old.id, new.id)
        listed = asked(site, verb="ListIdentifiers", metadataPrefix="oai_dc")
        deleted = [one for one in listed.iter(f"{OAI}header") if one.get("status") == "deleted"]
        assert [one.findtext(f"{OAI}identifier") for one in deleted] == [f"oai:posterity:{old.id}"]


def test_oai_record_is_dublin_core(site: Served, post: dict[str, Any]) -> None:
    root = asked(site, verb="GetRecord", metadataPrefix="oai_dc", identifier=f"oai:posterity:{post['id']}")
    assert [one.text for one in root.iter(f"{DC}title")] == [post["title"]]
    assert [one.text for one in root.iter(f"{DC}creator")] == post["authors"]
    assert [one.text for one in root.iter(f"{DC}date")] == [post["published"][:10]]


def test_post_that_went_away_is_a_deleted_record(own_archive: Path) -> None:
    with open_archive(own_archive) as archive:
        gone = next(archive.posts())
        archive.mark_gone(gone.id, 410)
    with served(own_archive) as site:
        root = asked(site, verb="GetRecord", metadataPrefix="oai_dc", identifier=f"oai:posterity:{gone.id}")
        header = root.find(f".//{OAI}header")
        assert header is not None
        assert header.get("status") == "deleted"
        assert root.find(f".//{OAI}metadata") is None
        listed = asked(site, verb="ListIdentifiers", metadataPrefix="oai_dc")
        assert [one.get("status") for one in listed.iter(f"{OAI}header")].count("deleted") == 1


def test_oai_narrows_by_time_and_set(site: Served) -> None:
    blog = site.ask.get("/api/v1/blogs").json()["items"][0]["blog"]["id"]
    base = {"verb": "ListIdentifiers", "metadataPrefix": "oai_dc"}
    assert len(list(asked(site, **base, set=blog).iter(f"{OAI}header"))) == 12
    assert len(list(asked(site, **base, **{"from": "2020-01-01"}).iter(f"{OAI}header"))) == 12
    assert asked(site, **base, until="2020-01-01").find(f"{OAI}error[@code='noRecordsMatch']") is not None
    assert asked(site, **base, set="none").find(f"{OAI}error[@code='noRecordsMatch']") is not None


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "badVerb"),
        ({"verb": "Dance"}, "badVerb"),
        ({"verb": "ListRecords"}, "badArgument"),
        ({"verb": "Identify", "more": "1"}, "badArgument"),
        ({"verb": "ListRecords", "metadataPrefix": "marc"}, "cannotDisseminateFormat"),
        ({"verb": "ListRecords", "metadataPrefix": "oai_dc", "from": "yesterday"}, "badArgument"),
        ({"verb": "ListRecords", "metadataPrefix": "oai_dc", "from": "2021-01-01", "until": "2020"}, "badArgument"),
        ({"verb": "ListRecords", "resumptionToken": "x"}, "badResumptionToken"),
        ({"verb": "GetRecord", "metadataPrefix": "oai_dc", "identifier": "oai:x:1"}, "idDoesNotExist"),
    ],
)  # fmt: skip
def test_oai_errors_are_those_of_the_protocol(site: Served, arguments: dict[str, str], code: str) -> None:
    error = asked(site, **arguments).find(f"{OAI}error")
    assert error is not None
    assert error.get("code") == code


def test_timegate_leads_to_a_memento(site: Served, post: dict[str, str]) -> None:
    gate = site.ask.get(f"/timegate/{post['url']}", headers={"Accept-Datetime": "Thu, 31 May 2007 20:35:00 GMT"})
    assert gate.status_code == 302
    assert gate.headers["vary"] == "accept-datetime"
    memento = site.ask.get(urlsplit(gate.headers["location"]).path)
    assert memento.status_code == 200
    assert memento.headers["memento-datetime"].endswith("GMT")
    links = memento.headers["link"]
    assert f'<{post["url"]}>; rel="original"' in links
    assert 'rel="timegate"' in links
    assert 'rel="timemap"' in links
    assert post["title"] in memento.text


def test_timemap_lists_the_captures(site: Served, post: dict[str, str]) -> None:
    response = site.ask.get(f"/timemap/link/{post['url']}")
    assert response.headers["content-type"].startswith("application/link-format")
    assert 'rel="first last memento"' in response.text


@pytest.mark.parametrize(
    "path", ["/timegate/http://none.example/", "/timemap/link/x", "/memento/2024/http://none.example/"]
)
def test_what_is_not_stored_is_not_found(site: Served, path: str) -> None:
    assert site.ask.get(path).status_code == 404


def test_bad_date_is_refused(site: Served, post: dict[str, str]) -> None:
    assert site.ask.get(f"/timegate/{post['url']}", headers={"Accept-Datetime": "soon"}).status_code == 400
