"""The wheel: built from the checkout, it holds everything, and runs without the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from posterity import __version__

ROOT = Path(__file__).parents[3]
# Without it, the wheel and not some other copy is what runs.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def run(*command: str | Path, cwd: Path) -> str:
    ended = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=ENVIRONMENT,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, cwd=ROOT)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A venv of its own that holds the wheel alone, and sees the dependencies of this one, not its editable copy."""
    home = tmp_path_factory.mktemp("elsewhere")
    run(sys.executable, "-m", "venv", "--without-pip", home / "venv", cwd=home)
    python = home / "venv" / "bin" / "python"
    run(sys.executable, "-m", "uv", "pip", "install", "--offline", "--no-deps", "--python", python, wheel, cwd=home)
    (site,) = (home / "venv" / "lib").glob("python*/site-packages")
    # As a .pth file the folder is only searched: its own .pth files, so the editable copy, are not followed.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home / "venv" / "bin"


def test_wheel_holds_types_demo_and_rules(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"posterity/py.typed", "posterity/demo/blog.toml", "posterity/demo/templates/rss.xml"} <= names
    assert {"posterity/extraction/rule_files/published.toml", "posterity/extraction/rule_files/blogs.toml"} <= names
    assert len([name for name in names if name.startswith("posterity/demo/posts/") and name.endswith(".md")]) >= 30
    assert len([name for name in names if name.startswith("posterity/demo/images/")]) >= 6


def test_wheel_holds_every_file_of_the_package_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("posterity/")}
    source = ROOT / "src"
    files = {str(path.relative_to(source)) for path in source.rglob("*") if path.is_file()}
    assert names == {name for name in files if "__pycache__" not in name and not name.endswith(".pyc")}


def test_wheel_has_the_man_page(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if name.endswith("/data/share/man/man1/posterity.1")]


def test_wheel_names_version_licence_and_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        read = {Path(name).name: archive.read(name).decode() for name in archive.namelist() if ".dist-info/" in name}
    assert f"\nVersion: {__version__}\n" in read["METADATA"]
    assert "\nLicense-Expression: Apache-2.0\n" in read["METADATA"]
    assert "posterity = posterity.cli.main:main" in read["entry_points.txt"]
    assert "LICENSE" in read


def test_installed_command_says_its_version(installed: Path) -> None:
    assert run(installed / "posterity", "--version", cwd=installed) == f"posterity, version {__version__}\n"


def test_installed_package_is_the_wheel_and_not_the_checkout(installed: Path) -> None:
    where = run(installed / "python", "-c", "import posterity; print(posterity.__file__)", cwd=installed)
    assert where.startswith(str(installed.parent))


def test_installed_command_has_its_demo(installed: Path) -> None:
    assert "bundled blog" in run(installed / "posterity", "demo", "--help", cwd=installed)
    code = "from posterity.demo.server import build; print(len(build().truth))"
    assert int(run(installed / "python", "-c", code, cwd=installed)) >= 30


def test_installed_command_extracts_a_page(installed: Path, tmp_path: Path) -> None:
    text = "The tide came in before anyone had noticed. " * 20
    (tmp_path / "page.html").write_text(f"<html><body><nav>Home</nav><article><p>{text}</p></article></body></html>")
    assert "The tide came in" in run(
        installed / "posterity", "extract", tmp_path / "page.html", "--format", "text", cwd=tmp_path
    )
