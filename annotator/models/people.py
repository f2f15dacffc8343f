"""People, what they may do in a study, and how they are invited."""

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models.constraints import both_or_neither, one_of
from annotator.models.study import Study


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, can_create_studies=True, **fields)


class User(AbstractUser):
    """A person; signs in with an e-mail address. Roles belong to studies, not to people."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail address"), unique=True)
    name = models.CharField(_("name"), max_length=120)
    can_create_studies = models.BooleanField(_("may create studies"), default=False)
    wants_reminders = models.BooleanField(_("letters when cases wait"), default=True)

    # No column: while somebody's program comes in by a token for one study, the row number of that study.
    only_study: int | None = None

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [models.UniqueConstraint(Lower("email"), name="email_is_unique_in_any_case")]

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        return self.name

    def get_short_name(self) -> str:
        return self.name


class Role(models.TextChoices):
    GRADER = "grader", _("Grader")
    SENIOR = "senior", _("Senior")
    ADJUDICATOR = "adjudicator", _("Adjudicator")
    ORGANISER = "organiser", _("Organiser")
    OBSERVER = "observer", _("Observer")


class Membership(models.Model):
    """One person in one role of one study. A leaver becomes inactive, is never deleted: readings need their author."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(_("role"), max_length=12, choices=Role.choices)
    code = models.CharField(_("code"), max_length=12)  # stands for the person in exports and blinded pages: G1, G2, …
    experience_years = models.PositiveSmallIntegerField(_("years of experience"), null=True, blank=True)
    specialty = models.CharField(_("specialty"), max_length=60, blank=True)  # of an adjudicator: disputes go by it
    active = models.BooleanField(_("active"), default=True)
    both_sides_reason = models.TextField(_("reason for reading and seeing others' work"), blank=True)
    qualified_at = models.DateTimeField(null=True, blank=True)
    qualification = models.TextField(_("qualification"), blank=True)  # the exam that was passed, or why none was needed
    reminded_at = models.DateTimeField(null=True, blank=True)  # that cases wait to be read
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("membership")
        constraints = [
            models.UniqueConstraint(fields=["study", "user", "role"], name="one_membership_per_role"),
            models.UniqueConstraint(fields=["study", "code"], name="membership_code_is_unique_in_study"),
            one_of("role", Role, "membership_role_is_known"),
            both_or_neither(Q(active=False), Q(left_at__isnull=False), "leaver_has_a_leaving_time"),
            both_or_neither(Q(qualified_at__isnull=True), Q(qualification=""), "qualification_has_words"),
            models.CheckConstraint(condition=~Q(code=""), name="membership_has_a_code"),
            models.CheckConstraint(
                condition=Q(specialty="") | Q(role=Role.ADJUDICATOR), name="specialty_is_an_adjudicator_s"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()})"


class Invitation(models.Model):
    """A promise of one role, or of a place in a team, to one address. The link is signed, so the table holds nothing
    that lets anybody in."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(_("e-mail address"))
    role = models.CharField(_("role"), max_length=12, choices=Role.choices, blank=True)
    team = models.ForeignKey("Team", on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    both_sides_reason = models.TextField(blank=True)
    specialty = models.CharField(max_length=60, blank=True)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(team__isnull=True, role__in=Role.values) | Q(team__isnull=False, role=""),
                name="invitation_to_a_role_or_a_team",
            ),
            models.CheckConstraint(
                condition=Q(specialty="") | Q(role=Role.ADJUDICATOR), name="invited_specialty_is_an_adjudicator_s"
            ),
            both_or_neither(Q(accepted_at__isnull=True), Q(accepted_by__isnull=True), "acceptance_has_a_person"),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True) | Q(revoked_at__isnull=True), name="not_accepted_and_revoked"
            ),
            models.UniqueConstraint(
                "study",
                Lower("email"),
                "role",
                condition=Q(accepted_at__isnull=True, revoked_at__isnull=True),
                name="one_open_invitation_per_role",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.email} → {self.study}"


class Team(models.Model):
    """Several people who submit results to a study's challenge under one name."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="teams")
    name = models.CharField(_("name"), max_length=120)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, through="TeamMember", related_name="teams")

    class Meta:
        verbose_name = _("team")
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="team_name_is_unique_in_study")]

    def __str__(self) -> str:
        return self.name


class TeamMember(models.Model):
    team = models.ForeignKey(Team, on_delete=models.CASCADE)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="once_in_a_team")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"
