#!/usr/bin/env bash
# Puts a Chromium on the machine if there is none: Debian's package when root, Playwright's download otherwise.
# Never fails the set-up: only pages rendered by JavaScript need a browser, and the message says how to get one.
set -uo pipefail
cd "$(dirname "$0")/.."
say() { printf '%s\n' "$*" >&2; }

.venv/bin/python -m posterity.render.chromium >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  say "installing a headless browser (chromium-headless-shell) ..."
  { apt-get install -qq -y --no-install-recommends chromium-headless-shell ||
    { apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium-headless-shell; }; } >/dev/null 2>&1
else
  say "installing a headless browser (playwright install chromium-headless-shell) ..."
  timeout 300 .venv/bin/playwright install chromium-headless-shell >/dev/null 2>&1
fi
.venv/bin/python -m posterity.render.chromium || true
