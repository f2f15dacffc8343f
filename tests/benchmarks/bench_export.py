"""A version of REFUGE's size is exported: 1,200 images, 7 graders, disc, cup and fovea; every mask as PNG, and COCO;
the references also as NIfTI and as DICOM segmentation objects.

    python -m tests.benchmarks.bench_export [--cases 1200] [--graders 7]

Must reach: 90 s for the masks of all references and readings, 20 s for COCO, 500 MB of memory for each. Beside it, in
the same run, some of the same masks as 8-bit PNG by Pillow, which is what most programs would do.
"""

import sys
import tempfile
from pathlib import Path

from tests.benchmarks.bench_consensus import asked_size, filled_installation

MOST_S, MOST_MB = {"masks": 90, "coco": 20}, 500
WISHES = {"masks": ["masks", "readings"], "coco": ["coco"], "nifti": ["nifti"], "dicom-seg": ["dicom-seg"]}
PREPARE = """
from annotator.models import Job, Study, User
from annotator.services.job_run import run_job
from consensus.services.freezing import freeze_dataset
from consensus.services.runs import request_run
study, senior = Study.objects.get(), User.objects.get(name="Sven Senior")
run_job(request_run(study=study, actor=senior).pk)
run_job(Job.objects.get(kind="measure_agreement").pk)
freeze_dataset(study=study, actor=senior, name="First")
"""
EXPORT = """
import resource, time, zipfile
from pathlib import Path
from consensus.models import DatasetVersion
from consensus.services.exporting import checked_wish, write_file
version = DatasetVersion.objects.select_related("study").get()
wish = checked_wish(version, formats={formats})
place = Path({place!r})
began, spent = time.perf_counter(), time.process_time()
count, _sha256 = write_file(version=version, wish=wish, file=place, tell=lambda done, total: None)
seconds, processor = time.perf_counter() - began, time.process_time() - spent
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
masks = [name for name in zipfile.ZipFile(place).namelist() if name.endswith((".png", ".nii.gz", ".dcm"))]
print(seconds, processor, peak, len(masks), place.stat().st_size / 1e6)
"""
BESIDE = """
import io, time, zipfile
import numpy as np
from PIL import Image
from annotator.formats.binary_picture import write_binary
from annotator.geometry.runs import encode
archive = zipfile.ZipFile({place!r})
names = [name for name in archive.namelist() if name.endswith(".png")][:40]
masks = [np.asarray(Image.open(archive.open(name))) for name in names]
runs = [encode(mask) for mask in masks]
began = time.process_time()
for toggles, mask in zip(runs, masks):
    write_binary(toggles, mask.shape[1], mask.shape[0])
ours = time.process_time() - began
began = time.process_time()
for mask in masks:
    Image.fromarray(mask.astype(np.uint8) * 255).save(io.BytesIO(), format="PNG")
theirs = time.process_time() - began
print(1000 * ours / len(masks), 1000 * theirs / len(masks))
"""


def main(arguments: list[str] | None = None) -> int:
    asked = asked_size(__doc__, arguments)
    with tempfile.TemporaryDirectory(prefix="quorum-bench-") as folder:
        installation = filled_installation(Path(folder), asked)
        installation.run(PREPARE)
        found = {}
        for name, formats in WISHES.items():
            place = str(Path(folder) / f"{name}.zip")
            told = installation.run(EXPORT.format(formats=formats, place=place)).splitlines()[-1]
            found[name] = [float(figure) for figure in told.split()]
        beside = installation.run(BESIDE.format(place=str(Path(folder) / "masks.zip"))).splitlines()[-1].split()
    for name, (seconds, processor, peak_mb, pictures, size) in found.items():
        most = f" (at most {MOST_S[name]} s)" if name in MOST_S else ""
        print(f"  {name:9} {seconds:6.1f} s, {processor:.1f} s of one processor{most},")
        print(f"            {peak_mb:.0f} MB at most (at most {MOST_MB} MB), {pictures:.0f} pictures, {size:.1f} MB")
    ours, theirs = (float(figure) for figure in beside)
    print(f"  a mask of ours {ours:.2f} ms, by Pillow with 8 bits {theirs:.1f} ms: {theirs / ours:.1f} ×")
    kept = all(found[name][0] <= most for name, most in MOST_S.items())
    return 0 if kept and max(one[2] for one in found.values()) <= MOST_MB else 1


if __name__ == "__main__":
    sys.exit(main())
