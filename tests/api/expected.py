"""Which status each role is expected to get."""

from __future__ import annotations

from collections.abc import Mapping

Statuses = Mapping[str, int]
ROLES = ("anonymous", "outsider", "admin", "grader", "observer", "senior", "adjudicator", "organiser")


def those(*, nobody: int = 403, strangers: int = 404, grader: int, onlookers: int, organiser: int) -> Statuses:
    """Expected status by role; strangers are people without a role in the study."""
    return {
        "anonymous": nobody,
        "outsider": strangers,
        "admin": strangers,
        "grader": grader,
        "observer": onlookers,
        "senior": onlookers,
        "adjudicator": onlookers,
        "organiser": organiser,
    }


def organisers(status: int) -> Statuses:
    return those(grader=403, onlookers=403, organiser=status)


def own_case(status: int) -> Statuses:
    return those(grader=status, onlookers=404, organiser=404)


def seniors(status: int) -> Statuses:
    return {**those(grader=403, onlookers=403, organiser=403), "senior": status}


def adjudicators(status: int) -> Statuses:
    return {**those(grader=403, onlookers=403, organiser=403), "adjudicator": status}


def fusers(status: int) -> Statuses:
    return {**organisers(status), "senior": status}


EVERYBODY = those(strangers=200, grader=200, onlookers=200, organiser=200)
RECIPE_READERS = those(strangers=200, grader=403, onlookers=200, organiser=200)
CREATORS = those(strangers=201, grader=403, onlookers=403, organiser=201)
MEMBERS = those(grader=200, onlookers=200, organiser=200)
ONLOOKERS = those(grader=403, onlookers=200, organiser=200)
BY_ADDRESS = those(grader=404, onlookers=200, organiser=200)  # an image's address says nothing about its study
SEE_READINGS = {**ONLOOKERS, "adjudicator": 403}  # who judges without knowing what the graders said
OWN_CASE = own_case(200)


def challenged(status: int) -> Statuses:
    """Who sees what graders said sees challenges too; everybody else is told that there is none."""
    return {**those(grader=404, onlookers=status, organiser=status), "adjudicator": 404}


MANAGED = those(grader=404, onlookers=404, organiser=200)
