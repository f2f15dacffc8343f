"""Archives for the client: one by hand, in which the eye sees what must come out."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

EXAMPLES = Path(__file__).resolve().parents[2] / "clients" / "python" / "examples"
IMAGES = (
    "image,part,withheld,case,photograph,subject,side,width,height,um_per_px_x,um_per_px_y,device,original_sha256\n"
)
TARGETS = [{"key": "glands", "kind": "objects"}, {"key": "iris", "kind": "polyline"}]


def png(samples: NDArray[Any]) -> bytes:
    out = io.BytesIO()
    Image.fromarray(samples).save(out, "png")
    return out.getvalue()


def manifest_of(files: Mapping[str, bytes]) -> bytes:
    stated = [
        {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for path, content in files.items()
    ]
    recipe = {"content": {"targets": TARGETS}}
    return json.dumps({"format": "quorum-export/1", "protocol": "glas", "recipe": recipe, "files": stated}).encode()


def packed(place: Path, files: Mapping[str, bytes], manifest: bytes | None = None) -> Path:
    with zipfile.ZipFile(place, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
        archive.writestr("manifest.json", manifest_of(files) if manifest is None else manifest)
    return place


def handmade() -> dict[str, bytes]:
    """Two glands, the second with a number above 255, an iris of three points, and a picture of a hidden part."""
    numbered = np.zeros((2, 4), np.uint16)
    numbered[0, :2], numbered[1, 3] = 1, 300
    rows = "train-0001,train,0,1,1,S1,,4,2,0.5,0.25,Scanner,\ntest-0001,test,1,,,,,4,2,,,,\n"
    grey = np.arange(8, dtype=np.uint8).reshape(2, 4)
    return {
        "images.csv": (IMAGES + rows).encode(),
        "images/train-0001.png": png(grey),
        "images/test-0001.png": png(grey + 1),
        "masks/glands/train-0001.png": png(numbered),
        "tables/lines.csv": b"image,target,number,x,y\n"
        b"train-0001,iris,2,1.5,0.5\ntrain-0001,iris,1,0.5,0.5\ntrain-0001,iris,10,3.5,1.5\n",
        "tables/labels.csv": b"image,target,answer,label,state,source\ntrain-0001,grade,ungradable,,automatic,\n",
        "tables/signs.csv": b"image,target,sign\ntrain-0001,grade,notching\ntrain-0001,grade,thinning\n",
    }
