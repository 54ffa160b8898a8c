"""Kalousis, Prados & Hilario 2005: three kinds of stability, stability and error, and their index as a number of features."""

import numpy as np
import pandas as pd

from stabcore.inference.estimate import stability
from stabcore.papers.exhibit import Claim, Exhibit
from stabcore.selectors.catalog import BY_KEY

PAPER = "Kalousis, Prados & Hilario 2005"
K = 10  # features, as in Table 2 of the paper
NAMES = {"IG": "information_gain", "ReliefF": "relieff", "SVM": "svm", "SVM-RFE": "svm_rfe"}
MIN_RATIO = 2.0
# section 4 with footnote 1, and section 5: S_S of sets of ten (the last of twenty) and the printed number of common features
OVERLAPS = (
    *((10, 0.7295, 8.43), (10, 0.5529, 7.12), (10, 0.3410, 5.08)),
    *((10, 0.0293, 0.56), (10, 0.0091, 0.18), (10, 0.0268, 0.52), (20, 0.16, 5.5)),
)


def _study(source, on_progress):
    """({name in the paper: our label}, the study with the settings of the paper)."""
    result = source.study("kalousis", on_progress)
    return {name: BY_KEY[key].label for name, key in NAMES.items()}, result


def _three_kinds(source, on_progress):
    """(selector, S_W, S_R, S_S): stability of weights, of ranks, and of the sets of ten features."""
    labels, result = _study(source, on_progress)
    rows = []
    for name, label in labels.items():
        runs = result.selections(label)
        weights = np.nan if name == "SVM-RFE" else stability(runs, "pearson_scores").value
        rows.append((name, weights, stability(runs, "spearman_ranks").value, stability(runs.top(K), "jaccard").value))
    return pd.DataFrame(rows, columns=["selector", "S_W", "S_R", "S_S"])


def _format_values(values):
    return ", ".join(f"{name} {value:.2f}" for name, value in values.dropna().items())


def _claim_order(high, low, margin=0.0):
    """The test of a claim that one kind of stability is higher than another, for every selector with both."""

    def holds(frame):
        both = frame.set_index("selector")[[high, low]].dropna()
        return bool((both[high] > both[low] + margin).all()), ", ".join(
            f"{name} {higher:.2f} and {lower:.2f}" for name, higher, lower in both.itertuples()
        )

    return holds


def _relieff_first(frame):
    rows = frame.set_index("selector")
    return all(rows[kind].idxmax() == "ReliefF" for kind in ("S_W", "S_R", "S_S")), "; ".join(
        f"{kind}: {_format_values(rows[kind])}" for kind in ("S_W", "S_R", "S_S")
    )


def _gain_last(frame):
    values = frame.set_index("selector")["S_S"]
    shared = _n_common(values["IG"], K)
    return values.idxmin() == "IG" and shared < 1, f"{_format_values(values)}, and IG shares {shared:.1f} features"


def _svm_above_rfe(frame):
    values = frame.set_index("selector")["S_S"]
    return bool(values["SVM"] > values["SVM-RFE"]), f"SVM {values['SVM']:.2f}, SVM-RFE {values['SVM-RFE']:.2f}"


def _errors_and_stability(source, on_progress):
    """(selector, error, S_S, alike): error and stability for ten features, and the sets of errors that do not differ."""
    labels, result = _study(source, on_progress)
    accuracy, sets = result.accuracy()["accuracy"], result.indistinguishable()[1]
    rows = [
        (
            name,
            1 - accuracy[label],
            stability(result.selections(label).top(K), "jaccard").value,
            " ".join(str(number) for number, selectors in enumerate(sets, 1) if label in selectors),
        )
        for name, label in labels.items()
    ]
    return pd.DataFrame(rows, columns=["selector", "error", "S_S", "alike"])


def _ratios(frame):
    """(largest over smallest S_S, most stable selector) of each set of selectors whose errors do not differ."""
    sets = sorted({number for numbers in frame["alike"] for number in numbers.split()})
    parts = [frame[frame["alike"].str.split().map(lambda numbers, number=number: number in numbers)] for number in sets]
    return [(part["S_S"].max() / part["S_S"].min(), part.loc[part["S_S"].idxmax(), "selector"]) for part in parts if len(part) > 1]


def _twice(frame):
    ratios = _ratios(frame)
    return bool(ratios) and max(ratios)[0] >= MIN_RATIO, f"{max(ratios)[0]:.1f} times" if ratios else "no two errors are alike"


def _relieff_of_alike(frame):
    most = [name for _, name in _ratios(frame)]
    return bool(most) and set(most) == {"ReliefF"}, f"most stable: {', '.join(dict.fromkeys(most)) or 'no two errors are alike'}"


def _n_common(index, size):
    """Common features of two sets of this size with this Tanimoto index r/(2·size − r)."""
    return 2 * size * index / (1 + index)


def _overlaps(_source, _tell):
    """(features, S_S, printed, here): common features of two sets, from their Tanimoto index."""
    return pd.DataFrame(
        [(size, index, printed, _n_common(index, size)) for size, index, printed in OVERLAPS],
        columns=["features", "S_S", "printed", "here"],
    )


def _as_printed(frame):
    apart = (frame["here"] - frame["printed"]).abs().max()
    return bool(apart < 0.02), ", ".join(f"{value:.2f}" for value in frame["here"])


_HERE = (
    "The setting of the paper: four selectors and ten features, with ten inner folds in each of ten outer folds. The bundled "
    "Alzheimer's table replaces three tables of mass spectra."
)
EXHIBITS = (
    Exhibit(
        key="kalousis-section-4",
        paper=PAPER,
        number="Section 4",
        title="From the Tanimoto index to common features",
        shows="S_S is the share of common features among all features of two sets. The paper translates it into features.",
        here="The same calculation: r = 2·k·S_S/(1 + S_S) for two sets of k features.",
        make=_overlaps,
        outcome=False,
        claims=(
            Claim(
                "4 and 5",
                "These values of S_S correspond to these numbers of common features.",
                "8.43, 7.12, 5.08, 0.56, 0.18, 0.52 of 10, and 5.5 of 20",
                _as_printed,
            ),
        ),
    ),
    Exhibit(
        key="kalousis-table-2",
        paper=PAPER,
        number="Table 2",
        title="Stability of weights, ranks and sets",
        shows="The stability of weights (S_W), of ranks (S_R) and of the sets of the ten best features (S_S).",
        here=_HERE,
        make=_three_kinds,
        seconds=40,
        protocols=("kalousis",),
        claims=(
            Claim(
                "4",
                "For every selector weights agree more than ranks.",
                "means: IG .87 and .84, ReliefF .94 and .91",
                _claim_order("S_W", "S_R"),
            ),
            Claim(
                "4",
                "For every selector sets agree considerably less than ranks (by more than .10).",
                "means: IG .84 and .02, ReliefF .91 and .54",
                _claim_order("S_R", "S_S", 0.1),
            ),
            Claim("4", "ReliefF is the most stable selector by all three.", "S_S of ReliefF: .73, .55, .34", _relieff_first),
            Claim(
                "4",
                "The sets of information gain agree least, with less than one common feature.",
                "S_S of IG: .03, .01, .03",
                _gain_last,
            ),
            Claim(
                "4",
                "The sets of one SVM agree slightly more than those of SVM-RFE.",
                "common features: 6.26 and 6.37, 6.87 and 6.19, 4.27 and 2.87",
                _svm_above_rfe,
            ),
        ),
        page="pages/feature_count.py",
    ),
    Exhibit(
        key="kalousis-table-3",
        paper=PAPER,
        number="Table 3",
        title="Equal errors, different stability",
        shows="Several selectors lead to errors that McNemar's test does not distinguish. The paper then prefers the most "
        "stable selector.",
        here=f"{_HERE} A linear SVM predicts. Selectors that share a number in “alike” have errors that do not differ.",
        make=_errors_and_stability,
        seconds=40,
        protocols=("kalousis",),
        claims=(
            Claim(
                "5",
                "Among selectors with equal errors, the most stable has at least twice the S_S of the least stable.",
                "stroke: ReliefF .34, SVM-RFE .16, IG .02",
                _twice,
            ),
            Claim("5", "ReliefF is the most stable of them.", "stroke: ReliefF .34", _relieff_of_alike),
        ),
        page="pages/pareto.py",
    ),
)
