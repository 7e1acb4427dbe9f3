"""Bad input ends with one clear sentence on stderr, the documented exit code, and no half-written record."""

from __future__ import annotations

import os
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import pytest

from posterity.archive import open_archive

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.conftest import Posterity, Response, Web

EMPTY_FEED = '<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><link>/</link></channel></rss>'
FEED = EMPTY_FEED.replace(
    "</channel>", "<item><title>On tides</title><link>/gone/</link><description>x</description></item></channel>"
)


def home_with(feed: str) -> str:
    link = f'<link rel=alternate type="application/rss+xml" href="{feed}">'
    return f"<html><head>{link}</head><body><p>A blog.</p></body></html>"


@pytest.fixture(scope="module")
def web(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> Web:
    return serve(
        {
            "/login/": response("Who are you?", status=401),
            "/refused/": response("No.", status=403),
            "/no-blog/": response("<html><body><p>A page about nothing.</p></body></html>"),
            "/empty/": response(home_with("/empty/feed.xml")),
            "/empty/feed.xml": response(EMPTY_FEED, "application/rss+xml"),
            "/broken/": response(home_with("/broken/feed.xml")),
            "/broken/feed.xml": response("<rss><channel><title>cut o", "application/rss+xml"),
            "/html-feed/": response(home_with("/html-feed/feed.xml")),
            "/html-feed/feed.xml": response("<html><p>no feed</p></html>"),
            "/dead-links/": response(home_with("/dead-links/feed.xml")),
            "/dead-links/feed.xml": response(FEED, "application/rss+xml"),
            "/error/": response("<h1>Oh no</h1>", status=500),
            "/moved-away/": response(status=302, location="http://gone-host.invalid/"),
            "/circle/": response(status=302, location="/circle/2"),
            "/circle/2": response(status=302, location="/circle/"),
            "/picture": response(b"\x89PNG\r\n\x1a\n", "image/png"),
        }
    )


@pytest.fixture(scope="module")
def closed_port() -> Iterator[int]:
    """A port that is ours and that nobody listens on."""
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        yield reserved.getsockname()[1]


class Case(NamedTuple):
    """A bad address, how harvesting it ends, and words that tell what to do."""

    address: str
    code: int
    words: tuple[str, ...]


CASES = {
    "host that does not answer": Case("http://127.0.0.1:{port}/", 6, ("127.0.0.1:{port}", "Check the URL")),
    "page that is no blog": Case("{web}/no-blog/", 5, ("{web}/no-blog/", "no feed", "give the feed's URL")),
    "feed with no entries": Case("{web}/empty/", 5, ("{web}/empty/feed.xml", "no entries", "Try again")),
    "address of a feed with no entries": Case("{web}/empty/feed.xml", 5, ("no entries",)),
    "feed that is broken": Case("{web}/broken/", 5, ("{web}/broken/feed.xml", "cannot be read")),
    "feed that is HTML": Case("{web}/html-feed/", 5, ("{web}/html-feed/feed.xml", "not a feed")),
    "feed whose pages are gone": Case("{web}/dead-links/", 5, ("pages that the feed links to",)),
    "status 500": Case("{web}/error/", 6, ("{web}/error/", "500", "Try again later")),
    "status 404": Case("{web}/nothing/", 6, ("{web}/nothing/", "404", "Check the URL")),
    "redirect to a host that is gone": Case("{web}/moved-away/", 6, ("gone-host.invalid does not exist",)),
    "redirect loop": Case("{web}/circle/", 6, ("{web}/circle/", "circle")),
    "picture": Case("{web}/picture", 5, ("{web}/picture", "image/png", "Give the URL")),
    "URL without scheme of no host": Case("blog.example/a", 6, ("responds neither to https nor to http",)),
    "URL without scheme and host": Case("blog", 2, ("Write http://blog instead",)),
    "address of another kind": Case("ftp://blog.example/", 2, ("http:// or https://",)),
}  # fmt: skip


def assert_one_sentence(ended: subprocess.CompletedProcess[str], code: int, words: tuple[str, ...]) -> None:
    assert ended.returncode == code, ended.stderr
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert line.startswith("posterity: ")
    assert line.rstrip().endswith((".", "?", "/")), line
    assert [word for word in words if word not in line] == []


def assert_no_records(folder: Path) -> None:
    """There is no archive, or one that can be read and has no blog and no post."""
    if not folder.exists():
        return
    with open_archive(folder) as archive:
        assert archive.blogs() == []
        assert list(archive.posts()) == []


@pytest.fixture(scope="module")
def facts(web: Web, closed_port: int) -> dict[str, object]:
    return {"web": web.base_url, "port": closed_port}


@pytest.fixture(scope="module")
def endings(
    facts: dict[str, object], posterity: Posterity, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[subprocess.CompletedProcess[str], Path]]:
    """How harvesting each bad address ended, and its archive; several run at the same time."""
    folder = tmp_path_factory.mktemp("archives")

    def ending(number: int, case: Case) -> tuple[subprocess.CompletedProcess[str], Path]:
        archive = folder / str(number)
        return posterity("harvest", case.address.format(**facts), "--delay", "0", "-q", "--archive", archive), archive

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(CASES, pool.map(ending, range(len(CASES)), CASES.values()), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_bad_address(
    name: str, facts: dict[str, object], endings: dict[str, tuple[subprocess.CompletedProcess[str], Path]]
) -> None:
    case, (ended, archive) = CASES[name], endings[name]
    assert_one_sentence(ended, case.code, tuple(word.format(**facts) for word in case.words))
    assert_no_records(archive)


def test_failure_is_an_event_too(web: Web, posterity: Posterity, tmp_path: Path) -> None:
    ended = posterity("harvest", f"{web.base_url}/error/", "--delay", "0", "--json", "--archive", tmp_path / "archive")
    assert ended.returncode == 6
    last = ended.stdout.splitlines()[-1]
    assert '"event":"failed"' in last
    assert '"exit_code":6' in last
    assert len(ended.stderr.splitlines()) == 1


def a_file(folder: Path) -> Path:
    (folder / "file").write_text("mine")
    return folder / "file"


def below_a_file(folder: Path) -> Path:
    return a_file(folder) / "archive"


def other_folder(folder: Path) -> Path:
    (folder / "photos").mkdir()
    (folder / "photos" / "boat.jpg").write_text("mine")
    return folder / "photos"


def damaged_archive(folder: Path) -> Path:
    with open_archive(folder / "damaged", create=True):
        pass
    (folder / "damaged" / "posterity.db").write_bytes(b"not a database at all, " * 100)
    return folder / "damaged"


@pytest.mark.parametrize("made", [a_file, below_a_file, other_folder, damaged_archive])
def test_archive_that_cannot_be_used(
    made: Callable[[Path], Path], web: Web, posterity: Posterity, tmp_path: Path
) -> None:
    place = made(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    ended = posterity("harvest", f"{web.base_url}/no-blog/", "--delay", "0", "--archive", place)
    assert_one_sentence(ended, 3, (str(place),))
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path in before} == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere; a file in place of the folder is tried above")
def test_folder_without_permission(web: Web, posterity: Posterity, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    ended = posterity(
        "harvest", f"{web.base_url}/no-blog/", "--delay", "0", "--archive", tmp_path / "closed" / "archive"
    )
    assert_one_sentence(ended, 3, ("cannot be written",))


@pytest.mark.parametrize("command", [["list"], ["show", "blog.example"], ["export", "out.jsonl"]])
def test_reading_commands_say_when_there_is_no_archive(
    command: list[str], posterity: Posterity, tmp_path: Path
) -> None:
    ended = posterity(*command, "--archive", tmp_path / "nowhere")
    assert_one_sentence(ended, 3, ("There is no archive at", "posterity harvest URL"))
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        (["harvest"], 2, ("The URL of a blog is missing",)),
        (["harvest", "-i", "no-such-list.txt"], 4, ("no-such-list.txt", "No such file")),
        (["harvest", "-i", "/dev/null"], 4, ("/dev/null contains no URL", "one URL per line")),
        (["extract", "no-such-page.html"], 4, ("no-such-page.html", "No such file")),
        (["learn", "no-such-feed.xml", "--pages", "."], 4, ("no-such-feed.xml", "No such file")),
    ],
)
def test_bad_arguments(command: list[str], code: int, words: tuple[str, ...], posterity: Posterity) -> None:
    assert_one_sentence(posterity(*command), code, words)


def test_list_without_its_option_is_recognised(posterity: Posterity, tmp_path: Path) -> None:
    (tmp_path / "blogs.txt").write_text("https://blog.example/\n")
    ended = posterity("harvest", tmp_path / "blogs.txt")
    assert (ended.returncode, f"To read a list of URLs, use -i {tmp_path / 'blogs.txt'}" in ended.stderr) == (2, True)


def test_address_given_to_import_leads_to_harvest(posterity: Posterity, tmp_path: Path) -> None:
    ended = posterity("import", "https://blog.example/", "--archive", tmp_path / "archive")
    assert_one_sentence(ended, 2, ("Use `posterity harvest` for a blog on the web",))
    assert not (tmp_path / "archive").exists()


@pytest.mark.parametrize(("path", "advice"), [("/login/", "requires a login"), ("/refused/", "refuses programs")])
def test_home_page_that_is_refused_is_named_with_advice(
    path: str, advice: str, web: Web, posterity: Posterity, tmp_path: Path
) -> None:
    ended = posterity("harvest", web.base_url + path, "--delay", "0", "-q", "--archive", tmp_path / "archive")
    assert_one_sentence(ended, 6, (path, advice))


def test_one_bad_blog_of_many_does_not_stop_the_others(web: Web, posterity: Posterity, tmp_path: Path) -> None:
    (tmp_path / "blogs.txt").write_text(
        f"# two that cannot be harvested\n{web.base_url}/error/\n\nnosuchhost.invalid # gone\n  {web.base_url}/error \n"
    )
    ended = posterity("harvest", "-i", tmp_path / "blogs.txt", "--delay", "0", "-q", "--archive", tmp_path / "archive")
    assert ended.returncode == 6
    first, second, last = ended.stderr.splitlines()
    assert first.startswith(f"posterity: {web.base_url}/error/ returned status 500")  # the address once
    assert second.startswith("posterity: nosuchhost.invalid responds neither to https nor to http")
    assert "2 of 2 blogs" in last
