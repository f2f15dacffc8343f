"""The processes that draw the demo's cases. They load no Django, so that they begin at once."""

import multiprocessing
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

from annotator.imaging.worker import end_with_parent


@contextmanager
def drawers() -> Iterator[ProcessPoolExecutor]:
    """Two of them. Whoever stops the demo does not wait for pictures that nobody will see."""
    pool = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        yield pool
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the process that asked for the pictures
    end_with_parent()
