"""The log of a study, for its organisers."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, Door
from annotator.api.schema import documented
from annotator.models import AuditEvent
from annotator.selectors.log import log_of


class EventShown(serializers.ModelSerializer[AuditEvent]):
    actor = serializers.CharField(source="actor.name", read_only=True, allow_null=True, default=None)
    before = serializers.JSONField(read_only=True, allow_null=True)
    after = serializers.JSONField(read_only=True, allow_null=True)

    class Meta:
        model = AuditEvent
        fields = ["number", "at", "actor", "action", "subject", "before", "after", "previous_digest", "digest"]
        read_only_fields = fields


class EventFilters(Asked):
    ignored = frozenset({"page", "page_size"})

    action = serializers.CharField(required=False, default="", allow_blank=True, max_length=60)


class Audit(Door):
    @documented(
        "audit_list",
        "What was done in the study, the newest first",
        answer=EventShown(many=True),
        refuses=[400, 404],
        parameters=[OpenApiParameter("action", description="Such as study.created.")],
    )
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        return self.listed(log_of(study, **self.asked_for(EventFilters)), EventShown)
