"""Kalousis, Prados & Hilario 2005: grids of what runs select, stability at every cardinality, three kinds of it, and errors."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.profiles import profile, random_profile
from stabcore.inference.estimate import stability
from stabcore.papers.exhibit import GRID, LINES, Claim, Exhibit, counted
from stabcore.papers.source import name
from stabcore.selectors.baseline import is_baseline

PAPER = "Kalousis, Prados & Hilario 2005"
TEN = 10                # features, as in their tables
DRAWN = 25              # features of a grid, the most frequent first
RANKED = ("mim", "random_forest", "gbm")        # rank all features, so that weights and ranks have a stability


def _methods(result):
    return [label for label in result.ready if not is_baseline(label)]


def _grid(source, _tell):
    """(series, x, y): which of its most frequent features each run of the most and the least stable method selects."""
    import pandas as pd

    result = source.result(source.tables[0])
    ten = {label: result.preferences(label, TEN) for label in result.ready}
    overlap = {label: stability(runs, "jaccard").value for label, runs in ten.items() if not is_baseline(label)}
    chosen = [max(overlap, key=overlap.get), min(overlap, key=overlap.get), *filter(is_baseline, ten)]
    rows = []
    for label in chosen:
        runs = ten[label]
        first = np.argsort(-runs.frequencies, kind="stable")[:DRAWN]
        run, place = np.nonzero(np.asarray(runs.selected)[:, first])
        rows.append(pd.DataFrame({"series": label, "x": place + 1, "y": run + 1, "value": 1.0,
                                  "lines": int((runs.frequencies >= 0.9).sum())}))
    return pd.concat(rows, ignore_index=True)


def _lines_of_grid(frame):
    lines = frame.groupby("series", sort=False)["lines"].first()
    return bool((np.diff(lines) <= 0).all() and lines.iloc[0] > lines.iloc[-1]), ", ".join(
        f"{label}: {number} features in 9 of 10 runs" for label, number in lines.items())


def _profiles(source, tell):
    """(series, x, y): the mean Tanimoto index at every number of features, and that of random sets."""
    import pandas as pd

    result = source.result(source.tables[0])
    d, rows, labels = len(result.features), [], [one for one in _methods(result) if result.longest([one]) == len(result.features)]
    sizes = np.unique(np.append(np.arange(5, d, 5), d))
    for number, label in enumerate(labels):
        tell(number, len(labels))
        curve = profile(result.preferences(label), "jaccard", sizes=sizes, baseline=False)
        rows.append(pd.DataFrame({"series": label, "x": curve["k"], "y": curve["value"]}))
    random = random_profile(result.n_runs, d, sizes, "jaccard")
    return pd.concat([*rows, pd.DataFrame({"series": "random sets", "x": random["k"], "y": random["value"]})], ignore_index=True)


def _above_random(frame):
    wide = frame.pivot(index="x", columns="series", values="y")
    few = wide.loc[wide.index <= 20]
    return bool(few.drop(columns="random sets").gt(few["random sets"], axis=0).all(axis=None)), (
        f"with {few.index[0]} features random sets come to {few['random sets'].iloc[0]:.2f}, the lowest method to "
        f"{few.drop(columns='random sets').iloc[0].min():.2f}")


def _random_rises(frame):
    values = frame[frame["series"] == "random sets"]["y"].to_numpy()
    return bool((np.diff(values) > 0).all() and values[-1] > 0.999), f"from {values[0]:.2f} to {values[-1]:.2f}"


def _three_kinds(source, _tell):
    """(table, selector, S_W, S_R, S_S): stability of weights, ranks and the sets of ten, by table and method."""
    import pandas as pd

    rows = []
    for key in source.tables:
        result = source.result(key)
        for label in map(name, RANKED):
            if label in result.ready and len(result.features) > TEN:
                runs = result.preferences(label)
                weights, ranks = stability(runs, "pearson_scores").value, stability(runs, "spearman_ranks").value
                rows.append((source.title(key), label, weights, ranks, stability(runs.top(TEN), "jaccard").value))
    return pd.DataFrame(rows, columns=["table", "selector", "S_W", "S_R", "S_S"])


def _errors(source, _tell):
    """(table, selector, error, S_S, alike): error, stability of the sets, and which errors no test tells apart."""
    import pandas as pd

    rows = []
    for key in source.tables:
        result = source.result(key)
        accuracy, sets = result.accuracy()["accuracy"], result.indistinguishable()[1]
        for label in _methods(result):
            rows.append((source.title(key), label, 1 - accuracy[label], stability(result.preferences(label), "jaccard").value,
                         " ".join(str(number) for number, one in enumerate(sets, 1) if label in one)))
    return pd.DataFrame(rows, columns=["table", "selector", "error", "S_S", "alike"])


def _stability_decides(frame):
    ratios = []
    for _, own in frame.groupby("table", sort=False):
        sets = {number for told in own["alike"] for number in told.split()}
        for number in sets:
            alike = own[own["alike"].str.split().map(lambda told: number in told)]["S_S"]
            ratios.append(alike.max() / alike.min() if alike.min() > 0 else np.inf)
    best = max(ratios, default=np.nan)
    return bool(best >= 1.5), (f"among methods whose errors cannot be told apart, the most stable has {best:.1f} times the overlap "
                               "of the least stable" if ratios else "no two methods have errors that cannot be told apart")


EXHIBITS = (
    Exhibit(key="kalousis-figure-1", paper=PAPER, number="Figure 1", title="What each run selects, as a grid", kind=GRID,
            told="A row a run, a column a feature: a stable method draws vertical lines, an unstable one a scatter of points.",
            here="The bundled Alzheimer's table, ten features in each of 50 runs on halves of the rows; the methods that agree "
                 "most and least, and a ranking by lot.",
            make=_grid, x=("x", "Feature, the most frequent first"), y=("y", "Run"), facet="series",
            tables=True,
            claims=(Claim("A more stable method draws more full lines, a random one none.", _lines_of_grid),),
            page="pages/maps.py", page_label="Maps"),
    Exhibit(key="kalousis-figure-2", paper=PAPER, number="Figure 2", title="Stability at every number of features", kind=LINES,
            told="The overlap of the selected sets against their size, beside that of random sets of this size.",
            here="The bundled Alzheimer's table; methods that rank all features.",
            make=_profiles, x=("x", "Features selected"), y=("y", "Mean Tanimoto index (S_S)"),
            tables=True,
            claims=(Claim("Small sets of every method overlap more than random ones.", _above_random),
                    Claim("Random sets overlap the more the larger they are, and fully in the end.", _random_rises)),
            page="pages/profiles.py", page_label="Profiles"),
    Exhibit(key="kalousis-table-2", paper=PAPER, number="Table 2", title="Weights, ranks and sets: three kinds of stability",
            told="For every method weights (S_W) agree most, ranks (S_R) less, and the sets of ten (S_S) far less.",
            here="The bundled tables with more than ten features, methods that weigh all features.",
            make=_three_kinds, tables=True, claims=(
                Claim("Sets agree less than weights.", lambda frame: counted(frame["S_S"] < frame["S_W"], "cases")),
                Claim("Ranks agree less than weights.", lambda frame: counted(frame["S_R"] < frame["S_W"], "cases")),
                Claim("Sets agree less than ranks.", lambda frame: counted(frame["S_S"] < frame["S_R"], "cases")))),
    Exhibit(key="kalousis-table-3", paper=PAPER, number="Table 3", title="Errors that nobody can tell apart, and stability",
            told="Several methods have errors that McNemar's test does not tell apart. Then the more stable one is to be "
                 "preferred, which can have twice the stability of another.",
            here="All bundled tables; “alike” numbers the sets of methods whose errors on held-out rows cannot be told apart.",
            make=_errors, tables=True,
            claims=(Claim("Methods of about the same error differ much in stability.", _stability_decides),),
            page="pages/pareto.py", page_label="Pareto (“Equally accurate?”)"),
)
