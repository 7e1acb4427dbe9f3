"""Modules can be imported where parts of Unix are missing, as on Windows."""

from __future__ import annotations

import subprocess
import sys

# Third-party modules look at `sys.platform`, which stays as it is; ours must not need these names when imported.
IMPORT_ALL = """
import builtins, importlib, os, pkgutil, signal, socket, sys
import posterity

MISSING = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty"}
NAMES = {
    os: ("fork", "geteuid", "getuid", "sysconf", "killpg", "setsid", "pidfd_open", "sched_getaffinity", "statvfs"),
    signal: ("SIGKILL", "SIGALRM", "SIGHUP", "SIGUSR1", "alarm", "setitimer", "pthread_kill"),
    socket: ("AF_UNIX", "send_fds", "recv_fds"),
}
names = [found.name for found in pkgutil.walk_packages(posterity.__path__, "posterity.")]
kept = [name for name in names if not name.endswith("__main__")]
for name in kept:  # first what they import of others
    importlib.import_module(name)
for name in kept:
    sys.modules.pop(name)

whole_import = builtins.__import__

def import_(name, globals=None, locals=None, fromlist=(), level=0):
    if name in MISSING and str((globals or {}).get("__name__", "")).startswith("posterity"):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return whole_import(name, globals, locals, fromlist, level)

builtins.__import__ = import_
for module, gone in NAMES.items():
    for each in gone:
        if hasattr(module, each):
            delattr(module, each)
failed = {}
for name in kept:
    try:
        importlib.import_module(name)
    except Exception as problem:
        failed[name] = repr(problem)
print(len(kept), failed)
sys.stdout.flush()
os._exit(bool(failed) or len(kept) < 200)
"""


def test_every_module_is_imported_without_what_only_unix_has() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORT_ALL], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
