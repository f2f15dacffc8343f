"""Every metric by its name. A recipe names the rule of each of its metrics; it is looked up here, and nowhere else."""

from collections.abc import Mapping
from itertools import chain
from types import MappingProxyType

from evaluation.metrics.definition import MetricDefinition
from evaluation.metrics.of_areas import AREA_METRICS
from evaluation.metrics.of_labels import LABEL_METRICS
from evaluation.metrics.of_objects import OBJECT_METRICS
from evaluation.metrics.of_points import POINT_METRICS
from evaluation.metrics.of_surfaces import SURFACE_METRICS

METRICS: Mapping[str, MetricDefinition] = MappingProxyType(
    {metric.id: metric for metric in chain(AREA_METRICS, POINT_METRICS, LABEL_METRICS, OBJECT_METRICS, SURFACE_METRICS)}
)
