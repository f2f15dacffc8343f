"""Is the installation able to work?"""

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse


def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and files can be written; for the operator's monitor, so it names no detail."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
    except Exception:
        return JsonResponse({"status": "failing"}, status=503)
    return JsonResponse({"status": "ok"})
