"""Audits the locked dependencies without network: `python -m tools.audit [LOCK] [--advisories FOLDER]`.

Every dependency must be pinned with hashes, and installed versions must equal the locked ones. With a folder of
advisories in the OSV format (the published dump of PyPI, unpacked), each locked version is looked up in them. Exits
with code 1 if anything is found.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version
from tools.sbom import components

if TYPE_CHECKING:
    from collections.abc import Iterator


def lock_problems(lock: str) -> Iterator[str]:
    """Yield the problems of the lock file and of installed packages."""
    for one in components(lock):
        name, version = str(one["name"]), str(one["version"])
        if not one["hashes"]:
            yield f"{name} {version} is locked without a hash."
        try:
            installed = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue  # for another system, or of another extra
        if installed != version:
            yield f"{name} {installed} is installed, and {version} is locked."


def known_problems(lock: str, advisories: Path) -> Iterator[str]:
    """Yield the advisories about locked versions."""
    locked = {canonicalize_name(str(one["name"])): str(one["version"]) for one in components(lock)}
    for file in sorted(advisories.rglob("*.json")):
        advisory = json.loads(file.read_bytes())
        for affected in advisory.get("affected", ()):
            package = affected.get("package", {})
            version = locked.get(canonicalize_name(package.get("name", "")))
            if package.get("ecosystem") == "PyPI" and version is not None and is_affected(version, affected):
                yield f"{package['name']} {version}: {advisory.get('id')} {advisory.get('summary', '')}".rstrip()


def is_affected(version: str, affected: dict[str, Any]) -> bool:
    """Return whether an advisory affects a version: it is listed, or within one of the ranges."""
    if version in affected.get("versions", ()):
        return True
    found = Version(version)
    for one in affected.get("ranges", ()):
        inside = False
        for event in one.get("events", ()) if one.get("type") == "ECOSYSTEM" else ():
            if "introduced" in event and found >= _version(event["introduced"]):
                inside = True
            if "fixed" in event and found >= _version(event["fixed"]):
                inside = False
            if "last_affected" in event and found > _version(event["last_affected"]):
                inside = False
        if inside:
            return True
    return False


def _version(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0")


def main() -> int:
    """Print the problems and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lock", nargs="?", type=Path, default=Path("requirements.lock"))
    parser.add_argument("--advisories", type=Path, help="a folder of OSV records")
    given = parser.parse_args()
    lock = given.lock.read_text(encoding="utf-8")
    problems = [*lock_problems(lock), *(known_problems(lock, given.advisories) if given.advisories else ())]
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{len(components(lock))} dependencies, {len(problems)} problems.", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
