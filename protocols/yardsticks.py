"""Published words for the size of an agreement."""

from protocols.standard import Band, Yardstick

GCI_BANDS = Yardstick(
    source="Visser et al. 2019, after Bartko 1991 and Zijdenbos et al. 1994",
    bands=(Band(0.7, "excellent"),),
)
ICC_BANDS = Yardstick(
    source="Koo and Li 2016",
    bands=(
        Band(-1.0, "poor"),
        Band(0.5, "moderate"),
        Band(0.75, "good"),
        Band(0.9, "excellent"),
    ),
)
KAPPA_BANDS = Yardstick(
    source="Landis and Koch 1977",
    bands=(
        Band(-1.0, "poor"),
        Band(0.0, "slight"),
        Band(0.21, "fair"),
        Band(0.41, "moderate"),
        Band(0.61, "substantial"),
        Band(0.81, "almost perfect"),
    ),
)
