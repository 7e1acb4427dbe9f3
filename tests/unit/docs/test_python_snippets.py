"""Every Python snippet in README.md and docs/ passes `mypy --strict`."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Names that a snippet may use without defining them: the reader's page or feed.
GIVEN = "html: bytes = b''\nfeed: bytes = b''\nfeed_bytes: bytes = b''\nurl: str = ''\npages: dict[str, bytes] = {}\n"


def snippets() -> dict[str, str]:
    """Return the Python code blocks by the name of the file to write each to."""
    found: dict[str, str] = {}
    for page in PAGES:
        blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        name = re.sub(r"\W", "_", str(page.relative_to(ROOT).with_suffix("")))
        found |= {f"{name}_{number}.py": block for number, block in enumerate(blocks, 1)}
    return found


def test_snippets_pass_strict_type_checking(tmp_path: Path) -> None:
    for name, code in snippets().items():
        (tmp_path / name).write_text(GIVEN + code, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", ROOT / "pyproject.toml", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_readme_has_python_snippets() -> None:
    assert [name for name in snippets() if name.startswith("README")]
