"""Forms of the account pages that allauth serves, in the house's words."""

from typing import Any

from allauth.account.forms import ChangePasswordForm as PasswordForm
from django.utils.translation import gettext_lazy as _


class ChangePasswordForm(PasswordForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = _("Current password")
        self.fields["password1"].label = _("New password")
        self.fields["password2"].label = _("New password (again)")
