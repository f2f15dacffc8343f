"""A recipe's names in the words of the clinic. Every name of the vocabulary that a page shows has its word here."""

from collections.abc import Mapping
from enum import StrEnum

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from protocols import names as n
from protocols import scoring_names as s
from protocols.labels import name_label, value_label
from protocols.recipe import Recipe
from protocols.standard import Yardstick

WORDS: Mapping[type[StrEnum], Mapping[str, object]] = {
    n.Modality: {
        "colour-fundus": _("Colour fundus photography"),
        "as-oct": _("Anterior segment OCT"),
        "he-histology": _("H&E stained histology"),
    },
    n.CaseUnit: {"image": _("One image"), "eye": _("The photographs of one eye")},
    n.KeptPhotograph: {
        "all": _("All photographs"),
        "gradable-else-one-ungradable": _("The gradable photographs, otherwise one ungradable"),
    },
    n.Kind: {
        "ellipse": _("Tilted ellipse"),
        "mask": _("Area (mask)"),
        "objects": _("Separate objects"),
        "point": _("Point"),
        "polyline": _("Line"),
        "label": _("Label"),
    },
    n.Source: {
        "graded": _("The graders"),
        "senior": _("The senior alone"),
        "imported": _("The clinic (imported, never graded)"),
    },
    n.Tool: {
        "ellipse-box": _("Ellipse by dragging"),
        "ellipse-fit": _("Ellipse through boundary points"),
        "brush": _("Brush"),
        "eraser": _("Eraser"),
        "polygon": _("Polygon"),
        "flood-fill": _("Flood fill"),
        "fill-holes": _("Fill holes"),
        "smooth": _("Smooth"),
        "split": pgettext_lazy("tool", "Split"),
        "merge": _("Merge"),
        "point": _("Point"),
        "polyline": _("Line"),
        "choice": _("Choice"),
    },
    n.Answer: {
        "not-visible": _("Not visible"),
        "absent": _("Absent"),
        "ungradable": _("Ungradable"),
        "cannot-be-determined": _("Cannot be determined"),
    },
    n.Region: {
        "whole-image": _("The whole image"),
        "left-half": _("The left half of the image"),
        "right-half": _("The right half of the image"),
    },
    n.Tracing: {
        "posterior-cornea": _("Back of the cornea, proposed by the program"),
        "anterior-iris": _("Front of the iris, proposed by the program"),
    },
    n.Severity: {"warning": _("warning, can be confirmed"), "error": _("must be mended")},
    n.CheckName: {
        "target-not-answered": _("A target is not answered"),
        "empty-mask-as-present": _("An empty drawing is called present"),
        "laterality-contradicts-disc-and-fovea": _("The stated side contradicts disc and fovea"),
        "objects-overlap": _("Objects overlap"),
        "mark-in-the-other-half": _("A mark lies in the other half"),
    },
    n.Adjustment: {
        "brightness": _("Brightness"),
        "contrast": _("Contrast"),
        "gamma": _("Gamma"),
        "invert": _("Invert"),
        "red-free": _("Red-free"),
        "clahe": _("Local contrast (CLAHE)"),
        "window-level": _("Window and level"),
    },
    n.Plan: {
        "every-grader-every-case": _("Every grader reads every case"),
        "k-graders-per-case": _("Some graders of a pool read each case"),
        "single-grader": _("One grader reads each case"),
    },
    n.Blinded: {
        "identity-of-other-graders": _("Who the other graders are"),
        "readings-of-others": _("The readings of others"),
        "reference": _("The reference"),
        "clinical-label": _("The clinical diagnosis"),
        "patient-data": _("Patient data"),
        "prevalence": _("How frequent the disease is"),
        "file-names": _("File names"),
        "hidden-repeats": _("Which cases are repeats"),
    },
    n.Performance: {
        "accuracy": _("Accuracy"),
        "sensitivity": _("Sensitivity"),
        "specificity": _("Specificity"),
        "mean-dice": _("Mean Dice"),
        "mean-distance-px": _("Mean distance (px)"),
    },
    n.Bound: {"at-least": _("at least"), "at-most": _("at most")},
    n.UngradableRule: {
        "against-sensitivity-or-specificity-by-final-label": _("Counts as wrong, by the final label"),
        "left-out": _("Is left out"),
    },
    n.ConsensusRule: {
        "majority": _("Majority vote"),
        "staple": _("STAPLE"),
        "union": _("Union of all readings"),
        "intersection": _("What all readings share"),
        "mean-shape": _("Mean shape"),
        "matched-majority": _("Majority of matched objects"),
        "mean": _("Mean point"),
        "median": _("Median of each coordinate"),
        "geometric-median": _("Geometric median"),
        "dawid-skene": _("Dawid–Skene"),
        "two-plus-adjudicator": _("Two graders agree, otherwise an adjudicator decides"),
        "senior-drawing": _("The senior’s own drawing"),
        "imported": _("Imported from the clinic"),
    },
    n.TieRule: {
        "background": _("Background"),
        "foreground": _("Foreground"),
        "senior": _("The senior decides"),
        "adjudicator": _("The adjudicator decides"),
    },
    n.ReviewStep: {
        "check": _("Check every reference"),
        "remove-and-revote": _("Remove failed readings and vote again"),
        "fine-adjustment": _("Adjust the reference by hand"),
        "adjudication": _("Decide where graders disagree"),
    },
    n.ExclusionReason: {
        "failed": _("Failed reading"),
        "wrong-structure": _("Wrong structure"),
        "wrong-eye": _("Wrong eye"),
        "artefact": _("Artefact"),
        "other": _("Other"),
    },
    s.Statistic: {
        "gci": _("Generalised conformity index"),
        "gci-pooled": _("Generalised conformity index, pooled"),
        "pairwise-dice": _("Dice between pairs of graders"),
        "pairwise-jaccard": _("Jaccard index between pairs of graders"),
        "icc": _("Intraclass correlation"),
        "icc-euclidean": _("Intraclass correlation of points"),
        "distance-to-mean": _("Distance to the mean point"),
        "cohen-kappa": _("Cohen’s kappa"),
        "fleiss-kappa": _("Fleiss’ kappa"),
        "krippendorff-alpha": _("Krippendorff’s alpha"),
        "gwet-ac1": _("Gwet’s AC1"),
        "gwet-ac2": _("Gwet’s AC2"),
        "percent-agreement": _("Percent agreement"),
    },
    s.SplitUnit: {"subject": _("Subject"), "image": _("Image"), "visual-field": _("Visual field")},
    s.FileKind: {
        "table": _("Table (CSV)"),
        "picture": _("Grey picture"),
        "label-picture": _("Picture of numbered objects"),
        "list": _("List"),
    },
    s.EditionKey: {"paper": _("As printed in the paper"), "published": _("As the organisers computed it")},
    s.Direction: {"higher": _("higher is better"), "lower": _("lower is better")},
    s.Counts: {"best": _("The best submission counts"), "last": _("The last submission counts")},
    s.Analysis: {
        "human-operating-points": _("Human operating points"),
        "delong": _("DeLong test"),
        "wilcoxon-signed-rank": _("Wilcoxon signed-rank test"),
        "rank-sum-between-strata": _("Rank-sum test between strata"),
        "mann-whitney": _("Mann–Whitney test"),
        "kruskal-wallis-between-parts": _("Kruskal–Wallis test between parts"),
        "box-plots": _("Box plots"),
        "by-stratum": _("Results by stratum"),
        "graders-against-reference": _("Graders against the reference"),
        "other-reference-sets": _("Other reference sets"),
    },
}


def word(name: StrEnum) -> str:
    """The word for a name; a name newer than this list is shown by the vocabulary's own label."""
    return str(WORDS.get(type(name), {}).get(name.value) or gettext(name_label(name)))


CHOSEN = (n.Plan, n.Adjustment, n.Blinded, n.ReviewStep, n.ConsensusRule, n.TieRule)


def choice_word(value: str) -> str:
    """The word for a value that an organiser can choose."""
    for names in CHOSEN:
        if value in WORDS[names]:
            return str(WORDS[names][value])
    return value.replace("-", " ")


def value_words(value: object) -> str:
    """Any value of a recipe in words."""
    if isinstance(value, bool):
        return gettext("Yes") if value else gettext("No")
    if isinstance(value, StrEnum):
        return word(value)
    if isinstance(value, tuple):
        return ", ".join(value_words(entry) for entry in value) or gettext("none")
    return gettext(value_label(value))


def said(text: str) -> str:
    """A recipe's own text in the reader's language where it has been translated."""
    return gettext(text) if text else ""


def target_names(recipe: Recipe) -> dict[str, str]:
    named = {measure.key: said(measure.name) for measure in recipe.measures}
    return named | {target.key: said(target.name) for target in recipe.targets}


def band_word(yardstick: Yardstick | None, value: float | None) -> str:
    """What a value is called by a yardstick; nothing where there is none."""
    if yardstick is None or value is None:
        return ""
    reached = [band.word for band in yardstick.bands if value >= band.low]
    if not reached:
        return gettext("less than %(word)s") % {"word": said(yardstick.bands[0].word)}
    return said(reached[-1])
