"""Mirrored pictures: the same pixels the other way round, in the same kind of file."""

import io

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, JpegImagePlugin

from annotator.imaging.colour_profile import JPEG_TAG
from annotator.imaging.jpeg_segments import DHT, segments
from annotator.imaging.mirrored import mirrored

SHAPE = (96, 130)


def smooth(channels: int) -> NDArray[np.uint8]:
    """A picture without hard edges, unlike itself in a mirror."""
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    grey = 120 + 60 * np.sin(x / 19) + 50 * np.cos(y / 11 + x / 40)
    return np.stack([grey / (1 + number / 4) for number in range(channels)], axis=2).astype(np.uint8)


def written(pixels: NDArray[np.uint8 | np.uint16], kind: str, **how: object) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).save(file, kind, **how)
    return file.getvalue()


def seen(data: bytes) -> NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(data)))


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_a_png_loses_nothing(channels: int) -> None:
    served = written(smooth(channels), "PNG")
    assert np.array_equal(seen(mirrored(served)), np.fliplr(seen(served)))


def test_sixteen_bits_stay_sixteen() -> None:
    samples = np.random.default_rng(1).integers(0, 65_536, (*SHAPE, 1), dtype=np.uint16)
    turned = Image.open(io.BytesIO(mirrored(written(samples, "PNG"))))
    assert (turned.mode, np.array_equal(np.asarray(turned), np.fliplr(samples[:, :, 0]))) == ("I;16", True)


def test_a_palette_is_mirrored_in_its_colours() -> None:
    file = io.BytesIO()
    Image.fromarray(smooth(3)).quantize(20).save(file, "PNG")
    colours = np.asarray(Image.open(file).convert("RGB"))
    assert np.array_equal(seen(mirrored(file.getvalue())), np.fliplr(colours))


@pytest.mark.parametrize("sampling", [0, 1, 2])
@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("quality", [60, 95])
def test_a_jpeg_stays_one_of_the_same_tables_sampling_and_kind(sampling: int, progressive: bool, quality: int) -> None:
    served = written(smooth(3), "JPEG", quality=quality, subsampling=sampling, progressive=progressive)
    former, turned = Image.open(io.BytesIO(served)), Image.open(io.BytesIO(mirrored(served)))
    assert isinstance(former, JpegImagePlugin.JpegImageFile)
    assert isinstance(turned, JpegImagePlugin.JpegImageFile)
    assert turned.quantization == former.quantization
    assert JpegImagePlugin.get_sampling(turned) == sampling
    assert ("progressive" in turned.info) is progressive


@pytest.mark.parametrize("how", [{}, {"optimize": True}, {"progressive": True}, {"restart_marker_blocks": 4}], ids=str)
@pytest.mark.parametrize("channels", [1, 3])
def test_a_jpeg_is_of_the_same_make(channels: int, how: dict[str, int]) -> None:
    """Codes of its own or the usual ones, with or without restarts: whoever looks into the file sees no difference."""
    served = written(smooth(channels), "JPEG", quality=90, **how)
    turned = mirrored(served)

    def make(data: bytes) -> list[tuple[int, int]]:
        """Markers, and of tables that are no codes of its own how long they are."""
        own = how.get("optimize") or how.get("progressive")
        return [(one.marker, 0 if own and one.marker == DHT else len(one.payload)) for one in segments(data)]

    assert make(turned) == make(served)
    assert len(turned) == pytest.approx(len(served), rel=0.06)


@pytest.mark.parametrize("channels", [1, 3])
def test_a_jpeg_looks_as_in_a_mirror_and_is_about_as_large(channels: int) -> None:
    served = written(smooth(channels), "JPEG", quality=90)
    turned = mirrored(served)
    off = np.abs(seen(turned).astype(int) - np.fliplr(seen(served)))
    assert (off.mean() < 1, off.max() < 12) == (True, True)
    assert len(turned) == pytest.approx(len(served), rel=0.1)


def test_where_blocks_meet_blocks_hardly_a_sample_of_a_jpeg_changes() -> None:
    served = written(smooth(1)[:, :128], "JPEG", quality=75)
    off = np.abs(seen(mirrored(served)).astype(int) - np.fliplr(seen(served)))
    assert off.max() <= 1


def test_a_colour_profile_is_kept() -> None:
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for kind in ("JPEG", "PNG"):
        turned = mirrored(written(smooth(3), kind, icc_profile=profile))
        assert Image.open(io.BytesIO(turned)).info["icc_profile"] == profile
    assert JPEG_TAG in mirrored(written(smooth(3), "JPEG", icc_profile=profile))
