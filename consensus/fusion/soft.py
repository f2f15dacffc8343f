"""How many graders marked each pixel, packed: kept with a reference, so that the vote can be drawn and exported."""

import struct
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from consensus.fusion.votes import Votes

_HEADER = struct.Struct("<III")  # width, height, graders


@dataclass(frozen=True, eq=False)
class SoftVote:
    """Runs of pixels with the same number of votes, in reading order; together they cover the picture."""

    width: int
    height: int
    graders: int
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]

    @property
    def share(self) -> NDArray[np.float64]:
        """Share of the graders who marked each pixel, as a picture."""
        lengths = np.diff(self.starts, append=self.width * self.height)
        return (np.repeat(self.counts, lengths) / self.graders).reshape(self.height, self.width)


def pack_votes(votes: Votes) -> bytes:
    """Starts of the runs as 32-bit numbers and a byte of votes for each, deflated after the size of the picture."""
    changes = np.concatenate(([True], votes.counts[1:] != votes.counts[:-1]))
    starts, counts = votes.starts[changes].astype("<i4"), votes.counts[changes].astype(np.uint8)
    header = _HEADER.pack(votes.width, votes.height, votes.graders)
    return header + zlib.compress(np.diff(starts, prepend=np.int32(0)).astype("<i4").tobytes() + counts.tobytes())


def unpack_votes(packed: bytes) -> SoftVote:
    width, height, graders = _HEADER.unpack_from(packed)
    raw = zlib.decompress(packed[_HEADER.size :])
    count = len(raw) // 5
    starts = np.cumsum(np.frombuffer(raw, dtype="<i4", count=count)).astype(np.int64)
    counts = np.frombuffer(raw, dtype=np.uint8, offset=4 * count).astype(np.int64)
    return SoftVote(width, height, graders, starts, counts)
