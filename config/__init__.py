"""Wiring only: settings, addresses, the error handler, Celery and the server. No app imports it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
