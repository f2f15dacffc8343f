from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConsensusConfig(AppConfig):
    name = "consensus"
    verbose_name = _("Consensus")

    def ready(self) -> None:
        from annotator.after_submission import register_follower
        from annotator.audit_anchors import register_anchors
        from annotator.demo.sequels import register_interlude, register_prelude, register_sequel
        from annotator.event_words import register_events
        from annotator.further_facts import register_facts
        from annotator.further_needs import register_needs
        from annotator.job_kinds import register_job_kind
        from annotator.models.triggers import guard_tables
        from consensus.models.integrity import FROZEN_TABLES, KEPT_TABLES, RULES
        from consensus.selectors.datasets import anchors_of_the_log
        from consensus.services.removing import reading_arrived
        from consensus.views.dataset_words import facts_of
        from consensus.views.discussions import discussion_facts
        from consensus.views.exams import exam_facts
        from consensus.views.needs import needs_of, specialty_facts
        from consensus.words import (
            EVENT_FIELDS,
            EVENT_SENTENCES,
            EVENT_WORDS,
            annotation_words,
            drawing_words,
            export_words,
            look_words,
            report_words,
            run_words,
        )

        register_anchors(anchors_of_the_log)
        register_follower(reading_arrived)
        register_prelude("consensus.demo_exam.examine")
        register_interlude("consensus.demo.settle")
        register_sequel("consensus.demo.play")
        register_needs(needs_of)
        register_facts(facts_of)
        register_facts(exam_facts)
        register_facts(specialty_facts)
        register_facts(discussion_facts)
        register_events(words=EVENT_WORDS, sentences=EVENT_SENTENCES, fields=EVENT_FIELDS)
        guard_tables(frozen=FROZEN_TABLES, kept=KEPT_TABLES, rules=RULES)
        register_job_kind(
            "fuse_readings",
            service="consensus.services.runs.run_fusion_job",
            words=_("Consensus of the readings"),
            result_words=run_words,
        )
        register_job_kind(
            "follow_removal",
            service="consensus.services.removing.run_follow_job",
            words=_("References without a removed grader"),
            result_words=run_words,
        )
        register_job_kind(
            "measure_agreement",
            service="consensus.services.agreement.run_report_job",
            words=_("Agreement of the graders"),
            result_words=report_words,
        )
        register_job_kind(
            "look_at_annotations",
            service="annotator.services.annotation_uploads.run_look_job",
            words=_("Look at annotations"),
            result_words=look_words,
        )
        register_job_kind(
            "import_annotations",
            service="consensus.services.annotations.run_import_job",
            words=_("Import of annotations"),
            result_words=annotation_words,
        )
        register_job_kind(
            "compare_drawings",
            service="consensus.services.drawings.run_drawings_job",
            words=_("Drawings beside the vote of the others"),
            result_words=drawing_words,
        )
        register_job_kind(
            "export_dataset",
            service="consensus.services.exporting.run_export_job",
            words=_("Export of a version"),
            result_words=export_words,
        )
