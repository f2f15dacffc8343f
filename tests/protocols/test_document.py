from protocols import PUBLISHED
from protocols.document import DOCUMENT, document


def test_the_committed_page_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(PUBLISHED), "run: python -m protocols.document"


def test_every_protocol_metric_and_known_difference_is_on_the_page() -> None:
    page = document(PUBLISHED)
    for recipe in PUBLISHED.values():
        assert f"## {recipe.name} – " in page
        assert all(f"`{metric.key}`" in page for track in recipe.scoring.tracks for metric in track.metrics)
        assert all(difference.text in page for difference in recipe.scoring.differences)


def test_no_table_cell_is_empty() -> None:
    rows = [line for line in document(PUBLISHED).splitlines() if line.startswith("|")]
    assert not [row for row in rows if "|  |" in row]
