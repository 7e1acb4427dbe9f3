"""Our own processes."""

from __future__ import annotations

import gc
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from posterity.engine import collect_rarely


def test_process_that_collects_rarely_passes_over_what_it_has_loaded() -> None:
    with ProcessPoolExecutor(1, get_context("spawn"), initializer=collect_rarely) as pool:
        assert pool.submit(gc.get_threshold).result()[0] > gc.get_threshold()[0]
        assert pool.submit(gc.get_freeze_count).result() > 0
