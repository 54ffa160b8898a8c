"""Sechidis, Papangelou, Nogueira, Weatherall & Brown 2019: the effect of effective stability, and its computing time."""

import time

import numpy as np
import pandas as pd

from stabcore.analysis.pareto import front_changes
from stabcore.inference.estimate import measure_terms, stability
from stabcore.measures.catalog import entry
from stabcore.papers.exhibit import LINES, Claim, Exhibit
from stabcore.selections.selections import Selections
from stabcore.selectors.catalog import BY_KEY
from stabcore.similarity.similarity import Similarity

PAPER = "Sechidis et al. 2019"
PLAIN, EFFECTIVE = "nogueira", "effective"
RUNS, SIZES = 50, (100, 300, 1000, 3000)  # runs, and numbers of features, of Figure 1
MIN_TIME_RATIO, REPETITIONS = 10, 5  # smallest ratio of times, and number of repetitions of which the fastest counts
KEY_OF_NAME = {"LASSO": "lasso", "RF": "random_forest", "GBM": "gbm", "MIM": "mim", "mRMR": "mrmr", "JMI": "jmi", "CMIM": "cmim"}
PRINTED = {"breast": ("LASSO, MIM", "MIM"), "wine": ("MIM, CMIM", "MIM, CMIM")}  # Table 1 of the paper
TABLES = {"breast": "sechidis", "wine": "sechidis-wine"}  # the settings files
CORRELATED = 0.5  # θ of the paper, for Spearman's correlation


def _equation(_source, _tell):
    """(measure, here): the four runs of equation 1, with X1 and X2, X3 and X4 interchangeable."""
    runs = Selections.from_matrix(np.array([[1, 0, 1, 0, 0, 0], [0, 1, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [0, 1, 0, 1, 0, 0]]))
    pairs = Similarity.from_groups({"X1, X2": [0, 1], "X3, X4": [2, 3]}, n_features=6)
    return pd.DataFrame(
        {"measure": ["Φ", "Φ_C"], "here": [stability(runs, PLAIN).value, stability(runs, EFFECTIVE, similarity=pairs).value]}
    )


def _claim_value(measure, value):
    def holds(frame):
        here = frame.set_index("measure").loc[measure, "here"]
        return abs(here - value) < 1e-9, f"{here:.3f}"

    return holds


def _cost(source, on_progress):
    """(series, x, y): seconds of effective stability and of nPOGR for random selections, against the number of features."""
    rng, rows = source.rng(1), []
    for number, d in enumerate(SIZES):
        on_progress(number, len(SIZES))
        runs = Selections.from_matrix(rng.random((RUNS, d)) < 0.2)
        similarity = Similarity.from_groups({f"g{i}": range(5 * i, 5 * i + 5) for i in range(d // 10)}, n_features=d)
        rows += [(label, d, _seconds(entry(key), runs, similarity)) for label, key in (("Φ_C", EFFECTIVE), ("nPOGR", "npogr"))]
    return pd.DataFrame(rows, columns=["series", "x", "y"])


def _seconds(measure, runs, similarity):
    def once():
        begun = time.perf_counter()
        measure_terms(runs, measure, similarity, {}).value()
        return time.perf_counter() - begun

    return min(once() for _ in range(REPETITIONS))


def _far_faster(frame):
    wide = frame.pivot(index="x", columns="series", values="y")
    ratio = wide["nPOGR"] / wide["Φ_C"]
    return bool((ratio >= MIN_TIME_RATIO).all()), f"{ratio.min():.0f} to {ratio.max():.0f} times as fast"


def _milliseconds(frame):
    rows = frame[frame["series"] == "Φ_C"]
    times = [f"{y * 1000:.1f} ms (d = {x:,})" for x, y in zip(rows["x"], rows["y"], strict=True)]
    return bool((rows["y"] < 0.01).all()), ", ".join(times)


def _fronts(source, on_progress):
    """(table, selector, accuracy, Φ, Φ_C, on front by Φ, on front by Φ_C) with the paper's settings."""
    parts, short = [], {BY_KEY[key].label: name for name, key in KEY_OF_NAME.items()}
    for table, protocol in TABLES.items():
        result = source.study(protocol, on_progress)
        similarity = Similarity.from_correlation(source.data(protocol), method="spearman", threshold=CORRELATED)
        points = result.table([PLAIN, EFFECTIVE], similarity=similarity)
        moved = front_changes(points, PLAIN, EFFECTIVE)
        columns = {
            "accuracy": points["accuracy"],
            "Φ": points[PLAIN],
            "Φ_C": points[EFFECTIVE],
            "on front by Φ": moved["on_front_before"],
            "on front by Φ_C": moved["on_front_after"],
        }
        named = {"table": table, "selector": [short[label] for label in points.index]}
        parts.append(pd.DataFrame(named | {name: values.to_numpy() for name, values in columns.items()}))
    return pd.concat(parts, ignore_index=True)


def _on_front(frame, table, measure):
    rows = frame[(frame["table"] == table) & frame[f"on front by {measure}"]]
    return [name for name in KEY_OF_NAME if name in set(rows["selector"])]


def _claim_front(table, measure):
    printed = PRINTED[table][measure == "Φ_C"].split(", ")

    def holds(frame):
        front = _on_front(frame, table, measure)
        return front == [name for name in KEY_OF_NAME if name in printed], ", ".join(front)

    return holds


def _claim_front_change(table, expected):
    def holds(frame):
        before, after = (_on_front(frame, table, measure) for measure in ("Φ", "Φ_C"))
        return (before != after) == expected, f"{', '.join(before)}, with Φ_C {', '.join(after)}"

    return holds


def _mrmr_rises(frame):
    rows = frame[frame["selector"] == "mRMR"]
    return bool((rows["Φ_C"] > rows["Φ"] + 0.1).all()), ", ".join(
        f"{row['table']}: {row['Φ']:.2f} to {row['Φ_C']:.2f}" for _, row in rows.iterrows()
    )


EXHIBITS = (
    Exhibit(
        key="sechidis-equation-1",
        paper=PAPER,
        number="Equation 1",
        title="Six features, two interchangeable pairs",
        shows="Four runs select one of X1 and X2, and one of X3 and X4. The features of a pair are strongly correlated.",
        here="The four runs of the paper.",
        make=_equation,
        outcome=False,
        claims=(
            Claim("2.2", "By the usual measures the selector is unstable.", "no number", _claim_value("Φ", 0)),
            Claim("2.2", "If both pairs count as one feature, the selector is perfectly stable.", "1", _claim_value("Φ_C", 1)),
        ),
        page="pages/similarity.py",
    ),
    Exhibit(
        key="sechidis-figure-1",
        paper=PAPER,
        number="Figure 1",
        title="Computing time with many features",
        kind=LINES,
        shows="The computing time of effective stability and of nPOGR for random selections, against the number of features.",
        here=f"{RUNS} random selections of a fifth of the features, measured now on this computer. Half of the features are in "
        "groups of five. nPOGR is computed here with its exact expectation, which is faster than random pairs.",
        make=_cost,
        x=("x", "Features (d)"),
        y=("y", "Seconds"),
        log=("x", "y"),
        seconds=10,
        outcome=False,
        claims=(
            Claim(
                "3.2",
                f"Φ_C is orders of magnitude faster than nPOGR (here: at least {MIN_TIME_RATIO} times at every d).",
                "curves, no numbers",
                _far_faster,
            ),
            Claim(
                "Figure 1",
                "Φ_C takes milliseconds for any number of features (here: less than 10 ms).",
                "milliseconds",
                _milliseconds,
            ),
        ),
    ),
    Exhibit(
        key="sechidis-table-1",
        paper=PAPER,
        number="Table 1",
        title="Which selectors are on the Pareto front?",
        shows="The selectors that no other selector dominates in accuracy and stability, with Φ and with Φ_C, on ten tables.",
        here="The setting of the paper on two of its ten tables: seven selectors, a quarter of the features, and 50 runs that "
        "each leave out 5% of the rows. The classifier is 3-nn. C = 1 where Spearman's |ρ| exceeds 0.5.",
        make=_fronts,
        seconds=50,
        protocols=tuple(TABLES.values()),
        claims=(
            *(
                Claim(
                    "Table 1",
                    f"On {table} the front is {PRINTED[table][measure == 'Φ_C']} with {measure}.",
                    PRINTED[table][measure == "Φ_C"],
                    _claim_front(table, measure),
                )
                for table in TABLES
                for measure in ("Φ", "Φ_C")
            ),
            Claim("Table 1", "On breast the front changes with Φ_C.", "yes", _claim_front_change("breast", True)),
            Claim("Table 1", "On wine the front does not change with Φ_C.", "no change", _claim_front_change("wine", False)),
            Claim(
                "4.1",
                "mRMR is much more stable with Φ_C (here: by more than 0.1 on both tables).",
                "Figure 2, no numbers",
                _mrmr_rises,
            ),
        ),
        page="pages/pareto.py",
    ),
)
