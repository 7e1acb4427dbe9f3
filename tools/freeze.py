"""Writes digests of the program's output, and compares the output with digests written earlier.

    python tools/freeze.py write OUT.json [options]       write the digests
    python tools/freeze.py compare BASE.json [options]    print the differences; exit with 1 if there are any

    --posterity FILE   the command to run; default: .venv/bin/posterity of this checkout
    --only PART,...    blogs, reextract, bench, skins, demo; default: all
    --blogs NAME,...   only these blogs of ../shared/blogs
    --jobs N           parallel processes, default 2
    --show N           differing records to print per blog or data set, default 10

It verifies that a refactoring does not change a byte of output. It only uses the command line of a checkout, so modules
may be renamed. Times and positions in WARC files are replaced before digesting, see `without_times` and `normalised`.
"""

from __future__ import annotations

import argparse
import fcntl
import gzip
import hashlib
import io
import itertools
import json
import lzma
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Record: TypeAlias = dict[str, str]  # field -> entry, see `entry`
Parts: TypeAlias = dict[str, dict[str, dict[str, Record]]]  # part -> blog or data set -> URL, id or file -> record

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
PARTS = ("blogs", "reextract", "bench", "skins", "demo")
PORT = 21000  # ids are derived from URLs, so ports are fixed, and below the system's ephemeral ports
HARVEST = ("--delay", "0", "--render", "never", "--no-media", "--json")
NOTHING_STORED, PARTLY_STORED = (5, 6, 7), 10  # exit codes of a harvest, see errors.py
# Fetching comments stops after three consecutive failures; the number of requests sent by then varies.
RACING = ("report requests", "report bytes", "cost requests_per_post", "cost bytes_per_post")
EVERY, AT_MOST = 4, 120  # every n-th page of a data set, up to a maximum: a page takes about 40 ms
SHORT = 120  # maximum length of values that are stored literally
CRC_DIGITS = 4
MOVED = "(a value that stands elsewhere in the base)"
PARQUET = """
import json, sys, pyarrow.parquet as parquet
table = parquet.read_table(sys.argv[1])
print(table.schema.to_string(), *(json.dumps(row, default=str) for row in table.to_pylist()), sep="\\n")
"""

_DAYS = [datetime.now(UTC) + timedelta(days=day) for day in (-1, 0, 1)]
_TIME = re.compile(
    "|".join(
        rf"{day:%Y-%m-%d}(?:[T ][\d:.]+(?:Z|\+00:00)?)?|{day:%Y%m%d}\d{{6,}}|"
        rf"{day:%a, %d %b %Y}(?: [\d:]+ (?:GMT|\+0000))?|{day.day} {day:%B %Y}"
        for day in _DAYS
    )
)
_WARC = re.compile(r"[\w-]+\.warc\.gz(?:#\d+)?")
_VARYING = (
    (re.compile(r"(127\.0\.0\.1|1,0,0,127)(:|%3A)\d+"), r"\1:PORT"),
    (re.compile(r"Content-Length: \d+"), "Content-Length: SIZE"),
    (re.compile(r'(?i)etag: "[0-9a-f]+"'), "ETag: HASH"),
    (re.compile(r"Referer: \S+"), "Referer: URL"),  # an image of two posts is requested for whichever comes first
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "UUID"),
    (re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{40}\b|\b[A-Z2-7]{32}\b"), "HASH"),
    (re.compile(r"\b[a-z]?[0-9a-f]{16}\b"), "ID"),
    (re.compile(r'"(bytes|length|offset|size)": ?"?\d+"?'), r'"\1": SIZE'),
)


def without_times(text: str) -> str:
    """Replace current times and positions in WARC files."""
    return _TIME.sub("TIME", _WARC.sub("WARC", text))


def normalised(text: str) -> str:
    """Also replace ports, ids, digests and sizes, which depend on the demo's random port."""
    for pattern, name in _VARYING:
        text = pattern.sub(name, text)
    return without_times(text)


def crc(line: str) -> str:
    """Return a short digest of a line, only used to find the first line that differs."""
    return f"{zlib.crc32(line.encode('utf-8', 'surrogatepass')):08x}"[:CRC_DIGITS]


def json_lines(text: str) -> list[dict[str, Any]]:
    """Parse JSON lines; `splitlines` would also split at characters such as U+2028 within strings."""
    return [json.loads(line) for line in text.split("\n") if line]


class Digests:
    """Creates the entries of values; texts whose entry is not in `known` are kept, so that `compare` can quote them."""

    def __init__(self, known: set[str] | None = None) -> None:
        self.known = known
        self.new: dict[str, str] = {}

    def entry(self, value: object, clean: Callable[[str], str] = without_times) -> str:
        """Return "=" and a short value, or "#" and the digest, size and line digests of a long one."""
        text = clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=0))
        if len(text) <= SHORT:
            return f"={text}"
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]
        made = f"#{digest} {len(text)} {''.join(map(crc, text.splitlines()))}"
        if self.known is not None and made not in self.known:
            self.new[made] = text
        return made

    def record(self, value: dict[str, Any]) -> Record:
        """Return the entry of each field."""
        return {field: self.entry(content) for field, content in value.items()}

    def posts(self, jsonl: str) -> dict[str, Record]:
        """Return the records in JSON lines by URL, or by id if they have no URL."""
        posts: dict[str, Record] = {}
        order = []
        for post in json_lines(jsonl):
            key = name = str(post["url"] or post["id"])
            for number in itertools.count(2):
                if key not in posts:
                    break
                key = f"{name} ({number})"
            posts[key] = self.record(post)
            order.append(f"{key} {' '.join(post)}")
        return posts | {"(order of records and fields)": self.record({"order": "\n".join(order)})}


class Product:
    """The command line of a checkout."""

    def __init__(self, posterity: Path) -> None:
        self.posterity = posterity
        self.python = posterity.with_name("python")
        self.checkout = posterity.parent.parent.parent
        # Wide, so that --help does not wrap lines.
        self.environment = {**os.environ, "COLUMNS": "400", "TZ": "UTC"}

    def run(self, *command: str | Path, codes: tuple[int, ...] = (0,), cwd: Path | None = None) -> tuple[int, str]:
        """Return exit code and standard output of a command; exit if the code is not one of `codes`."""
        done = subprocess.run(
            command, check=False, capture_output=True, env=self.environment, cwd=cwd, encoding="utf-8"
        )
        if done.returncode not in codes:
            raise SystemExit(f"{' '.join(map(str, command))}\nended with {done.returncode}:\n{done.stderr[-2000:]}")
        return done.returncode, done.stdout

    def __call__(self, *arguments: str | Path) -> str:
        """Return the output of `posterity ARGUMENTS`."""
        return self.run(self.posterity, *arguments)[1]

    def exported(self, archive: Path) -> str:
        """Return the posts of an archive as JSON lines."""
        return self("export", "-", "--format", "jsonl", "--archive", archive)


def freeze_blog(product: Product, digests: Digests, url: str, *, reextract: bool) -> Iterator[tuple[str, Any]]:
    """Harvest a blog, optionally re-extract it from the archive, and yield (part, records) of both."""
    with tempfile.TemporaryDirectory(prefix="freeze-") as folder:
        archive = Path(folder) / "archive"
        command = (product.posterity, "harvest", url, *HARVEST, "--archive", archive)
        code, log = product.run(*command, codes=(0, *NOTHING_STORED, PARTLY_STORED))
        events = json_lines(log)
        # Without the list of requests, because the last pages before the end of the harvest vary.
        summary = {"exit code": code, "message": events[-1].get("message")}
        harvested = {"(harvest)": digests.record(summary)}
        if code in NOTHING_STORED:
            yield "blogs", harvested
            return
        shown = json.loads(product("show", url, "--archive", archive, "--json"))
        flat = {f"{name} {key}": value for name, part in shown.items() for key, value in (part or {}).items()}
        harvested["(show)"] = digests.record({key: value for key, value in flat.items() if key not in RACING})
        yield "blogs", harvested | digests.posts(product.exported(archive))
        if reextract:
            *_, summary = json_lines(product("reextract", url, "--archive", archive, "--json"))
            anew = {"(reextract)": digests.record(summary)}
            yield "reextract", anew | digests.posts(product.exported(archive))


def freeze_bench(product: Product, digests: Digests, data_set: Path) -> Iterator[tuple[str, Any]]:
    """Yield the records of a sample of pages of a data set."""
    with tempfile.TemporaryDirectory(prefix="freeze-") as folder, lzma.open(data_set, "rb") as pages:
        sample = Path(folder) / "sample.jsonl"
        sample.write_bytes(b"".join(itertools.islice(pages, 0, EVERY * AT_MOST, EVERY)))
        yield "bench", digests.posts(product("extract", sample, "--format", "jsonl"))


def freeze_skins(product: Product, digests: Digests) -> Iterator[tuple[str, Any]]:
    """Yield the figures of the gallery of skins, one record per skin."""
    _, table = product.run(product.python, "-m", "tests.skins", cwd=product.checkout)
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
    yield "skins", {row[0]: digests.record(dict(zip(head, row, strict=True))) for row in rows}


def freeze_demo(product: Product, digests: Digests) -> Iterator[tuple[str, Any]]:
    """Run the demo, export its archive in all formats, and yield a record for every file."""
    formats = re.search(r"--format \[([\w|]+)\]", product("export", "--help"))
    assert formats, "posterity export --help names no formats"
    with tempfile.TemporaryDirectory(prefix="freeze-") as folder:
        out = Path(folder) / "out"
        product("demo", "--out", out.with_name("demo"))
        out.mkdir()
        for name in formats[1].split("|"):
            product("export", out / name, "--format", name, "--archive", out.with_name("demo") / "archive")
        yield (
            "demo",
            {
                normalised(name): {"content": digests.entry(text, normalised)}
                for file in sorted(out.rglob("*"))
                if file.is_file()
                for name, text in contents(product, file.relative_to(out).as_posix(), file.read_bytes())
            },
        )


def contents(product: Product, name: str, data: bytes) -> Iterator[tuple[str, str]]:
    """Yield name and text of a file, or of all files inside a compressed one."""
    if data.startswith(b"PK\3\4"):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            yield f"{name}!", "\n".join(packed.namelist())
            for inner in packed.namelist():
                yield from contents(product, f"{name}!{inner}", packed.read(inner))
    elif data.startswith(b"\x1f\x8b"):
        yield from contents(product, f"{name}!gz", gzip.decompress(data))
    elif data.startswith(b"PAR1"):
        with tempfile.NamedTemporaryFile() as file:
            Path(file.name).write_bytes(data)
            yield name, product.run(product.python, "-c", PARQUET, file.name)[1]
    elif data.startswith(b"WARC/"):
        # Sorted, because records are in the order in which responses arrived.
        yield name, "".join(sorted(map(normalised, re.split(r"(?m)^(?=WARC/1)", as_text(data)))))
    else:
        yield name, as_text(data)


def as_text(data: bytes) -> str:
    """Decode bytes as text without loss."""
    return data.decode("utf-8", "backslashreplace")


@contextmanager
def served_blogs() -> Iterator[dict[str, str]]:
    """Serve all blogs on their fixed ports and yield their URLs; wait while another run uses the ports."""
    names = sorted(file.name.removesuffix(".tar.xz") for file in (SHARED / "blogs").glob("*.tar.xz"))
    command = [sys.executable, str(SHARED / "blogs" / "serve.py"), "--per-blog", "--port", str(PORT - 1)]
    with (Path(tempfile.gettempdir()) / "posterity-freeze.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with subprocess.Popen([*command, "--base-port", str(PORT), *names], stdout=subprocess.PIPE) as server:
            try:
                assert server.stdout
                blogs = json.loads(server.stdout.readline() or sys.exit("The blogs cannot be served."))["blogs"]
                yield {name: blog["url"] + blog["entry"] for name, blog in blogs.items()}
            finally:
                server.terminate()


def freeze(options: argparse.Namespace, digests: Digests) -> Parts:
    """Return the records of all parts selected by the options."""
    product = Product(options.posterity)
    parts: Parts = {part: {} for part in options.only}
    seconds: Counter[str] = Counter()

    def work(name: str, frozen: Iterator[tuple[str, Any]]) -> None:
        before = time.monotonic()
        for part, records in frozen:
            now = time.monotonic()
            print(f"{part:10}{name:20}{len(records):6} records {now - before:6.1f} s", file=sys.stderr)
            seconds[part] += round(now - before)
            before = now
            if part in parts:
                parts[part][name] = records

    needed = {"blogs", "reextract"} & parts.keys()
    served: AbstractContextManager[dict[str, str]] = served_blogs() if needed else nullcontext({})
    with ThreadPoolExecutor(options.jobs) as pool, served as urls:
        # Largest first, so that none is left running alone at the end.
        names = sorted(urls, key=lambda name: -(SHARED / "blogs" / f"{name}.tar.xz").stat().st_size)
        again = "reextract" in parts
        blogs = {
            n: freeze_blog(product, digests, urls[n], reextract=again) for n in names if n in (options.blogs or urls)
        }
        sets = sorted((SHARED / "bench").glob("*.jsonl.xz"))
        jobs: dict[str, dict[str, Iterator[tuple[str, Any]]]] = {
            "demo": {"demo": freeze_demo(product, digests)},
            "blogs": blogs,
            "reextract": {} if "blogs" in parts else blogs,
            "skins": {"skins": freeze_skins(product, digests)},
            "bench": {file.name.split(".")[0]: freeze_bench(product, digests, file) for file in sets},
        }
        running = [pool.submit(work, *job) for part in jobs if part in parts for job in jobs[part].items()]
        try:
            for done in running:
                done.result()
        finally:
            pool.shutdown(cancel_futures=True)
    print("seconds of work:", dict(seconds), file=sys.stderr)
    return parts


def quoted(before: str, after: str, digests: Digests) -> str:
    """Return a description of the difference between two entries; for long values, the first differing line."""
    if before[:1] == after[:1] == "#":
        (_, size, old), (_, new_size, new) = before.split(" "), after.split(" ")
        lines = digests.new.get(after, MOVED).splitlines()
        at = next((n for n in range(len(lines)) if old[n * CRC_DIGITS :][:CRC_DIGITS] != crc(lines[n])), len(lines))
        line = lines[at][:SHORT] if at < len(lines) else "(the end)"
        return (
            f"{size} -> {new_size} characters, {len(old) // CRC_DIGITS} -> {len(new) // CRC_DIGITS} lines; "
            f"line {at + 1} is now {line!r}"
        )
    shorts = [text if text[:1] != "#" else f"({text.split(' ')[1]} characters)" for text in (before, after)]
    if after[:1] == "#":
        shorts[1] += f" {digests.new.get(after, MOVED)[:SHORT]!r}"
    return " -> ".join(shorts)


def differing(before: Record | None, after: Record | None, digests: Digests) -> dict[str, str]:
    """Return the fields that differ, each with an excerpt."""
    if before is None or after is None:
        return {"(record)": "is new" if before is None else "is missing"}
    fields = [field for field in before | after if before.get(field) != after.get(field)]
    return {field: quoted(before.get(field, "absent"), after.get(field, "absent"), digests) for field in fields}


def compare(base: Parts, now: Parts, digests: Digests, show: int, *, some: bool) -> bool:
    """Print all differences and return whether there are any; with `some`, ignore blogs that are only in the base."""
    total: Counter[str] = Counter()
    for part, groups in now.items():
        count = sum(map(len, groups.values()))
        for group in groups if some else base.get(part, {}) | groups:
            old, records = base.get(part, {}).get(group, {}), groups.get(group, {})
            found = {key: differing(old.get(key), records.get(key), digests) for key in old | records}
            found = {key: fields for key, fields in found.items() if fields}
            for key, fields in itertools.islice(found.items(), show):
                print(f"{part} {group} {key}", *(f"    {field}: {text}" for field, text in fields.items()), sep="\n")
            if len(found) > show:
                print(f"{part} {group}: {len(found) - show} more records differ")
            total.update(f"{part} {field}" for fields in found.values() for field in fields)
        print(f"{part}: {count} records in {len(groups)} groups compared")
    print("differences:", ", ".join(f"{name} {count}" for name, count in total.most_common()) or "none")
    return bool(total)


def main() -> None:
    """Write or compare digests."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["write", "compare"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--posterity", type=Path, default=ROOT / ".venv" / "bin" / "posterity")
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS))
    parser.add_argument("--blogs", type=lambda text: text.split(","))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=10)
    options = parser.parse_args()
    if unknown := set(options.only) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    options.posterity = options.posterity.absolute()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server of the blogs is stopped too
    if options.action == "write":
        parts = freeze(options, Digests())
        options.file.write_text(json.dumps(parts, ensure_ascii=False, indent=0), encoding="utf-8")
        return
    base: Parts = json.loads(options.file.read_text(encoding="utf-8"))
    records = (record for groups in base.values() for group in groups.values() for record in group.values())
    digests = Digests({value for record in records for value in record.values()})
    sys.exit(compare(base, freeze(options, digests), digests, options.show, some=bool(options.blogs)))


if __name__ == "__main__":
    main()
