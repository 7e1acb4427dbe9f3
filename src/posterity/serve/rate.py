"""How often one visitor may ask for what costs: a bucket of tokens for each address, filled steadily."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

_REMEMBERED = 10_000  # visitors; whoever has been away longest is forgotten first


class Rate:
    """So many requests a minute for everyone."""

    def __init__(self, a_minute: int) -> None:
        self._size = float(a_minute)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait_s(self, visitor: str) -> float:
        """Take a token and return 0.0, or take none and return in how many seconds there is one."""
        now = time.monotonic()
        with self._lock:
            tokens, at = self._buckets.pop(visitor, (self._size, now))
            tokens = min(self._size, tokens + (now - at) * self._size / 60)
            enough = tokens >= 1
            self._buckets[visitor] = (tokens - 1 if enough else tokens, now)
            while len(self._buckets) > _REMEMBERED:
                self._buckets.popitem(last=False)
        return 0.0 if enough else (1 - tokens) * 60 / self._size
