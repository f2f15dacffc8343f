"""People save while a bulk job runs: no error, and nobody waits for its end."""

from pathlib import Path

from tests.running.installation import Installation, ended

PREPARE = """
from tests import cast
from annotator.models import Case, Study
from annotator.models.study import StudyState
from annotator.services.studies import change_state
organiser = cast.person("Olga Organiser", can_create_studies=True)
study = cast.study_of("refuge", organiser=organiser)
cast.add_cast(study, actor=organiser, graders=[cast.person(f"Grader {n}") for n in range(3)])
cast.add_pictures(study, 12, actor=organiser)
cast.assign_all(study, actor=organiser)
study.refresh_from_db()
change_state(study=study, version=study.version, state=StudyState.READING, actor=organiser)
Case.objects.bulk_create([Case(study=study, number=n) for n in range(100, 20_100)])
"""
BULK = """
from annotator.models import Study, User
from annotator.services.assignments import Rule, assign_cases
print("begun", flush=True)
organiser = User.objects.get(email="olga.organiser@example.org")
assign_cases(study=Study.objects.get(), rule=Rule(None), actor=organiser)
"""
SAVE = """
from django.utils import timezone
from annotator.answers import Given
from annotator.models import Assignment, Reading
from annotator.services.readings import submit_reading
ellipse = {"cx": 16.0, "cy": 12.0, "a": 6.0, "b": 5.0, "theta_deg": 30.0}
answers = [Given("disc", geometry=ellipse), Given("cup", geometry=ellipse), Given("fovea", geometry={"x": 4, "y": 4})]
for assignment in Assignment.objects.filter(position__lte=12).select_related("grader__user"):
    submit_reading(assignment=assignment, actor=assignment.grader.user, answers=answers,
                   opened_at=timezone.now(), active_ms=1)
print(Reading.objects.count())
"""


def test_readings_are_saved_while_a_bulk_job_runs(empty_database: Path, tmp_path: Path) -> None:
    installation = Installation(tmp_path, QUORUM_AUDIT_KEY="5e" * 32)
    installation.begin_with(empty_database)
    installation.run(PREPARE)
    with ended(installation.start("-c", "import django; django.setup()\n" + BULK)) as bulk:
        assert bulk.stdout is not None
        bulk.stdout.readline()
        saved = installation.run(SAVE)
        # Had the bulk job kept the database to itself, the saves would have ended after it.
        assert bulk.poll() is None
    assert saved == "36"
