"""ICC colour profiles: the one piece of metadata that stays with a picture, because it decides what is seen.

Source: ICC.1:2022 (header: size in bytes 0–3, signature 'acsp' in bytes 36–39) and its annex B for JPEG and PNG.
"""

from collections.abc import Sequence

MAX_PROFILE_BYTES = 4 * 1024 * 1024
JPEG_TAG = b"ICC_PROFILE\0"
_JPEG_PIECE = 65_535 - 2 - len(JPEG_TAG) - 2
_HEADER = 128


def checked_profile(profile: bytes) -> bytes | None:
    """The profile cut to the size it declares, or None when it is none.

    The cut keeps bytes that are not part of the profile from travelling with it.
    """
    size = int.from_bytes(profile[:4], "big")
    if profile[36:40] != b"acsp" or not _HEADER <= size <= min(len(profile), MAX_PROFILE_BYTES):
        return None
    return profile[:size]


def fits_colours(profile: bytes, channels: int) -> bool:
    """Whether the profile is one for this many channels: its header names the colours it takes (bytes 16–19)."""
    return profile[16:20] == (b"GRAY" if channels == 1 else b"RGB ")


def joined_profile(pieces: Sequence[bytes]) -> bytes | None:
    """The profile in a JPEG's APP2 payloads (each: tag, number from 1, count, bytes); None when they do not fit."""
    numbered = {piece[len(JPEG_TAG)]: piece for piece in pieces if len(piece) > len(JPEG_TAG) + 2}
    if sorted(numbered) != list(range(1, len(pieces) + 1)):
        return None
    if any(piece[len(JPEG_TAG) + 1] != len(pieces) for piece in pieces):
        return None
    return checked_profile(b"".join(numbered[n][len(JPEG_TAG) + 2 :] for n in sorted(numbered)))


def split_profile(profile: bytes) -> list[bytes]:
    """The profile as payloads for APP2 segments."""
    bodies = [profile[at : at + _JPEG_PIECE] for at in range(0, len(profile), _JPEG_PIECE)]
    return [JPEG_TAG + bytes([n, len(bodies)]) + body for n, body in enumerate(bodies, start=1)]
