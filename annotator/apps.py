from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class AnnotatorConfig(AppConfig):
    name = "annotator"
    verbose_name = _("Reading")

    def ready(self) -> None:
        import annotator.tasks  # noqa: F401 - a bell can be rung only for a task that is known
        from annotator.models.triggers import install_triggers, put_triggers_aside

        # SQLite rebuilds a table to alter it. It drops the table's triggers on the way, and refuses while a trigger of
        # another table names it: so all are put aside before a migration and put back after it.
        pre_migrate.connect(put_triggers_aside, sender=self, dispatch_uid="annotator.triggers")
        post_migrate.connect(install_triggers, sender=self, dispatch_uid="annotator.triggers")
