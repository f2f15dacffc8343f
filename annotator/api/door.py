"""What every endpoint shares: who asks, which study, how large a body may be, and lists in pages."""

import threading
from collections.abc import Sequence
from typing import Any, TypeVar, cast

from django.conf import settings
from django.db.models import Model, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotator import access
from annotator.access import May
from annotator.api.paging import Pages
from annotator.errors import NotVisible, TooLarge
from annotator.models import Study, User

Row = TypeVar("Row", bound=Model)


class Asked(serializers.Serializer[Any]):
    """A request's body. A misspelt name is refused: ignoring it would leave a wish unfulfilled without a word."""

    ignored: frozenset[str] = frozenset()

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            for name in data:
                if name not in self.fields and name not in self.ignored:
                    raise serializers.ValidationError({str(name): [_("There is no such field.")]})
        return super().to_internal_value(data)


class Versioned(Asked):
    """A change names the version it was made from, so that nobody overwrites what he has not seen."""

    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class _Checkers(threading.local):
    """Building a shape takes longer than checking a body with it, so each thread builds it once; but once for each
    language, because a shape remembers the sentences of its first refusal."""

    def __init__(self) -> None:
        self._built: dict[tuple[type[serializers.Serializer[Any]], str | None], serializers.Serializer[Any]] = {}

    def of(self, shape: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
        key = (shape, get_language())
        if key not in self._built:
            self._built[key] = shape()
        return self._built[key]


_checkers = _Checkers()


class PlainJSON(JSONParser):
    """JSON that is nested too deeply or holds half a character is a fault of the request, not of the server."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            data = super().parse(*args, **kwargs)
            _encode(data)
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None
        except UnicodeEncodeError:
            raise ParseError(_("The JSON holds half of a character.")) from None
        return data


def _encode(data: Any) -> None:
    """JSON can spell half of a surrogate pair, also in a name; it could be neither stored nor quoted in an answer."""
    if isinstance(data, str):
        if not data.isascii():
            data.encode()
    elif isinstance(data, dict):
        for name, value in data.items():
            _encode(name)
            _encode(value)
    elif isinstance(data, list):
        for value in data:
            _encode(value)


# Base of all endpoints: JSON in, JSON out, for signed-in people. A docstring would describe each one in the schema.
class Door(APIView):
    parser_classes = [PlainJSON]
    pagination_class = Pages

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Before anything of the body is read, which already happens while the CSRF token is looked for."""
        limit = self.body_limit()
        announced = str(request.META.get("CONTENT_LENGTH") or "0")
        if not announced.isdecimal() or int(announced) > limit:
            message = _("The request is larger than %(limit)s MB.") % {"limit": limit // 1024**2}
            raise TooLarge("too_large", message)
        super().initial(request, *args, **kwargs)

    def body_limit(self) -> int:
        return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)

    @property
    def user(self) -> User:
        """The permission class has let only signed-in people in."""
        return cast(User, self.request.user)

    def study(self, study_id: str, may: May) -> Study:
        return access.study_for(self.user, study_id, may)

    def asked(self, shape: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The checked body of the request."""
        return cast(dict[str, Any], _checkers.of(shape).run_validation(self.request.data))

    def asked_for(self, shape: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The checked filters of a list, from the address."""
        serializer = shape(data=self.request.query_params.dict())
        serializer.is_valid(raise_exception=True)
        return cast(dict[str, Any], serializer.validated_data)

    def page_of(self, rows: "QuerySet[Any] | Sequence[Any]") -> tuple[list[Any], Pages]:
        """The rows of the page asked for, for lists that need more than their rows."""
        pages = Pages()
        found = pages.paginate_queryset(cast("QuerySet[Any]", rows), self.request, view=self)
        return list(found or []), pages

    def listed(
        self,
        rows: "QuerySet[Any] | Sequence[Any]",
        shape: type[serializers.Serializer[Any]],
        context: dict[str, Any] | None = None,
    ) -> Response:
        page, pages = self.page_of(rows)
        return pages.get_paginated_response(shape(page, many=True, context=context or {}).data)


def the_one(rows: "QuerySet[Row]", **which: Any) -> Row:
    """The row if it is among those this person may see; said in the same words when it is nowhere."""
    row = rows.filter(**which).first()
    if row is None:
        raise NotVisible("not_found", _("There is nothing here that you may see."))
    return row


class NothingHere(Door):
    """Addresses that do not exist answer in JSON too."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound(_("There is nothing here that you may see."))

    def get(self, request: Request, rest: str = "") -> Response:
        raise NotFound
