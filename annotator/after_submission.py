"""What other apps do once a reading has been submitted and is on the disk."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotator.models import Assignment

    Follower = Callable[[Assignment], None]

_followers: "list[Follower]" = []


def register_follower(follower: "Follower") -> None:
    """Called once, by an app that is ready."""
    if follower not in _followers:
        _followers.append(follower)


def submitted(assignment: "Assignment") -> None:
    for follower in _followers:
        follower(assignment)
