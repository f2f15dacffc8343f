"""Which program scored something."""

from functools import cache

from consensus.code_version import version_of


@cache
def of_graders() -> str:
    """Changes when other scores may come from the same readings and references."""
    return version_of("graders", "annotator/geometry", "consensus/fusion", "evaluation/metrics", "evaluation/scoring")


@cache
def of_scoring() -> str:
    """Changes when another score may come from the same files, and only then."""
    return version_of(
        "score",
        "annotator/formats",
        "annotator/geometry",
        "evaluation/files",
        "evaluation/metrics",
        "evaluation/scoring",
    )
