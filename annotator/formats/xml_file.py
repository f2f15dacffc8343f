"""XML from elsewhere, element by element and within limits: no entities, no document types, no other files."""

import io
from collections.abc import Collection, Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from annotator.formats.bad_shape import bad_shape
from annotator.formats.fault import Fault

MAX_XML_BYTES = 128 * 1024 * 1024
MAX_ELEMENTS = 1_000_000
MAX_ATTRIBUTES = 4_000_000
MOST_OF_ONE = 200  # attributes of one element, which otherwise are compared with one another for minutes


def elements(data: bytes, root: str, tags: Collection[str]) -> Iterator[Element]:
    """The children of the root with these tags, each whole and gone when the next one is asked for."""
    if len(data) > MAX_XML_BYTES:
        raise bad_shape("too_large", limit=MAX_XML_BYTES)
    if data.count(b"<") > 2 * MAX_ELEMENTS:
        raise bad_shape("too_full", limit=MAX_ELEMENTS)
    if data.count(b"=") > MAX_ATTRIBUTES:
        raise bad_shape("too_full", limit=MAX_ATTRIBUTES)
    if any(part.count(b"=") > MOST_OF_ONE for part in data.split(b"<")):
        raise bad_shape("too_full", limit=MOST_OF_ONE)
    try:
        yield from _children(data, root, tags)
    except Fault:
        raise
    except DefusedXmlException:
        raise bad_shape("unsafe_xml") from None
    except (ParseError, LookupError, ValueError) as error:
        raise bad_shape("not_xml", detail=str(error)[:200]) from None


def _children(data: bytes, root: str, tags: Collection[str]) -> Iterator[Element]:
    depth, top = 0, None
    for event, element in iterparse(io.BytesIO(data), events=("start", "end"), forbid_dtd=True):
        if event == "start":
            depth += 1
            if depth == 1:
                top = element
                if element.tag != root:
                    raise bad_shape("other_format", field=root)
            continue
        depth -= 1
        if depth == 1 and top is not None:
            if element.tag in tags:
                yield element
            top.remove(element)
