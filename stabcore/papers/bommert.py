"""Bommert, Rahnenführer & Lang 2017, section 2.1: the properties of stability measures, on random and on constant selections."""

import numpy as np
import pandas as pd

from stabcore.inference.estimate import measure_terms
from stabcore.measures.catalog import entry
from stabcore.papers.exhibit import LINES, Claim, Exhibit
from stabcore.selections.selections import Selections

PAPER = "Bommert, Rahnenführer & Lang 2017"
# {name in the paper: (measure, options)}
MEASURES = {
    "SJ": ("jaccard", {}),
    "SD": ("dice", {}),
    "SO": ("ochiai", {}),
    "SN": ("novovicova", {}),
    **{f"SD-{alpha}": ("davis", {"penalty": float(alpha)}) for alpha in (0, 1, 2)},
    "SL": ("lustgarten", {}),
    "SS": ("somol", {}),
    "SC": ("phi", {}),
}
CORRECTED = ("SL", "SS", "SC")
D, RUNS, REPEATS, SIZES = 60, 10, 40, (2, 5, 10, 20, 30, 45)
MAX_STANDARD_ERRORS = 4  # largest difference of equal means, in standard errors


def _measure_value(selected, name):
    key, options = MEASURES[name]
    return measure_terms(Selections.from_matrix(selected), entry(key), None, options).value()


def _random_selections(source, on_progress):
    """(series, x, y, se): the mean of each measure over random selections of each size, with its standard error."""
    rng, rows = source.rng(1), []
    for number, size in enumerate(SIZES):
        on_progress(number, len(SIZES))
        tables = [rng.random((RUNS, D)).argsort(axis=1).argsort(axis=1) < size for _ in range(REPEATS)]
        for name in MEASURES:
            values = np.array([_measure_value(selection, name) for selection in tables])
            rows.append((name, size, values.mean(), values.std(ddof=1) / np.sqrt(REPEATS)))
    return pd.DataFrame(rows, columns=["series", "x", "y", "se"])


def _claim_equal_means(names, expected):
    """The test of a claim that the means of these measures are equal for all sizes, up to sampling error, or that none are."""

    def holds(frame):
        same, numbers = [], []
        for name, values in frame[frame["series"].isin(names)].groupby("series", sort=False):
            low, high = values.loc[values["y"].idxmin()], values.loc[values["y"].idxmax()]
            same.append(high["y"] - low["y"] <= MAX_STANDARD_ERRORS * np.hypot(high["se"], low["se"]))
            numbers.append(f"{name} {low['y']:.2f} to {high['y']:.2f}")
        return all(constant == expected for constant in same), ", ".join(numbers)

    return holds


def _constant_selections(_source, _tell):
    """(features, measure, printed, here): each measure if every run selects the same features."""
    rows = []
    for size in SIZES:
        same = np.zeros((RUNS, D))
        same[:, :size] = 1
        rows += [(size, f"SD-{alpha}", max(0.0, 1 - alpha * size / D), _measure_value(same, f"SD-{alpha}")) for alpha in (0, 1, 2)]
        rows += [(size, name, 1.0, _measure_value(same, name)) for name in ("SJ", "SD", "SO", "SN", "SC")]
    return pd.DataFrame(rows, columns=["features", "measure", "printed", "here"])


def _claim_printed_values(names):
    def holds(frame):
        rows = frame[frame["measure"].isin(names)]
        ranges = rows.groupby("measure", sort=False)["here"].agg(["min", "max"])
        numbers = [f"{name} {low:.2f} to {high:.2f}" for name, low, high in ranges.itertuples()]
        return bool((rows["here"] - rows["printed"]).abs().max() < 1e-9), ", ".join(numbers)

    return holds


_PENALISED = ("SD-0", "SD-1", "SD-2")
EXHIBITS = (
    Exhibit(
        key="bommert-table-1",
        paper=PAPER,
        number="Table 1 (random selections)",
        kind=LINES,
        title="Stability of random selections",
        shows="The measures with the same expected value for random selections of any size.",
        here=f"{RUNS} random selections of {D} features, {REPEATS} times for each size. Means are called different if they "
        f"differ by more than {MAX_STANDARD_ERRORS} standard errors.",
        make=_random_selections,
        x=("x", "Features in each selection"),
        y=("y", "Mean of the measure"),
        seconds=5,
        outcome=False,
        claims=(
            Claim(
                "2.1.4",
                "SL and SC have the same mean for random selections of any size.",
                "yes",
                _claim_equal_means(("SL", "SC"), True),
            ),
            Claim("2.1.4", "SS has the same mean for random selections of any size.", "yes", _claim_equal_means(("SS",), True)),
            Claim(
                "2.1.4",
                "SJ, SD, SO, SD-α and SN depend on the size of random selections.",
                "no",
                _claim_equal_means([measure for measure in MEASURES if measure not in CORRECTED], False),
            ),
        ),
    ),
    Exhibit(
        key="bommert-table-1-maximum",
        paper=PAPER,
        number="Table 1 (maximum)",
        title="Stability of a constant selection",
        shows="The value of each measure if every run selects the same k features.",
        here=f"{RUNS} runs that all select the same {SIZES[0]} to {SIZES[-1]} of {D} features.",
        make=_constant_selections,
        outcome=False,
        claims=(
            Claim(
                "2.1.4", "SJ, SD, SO, SN and SC reach their maximum.", "1", _claim_printed_values(("SJ", "SD", "SO", "SN", "SC"))
            ),
            Claim(
                "2.1.4", "SD-α reaches 1 − k·α/p only (or 0 if that is negative).", "1 − k·α/p", _claim_printed_values(_PENALISED)
            ),
        ),
    ),
)
