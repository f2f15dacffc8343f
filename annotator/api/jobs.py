"""Background work: one's own and that of the studies one manages."""

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator import access
from annotator.api.door import Asked, Door, the_one
from annotator.api.schema import documented
from annotator.api.shapes import JobShown
from annotator.models import Job
from annotator.models.job import JobState
from annotator.services.jobs import cancel_job


class JobFilters(Asked):
    ignored = frozenset({"page", "page_size"})

    study = serializers.CharField(required=False, default="", allow_blank=True, max_length=16)
    state = serializers.ChoiceField(choices=JobState.choices, required=False, default="", allow_blank=True)


class JobDoor(Door):
    def visible(self) -> "QuerySet[Job]":
        return access.jobs_visible_to(self.user).select_related("study", "owner").defer("study__recipe", "arguments")


class Jobs(JobDoor):
    @documented(
        "jobs_list",
        "Jobs, the newest first",
        answer=JobShown(many=True),
        refuses=[400],
        parameters=[OpenApiParameter("study"), OpenApiParameter("state", enum=JobState.values)],
    )
    def get(self, request: Request) -> Response:
        asked = self.asked_for(JobFilters)
        jobs = self.visible()
        if asked["study"]:
            jobs = jobs.filter(study__public_id=asked["study"])
        if asked["state"]:
            jobs = jobs.filter(state=asked["state"])
        return self.listed(jobs, JobShown)


class OneJob(JobDoor):
    @documented("jobs_read", "One job", answer=JobShown, refuses=[404])
    def get(self, request: Request, job_id: str) -> Response:
        return Response(JobShown(the_one(self.visible(), public_id=job_id)).data)


class JobCancel(JobDoor):
    @documented("jobs_cancel", "End a job at its next step", answer=JobShown, refuses=[404, 409])
    def post(self, request: Request, job_id: str) -> Response:
        job = the_one(self.visible(), public_id=job_id)
        return Response(JobShown(cancel_job(job=job, actor=self.user)).data)
