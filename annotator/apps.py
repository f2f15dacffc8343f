from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class AnnotatorConfig(AppConfig):
    name = "annotator"
    verbose_name = _("Reading")

    def ready(self) -> None:
        import annotator.tasks  # noqa: F401 - a bell can be rung only for a task that is known
        from annotator.models.triggers import install_triggers

        # SQLite rebuilds a table to alter it and drops its triggers on the way: they are put back after each migration.
        post_migrate.connect(install_triggers, sender=self, dispatch_uid="annotator.triggers")
