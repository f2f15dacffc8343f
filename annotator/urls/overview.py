"""Home, studies, protocol, log and jobs."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
