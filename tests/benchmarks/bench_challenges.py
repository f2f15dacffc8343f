"""A challenge of AIROGS' size on SQLite: 11,290 eyes, several teams; sending in, scoring, and every page of it.

    python -m tests.benchmarks.bench_challenges [--cases 11290] [--teams 5]

Must reach: an archive is checked and taken within 5 s, and scored with 1,000 resamples and ranked within 60 s; the page
of a submission, whose table is as long, and the leaderboard answer within 1 s, all others within 0.5 s.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from tests.running.installation import Installation

LIMITS = {"checked and taken": 5.0, "scored and ranked": 60.0, "submission": 1.0, "leaderboard": 1.0}
PAGE_LIMIT = 0.5
FILL = """
import io, json, random, statistics, time, zipfile
from datetime import timedelta
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from annotator.models import *
from annotator.services.job_run import run_job
from consensus.models import *
from evaluation.services.opening import PhasePlan, open_challenge
from evaluation.services.submitting import submit
from tests import cast
from tests.evaluation.challenge_scene import team_of
settings.ALLOWED_HOSTS = ["testserver"]
count, teams = {count}, {teams}
organiser = cast.person("Olga Organiser", can_create_studies=True)
study = cast.study_of("airogs", organiser=organiser)
Subject.objects.bulk_create([Subject(study=study, pseudonym=f"P{{n:05d}}") for n in range(count)], batch_size=2000)
Eye.objects.bulk_create([Eye(subject=one, side="R") for one in Subject.objects.order_by("pk")], batch_size=2000)
eyes = list(Eye.objects.select_related("subject").order_by("pk"))
Image.objects.bulk_create([Image(study=study, subject=eye.subject, eye=eye, sha256=f"{{n:064x}}", format="jpeg",
    served_format="jpeg", byte_count=1, width=1934, height=1956, bits=8, channels=3,
    original_name=f"image-{{n:05d}}.jpg", added_by=organiser) for n, eye in enumerate(eyes)], batch_size=2000)
Case.objects.bulk_create([Case(study=study, number=n + 1) for n in range(count)], batch_size=2000)
pairs = list(zip(Case.objects.order_by("pk"), Image.objects.order_by("pk")))
CaseImage.objects.bulk_create([CaseImage(case=case, image=image, position=1) for case, image in pairs], batch_size=2000)
label = ["RG"] * 16 + ["NRG"] * 81 + ["U"] * 16
run = ConsensusRun.objects.create(study=study, kind="case", started_by=organiser, recipe_digest=study.recipe_digest,
    rules={{}}, code_version="bench")
target = study.targets.get(key="referable_glaucoma")
none = "0" * 64
Reference.objects.bulk_create([Reference(run=run, case=case, image=image, target=target, version=1, kind="label",
    state="automatic", label=label[n % len(label)], inputs_digest=none, digest=none)
    for n, (case, image) in enumerate(pairs)], batch_size=2000)
version = DatasetVersion.objects.create(study=study, number=1, name="First", made_by=organiser, made_at=timezone.now(),
    recipe_digest=study.recipe_digest, digest=none, counts={{}})
DatasetCase.objects.bulk_create([DatasetCase(version=version, case=case) for case, image in pairs], batch_size=2000)
DatasetImage.objects.bulk_create([DatasetImage(version=version, case=case, image=image, position=1, sha256=image.sha256)
    for case, image in pairs], batch_size=2000)
DatasetReference.objects.bulk_create([DatasetReference(version=version, reference=one, digest=none)
    for one in Reference.objects.all()], batch_size=2000)
now = timezone.now()
plan = PhasePlan(key="final", name="Final", version=version, opens_at=now - timedelta(hours=1),
    closes_at=now + timedelta(hours=9), shows_results=True, shows_references=True)
took = {{}}
def timed(name, work):
    began = time.perf_counter()
    done = work()
    took.setdefault(name, []).append(time.perf_counter() - began)
    return done
challenge = timed("opened", lambda: open_challenge(study=study, actor=organiser, name="Bench", edition="paper",
    plans=[plan]))
phase = challenge.phases.select_related("version", "challenge__study").get()
known = dict(phase.cases.values_list("name", "case__number"))
lots = random.Random(1)
for number in range(teams):
    team = team_of(study, f"Team {{number}}", organiser=organiser)
    rows = ["challenge_id,rg_likelihood,rg_binary,ungradability_score,ungradability_binary"]
    for name, place in sorted(known.items()):
        truth = label[(place - 1) % len(label)]
        risk = min(1, max(0, lots.gauss(0.7 if truth == "RG" else 0.4, 0.1 + 0.05 * number)))
        rows.append(f"{{name}},{{risk:.4f}},{{int(risk > 0.5)}},{{lots.gauss(2 * (truth == 'U'), 1):.4f}},0")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("submission.csv", "\\n".join(rows) + "\\n")
    sent = timed("checked and taken", lambda: submit(phase=phase, team=team, actor=team.members.get(),
        content=io.BytesIO(out.getvalue()), file_name="results.zip"))
    timed("scored and ranked", lambda: run_job(sent.job.pk))
client = Client()
client.force_login(organiser)
place, there = [challenge.public_id, sent.public_id], [challenge.public_id, phase.public_id]
pages = {{
    "challenge": reverse("challenge", args=place[:1]),
    "submission": reverse("submission", args=place),
    "one case": reverse("scored_case", args=[*place, min(known)]),
    "one case, for programs": reverse("api_scored_case", args=[*place, min(known)]),
    "leaderboard": reverse("leaderboard", args=there),
    "comparison": reverse("compare_entries", args=there),
    "list of cases": reverse("phase_cases", args=there),
    "table of cases": reverse("submission_cases", args=place),
}}
for _ in range(5):
    for name, address in pages.items():
        answer = timed(name, lambda: client.get(address))
        assert answer.status_code == 200, (name, answer.status_code, answer.content[:300])
print(json.dumps(took))
"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cases", type=int, default=11_290)
    parser.add_argument("--teams", type=int, default=5)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="quorum-bench-") as folder:
        installation = Installation(Path(folder), QUORUM_AUDIT_KEY="5e" * 32, QUORUM_SECRET_KEY="bench-" * 12)
        installation.manage("migrate", "-v0")
        installation.manage("collectstatic", "--noinput", "-v0")
        print(f"A challenge with {options.cases} cases and {options.teams} teams…", flush=True)
        said = installation.run(FILL.format(count=options.cases, teams=options.teams))
    slow = []
    print(f"{'seconds':<26} median    most")
    for name, times in json.loads(said.splitlines()[-1]).items():
        median = statistics.median(times)
        print(f"{name:<26} {median:6.2f}  {max(times):6.2f}")
        if median > LIMITS.get(name, PAGE_LIMIT if name != "opened" else LIMITS["checked and taken"]):
            slow.append(name)
    print(f"Must reach: {'MISSED by ' + ', '.join(slow) if slow else 'reached'}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
