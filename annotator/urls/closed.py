"""Doors of the sign-in library that stay shut. They keep their names, because the library looks its own pages up.

Whoever could put an unproved address on an account could receive what is meant for somebody else; an address is changed
by an administrator.
"""

from django.urls import URLPattern, path, re_path

from annotator.views.errors import nothing_here

urlpatterns: list[URLPattern] = [
    path("account/email/", nothing_here, name="account_email"),
    path("account/confirm-email/", nothing_here, name="account_email_verification_sent"),
    re_path(r"^account/confirm-email/(?P<key>[-:\w]+)/$", nothing_here, name="account_confirm_email"),
    path("account/login/code/confirm/", nothing_here, name="account_confirm_login_code"),
]
