"""A robots.txt of the allowed size is cheap to read, whatever it contains."""

from __future__ import annotations

import itertools
import string
import subprocess
import sys

import pytest

_READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
from posterity.http_client import robots_rules
rules = robots_rules(200, sys.stdin.buffer.read(), "Posterity/1.0 (+https://example.org/)")
letters = "abcdefghijklmnopqrstuvwxyz" * 20
for n in range(1_000):
    rules.can_fetch(f"https://blog.example/2024/01/02/{n}/{letters}", "Posterity/1.0 (+https://example.org/)")
print(rules.can_fetch("https://blog.example/private/", "Posterity/1.0 (+https://example.org/)"))
"""
_AGENTS = "".join(f"User-agent: a{n}\n" for n in range(10_000))
_PARTS = "".join(f"User-agent: {'posterity/1.0 (+https://example.org/)'[:n]}\n" for n in range(1, 37))
_RULES = "".join(f"Disallow: /{n}\n" for n in range(15_000)) + "Disallow: /private\n"
_HOSTILE = {
    "agents times rules": _AGENTS + "User-agent: *\n" + _RULES,
    "parts of our name times rules": _PARTS + _RULES,
    "groups": "".join(f"User-agent: a{n}\nDisallow: /{n}\n" for n in range(14_000))
    + "User-agent: *\nDisallow: /private",
    "wildcards": "User-agent: *\nDisallow: /private\n" + "".join(f"Disallow: /*{n}*x$\n" for n in range(22_000)),
    "wildcards that all match": "User-agent: *\nDisallow: /private\n"
    + "".join(f"Disallow: /*{a}*{b}*{c}$\n" for a, b, c in itertools.product(string.ascii_lowercase, repeat=3)),
    "a short rule behind many": "User-agent: *\nDisallow: /private\nAllow: /2\n"
    + "".join(f"Disallow: /{n}/aaaaa\n" for n in range(20_000)),
    "repeated stars": "User-agent: *\nDisallow: /private\n" + ("Disallow: /" + "*a" * 20 + "b\n") * 8_000,
    "one line": "User-agent: *\nDisallow: /private\nDisallow: /" + "*a" * 200_000,
}


@pytest.mark.parametrize("text", _HOSTILE.values(), ids=_HOSTILE)
def test_hostile_robots_txt_is_read_within_the_limits_and_obeyed(text: str) -> None:
    done = subprocess.run([sys.executable, "-c", _READ], input=text.encode(), capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"False\n"), done.stderr[-500:]
