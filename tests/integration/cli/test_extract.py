"""`posterity extract` from every source, in every format, with every method, as a person calls it."""

from __future__ import annotations

import gzip
import json
import lzma
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from posterity.extraction import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Posterity, Response, Web

WORDS = {
    "tides": "The tide comes in twice a day, and the harbour master writes it down in a book that nobody reads.",
    "bread": "Bread wants time, flour, water and very little else, whatever the people on television may say of it.",
    "maps": "Old maps show islands that were never there, because somebody once saw a cloud and wrote down land.",
    "storm": "Our cat slept through the storm of last night while the roof of the shed flew over to the neighbours.",
}


def html(name: str) -> str:
    """A post page of a small blog."""
    return (
        f"<!DOCTYPE html><html lang=en><head><title>{name}</title></head><body><ul><li><a href=/>Home</a></ul>"
        f"<div class=post><h1>About {name}</h1><div class=post-body>{article(WORDS[name])}</div></div>"
        "<p>All rights with us.</p>"
    )


def article(words: str) -> str:
    return "".join(f"<p>{words} Part {part}.</p>" for part in ("one", "two", "three"))


def feed(base_url: str) -> str:
    items = "".join(
        f"<item><title>About {name}</title><link>{base_url}/{name}.html</link>"
        f"<pubDate>{day:02} Jan 2021 10:00:00 GMT</pubDate>"
        f"<description><![CDATA[{article(words)}]]></description></item>"
        for day, (name, words) in enumerate(WORDS.items(), 4)
    )
    channel = f"<title>Blog</title><link>{base_url}/</link>{items}"
    return f"<?xml version='1.0'?><rss version='2.0'><channel>{channel}</channel></rss>"


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    folder = tmp_path / "mirror"
    (folder / "pictures").mkdir(parents=True)
    for name in WORDS:
        (folder / f"{name}.html").write_text(html(name), encoding="utf-8")
    (folder / "feed.xml").write_text(feed("http://blog.example"), encoding="utf-8")
    (folder / "pictures" / "boat.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    return folder


@pytest.fixture
def page(mirror: Path) -> Path:
    return mirror / "tides.html"


@pytest.fixture(scope="module")
def web(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> Web:
    site = serve({})
    site.responses.update(
        {
            **{f"/{name}.html": response(html(name)) for name in WORDS},
            "/robots.txt": response("User-agent: *\nDisallow: /secret/\n", "text/plain"),
            "/secret/x.html": response(html("maps")),
            "/moved": response(status=301, location="/bread.html"),
            "/moved-to-secret": response(status=302, location="/secret/x.html"),
            "/boat.png": response(b"\x89PNG", "image/png"),
            "/feed.xml": response(feed(site.base_url), "application/rss+xml"),
        }
    )
    return site


def over_http(status: str, kind: str, body: bytes) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


ANSWERS = {
    **{f"http://blog.example/{name}.html": over_http("200 OK", "text/html", html(name).encode()) for name in WORDS},
    "http://blog.example/gone.html": over_http("404 Not Found", "text/html", b"<p>gone"),
    "http://blog.example/boat.png": over_http("200 OK", "image/png", b"\x89PNG"),
}


def warc_file(folder: Path) -> Path:
    records = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Date: 2021-01-04T10:00:00Z\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n".encode()
        + block
        + b"\r\n\r\n"
        for number, (url, block) in enumerate(ANSWERS.items())
    )
    (folder / "crawl.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))
    return folder / "crawl.warc.gz"


def arc_file(folder: Path) -> Path:
    description = b"1 0 test\nURL IP-address Archive-date Content-type Archive-length\n"
    records = [f"filedesc://crawl.arc 0.0.0.0 20210104100000 text/plain {len(description)}\n".encode() + description]
    records += [
        f"{url} 127.0.0.1 20210104100000 text/html {len(block)}\n".encode() + block for url, block in ANSWERS.items()
    ]
    (folder / "crawl.arc.gz").write_bytes(b"".join(gzip.compress(record + b"\n") for record in records))
    return folder / "crawl.arc.gz"


def records(stdout: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in stdout.splitlines()]


def is_about(record: dict[str, object], name: str) -> bool:
    return WORDS[name] in str(record["text"])


@pytest.mark.parametrize("method", METHODS)
def test_every_method_reads_a_folder(method: str, mirror: Path, posterity: Posterity) -> None:
    given: list[str | Path] = ["--feed", mirror / "feed.xml"] if method in ("feed", "hybrid", "blogforever") else []
    ended = posterity("extract", mirror, "--method", method, "--format", "jsonl", *given)
    assert (ended.returncode, ended.stderr) == (0, "")
    found = records(ended.stdout)
    # In the order of the file names.
    assert [is_about(record, name) for record, name in zip(found, sorted(WORDS), strict=True)] == [True] * 4


def test_one_post_is_an_object_and_several_are_an_array(page: Path, mirror: Path, posterity: Posterity) -> None:
    assert is_about(json.loads(posterity("extract", page).stdout), "tides")
    assert len(json.loads(posterity("extract", mirror).stdout)) == 4


def test_address_of_a_file_can_be_given(page: Path, posterity: Posterity) -> None:
    record = json.loads(posterity("extract", page, "--url", "http://blog.example/tides.html").stdout)
    assert record["url"] == "http://blog.example/tides.html"


def test_address_of_a_folder_is_where_its_files_begin(mirror: Path, posterity: Posterity) -> None:
    ended = posterity("extract", mirror, "--url", "http://blog.example/b/", "--format", "jsonl")
    assert [record["url"] for record in records(ended.stdout)] == [
        f"http://blog.example/b/{n}.html" for n in sorted(WORDS)
    ]


def test_standard_input(posterity: Posterity) -> None:
    assert is_about(json.loads(posterity("extract", "-", stdin=html("bread")).stdout), "bread")


@pytest.mark.parametrize("pack", [None, gzip, lzma])
def test_lines_keep_their_ids(pack: object, tmp_path: Path, posterity: Posterity) -> None:
    lines = [
        {"id": f"n{number}", "url": f"http://{n}.example/", "html": html(n), "gold": {}}
        for number, n in enumerate(WORDS)
    ]
    body = "".join(json.dumps(line) + "\n" for line in lines).encode()
    ending = {None: "", gzip: ".gz", lzma: ".xz"}[pack]  # type: ignore[index]
    file = tmp_path / f"pages.jsonl{ending}"
    file.write_bytes(pack.compress(body) if pack else body)  # type: ignore[attr-defined]
    ended = posterity("extract", file, "--format", "jsonl")
    assert (ended.returncode, ended.stderr) == (0, "")
    found = records(ended.stdout)
    assert [record["id"] for record in found] == ["n0", "n1", "n2", "n3"]
    assert found[1]["url"] == "http://bread.example/"


def test_bad_line_is_named_and_the_others_go_on(tmp_path: Path, posterity: Posterity) -> None:
    file = tmp_path / "pages.jsonl"
    file.write_text(json.dumps({"id": 7, "html": html("maps")}) + "\n{broken\n" + json.dumps({"url": "x"}) + "\n")
    ended = posterity("extract", file, "--format", "jsonl")
    assert ended.returncode == 0
    assert [record["id"] for record in records(ended.stdout)] == ["7"]
    assert "Line 2 of" in ended.stderr
    assert "Line 3 of" in ended.stderr
    assert "2 of 3 pages could not be read" in ended.stderr


@pytest.mark.parametrize("made", [warc_file, arc_file])
def test_warc_and_arc_give_their_pages(made: Callable[[Path], Path], tmp_path: Path, posterity: Posterity) -> None:
    file = made(tmp_path)
    ended = posterity("extract", file, "--method", "wc-multi", "--format", "jsonl")
    assert (ended.returncode, ended.stderr) == (0, "")
    found = records(ended.stdout)
    assert [record["url"] for record in found] == [f"http://blog.example/{name}.html" for name in WORDS]
    assert "All rights" not in str(found[0]["text"])  # the pages of a host are compared with each other
    assert found[0]["provenance"]["text"]["warc"].startswith(f"{file.name}#")  # type: ignore[index]


def test_page_over_http(web: Web, posterity: Posterity) -> None:
    record = json.loads(posterity("extract", f"{web.base_url}/moved").stdout)
    assert is_about(record, "bread")
    assert record["url"] == f"{web.base_url}/bread.html"
    assert web.asked[-1].user_agent.startswith("Posterity/")


@pytest.mark.parametrize(
    ("path", "code", "words"),
    [
        ("/secret/x.html", 7, "robots.txt forbids"),
        ("/moved-to-secret", 7, "robots.txt forbids"),
        ("/nowhere.html", 6, "404"),
        ("/boat.png", 9, "image/png"),
    ],
)
def test_address_that_gives_no_page(path: str, code: int, words: str, web: Web, posterity: Posterity) -> None:
    ended = posterity("extract", f"{web.base_url}{path}")
    assert (ended.returncode, ended.stdout) == (code, "")
    assert words in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_forbidden_page_is_not_asked_for(web: Web, posterity: Posterity) -> None:
    before = len(web.asked)
    posterity("extract", f"{web.base_url}/secret/x.html")
    assert [asked.path for asked in web.asked[before:]] == ["/robots.txt"]


def test_unreadable_robots_forbids_everything(
    serve: Callable[..., Web], response: type[Response], posterity: Posterity
) -> None:
    site = serve({"/robots.txt": response("", status=503), "/a.html": response(html("maps"))})
    ended = posterity("extract", f"{site.base_url}/a.html")
    assert ended.returncode == 7
    assert "/a.html" not in site.paths


def test_host_that_refuses_the_connection(posterity: Posterity) -> None:
    ended = posterity("extract", "http://127.0.0.1:9/x.html")
    assert ended.returncode == 6
    assert "127.0.0.1:9 refused the connection" in ended.stderr


def test_feed_teaches_the_pages_of_its_folder(mirror: Path, posterity: Posterity) -> None:
    ended = posterity("extract", mirror, "--feed", mirror / "feed.xml", "--format", "jsonl")
    assert (ended.returncode, ended.stderr) == (0, "")
    found = {str(record["url"]): record for record in records(ended.stdout)}
    tides = found["http://blog.example/tides.html"]
    assert tides["title"] == "About tides"
    assert str(tides["published"]).startswith("2021-01-04T10:00")
    assert "All rights" not in str(tides["text"])


def test_feed_over_http_teaches_pages_over_http(web: Web, posterity: Posterity) -> None:
    pages = [f"{web.base_url}/{name}.html" for name in WORDS]
    ended = posterity("extract", *pages, "--feed", f"{web.base_url}/feed.xml", "--format", "jsonl")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [record["provenance"]["text"]["method"] for record in records(ended.stdout)] == ["feed"] * 4  # type: ignore[index]


def test_learned_rules_are_applied(mirror: Path, page: Path, tmp_path: Path, posterity: Posterity) -> None:
    (tmp_path / "rules.json").write_text(posterity("learn", mirror / "feed.xml", "--pages", mirror).stdout)
    record = json.loads(posterity("extract", page, "--rules", tmp_path / "rules.json").stdout)
    assert is_about(record, "tides")
    assert record["provenance"]["text"]["method"] == "feed"


def test_toml_rules_are_blogbusters(page: Path, tmp_path: Path, posterity: Posterity) -> None:
    rules = '[[post]]\ntags = ["div"]\npatterns = ["post"]\n[[text]]\nwhere = "descendants"\ntags = ["p"]\n'
    (tmp_path / "mine.toml").write_text(rules)
    record = json.loads(posterity("extract", page, "--rules", tmp_path / "mine.toml").stdout)
    assert record["provenance"]["text"]["method"] == "blogbuster"


def test_rule_files_of_the_package_go_by_name(page: Path, posterity: Posterity) -> None:
    assert is_about(json.loads(posterity("extract", page, "--rules", "blogs").stdout), "tides")


def test_in_out_rules(page: Path, tmp_path: Path, posterity: Posterity) -> None:
    (tmp_path / "gold.txt").write_text("(\naddr = .*\nin = div|class|post\nout = h1\n)\n")
    record = json.loads(posterity("extract", page, "--rules", tmp_path / "gold.txt").stdout)
    assert record["provenance"]["text"] == {
        **record["provenance"]["text"],
        "method": "in-out",
        "rule": "div|class|post",
    }
    assert "About tides" not in record["text"]


def test_reference_page_is_the_one_given(mirror: Path, posterity: Posterity) -> None:
    alone = json.loads(posterity("extract", mirror / "maps.html", "--method", "wc-multi").stdout)
    ended = posterity("extract", mirror / "maps.html", "--method", "wc-multi", "--reference", mirror / "storm.html")
    assert "no reference page" in alone["provenance"]["text"]["rule"]
    assert "not in the reference page" in json.loads(ended.stdout)["provenance"]["text"]["rule"]


def test_switches_of_the_thesis_reach_the_method(mirror: Path, posterity: Posterity) -> None:
    ended = posterity("extract", mirror, "--method", "wc-multi", "--singlemode", "--addtitle", "--format", "jsonl")
    for record in records(ended.stdout):
        assert "single mode" in record["provenance"]["text"]["rule"]  # type: ignore[index]
        assert str(record["text"]).startswith("About ")


def test_switch_of_the_thesis_implies_its_method(mirror: Path, posterity: Posterity) -> None:
    """The thesis's tool compares pages unless it is called with --singlemode."""
    ended = posterity("extract", mirror, "--prune", "--format", "jsonl")
    assert {record["provenance"]["text"]["method"] for record in records(ended.stdout)} == {"wc-multi"}  # type: ignore[index]
    alone = posterity("extract", mirror / "maps.html", "--singlemode", "--format", "json")
    assert "single mode" in json.loads(alone.stdout)["provenance"]["text"]["rule"]


def test_switch_of_the_thesis_with_another_method_is_an_error(page: Path, posterity: Posterity) -> None:
    ended = posterity("extract", page, "--method", "bte", "--singlemode")
    assert ended.returncode == 2
    assert "--singlemode is for --method wc-single or wc-multi, not for bte." in ended.stderr


def test_switch_in_the_methods_name(page: Path, posterity: Posterity) -> None:
    (page.parent / "code.html").write_text(html("maps").replace("<p>", "<script>var hidden</script><p>"))
    ended = posterity("extract", page.parent / "code.html", "--method", "cst+clean=false", "--format", "text")
    assert "var hidden" in ended.stdout


def test_front_page_gives_its_posts(tmp_path: Path, posterity: Posterity) -> None:
    posts = "".join(
        f"<article class=post><h2 class=entry-title><a href=/{n}.html>{n}</a></h2>"
        f"<div class=entry-content><p>{w}</p></div></article>"
        for n, w in WORDS.items()
    )
    (tmp_path / "front.html").write_text(f"<body>{posts}")
    ended = posterity(
        "extract", tmp_path / "front.html", "--index", "--url", "http://blog.example/", "--format", "jsonl"
    )
    assert [record["title"] for record in records(ended.stdout)] == list(WORDS)


def test_xml_is_one_document(mirror: Path, posterity: Posterity) -> None:
    root = ET.fromstring(posterity("extract", mirror, "--format", "xml").stdout)
    assert (root.tag, len(root)) == ("blog", 4)
    assert [WORDS[name] in (post.findtext("text") or "") for post, name in zip(root, sorted(WORDS), strict=True)] == [
        True
    ] * 4


@pytest.mark.parametrize("format_name", ["text", "markdown"])
def test_text_and_markdown(format_name: str, mirror: Path, posterity: Posterity) -> None:
    ended = posterity("extract", mirror, "--format", format_name)
    assert all(words in ended.stdout for words in WORDS.values())


def test_cleaneval_documents_are_told_apart(mirror: Path, page: Path, posterity: Posterity) -> None:
    one = posterity("extract", page, "--method", "wc-single", "--format", "cleaneval").stdout
    assert one.startswith(f"<p>{WORDS['tides']}")
    assert (
        posterity("extract", page, "--method", "wc-single", "--format", "cleaneval", "--clave").stdout
        == f"<doc>\n{one}"
    )
    assert posterity("extract", mirror, "--format", "cleaneval").stdout.count("<doc>") == 3


def test_explanation_names_method_rule_and_confidence(page: Path, posterity: Posterity) -> None:
    ended = posterity("extract", page, "--method", "wc-single", "--explain")
    assert is_about(json.loads(ended.stdout), "tides")
    assert f"{page} looks like a post, confidence " in ended.stderr
    rows = {line.split()[0]: line for line in ended.stderr.splitlines() if line.startswith("  ")}
    assert "wc-single" in rows["text"]
    assert "0.81" in rows["text"]
    assert "html/body/div" in rows["text"]
    assert "About tides" in rows["title"]
    assert "not found" in rows["authors"]


def test_fields_that_are_not_sure_enough_are_left_out(posterity: Posterity, mirror: Path) -> None:
    page = str(mirror / "tides.html")
    whole = json.loads(posterity("extract", page).stdout)
    demanded = whole["provenance"]["title"]["confidence"] + 0.001
    assert demanded < whole["provenance"]["text"]["confidence"] < 1.0
    sure = json.loads(posterity("extract", page, "--min-confidence", str(demanded)).stdout)
    assert (sure["title"], sure["text"]) == (None, whole["text"])
    nothing = posterity("extract", page, "--min-confidence", "1")
    assert (nothing.returncode, nothing.stdout.strip()) == (0, "")
    assert "nothing was found" in nothing.stderr
    refused = posterity("extract", page, "--min-confidence", "70")
    assert refused.returncode == 2
    assert "70" in refused.stderr
