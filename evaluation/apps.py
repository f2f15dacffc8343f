from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = _("Evaluation")

    def ready(self) -> None:
        from annotator.demo.sequels import register_sequel
        from annotator.event_words import register_events
        from annotator.further_shelves import register_shelves
        from annotator.job_kinds import register_job_kind
        from annotator.kept_files import register_kept_files
        from annotator.models.triggers import guard_tables
        from evaluation.models.integrity import FROZEN_TABLES, KEPT_TABLES, RULES
        from evaluation.services.archives import kept_archives
        from evaluation.views.shelves import shelves_of
        from evaluation.words import (
            EVENT_FIELDS,
            EVENT_SENTENCES,
            EVENT_WORDS,
            grader_words,
            ranked_words,
            scored_words,
        )

        register_sequel("evaluation.demo.play")
        register_events(words=EVENT_WORDS, sentences=EVENT_SENTENCES, fields=EVENT_FIELDS)
        register_kept_files("evaluation_submission", kept_archives)
        register_shelves(shelves_of)
        guard_tables(frozen=FROZEN_TABLES, kept=KEPT_TABLES, rules=RULES)
        register_job_kind(
            "score_graders",
            service="evaluation.services.grader_scores.run_scores_job",
            words=_("Scores of the graders"),
            result_words=grader_words,
        )
        register_job_kind(
            "rank_phase",
            service="evaluation.services.ranking.run_ranking_job",
            words=_("Ranking of a phase"),
            result_words=ranked_words,
        )
        register_job_kind(
            "score_submission",
            service="evaluation.services.scoring.run_scoring_job",
            words=_("Scoring of a submission"),
            result_words=scored_words,
        )
