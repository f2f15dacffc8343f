"""First byte of the list pages at 10,000 images on SQLite, beside a page that lists nothing, on the real server.

    python -m tests.benchmarks.bench_lists [--images 10000]

Must reach: under 100 ms for every list.
"""

import argparse
import http.client
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.running.installation import Installation, ended, wait_until_served

LIMIT_MS = 100
ROUNDS = 25
FILL = """
import sys
from django.test import Client
from django.utils import timezone
from tests import cast
from annotator.models import *
count = {count}
organiser = cast.person("Olga Organiser", can_create_studies=True)
grader = cast.person("Gina Grader")
study = cast.study_of("refuge", organiser=organiser)
cast.add_cast(study, actor=organiser, graders=[grader, cast.person("Gus Grader")])
Subject.objects.bulk_create([Subject(study=study, pseudonym=f"P{{n:05d}}") for n in range(count)], batch_size=2000)
subjects = list(Subject.objects.order_by("pk"))
Eye.objects.bulk_create([Eye(subject=subject, side="RL"[n % 2]) for n, subject in enumerate(subjects)], batch_size=2000)
eyes = list(Eye.objects.order_by("pk"))
Image.objects.bulk_create([Image(study=study, subject=subject, eye=eye, sha256=f"{{n:064x}}", format="jpeg",
    served_format="jpeg", byte_count=1, width=2124, height=2056, bits=8, channels=3, device="Zeiss Visucam 500",
    original_name=f"image-{{n:05d}}.jpg", added_by=organiser) for n, (subject, eye) in enumerate(zip(subjects, eyes))],
    batch_size=2000)
Case.objects.bulk_create([Case(study=study, number=n + 1) for n in range(count)], batch_size=2000)
pairs = zip(Case.objects.order_by("pk"), Image.objects.order_by("pk"))
CaseImage.objects.bulk_create([CaseImage(case=case, image=image, position=1) for case, image in pairs], batch_size=2000)
cast.assign_all(study, actor=organiser)
Study.objects.update(state="reading")
own = Assignment.objects.filter(grader__user=grader)
Flag.objects.bulk_create([Flag(assignment=row, comment="Wrong eye?", raised_at=timezone.now())
    for row in own[::20]],
    batch_size=2000)
for user in (organiser, grader):
    client = Client()
    client.force_login(user)
    print(client.cookies["quorum_session"].value)
print(study.public_id)
"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--images", type=int, default=10_000)
    count = parser.parse_args(arguments).images
    with tempfile.TemporaryDirectory(prefix="quorum-bench-") as folder:
        installation = Installation(Path(folder), QUORUM_AUDIT_KEY="5e" * 32, QUORUM_SECRET_KEY="bench-" * 12)
        installation.manage("migrate", "-v0")
        print(f"Filling a study with {count} images…", flush=True)
        organiser, grader, study = installation.run(FILL.format(count=count)).splitlines()[-3:]
        with ended(installation.start("-m", "config.serve")):
            wait_until_served(installation.address)
            return _measure(installation, organiser, grader, study)


def _measure(installation: Installation, organiser: str, grader: str, study: str) -> int:
    base = f"/studies/{study}"
    pages = {
        "a page without a list": ("/account/me/", organiser),
        "home of the organiser": ("/", organiser),
        "studies": ("/studies/", organiser),
        "study": (f"{base}/", organiser),
        "images, first page": (f"{base}/images/", organiser),
        "images, page 150": (f"{base}/images/?page=150", organiser),
        "images, searched": (f"{base}/images/?q=image-07", organiser),
        "consensus": (f"{base}/table/", organiser),
        "readings": (f"{base}/readings/", organiser),
        "people": (f"{base}/people/", organiser),
        "log": (f"{base}/log/", organiser),
        "worklist of a grader": (f"/worklist/{study}/", grader),
        "worklist, to be read": (f"/worklist/{study}/?state=unread&page=150", grader),
        "flags": (f"{base}/flags/", organiser),
        "API: images": (f"/api/v1/studies/{study}/images/", organiser),
        "API: own assignments": ("/api/v1/me/assignments/", grader),
    }
    times: dict[str, list[float]] = {name: [] for name in pages}
    for _ in range(ROUNDS):  # round robin, so that a noisy moment touches all alike
        for name, (path, session) in pages.items():
            times[name].append(_first_byte_ms(installation.port, path, session))
    plain = statistics.median(times["a page without a list"])
    slow = []
    print(f"{'first byte, ms':<26} median    p95   × plain page")
    for name, values in times.items():
        median, p95 = statistics.median(values), statistics.quantiles(values, n=20)[18]
        print(f"{name:<26} {median:6.1f} {p95:6.1f}   {median / plain:5.1f}")
        if median >= LIMIT_MS:
            slow.append(name)
    print(f"Must reach: under {LIMIT_MS} ms: {'MISSED by ' + ', '.join(slow) if slow else 'reached'}")
    return 1 if slow else 0


def _first_byte_ms(port: int, path: str, session: str) -> float:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    began = time.perf_counter()
    connection.request("GET", path, headers={"Cookie": f"quorum_session={session}"})
    answer = connection.getresponse()
    took = (time.perf_counter() - began) * 1000
    answer.read()
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}")
    return took


if __name__ == "__main__":
    sys.exit(main())
