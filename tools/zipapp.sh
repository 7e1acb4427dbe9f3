#!/usr/bin/env bash
# Makes dist/posterity.pyz: the command and the dependencies of its core in one file, for this system and Python.
# Compiled parts cannot be imported from an archive, so the file unpacks itself once into the cache of the user.
set -euo pipefail
cd "$(dirname "$0")/.."
python="${PYTHON:-.venv/bin/python}"
extras="${EXTRAS:-}" # such as [crawl]
stage="$(mktemp -d)"
trap 'rm -rf "$stage"' EXIT
.venv/bin/uv build --quiet --wheel --no-build-isolation --out-dir "$stage/wheel"
wheel="$(echo "$stage"/wheel/*.whl)"
.venv/bin/uv pip install --quiet --python "$python" --target "$stage/app/site" --constraints <(grep -oE '^[A-Za-z0-9._-]+(\[[^]]*\])?==[^ ;]+( ;[^\\]*)?' requirements.lock | sed 's/\[[^]]*\]//') "$wheel$extras"
cat > "$stage/app/__main__.py" <<'MAIN'
import hashlib, os, pathlib, sys, zipfile

archive = pathlib.Path(sys.argv[0]).resolve()
build = hashlib.sha256(f"{archive}{archive.stat().st_mtime_ns}{archive.stat().st_size}".encode()).hexdigest()[:16]
cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "posterity" / build
if not cache.is_dir():
    unpacked = cache.with_name(f"{build}.{os.getpid()}")
    with zipfile.ZipFile(archive) as parts:
        parts.extractall(unpacked)
    try:
        unpacked.rename(cache)
    except OSError:  # another process was quicker
        pass
sys.path.insert(0, str(cache / "site"))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(cache / "site"), os.environ.get("PYTHONPATH")]))
from posterity.cli.main import main

main()
MAIN
mkdir -p dist
"$python" -m zipapp "$stage/app" --python '/usr/bin/env python3' --compress --output dist/posterity.pyz
echo "dist/posterity.pyz"
