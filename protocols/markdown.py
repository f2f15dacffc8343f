"""The few pieces of Markdown the generated page is made of."""

from collections.abc import Iterable, Sequence


def heading(level: int, text: str) -> str:
    return f"{'#' * level} {text}\n\n"


def dash(text: str) -> str:
    """A cell is never empty."""
    return text or "–"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [_row(head), _row(["---"] * len(head)), *(_row(row) for row in rows)]
    return "\n".join(lines) + "\n"


def bullets(sentences: Iterable[str]) -> str:
    """One bullet per sentence, each once; nothing if there is none."""
    lines = [f"- {sentence}" for sentence in dict.fromkeys(filter(None, sentences))]
    return "\n" + "\n".join(lines) + "\n" if lines else ""


def grouped(notes: Iterable[tuple[str, str]]) -> list[str]:
    """``(subject, note)`` pairs as sentences; subjects that share a note share the sentence."""
    subjects: dict[str, list[str]] = {}
    for subject, note in notes:
        subjects.setdefault(note, []).append(subject)
    return [f"{'; '.join(names)}: {note}" for note, names in subjects.items() if note]


def beyond(sentences: Iterable[str]) -> str:
    """What is ours and not the paper's."""
    return bullets(f"*Beyond the paper:* {sentence}" for sentence in sentences)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
