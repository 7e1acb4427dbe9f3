"""The list of dependencies and their audit are made from the lock file, without network."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
LOCK = "other==1.2 \\\n    --hash=sha256:" + "a" * 64 + "\nno-such-thing==2.0.1\n"


def _run(tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", f"tools.{tool}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_every_locked_dependency_is_listed_with_its_hashes() -> None:
    done = _run("sbom", str(ROOT / "requirements.lock"))
    listed = json.loads(done.stdout)
    assert (listed["bomFormat"], listed["specVersion"]) == ("CycloneDX", "1.6")
    found = {one["purl"] for one in listed["components"]}
    assert any(purl.startswith("pkg:pypi/scrapy@") for purl in found)
    assert len(found) == len(listed["components"]) > 50
    assert all(one["hashes"] for one in listed["components"])


def test_dependency_without_a_hash_is_found(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text(LOCK)
    done = _run("audit", str(tmp_path / "lock"))
    assert (done.returncode, done.stdout) == (1, "no-such-thing 2.0.1 is locked without a hash.\n")


@pytest.mark.parametrize(
    ("affected", "is_found"),
    [
        ({"versions": ["1.2"]}, True),
        ({"versions": ["1.1"]}, False),
        ({"ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.3"}]}]}, True),
        ({"ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.2"}]}]}, False),
        ({"ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "1.2.1"}]}]}, False),
        ({"ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "1"}, {"last_affected": "1.2"}]}]}, True),
    ],
)
def test_advisory_about_a_locked_version_is_found(tmp_path: Path, affected: dict[str, object], is_found: bool) -> None:
    (tmp_path / "lock").write_text(LOCK.partition("no-such")[0])
    (tmp_path / "osv").mkdir()
    record = {"id": "OSV-1", "summary": "It breaks.", "affected": [
        {"package": {"ecosystem": "PyPI", "name": "Other"}, **affected}]}  # fmt: skip
    (tmp_path / "osv" / "OSV-1.json").write_text(json.dumps(record))
    done = _run("audit", str(tmp_path / "lock"), "--advisories", str(tmp_path / "osv"))
    assert (done.returncode, done.stdout) == ((1, "Other 1.2: OSV-1 It breaks.\n") if is_found else (0, ""))
