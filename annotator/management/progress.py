"""A progress bar where somebody is watching, silence where nobody is."""

import sys
from types import TracebackType

from tqdm import tqdm

# Its watching thread, which runs even beside a bar that is not shown, would keep an import from copying this process.
tqdm.monitor_interval = 0


class ProgressBar:
    """Call it with (done, total)."""

    def __init__(self, what: str) -> None:
        self._bar = tqdm(desc=what, disable=not sys.stderr.isatty(), leave=False)

    def __call__(self, done: int, total: int) -> None:
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()
