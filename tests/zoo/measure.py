"""Harvests a situation through the command line and compares the stored records with the truth."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from tests.zoo.server import Served, serve

if TYPE_CHECKING:
    from tests.zoo.blog import Site, Truth
    from tests.zoo.registry import Situation

TIME_LIMIT_S = 150
_GRACE_S = 20
_EXCEPTION = re.compile(r"[\w.]+(Error|Exception)\b")
_NAMED = 3  # paths listed in a note; further ones are counted


@dataclass(frozen=True, kw_only=True)
class Result:
    """How one situation was harvested."""

    name: str
    truth: int
    stored: int
    right: int
    requests: int
    exit_code: int
    seconds: float
    notes: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """The share of the posts that was stored; 1 for a blog without posts."""
        return self.right / self.truth if self.truth else 1.0

    @property
    def precision(self) -> float | None:
        """The share of the records that are posts, without duplicates; None if nothing was stored."""
        return self.right / self.stored if self.stored else None

    @property
    def requests_per_post(self) -> float:
        """Requests, without robots.txt, per post."""
        return self.requests / max(self.truth, 1)


def measure(situation: Situation, executable: str) -> Result:
    """Harvest the situation into a new archive and compare."""
    site, truth = situation.build()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="zoo-") as folder, serve(site) as served:
        exit_code, error = _harvest(situation, site, served, executable, folder)
        records = _export(executable, folder)
        seconds = time.monotonic() - started
        requests = len(served.page_requests)
    return _compare(situation.name, truth, records, Run(exit_code, error, requests, seconds))


@dataclass(frozen=True)
class Run:
    """The output of the process besides the archive."""

    exit_code: int
    error: str
    requests: int
    seconds: float


def _harvest(situation: Situation, site: Site, served: Served, executable: str, folder: str) -> tuple[int, str]:
    """Return the exit code and the last exception or message; an endless harvest is interrupted."""
    render = "auto" if situation.needs_browser else "never"
    command = [executable, "harvest", served.origin + site.start, "--delay", "0", "--render", render, "--no-media"]
    with subprocess.Popen(
        [*command, "--archive", f"{folder}/archive", "-q"],
        cwd=folder,
        env=os.environ | {"COLUMNS": "400"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            _, error = process.communicate(timeout=TIME_LIMIT_S)
        except subprocess.TimeoutExpired:
            error = f"not finished after {TIME_LIMIT_S} s"
            process.send_signal(signal.SIGINT)
            try:
                process.communicate(timeout=_GRACE_S)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
            return process.returncode, error
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    exceptions = [line for line in lines if _EXCEPTION.match(line)]
    return process.returncode, (exceptions or lines or [""])[-1]


def _export(executable: str, folder: str) -> list[dict[str, Any]]:
    archive, out = Path(folder, "archive"), Path(folder, "posts.jsonl")
    if not archive.exists():
        return []
    command = [executable, "export", str(out), "--archive", str(archive), "-q"]
    subprocess.run(command, cwd=folder, check=False, capture_output=True)
    if not out.exists():
        return []
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


def path_key(url: str) -> str:
    """Return a normalised path: decoded, without trailing slash, parameters sorted."""
    parts = urlsplit(url)
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    path = unquote(parts.path).rstrip("/") or "/"
    return path + (f"?{query}" if query else "") + (f"#{parts.fragment}" if parts.fragment else "")


def _compare(name: str, truth: Truth, records: list[dict[str, Any]], run: Run) -> Result:
    by_key = {path_key(path): path for path in truth.posts}
    by_key |= {path_key(alias): path for alias, path in truth.aliases.items()}
    found: dict[str, dict[str, Any]] = {}
    optional = {path_key(path) for path in truth.optional}
    records = [record for record in records if path_key(record["url"]) not in optional]
    extra, twice = list[str](), list[str]()
    for record in records:
        keys = [path_key(record[each]) for each in ("url", "canonical_url") if record.get(each)]
        paths = [by_key[key] for key in keys if key in by_key]
        fresh = [path for path in paths if path not in found]
        if fresh:
            found[fresh[0]] = record
        else:
            (twice if paths else extra).append(keys[0])
    missing = [path for path in truth.posts if path not in found]
    notes = [_named("missing", missing), _named("twice", twice), _named("not posts", extra)]
    notes += _faults_of_texts(truth, found, records)
    if run.exit_code and truth.posts:
        notes.append(run.error[:160])
    return Result(
        name=name,
        truth=len(truth.posts),
        stored=len(records),
        right=len(found),
        requests=run.requests,
        exit_code=run.exit_code,
        seconds=run.seconds,
        notes=[note for note in notes if note],
        missing=missing,
        extra=extra + twice,
    )


def _faults_of_texts(truth: Truth, found: dict[str, dict[str, Any]], records: list[dict[str, Any]]) -> list[str]:
    incomplete = [
        path
        for path, record in found.items()
        if any(_squeezed(each) not in _shown(record) for each in truth.texts.get(path, ()))
    ]
    forbidden = [each for each in truth.forbidden_texts if any(_squeezed(each) in _shown(record) for record in records)]
    unmarked = [path for path in truth.restricted if path in found and found[path].get("access") != "restricted"]
    return [
        _named("text not whole", incomplete),
        _named("text that is no post's", forbidden),
        _named("not marked restricted", unmarked),
    ]


def _shown(record: dict[str, Any]) -> str:
    return _squeezed(f"{record.get('title') or ''} {record.get('text') or ''}")


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _named(what: str, names: list[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{what}: {', '.join(name[:60] for name in names[:_NAMED])}{more}"
