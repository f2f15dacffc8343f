"""What the pages share: people must be signed in, and a refusal becomes an error at its field."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.views import View

from annotator import access
from annotator.access import May
from annotator.errors import DomainError
from annotator.models import Study, User
from annotator.selectors.recipes import recipe_of
from protocols import PUBLISHED

T = TypeVar("T")


class SignedInView(View):
    """A page for signed-in people; `self.user` is a person, never anonymous."""

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Callable[..., Any]:
        return login_required(super().as_view(**initkwargs))

    @property
    def user(self) -> User:
        return cast(User, self.request.user)


class StudyView(SignedInView):
    """A page of one study; `may` says what the role must allow."""

    may: May = May.SEE_STUDY
    study: Study

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        if request.user.is_authenticated:
            self.study = access.study_for(request.user, kwargs["study_id"], self.may)

    def context(self, **more: Any) -> dict[str, Any]:
        """What every page of a study needs: the study and what this person may do in it."""
        rights = access.rights(self.user, self.study)
        return {
            "study": self.study,
            "protocol_name": PUBLISHED[self.study.protocol].name,
            "rights": {right.name.lower(): True for right in rights},
            "manages_adjudication": May.MANAGE in rights and _is_adjudicated(self.study),
            "discusses": recipe_of(self.study).review.discussion_rounds > 0,
            **more,
        }


def _is_adjudicated(study: Study) -> bool:
    return any(target.is_adjudicated for target in recipe_of(study).targets)


def put_right(form: forms.BaseForm, act: Callable[[], T]) -> T | None:
    """Do it; a refusal is shown at the field it names, or above the form. None means that it was refused."""
    try:
        return act()
    except DomainError as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return None
