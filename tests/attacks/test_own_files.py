"""Errors in files that a user may have from others (configuration, rules, list of blogs) are reported clearly."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import Posterity, environment

_PAGE = "<html><body><article><h1>T</h1><p>" + "Some words of text here. " * 30 + "</p></article></body></html>"
_TOML = {
    "arrays": b"[extract]\nmethod = " + b"[" * 30_000,
    "tables": b"[" + b".".join([b"a"] * 30_000) + b"]\nx = 1\n",
    "key of many parts": b".".join([b"a"] * 100_000) + b" = 1\n",
    "inline tables": b"x = " + b"{a=" * 20_000,
    "number": b"[extract]\nmin-confidence = " + b"9" * 50_000 + b"\n",
    "control characters": b'[extract]\nmethod = "\\u001b[31m\\u0000"\n',
    "UTF-16": "archive = 'a'".encode("utf-16"),
    "NUL": b"archive = 'a\x00'",
    "large": b"# " + b"x" * 2_000_000,
}


@pytest.mark.parametrize("content", _TOML.values(), ids=_TOML)
def test_hostile_configuration_is_refused_with_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "posterity.toml").write_bytes(content)
    (tmp_path / "page.html").write_text(_PAGE)
    command = [sys.executable, "-m", "posterity", "extract", "page.html"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, check=False, text=True)
    assert done.returncode in (2, 4), done.stderr
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    assert len(done.stderr) < 2_000


def _field(rule: object) -> str:
    return json.dumps({"fields": {"text": [{"rule": rule, "confidence": 1.0, "pages": 3, "of_pages": 3}]}})


def _nested(levels: int) -> str:
    text = _field("RULE")
    step = '{"kind": "tag", "value": "div", "under": '
    return text.replace('"RULE"', step * levels + '{"kind": "tag", "value": "p"}' + "}" * levels)


_CHILDREN = ("p:x", "p", ":", "p:", "p:" + "9" * 5_000)
_RULES = {
    **{
        f"child {value}": _field({"kind": "child", "value": value})
        for value in ("p:x", "p", ":", "p:", "p:" + "9" * 5_000)
    },
    **{f"{levels} ancestors": _nested(levels) for levels in (200, 900, 5_000, 100_000)},
    "place of comments": json.dumps({"comments": {"place": {"kind": "child", "value": "p:x"}}}),
    "brackets": "[" * 200_000,
    "TOML": ".".join(["a"] * 100_000) + " = 1\n",
}


@pytest.mark.parametrize("content", _RULES.values(), ids=_RULES)
def test_hostile_rules_are_refused_with_a_sentence(tmp_path: Path, posterity: Posterity, content: str) -> None:
    (tmp_path / "rules").write_text(content)
    (tmp_path / "page.html").write_text(_PAGE)
    done = posterity("extract", tmp_path / "page.html", "--rules", tmp_path / "rules")
    assert done.returncode == 4, done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr) < 12_000


_LISTS = {
    "NUL": b"http://127.0.0.1:9/\x00\n",
    "control characters": b"\x1b[31mhttp://127.0.0.1:9/\n",
    "bytes": b"\xff\xfe\x00",
    "one line": b"a" * 3_000_000,
    "brackets": b"http://[::1\n" * 3,
    "login": b"http://me:secret@127.0.0.1:9/\n",
    "files": b"file:///etc/passwd\n",
}


@pytest.mark.parametrize("content", _LISTS.values(), ids=_LISTS)
def test_hostile_list_of_blogs_is_refused_with_a_sentence(tmp_path: Path, posterity: Posterity, content: bytes) -> None:
    (tmp_path / "blogs.txt").write_bytes(content)
    done = posterity("harvest", "--input-file", tmp_path / "blogs.txt", "--archive", tmp_path / "archive")
    assert done.returncode in (2, 4, 6), done.stderr[:1000]
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr
    assert "root:" not in done.stderr
    assert "\x1b" not in done.stderr
    assert len(done.stderr) < 5_000


_BROKEN_URLS = [
    "http://[::1",
    "http://]/",
    "http://a:b:c/",
    "http://127.0.0.1:99999/",
    "http://\u2024/",
    "http://" + "a" * 9_000,
]


@pytest.mark.parametrize("url", _BROKEN_URLS, ids=lambda url: url[:24])
@pytest.mark.parametrize("command", ["harvest", "extract", "learn", "discover", "update", "show", "schedule", "forget"])
def test_broken_url_on_the_command_line_is_a_sentence(
    tmp_path: Path, posterity: Posterity, command: str, url: str
) -> None:
    archive = () if command in ("extract", "learn", "discover") else ("--archive", tmp_path / "archive")
    done = posterity(command, url, *archive)
    assert done.returncode not in (0, 1), done.stderr[-500:]
    assert "Traceback" not in done.stderr
