"""The file of an export, for pages and programs alike."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from annotator.errors import NotVisible
from annotator.models import User
from annotator.ranged import begins, send_file
from consensus.models import Export
from consensus.services.exporting import archive_path, note_download


def file_name(export: Export) -> str:
    """Tells nothing of the study but its protocol."""
    return f"{export.version.study.protocol}-v{export.version.number}-{export.public_id[:4]}.zip"


def send_export(request: HttpRequest, export: Export, user: User) -> HttpResponseBase:
    place = archive_path(export)
    if not export.made or not place.is_file():
        raise NotVisible("not_found", _("The archive is not there."))
    tag = f'"{export.sha256}"'
    if request.method != "HEAD":
        note_download(export=export, actor=user, goes_on=not begins(request, tag))
    return send_file(request, place, name=file_name(export), tag=tag, content_type="application/zip")
