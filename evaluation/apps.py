from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = _("Evaluation")

    def ready(self) -> None:
        from annotator.demo.sequels import register_sequel
        from annotator.event_words import register_events
        from annotator.job_kinds import register_job_kind
        from evaluation.words import EVENT_SENTENCES, EVENT_WORDS, grader_words

        register_sequel("evaluation.demo.play")
        register_events(words=EVENT_WORDS, sentences=EVENT_SENTENCES, fields={})
        register_job_kind(
            "score_graders",
            service="evaluation.services.grader_scores.run_scores_job",
            words=_("Scores of the graders"),
            result_words=grader_words,
        )
