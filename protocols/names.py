"""The closed lists of names a recipe may use. Each app resolves the names it owns from a registry."""

from enum import StrEnum


class Modality(StrEnum):
    COLOUR_FUNDUS = "colour-fundus"
    AS_OCT = "as-oct"
    HISTOLOGY = "he-histology"


class CaseUnit(StrEnum):
    """What is read as one."""

    IMAGE = "image"
    EYE = "eye"


class KeptPhotograph(StrEnum):
    """Which photographs of a case go into the dataset."""

    ALL = "all"
    GRADABLE_ELSE_ONE_UNGRADABLE = "gradable-else-one-ungradable"


class Kind(StrEnum):
    """What the answer to a target is made of."""

    ELLIPSE = "ellipse"
    MASK = "mask"
    OBJECTS = "objects"
    POINT = "point"
    POLYLINE = "polyline"
    LABEL = "label"


class Source(StrEnum):
    """Who answers a target: the graders, the senior alone, or the clinic (imported, never graded)."""

    GRADED = "graded"
    SENIOR = "senior"
    IMPORTED = "imported"


class Tool(StrEnum):
    ELLIPSE_BOX = "ellipse-box"
    ELLIPSE_FIT = "ellipse-fit"
    BRUSH = "brush"
    ERASER = "eraser"
    POLYGON = "polygon"
    FLOOD_FILL = "flood-fill"
    FILL_HOLES = "fill-holes"
    SMOOTH = "smooth"
    SPLIT = "split"
    MERGE = "merge"
    POINT = "point"
    POLYLINE = "polyline"
    CHOICE = "choice"


class Answer(StrEnum):
    """Answers that take the place of a drawing or a label."""

    NOT_VISIBLE = "not-visible"
    ABSENT = "absent"
    UNGRADABLE = "ungradable"
    CANNOT_BE_DETERMINED = "cannot-be-determined"


class Region(StrEnum):
    """The part of the picture a target belongs to; halves are cut at the vertical middle line."""

    WHOLE = "whole-image"
    LEFT = "left-half"
    RIGHT = "right-half"


class LineStyle(StrEnum):
    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    DASH_DOT = "dash-dot"


class Tracing(StrEnum):
    """A drawing the program proposes and a person corrects."""

    CORNEA_BACK = "posterior-cornea"
    IRIS_FRONT = "anterior-iris"


class Severity(StrEnum):
    """A warning may be confirmed (and is recorded); an error must be mended."""

    WARNING = "warning"
    ERROR = "error"


class CheckName(StrEnum):
    """What is looked at when a reading is submitted."""

    UNANSWERED = "target-not-answered"
    EMPTY_MASK = "empty-mask-as-present"
    LATERALITY = "laterality-contradicts-disc-and-fovea"
    OVERLAP = "objects-overlap"
    WRONG_HALF = "mark-in-the-other-half"


class Adjustment(StrEnum):
    BRIGHTNESS = "brightness"
    CONTRAST = "contrast"
    GAMMA = "gamma"
    INVERT = "invert"
    RED_FREE = "red-free"
    CLAHE = "clahe"
    WINDOW_LEVEL = "window-level"


class Plan(StrEnum):
    EVERY_GRADER = "every-grader-every-case"
    K_PER_CASE = "k-graders-per-case"
    SINGLE = "single-grader"


class Blinded(StrEnum):
    """What graders must not see."""

    OTHER_GRADERS = "identity-of-other-graders"
    OTHER_READINGS = "readings-of-others"
    REFERENCE = "reference"
    CLINICAL_LABEL = "clinical-label"
    PATIENT_DATA = "patient-data"
    PREVALENCE = "prevalence"
    FILE_NAMES = "file-names"
    REPEATS = "hidden-repeats"


class Performance(StrEnum):
    """How a grader is measured in exam and monitoring."""

    ACCURACY = "accuracy"
    SENSITIVITY = "sensitivity"
    SPECIFICITY = "specificity"
    MEAN_DICE = "mean-dice"
    MEAN_DISTANCE_PX = "mean-distance-px"


class Bound(StrEnum):
    AT_LEAST = "at-least"
    AT_MOST = "at-most"


class UngradableRule(StrEnum):
    """How calling a gradable image ungradable counts in exam and monitoring."""

    AGAINST_FINAL_LABEL = "against-sensitivity-or-specificity-by-final-label"
    LEFT_OUT = "left-out"


class ConsensusRule(StrEnum):
    MAJORITY = "majority"
    STAPLE = "staple"
    UNION = "union"
    INTERSECTION = "intersection"
    MEAN_SHAPE = "mean-shape"
    MATCHED_MAJORITY = "matched-majority"
    MEAN = "mean"
    MEDIAN = "median"
    GEOMETRIC_MEDIAN = "geometric-median"
    DAWID_SKENE = "dawid-skene"
    TWO_PLUS_ADJUDICATOR = "two-plus-adjudicator"
    SENIOR_DRAWING = "senior-drawing"
    IMPORTED = "imported"


class TieRule(StrEnum):
    """What an even vote gives; senior and adjudicator leave it open until that person has decided."""

    BACKGROUND = "background"
    FOREGROUND = "foreground"
    SENIOR = "senior"
    ADJUDICATOR = "adjudicator"


class ReviewStep(StrEnum):
    CHECK = "check"
    REMOVE_AND_REVOTE = "remove-and-revote"
    FINE_ADJUSTMENT = "fine-adjustment"
    ADJUDICATION = "adjudication"


class ExclusionReason(StrEnum):
    FAILED = "failed"
    WRONG_STRUCTURE = "wrong-structure"
    WRONG_EYE = "wrong-eye"
    ARTEFACT = "artefact"
    OTHER = "other"


EVERYTHING_HIDDEN = tuple(Blinded)
COLOUR_ADJUSTMENTS = tuple(adjustment for adjustment in Adjustment if adjustment is not Adjustment.WINDOW_LEVEL)
