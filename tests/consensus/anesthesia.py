"""Fitness for anaesthesia of 45 patients on a scale of 1 to 4, as five anaesthetists saw it; the first one thrice.

Dawid and Skene, Applied Statistics 1979;28:20–28, table 1.
"""

_TABLE = """111 1 1 1 1, 333 4 3 3 4, 112 2 1 2 2, 222 3 1 2 1, 222 3 2 2 2, 222 3 3 2 2, 122 2 1 1 1, 333 3 4 3 3,
222 2 2 2 3, 232 2 2 2 3, 444 4 4 4 4, 222 3 3 4 3, 111 1 1 1 1, 222 3 2 1 2, 121 1 1 1 1, 111 2 1 1 1, 111 1 1 1 1,
111 1 1 1 1, 222 2 2 2 1, 222 1 3 2 2, 222 2 2 2 2, 222 2 2 2 1, 222 3 2 2 2, 221 2 2 2 2, 111 1 1 1 1, 111 1 1 1 1,
232 2 2 2 2, 111 1 1 1 1, 111 1 1 1 1, 112 1 1 2 1, 111 1 1 1 1, 333 3 2 3 3, 111 1 1 1 1, 222 2 2 2 2, 222 3 2 3 2,
433 4 3 4 3, 221 2 2 3 2, 232 3 2 3 3, 333 3 4 3 2, 111 1 1 1 1, 111 1 1 1 1, 121 2 1 1 1, 232 2 2 2 2, 121 1 1 1 1,
222 2 2 2 2"""
PATIENTS = [row.split() for row in _TABLE.replace("\n", " ").split(",")]
RATINGS = [
    (patient, observer, int(label) - 1)
    for patient, row in enumerate(PATIENTS)
    for observer, labels in enumerate(row)
    for label in labels
]
