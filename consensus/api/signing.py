"""Signing the references off, for programs: the words that would be signed, and the signature."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked
from annotator.api.schema import documented
from annotator.api.workbench_asked import Words
from annotator.names import LONGEST_NAME
from consensus.api.datasets import DatasetDoor, DatasetShown
from consensus.manifest import digest_of
from consensus.services.freezing import collected
from consensus.services.signing import meaning_of, sign_off, unchanged_since_signed

LONGEST_PASSWORD = 1000
LONGEST_MEANING = 5000


class ReadinessShown(serializers.Serializer[Any]):
    cases_waiting = serializers.IntegerField(help_text="For readings; `incomplete` leaves them out.")
    cases_ready = serializers.IntegerField(help_text="To be fused.")
    cases_stale = serializers.IntegerField(help_text="To be fused anew.")
    cases_deferred = serializers.IntegerField()
    references = serializers.IntegerField()
    references_undecided = serializers.IntegerField(help_text="The readings leave the answer open.")
    references_automatic = serializers.IntegerField(help_text="Nobody has decided about the vote.")
    run_going_on = serializers.BooleanField()
    may_sign_off = serializers.BooleanField()


class MeaningShown(serializers.Serializer[Any]):
    meaning = serializers.CharField(help_text="What would be signed; sent back word by word with the password.")
    digest = serializers.CharField(help_text="Of what would be frozen; the words hold its beginning.")
    unchanged = serializers.CharField(help_text="Says so where the same is signed already; else empty.")
    readiness = ReadinessShown()


class SignOffAsked(Asked):
    name = Words(max_length=LONGEST_NAME)
    password = serializers.CharField(
        max_length=LONGEST_PASSWORD, trim_whitespace=False, write_only=True, help_text="Yours; stands for a signature."
    )
    meaning = serializers.CharField(max_length=LONGEST_MEANING, trim_whitespace=False)
    incomplete = serializers.BooleanField(default=False, help_text="Leave the cases out that are still being read.")


class SignOff(DatasetDoor):
    @documented("sign_off_read", "What a sign-off would say now", answer=MeaningShown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.SIGN_OFF)
        standing = collected(study)
        digest = digest_of(standing.content)
        told = {
            "meaning": meaning_of(study, standing.content, digest),
            "digest": digest,
            "unchanged": unchanged_since_signed(study, digest),
            "readiness": standing.readiness,
        }
        return Response(MeaningShown(told).data)

    @documented(
        "sign_off",
        "Freeze and sign the references with your password and the words that were read",
        takes=SignOffAsked,
        answer=DatasetShown,
        status=201,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.SIGN_OFF)
        version = sign_off(study=study, actor=self.user, **self.asked(SignOffAsked))
        return self.told(study, version, status=201)
