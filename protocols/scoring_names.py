"""The closed lists of names for measures, agreement, files, metrics and ranking."""

from enum import StrEnum


class MeasureRule(StrEnum):
    """A number taken from one reading or reference."""

    VCDR_EXTENT = "vcdr-extent"
    VCDR_LONGEST_COLUMN = "vcdr-longest-column"
    AREA_PX = "area-px"
    AREA_SHARE_OF_FIELD = "area-share-of-field"
    AOD500 = "aod500"
    OBJECT_COUNT = "object-count"


class Statistic(StrEnum):
    """How agreement between graders is stated."""

    GCI = "gci"
    GCI_POOLED = "gci-pooled"
    PAIRWISE_DICE = "pairwise-dice"
    PAIRWISE_JACCARD = "pairwise-jaccard"
    ICC = "icc"
    ICC_EUCLIDEAN = "icc-euclidean"
    DISTANCE_TO_MEAN = "distance-to-mean"
    COHEN_KAPPA = "cohen-kappa"
    FLEISS_KAPPA = "fleiss-kappa"
    KRIPPENDORFF_ALPHA = "krippendorff-alpha"
    GWET_AC1 = "gwet-ac1"
    GWET_AC2 = "gwet-ac2"
    PERCENT_AGREEMENT = "percent-agreement"


class IccForm(StrEnum):
    """The six forms of McGraw and Wong."""

    ONE_WAY_SINGLE = "1"
    AGREEMENT_SINGLE = "A,1"
    CONSISTENCY_SINGLE = "C,1"
    ONE_WAY_MEAN = "k"
    AGREEMENT_MEAN = "A,k"
    CONSISTENCY_MEAN = "C,k"


class SplitUnit(StrEnum):
    """What must stay together in one part."""

    SUBJECT = "subject"
    IMAGE = "image"
    VISUAL_FIELD = "visual-field"


class FileKind(StrEnum):
    TABLE = "table"
    PICTURE = "picture"
    LABEL_PICTURE = "label-picture"
    LIST = "list"


class Side(StrEnum):
    BOTH = "both"
    REFERENCE = "reference"
    SUBMISSION = "submission"


class ColumnRole(StrEnum):
    CASE = "case"
    SUBJECT = "subject"
    LABEL = "label"
    LIKELIHOOD = "likelihood"
    SCORE = "score"
    BINARY = "binary"
    X = "x"
    Y = "y"
    MEASURE = "measure"


class NameMatch(StrEnum):
    STEM = "stem-in-any-case"
    EXACT = "exact"


class MissingFile(StrEnum):
    ERROR = "error"
    ABSENT = "absent"
    NOT_SCORED = "not-scored"


class EditionKey(StrEnum):
    """paper: the formulas as printed. published: the organisers' public code, or what gives the printed tables."""

    PAPER = "paper"
    PUBLISHED = "published"


class Direction(StrEnum):
    HIGHER = "higher"
    LOWER = "lower"


class MetricRule(StrEnum):
    AUC = "auc"
    PARTIAL_AUC = "partial-auc-mcclish"
    SENSITIVITY_AT_STEP = "sensitivity-at-specificity-step"
    SENSITIVITY_AT_POLYLINE = "sensitivity-at-specificity-polyline"
    SENSITIVITY = "sensitivity"
    SPECIFICITY = "specificity"
    COHEN_KAPPA = "cohen-kappa"
    DICE = "dice-mean"
    DICE_WHERE_PRESENT = "dice-mean-where-reference-has-it"
    DETECTION_F1 = "detection-f1"
    VCDR_ERROR_EXTENT = "vcdr-error-extent"
    VCDR_ERROR_LONGEST_COLUMN = "vcdr-error-longest-column"
    DISTANCE = "distance-mean"
    DISTANCE_ZERO_POINT = "distance-mean-invisible-at-zero"
    DISTANCE_VISIBLE = "distance-mean-visible-in-both"
    DISTANCE_DETERMINABLE = "distance-mean-determinable-in-reference"
    VISIBILITY_ACCURACY = "visibility-accuracy"
    AOD_PENALTY = "aod-penalty"
    OBJECT_F1_POOLED = "object-f1-at-least-half-pooled"
    OBJECT_F1_PER_IMAGE = "object-f1-more-than-half-per-image"
    OBJECT_DICE_POOLED = "object-dice-pooled"
    OBJECT_DICE_PER_IMAGE = "object-dice-per-image"
    OBJECT_HAUSDORFF_POOLED = "object-hausdorff-pooled"
    OBJECT_HAUSDORFF_PER_IMAGE = "object-hausdorff-per-image"
    ARI_POOLED = "ari-pooled"
    ARI_PER_IMAGE = "ari-per-image"


class Combine(StrEnum):
    """How a leaderboard makes one score of its terms."""

    WEIGHTED_MEAN = "weighted-mean"
    SUM = "sum"


class Counts(StrEnum):
    """Which of a team's submissions in a phase counts."""

    BEST = "best"
    LAST = "last"


class BootstrapUnit(StrEnum):
    """What is drawn; subjects are drawn wherever the reference names them."""

    CASE = "case"
    IMAGE = "image"
    SUBJECT = "subject"


class Analysis(StrEnum):
    """Statistics the paper reports beside its metrics."""

    HUMAN_OPERATING_POINTS = "human-operating-points"
    DELONG = "delong"
    WILCOXON_SIGNED_RANK = "wilcoxon-signed-rank"
    RANK_SUM_BETWEEN_STRATA = "rank-sum-between-strata"
    MANN_WHITNEY = "mann-whitney"
    KRUSKAL_WALLIS_BETWEEN_PARTS = "kruskal-wallis-between-parts"
    BOX_PLOTS = "box-plots"
    BY_STRATUM = "by-stratum"
    GRADERS_AGAINST_REFERENCE = "graders-against-reference"
    OTHER_REFERENCES = "other-reference-sets"


class EnsembleRule(StrEnum):
    MAJORITY_VOTE = "majority-vote"
    MEAN_POINT = "mean-point"
    MEAN_LIKELIHOOD = "mean-likelihood"
    MEAN_NORMALISED_LIKELIHOOD = "mean-normalised-likelihood"
