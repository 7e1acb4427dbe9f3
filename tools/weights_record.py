"""The record beside a file of weights: the command, the seeds, and the inputs by digest and number of pages.

With the record, training can be reproduced from the same inputs; a test compares the digest of the weights.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from posterity.evaluate.datasets import read_samples

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def record_path(weights: Path) -> Path:
    """Return the path of the record of a file of weights: `NAME_record.json` beside it."""
    return weights.with_name(f"{weights.stem}_record.json")


def sha256(file: Path) -> str:
    """Return the SHA-256 digest of a file, in hex."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def write_record(
    weights: Path, *, command: str, seeds: Mapping[str, int], inputs: Sequence[Path], more: Mapping[str, Any]
) -> None:
    """Write the record of an existing file of weights."""
    record = {
        "weights": {"file": weights.name, "sha256": sha256(weights)},
        "command": command,
        "seeds": dict(seeds),
        "inputs": [
            {"file": file.name, "sha256": sha256(file), "pages": sum(1 for _ in read_samples(file))} for file in inputs
        ],
        **more,
    }
    record_path(weights).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
