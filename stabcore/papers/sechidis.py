"""Sechidis, Papangelou, Nogueira, Weatherall & Brown 2019: what effective stability changes, and what it costs."""

from __future__ import annotations

import time

import numpy as np

from stabcore.analysis.pareto import averaged_ranks, changes
from stabcore.inference.estimate import stability
from stabcore.papers.exhibit import LINES, POINTS, Claim, Exhibit, counted
from stabcore.papers.source import name
from stabcore.preferences import Preferences
from stabcore.relation.relation import Relation
from stabcore.selectors.baseline import is_baseline

PAPER = "Sechidis et al. 2019"
PLAIN, EFFECTIVE = "nogueira", "effective"
RUNS, SELECTED = 50, 20             # of Figure 1
SIZES, DENSE_UP_TO, PAIRS_UP_TO = (100, 300, 1000, 3000, 10_000), 1000, 1000


def _equation(source, _tell):
    """(series, x, y): runs that take one of each of two twins, by a coin."""
    import pandas as pd

    coins = source.rng(1).integers(2, size=(RUNS, 2))
    runs = Preferences.from_selection_matrix(np.stack([coins[:, 0], 1 - coins[:, 0], coins[:, 1], 1 - coins[:, 1]], axis=1))
    twins = Relation.from_groups({"A": [0, 1], "B": [2, 3]}, n_features=4)
    return pd.DataFrame({"measure": ["Φ", "Φ_C with the groups {1, 2} and {3, 4}"],
                         "value": [stability(runs, PLAIN).value, stability(runs, EFFECTIVE, relation=twins).value]})


def _cost(source, tell):
    """(series, x, y): seconds of effective stability, of its formula with d × d matrices, and of nPOGR, by d."""
    import pandas as pd

    rng, rows = source.rng(1), []
    for number, d in enumerate(SIZES):
        tell(number, len(SIZES))
        selected = np.zeros((RUNS, d))
        np.put_along_axis(selected, rng.random((RUNS, d)).argsort(axis=1)[:, :SELECTED], 1, axis=1)
        runs, relation = Preferences.from_selection_matrix(selected), Relation.from_groups(
            {f"g{i}": range(5 * i, 5 * i + 5) for i in range(d // 10)}, n_features=d)
        timed = {"effective, as here": lambda: stability(runs, EFFECTIVE, relation=relation, interval="jackknife")}
        if d <= DENSE_UP_TO:
            timed["the formula with d × d matrices"] = lambda: _dense(selected, relation)
        if d <= PAIRS_UP_TO:
            timed["nPOGR, a measure of pairs"] = lambda: stability(runs, "npogr", relation=relation)
        rows += [(what, d, _seconds(work)) for what, work in timed.items()]
    return pd.DataFrame(rows, columns=["series", "x", "y"])


def _dense(selected, relation):
    """Φ_C by its definition: 1 − tr(CS)/tr(CΣ⁰)."""
    M, d = selected.shape
    C, sizes = relation.block(np.arange(d)), selected.sum(axis=1)
    S = np.cov(selected, rowvar=False)
    p = sizes.mean() / d
    null = np.full((d, d), ((sizes ** 2).mean() - sizes.mean()) / (d * d - d) - p * p)
    np.fill_diagonal(null, p * (1 - p))
    return 1 - np.trace(C @ S) / np.trace(C @ null)


def _seconds(work):
    def once():
        begun = time.perf_counter()
        work()
        return time.perf_counter() - begun

    work()              # what is loaded or kept the first time is not counted
    return min(once() for _ in range(2))


def _grows_slowly(frame):
    wide = frame.pivot(index="x", columns="series", values="y")
    ours, other = wide["effective, as here"], wide["the formula with d × d matrices"].dropna()
    low, high = other.index[0], other.index[-1]
    growth = (ours[high] / ours[low], other[high] / other[low])
    return bool(growth[0] < growth[1] / 3), (f"{high // low} times as many features: {growth[0]:.1f} and {growth[1]:.0f} times "
                                             "as long")


def _far_faster(frame):
    wide = frame.pivot(index="x", columns="series", values="y").dropna()
    last = wide.iloc[-1]
    ratio = last["the formula with d × d matrices"] / last["effective, as here"]
    return bool(ratio > 10), f"{ratio:.0f} times as fast at d = {wide.index[-1]:,}"


def _criteria(source):
    """(table, selector, accuracy, Φ, Φ_C) of every table, baselines left out."""
    import pandas as pd

    parts = []
    for key in source.tables:
        result = source.result(key)
        points = result.table([PLAIN, EFFECTIVE], relation=source.relation(key)).reset_index()
        points = points[~points["selector"].map(is_baseline)]
        parts.append(points[["selector", "accuracy", PLAIN, EFFECTIVE]].assign(table=source.title(key)))
    return pd.concat(parts, ignore_index=True)


def _trade_off(source, _tell):
    """(series, facet, x, y): accuracy against Φ, and the same accuracies against Φ_C, of the first two tables."""
    points = _criteria(source)
    first = points[points["table"].isin(points["table"].unique()[:2])]
    melted = first.melt(["table", "selector", "accuracy"], [PLAIN, EFFECTIVE], "by", "y")
    return melted.rename(columns={"selector": "series", "accuracy": "x"}).assign(
        facet=melted["table"].str.partition(":")[0] + ": " + melted["by"].map({PLAIN: "Φ", EFFECTIVE: "Φ_C"}))


def _gain(points, key):
    own = points[points["selector"] == name(key)]
    return float((own[EFFECTIVE] - own[PLAIN]).mean())


def _gain_of(frame):
    return frame.pivot_table(index=["table", "series"], columns="by", values="y").reset_index().rename(
        columns={"series": "selector"})


def _mrmr_gains(points):
    mrmr, mim = _gain(points, "mrmr"), _gain(points, "mim")
    if not np.isfinite([mrmr, mim]).all():
        return False, "mRMR or MIM is in none of these studies"
    return bool(mrmr > mim), f"mRMR {mrmr:+.2f}, MIM {mim:+.2f} on average"


def _fronts(source, _tell):
    """(table, front by Φ, front by Φ_C, changed): the methods that no other beats."""
    import pandas as pd

    rows = []
    for title, own in _criteria(source).groupby("table", sort=False):
        moved = changes(own.set_index("selector"), PLAIN, EFFECTIVE)
        before, after = moved.index[moved["on_front_before"]], moved.index[moved["on_front_after"]]
        rows.append((title, ", ".join(before), ", ".join(after), set(before) != set(after)))
    return pd.DataFrame(rows, columns=["table", "front by Φ", "front by Φ_C", "changed"])


def _ranks(source, _tell):
    """(selector, rank by Φ, rank by Φ_C): non-dominated ranks, averaged over the tables."""
    points = _criteria(source)
    ranks = {column: averaged_ranks(points, ("accuracy", column), by="table").set_index("selector")["rank"]
             for column in (PLAIN, EFFECTIVE)}
    import pandas as pd

    table = pd.DataFrame({"rank by Φ": ranks[PLAIN], "rank by Φ_C": ranks[EFFECTIVE]}).rename_axis("selector").reset_index()
    return table.sort_values("rank by Φ", ignore_index=True)


def _mrmr_rises(frame):
    own = frame.set_index("selector")
    if not {name("mrmr"), name("mim")} <= set(own.index):
        return False, "mRMR or MIM is in none of these studies"
    moved = own["rank by Φ"] - own["rank by Φ_C"]
    return bool(moved[name("mrmr")] > moved[name("mim")]), (
        f"mRMR moves from {own.loc[name('mrmr'), 'rank by Φ']:.2f} to {own.loc[name('mrmr'), 'rank by Φ_C']:.2f} (1 is best), "
        f"MIM from {own.loc[name('mim'), 'rank by Φ']:.2f} to {own.loc[name('mim'), 'rank by Φ_C']:.2f}")


def _within(source, _tell):
    """(part, GBM, CMIM): stability of all, effective, and inside the three largest groups, on the first table."""
    import pandas as pd

    key = source.tables[0]
    result, relation = source.result(key), source.relation(key)
    groups = sorted(relation.groups.items(), key=lambda one: -len(one[1]))[:3]
    position = {feature: number for number, feature in enumerate(result.features)}
    rows = {"Φ of all features": {}, "Φ_C with these groups": {}}
    for label in (name("gbm"), name("cmim")):
        runs = result.preferences(label)
        rows["Φ of all features"][label] = stability(runs, PLAIN).value
        rows["Φ_C with these groups"][label] = stability(runs, EFFECTIVE, relation=relation).value
        for group, members in groups:
            inside = np.asarray(runs.selected)[:, [position[one] for one in members]]
            value = stability(Preferences.from_selection_matrix(inside), PLAIN).value
            rows.setdefault(f"Φ inside {group} ({len(members)})", {})[label] = value
    return pd.DataFrame(rows).T.rename_axis("stability").reset_index()


def _cmim_gains(frame):
    own = frame.set_index("stability")
    gain = own.loc["Φ_C with these groups"] - own.loc["Φ of all features"]
    return bool(gain[name("cmim")] > gain[name("gbm")]), f"CMIM {gain[name('cmim')]:+.2f}, GBM {gain[name('gbm')]:+.2f}"


def _gbm_first(frame):
    own = frame.set_index("stability").loc["Φ of all features"]
    return bool(own[name("gbm")] > own[name("cmim")]), f"GBM {own[name('gbm')]:.2f}, CMIM {own[name('cmim')]:.2f}"


_REAL = "The bundled tables, with their groups as what stands for each other."
EXHIBITS = (
    Exhibit(key="sechidis-equation-1", paper=PAPER, number="Equation 1", title="Four features, two pairs of twins",
            told="Runs that take one of each pair of twins are as unstable as coins by Φ, and perfectly stable once twins count "
                 "as one.",
            here=f"{RUNS} runs, one of each pair by a coin.", make=_equation,
            claims=(Claim("Φ is near 0 and Φ_C is 1.", lambda frame: (
                bool(abs(frame["value"][0]) < 0.35 and abs(frame["value"][1] - 1) < 1e-9),
                f"{frame['value'][0]:.2f} and {frame['value'][1]:.2f}")),),
            page="pages/groups.py", page_label="Groups & C"),
    Exhibit(key="sechidis-figure-1", paper=PAPER, number="Figure 1", title="What it costs with many features", kind=LINES,
            told="The time of Φ_C hardly grows with the number of features, that of a measure of pairs (nPOGR) does.",
            here=f"{RUNS} random sets of {SELECTED}, half of the features in groups of five; measured now, on this computer, with "
                 "intervals for Φ_C.", make=_cost, x=("x", "Features (d)"), y=("y", "Seconds"), log=("x", "y"), seconds=10,
            claims=(Claim("Its time grows far less than that of the formula written out.", _grows_slowly),
                    Claim("It is orders of magnitude faster than that.", _far_faster))),
    Exhibit(key="sechidis-figure-2", paper=PAPER, number="Figure 2", title="Accuracy against stability, without and with relations",
            kind=POINTS, told="Once related features count as one, mRMR, which avoids redundant features, becomes much more "
                              "stable.",
            here=f"{_REAL} The first two.", make=_trade_off, x=("x", "Accuracy"), y=("y", "Stability"), facet="facet",
            tables=True,
            claims=(Claim("mRMR gains more than MIM.", lambda frame: _mrmr_gains(_gain_of(frame))),),
            page="pages/pareto.py", page_label="Pareto"),
    Exhibit(key="sechidis-table-1", paper=PAPER, number="Table 1", title="Who is on the front",
            told="On most tables the methods that no other beats in accuracy and stability change with Φ_C.", here=_REAL,
            make=_fronts,
            tables=True,
            claims=(Claim("The front changes on most tables.", lambda frame: counted(frame["changed"], "tables")),),
            page="pages/pareto.py", page_label="Pareto"),
    Exhibit(key="sechidis-table-2", paper=PAPER, number="Table 2", title="Ranks averaged over tables",
            told="By Φ_C the rank of mRMR improves much, that of MIM, which knows relevance alone, does not.", here=_REAL,
            make=_ranks,
            tables=True,
            claims=(Claim("mRMR gains more ranks than MIM.", _mrmr_rises),), page="pages/pareto.py", page_label="Pareto (Studies)"),
    Exhibit(key="sechidis-table-4", paper=PAPER, number="Table 4", title="GBM and CMIM, inside groups of biomarkers",
            told="By Φ GBM is more stable than CMIM. CMIM exchanges markers of the same group, so that by Φ_C it is the more "
                 "stable.",
            here="The bundled Alzheimer's table with its families of proteins in place of the groups A to C of the trial.",
            tables=True, make=_within, claims=(Claim("By Φ, GBM is more stable than CMIM.", _gbm_first),
                                               Claim("CMIM gains more by the groups than GBM.", _cmim_gains)),
            page="pages/groups.py", page_label="Groups & C"),
)
