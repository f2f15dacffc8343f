"""Images, upload, people, assignment, instructions and reading."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
