"""Pictures of both sides, compared case by case in as many threads as there are processors.

Each thread reads, decodes and compares; what is kept of a picture are a few numbers, so memory does not grow with the
number of pictures. Decoding and counting release the interpreter, so threads are enough.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from annotator.formats.bad_file import BadFile
from annotator.formats.grey_picture import read_grey
from annotator.imaging.bad_picture import bad_picture
from evaluation.files.case_files import Pictures, Samples

Asked = TypeVar("Asked")
Found = TypeVar("Found")
Progress = Callable[[int, int], None]


def compare_each(cases: Sequence[Asked], compare: Callable[[Asked], Found], progress: Progress) -> list[Found]:
    """`compare` of every case, in their order; the first fault in this order ends it."""
    found = []
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        try:
            for done, one in enumerate(threads.map(compare, cases), start=1):
                found.append(one)
                progress(done, len(cases))
        except BaseException:
            threads.shutdown(cancel_futures=True)
            raise
    return found


def read_both(
    reference: Pictures, submission: Pictures, case: str, read: Callable[[bytes], Samples] = read_grey
) -> tuple[Samples, Samples]:
    """Of one case; BadFile when they differ in size."""
    ours, theirs = reference.read(case, read), submission.read(case, read)
    if ours.shape != theirs.shape:
        (height, width), (other_height, other_width) = theirs.shape, ours.shape
        size = {"width": width, "height": height, "other_width": other_width, "other_height": other_height}
        raise BadFile(submission.tree.shown(submission.files[case]), bad_picture("other_size", **size))
    return ours, theirs
