from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConsensusConfig(AppConfig):
    name = "consensus"
    verbose_name = _("Consensus")
