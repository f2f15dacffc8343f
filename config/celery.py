"""The Celery application; tasks are found in each app's tasks.py."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init

from config.memory import settle

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("quorum")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def _settle(**_signal: Any) -> None:
    settle()
