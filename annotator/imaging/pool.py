"""Workers for what keeps the processor busy."""

import multiprocessing
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import cv2


def pool_of(workers: int, prepare: Callable[..., None], *share: Any) -> Executor:
    """Copies of this process where it has a single thread, which start at once; else fresh processes, because a copied
    thread's locks would never be freed; threads where a daemon may have no children. `prepare(*share)` is called once
    in each."""
    if multiprocessing.current_process().daemon:
        return ThreadPoolExecutor(workers, initializer=prepare, initargs=share)
    alone = sys.platform == "linux" and threading.active_count() == 1
    if alone:
        # Ends OpenCV's threads, which Python does not know of: a copied process could neither use nor end them.
        cv2.setNumThreads(1)
    context = multiprocessing.get_context("fork" if alone else "spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=prepare, initargs=share)
