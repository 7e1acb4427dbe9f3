"""How much time and memory one page may take, and how a worker process is held to it.

The parent kills a worker that is late. The limits here hold even without a parent: the kernel refuses memory beyond
the bound, and an alarm that nothing catches ends a worker whose parent is gone.
"""

from __future__ import annotations

import math
import signal
import sys

import msgspec

_ORPHAN_GRACE_S = 10  # so long after the parent should have acted, a worker ends by itself


class PageLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds for one page. Getting ready for a site may take `time_s` per page of it."""

    time_s: float = 30.0
    # Address space of the whole worker, interpreter and libraries included: those alone take about 300 MB.
    memory_mb: int = 3072


def restrict_memory(limits: PageLimits) -> None:
    """Bound this process's memory where the system can; a crash leaves no core file behind."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = limits.memory_mb * 1024 * 1024
    try:
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ValueError, OSError):
        # macOS refuses an address-space limit; time is still bounded.
        return


def set_alarm(seconds: float) -> None:
    """End this process if it is still at the same page then; 0 takes the alarm off."""
    if hasattr(signal, "alarm"):
        signal.alarm(math.ceil(seconds) + _ORPHAN_GRACE_S if seconds else 0)
