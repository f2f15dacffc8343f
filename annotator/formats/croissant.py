"""Croissant metadata of a folder of files (MLCommons, Croissant 1.0): what the dataset is, its tables by SHA-256, its
folders of pictures, and the columns of the table that lists the images. JSON-LD, written by hand: the library that
reads it brings thirty packages along."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from annotator.formats.archive_writer import Written

VOCABULARY = "http://mlcommons.org/croissant/"
CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": VOCABULARY,
    "rai": f"{VOCABULARY}RAI/",
    "sc": "https://schema.org/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{
        name: f"cr:{name}"
        for name in (
            *("citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject", "fileSet"),
            *("format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet"),
            *("references", "regex", "repeated", "replace", "samplingRate", "separator", "source", "subField"),
            "transform",
        )
    },
}
MEDIA_TYPES = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".md": "text/markdown",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".bmp": "image/bmp",
    ".cff": "application/yaml",
    ".txt": "text/plain",
    ".gz": "application/gzip",
    ".dcm": "application/dicom",
}
PICTURES = frozenset({".png", ".jpg", ".bmp", ".gz", ".dcm"})
RECORDS = "list-of-images"
WHOLE_NUMBERS = frozenset({"withheld", "case", "photograph", "width", "height", "frame"})
NUMBERS = frozenset({"um_per_px_x", "um_per_px_y"})


def croissant(
    *,
    name: str,
    description: str,
    version: str,
    published: str,
    licence: str,
    cite_as: str,
    files: Sequence[Written],
    images: tuple[str, Sequence[str]],
) -> dict[str, Any]:
    """`images`: the path and the columns of the table that lists the images."""
    told: dict[str, Any] = {
        "@context": dict(CONTEXT),
        "@type": "sc:Dataset",
        "conformsTo": f"{VOCABULARY}1.0",
        "name": name,
        "description": description,
        "version": version,
        "datePublished": published,
        "citeAs": cite_as,
        "distribution": [*_tables(files), *_folders(files)],
        "recordSet": [_records(*images)],
    }
    return told | ({"license": licence} if licence else {})


def _tables(files: Sequence[Written]) -> list[dict[str, Any]]:
    return [
        {
            "@type": "cr:FileObject",
            "@id": file.path,
            "name": file.path,
            "contentUrl": file.path,
            "contentSize": f"{file.byte_count} B",
            "encodingFormat": MEDIA_TYPES.get(PurePosixPath(file.path).suffix, "application/octet-stream"),
            "sha256": file.sha256,
        }
        for file in files
        if PurePosixPath(file.path).suffix not in PICTURES
    ]


def _folders(files: Sequence[Written]) -> list[dict[str, Any]]:
    """One for each folder and ending, in the order in which they come."""
    paths = [PurePosixPath(file.path) for file in files]
    found = dict.fromkeys((str(path.parent), path.suffix) for path in paths if path.suffix in PICTURES)
    return [
        {
            "@type": "cr:FileSet",
            "@id": folder,
            "name": folder,
            "encodingFormat": MEDIA_TYPES[ending],
            "includes": f"{folder}/*{ending}",
        }
        for folder, ending in found
    ]


def _records(path: str, columns: Sequence[str]) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": RECORDS,
        "name": RECORDS,
        "key": {"@id": f"{RECORDS}/{columns[0]}"},
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{RECORDS}/{column}",
                "name": column,
                "dataType": _type(column),
                "source": {"fileObject": {"@id": path}, "extract": {"column": column}},
            }
            for column in columns
        ],
    }


def _type(column: str) -> str:
    if column in WHOLE_NUMBERS:
        return "sc:Integer"
    return "sc:Float" if column in NUMBERS else "sc:Text"
