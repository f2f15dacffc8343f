"""Who plays in the demo, and how to sign in as each role."""

import os
import secrets

from django.conf import settings
from django.utils.translation import gettext as _

from annotator.models import Membership, Role, Study, User

DOMAIN = "demo.quorum.example"
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "ivory", "jade", "kelp", "lotus")

ORGANISER = ("organiser", "Dr Olga Lindqvist")
SENIOR = ("senior", "Prof. Samuel Okafor")
ADJUDICATOR = ("adjudicator", "Dr Adaeze Winter")
OBSERVER = ("observer", "Tomás Rey")
TEAM = (("team", "Priya Raman"), ("team2", "Jonas Weber"))
ADMINISTRATOR = ("admin", "Quorum administrator")
# The first grader is in all five studies, so that one sign-in shows every kind of reading.
GRADERS = (
    ("grader", "Dr Grace Tanaka"),
    ("grader2", "Dr Henrik Sørensen"),
    ("grader3", "Dr Lucía Fernández"),
    ("grader4", "Dr Wei Zhang"),
    ("grader5", "Dr Amara Diallo"),
    ("grader6", "Dr Piotr Kowalski"),
    ("grader7", "Dr Mei-Ling Chen"),
    ("grader8", "Dr Rahul Iyer"),
    ("grader9", "Dr Fatima Haddad"),
    ("grader10", "Dr Oliver Brandt"),
    ("grader11", "Dr Noor Bakker"),
    ("grader12", "Dr Isabel Costa"),
)
CANDIDATE = GRADERS[10]  # has not finished the exam of AIROGS


def address(login: str) -> str:
    return f"{login}@{DOMAIN}"


def password() -> str:
    """One password for the whole demo, made on this machine and readable for its owner alone."""
    place = settings.DATA_ROOT / "demo.password"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        made = "-".join([*(secrets.choice(WORDS) for _ in range(3)), str(secrets.randbelow(9000) + 1000)])
        with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(made)
    return str(place.read_text().strip())


def person(login: tuple[str, str]) -> User:
    """The demo's person of this login, made if not there yet."""
    known = User.objects.filter(email=address(login[0])).first()
    if known is not None:
        return known
    if login is ADMINISTRATOR:
        return User.objects.create_superuser(address(login[0]), password(), name=login[1])
    may_create = login is ORGANISER
    return User.objects.create_user(address(login[0]), password(), name=login[1], can_create_studies=may_create)


def graders_of(study: Study) -> list[Membership]:
    """Those who read in it, in the order in which they joined."""
    graders = Membership.objects.filter(study=study, role=Role.GRADER)
    if study.only_qualified:
        graders = graders.filter(qualified_at__isnull=False)
    return list(graders.order_by("pk"))


def sign_in_table() -> str:
    """One login per role, as printed at the start; empty where there is no demo."""
    place = settings.DATA_ROOT / "demo.password"
    if not place.exists() or not User.objects.filter(email=address(ORGANISER[0])).exists():
        return ""
    roles = {
        _("Organiser"): ORGANISER,
        _("Grader"): GRADERS[0],
        _("Senior"): SENIOR,
        _("Adjudicator"): ADJUDICATOR,
        _("Candidate"): CANDIDATE,
        _("Observer"): OBSERVER,
        _("Team"): TEAM[0],
        _("Administrator"): ADMINISTRATOR,
    }
    width = max(len(role) for role in roles)
    lines = [f"  {role:<{width}}  {address(login[0])}" for role, login in roles.items()]
    return "\n".join([*lines, "", "  " + _("Password for all of them: %(password)s") % {"password": password()}, ""])
