#!/usr/bin/env bash
# Makes .venv: locked dependencies, this package editable, and a browser where one can be had.
# Works as root or not, on a machine with nothing but Debian 12's Python 3.11. Safe to run again.
set -euo pipefail
cd "$(dirname "$0")/.."
python="${PYTHON:-python3}"
uv_version=0.13.7

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

as_root_install() { # Debian packages, only when root and only where apt exists
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  apt-get install -qq -y --no-install-recommends "$@" >/dev/null 2>&1 && return 0
  apt-get update -qq >/dev/null 2>&1 && apt-get install -qq -y --no-install-recommends "$@" >/dev/null 2>&1
}

if ! command -v "$python" >/dev/null || ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
  as_root_install python3 python3-venv || {
    say "Python 3.11 with venv is needed. On Debian: apt-get install python3 python3-venv"
    exit 4
  }
fi
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  say "Python 3.11 or newer is needed, and $python is $("$python" --version 2>&1). Name another one: make PYTHON=python3.11 ..."
  exit 4
}

[ -x .venv/bin/python ] || "$python" -m venv .venv
.venv/bin/pip install -q --disable-pip-version-check "uv==$uv_version" 2>&1 | { grep -v -i '^warning' || true; } >&2
export UV_HTTP_TIMEOUT=180
install() { # with uv's own certificates first, then with the system's: some networks have an authority of their own
  .venv/bin/uv pip install -q --python .venv/bin/python "$@" 2>/dev/null ||
    UV_SYSTEM_CERTS=1 .venv/bin/uv pip install -q --python .venv/bin/python "$@"
}
# Compiled now: else every start on a machine that writes no bytecode takes twice as long.
install --compile-bytecode --require-hashes -r requirements.lock
install --no-deps --no-build-isolation -e .

bash tools/browser.sh
