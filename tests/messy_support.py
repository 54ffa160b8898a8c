"""A messy laboratory workbook: cover sheet, titles, merged cells, units, limits, marks and a footer."""

import numpy as np
from file_support import workbook


def messy_rows(rows=60, wrong=True):
    """Rows of the sheet, messy or as they should be."""
    rng = np.random.default_rng(0)
    table = []
    for i in range(rows):
        sick = i % 2
        crp, il6, dose = round(rng.gamma(2 + 2 * sick, 3), 2), round(rng.gamma(2, 9), 1), int(rng.integers(1, 40))
        smoker = ["nein", "ja"][int(rng.random() < 0.4)]
        age, weight = 40 + int(rng.integers(0, 40)), round(rng.normal(90, 9), 1)
        table.append([f"P{i + 1:03d}", age, crp, il6, dose, smoker, weight, ["gesund", "krank"][sick]])
    if wrong:
        for i, row in enumerate(table):
            row[2] = "<0.5" if i % 20 == 3 else row[2]
            row[3] = "n.d." if i % 15 == 4 else ">50" if row[3] > 50 else row[3]
            row[4] = f"{row[4]} mg"
            row[5] = "Ja" if row[5] == "ja" and i % 3 == 0 else row[5]
            row[6] = "k.A." if i % 25 == 7 else row[6]
    return table


NAMES = ["Patient", "Age", "CRP", "IL6", "Dose", "Smoker", "Weight", "Outcome"]
UNITS = [None, "years", "mg/L", "pg/mL", None, None, "kg", None]


def messy_sheet(table=None):
    table = messy_rows() if table is None else table
    return [
        ["Laboratory report, ward 7", *[None] * 7],
        ["exported 2024-03-01", *[None] * 7],
        [None] * 8,
        [None, None, "Inflammation", None, "Treatment", None, None, None],
        NAMES,
        UNITS,
        *table,
        ["* values below the limit of detection are given as such", *[None] * 7],
    ]


def messy_workbook(table=None):
    """Bytes of the .xlsx."""
    cover, codes = [["Study", "MESSY"], ["Contact", "lab@example.org"]], [["ja", "yes"], ["nein", "no"]]
    return workbook({"Cover": cover, "Data": messy_sheet(table), "Codes": codes})
