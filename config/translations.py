"""Turn the committed .po files into the .mo files that Django reads; run by make, not by the server."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).resolve().parent.parent / "locale"


def compile_all() -> None:
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parent.parent.name, abort_invalid=True)
        with source.with_suffix(".mo").open("wb") as file:
            write_mo(file, catalogue)


if __name__ == "__main__":
    compile_all()
