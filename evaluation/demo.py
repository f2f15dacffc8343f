"""The demo goes on: the graders of every study are scored."""

from annotator.demo import people
from annotator.models import Study
from annotator.services.job_run import run_job
from evaluation.selectors.graders import latest_scores
from evaluation.services.grader_scores import request_scores


def play(study: Study) -> None:
    """What was done before is left alone."""
    if latest_scores(study) is None:
        run_job(request_scores(study=study, actor=people.person(people.ORGANISER)).pk)
