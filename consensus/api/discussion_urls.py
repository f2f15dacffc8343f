"""Addresses of discussions in the API, below a study."""

from django.urls import path

from consensus.api import discussions

ONE = "<str:discussion_id>/"

urlpatterns = [
    path("", discussions.Discussions.as_view(), name="api_discussions"),
    path(ONE + "workbench/", discussions.OneDiscussion.as_view(), name="api_discussion"),
    path(ONE + "say/", discussions.Say.as_view()),
    path(ONE + "pass-on/", discussions.PassOn.as_view()),
]
