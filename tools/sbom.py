"""Prints a CycloneDX 1.6 SBOM of the locked dependencies: `python tools/sbom.py [LOCK] > sbom.json`.

Only the lock file is read, so it needs no network, and the same lock file always gives the same bytes.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

_PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def components(lock: str) -> list[dict[str, object]]:
    """Return the packages of a lock file, sorted by name, with the hashes of their files."""
    found: list[dict[str, object]] = []
    for block in re.split(r"\n(?=\S)", lock):
        pinned = _PINNED.match(block)
        if pinned is None:
            continue
        name, version = pinned[1].lower(), pinned[2]
        purl = f"pkg:pypi/{name}@{version}"
        hashes = [{"alg": "SHA-256", "content": digest} for digest in sorted(_HASH.findall(block))]
        found.append(
            {"type": "library", "name": name, "version": version, "purl": purl, "bom-ref": purl, "hashes": hashes}
        )
    return sorted(found, key=lambda one: str(one["purl"]))


def main() -> None:
    """Print the SBOM."""
    lock = Path(sys.argv[1] if len(sys.argv) > 1 else "requirements.lock")
    listed = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "posterity"}},
        "components": components(lock.read_text(encoding="utf-8")),
    }
    print(json.dumps(listed, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
