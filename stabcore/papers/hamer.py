"""Hamer & Dupont 2021: maps, copies of a signal, the frequency score, compromises, the lasso, and how far measures vary."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.pareto import compromise
from stabcore.inference.estimate import stability
from stabcore.papers.exhibit import BOXES, GRID, LINES, POINTS, Claim, Exhibit, counted
from stabcore.papers.group_size import group_sizes
from stabcore.papers.source import name
from stabcore.papers.varying import estimates, variation
from stabcore.selectors.catalog import selector
from stabcore.wording import several

PAPER = "Hamer & Dupont 2021"
THREE = {"φ": "nogueira", "φ_iw": "importance_weighted", "φ_pears": "pearson_weights"}
DRAWN = 20              # features of a map
RUNS, SELECTED = 60, 10         # of Figure 10


def _map(source, _tell):
    """(facet, x, y, value): how much the most frequent features count in each run of the lasso and of a forest."""
    import pandas as pd

    result, parts = source.result(source.tables[0]), []
    for label in (name("lasso"), name("random_forest")):
        runs = result.preferences(label)
        weights = np.asarray(runs.importances) * np.asarray(runs.selected)
        weights = weights / weights.sum(axis=1, keepdims=True)
        first = np.argsort(-runs.frequencies, kind="stable")[:DRAWN]
        run, place = np.nonzero(weights[:, first])
        parts.append(pd.DataFrame({"series": label, "x": place + 1, "y": run + 1, "value": weights[run, first[place]],
                                   "often": runs.frequencies[first[place]], "feature": np.array(runs.features)[first[place]]}))
    return pd.concat(parts, ignore_index=True)


def _frequent_count_more(frame):
    own = frame[frame["series"] == name("lasso")].groupby("feature").agg(often=("often", "first"), value=("value", "mean"))
    correlation = own["often"].corr(own["value"], method="spearman")
    return bool(correlation > 0), f"rank correlation {correlation:.2f} over the {len(own)} most frequent features of the lasso"


def _curve(frame, scenario, label):
    own = frame[frame["facet"].str.startswith(scenario) & frame["series"].str.startswith(label + " ")]
    return own.sort_values("x")["y"].to_numpy()


def _moves(scenario, label, wanted):
    """A claim's test: does a measure end higher (1), lower (−1), or within 0.15 of where it began (0)?"""
    def holds(frame):
        values = _curve(frame, scenario, label)
        moved = values[-1] - values[0]
        return bool(abs(moved) < 0.15 if wanted == 0 else moved * wanted > 0.05), f"from {values[0]:.2f} to {values[-1]:.2f}"
    return holds


def _steadier_than_weights(frame):
    moved = {label: abs(values[-1] - values[0]) for label in ("φ_iw", "φ_pears") for values in [_curve(frame, "2", label)]}
    return bool(moved["φ_iw"] < moved["φ_pears"]), f"φ_iw moves by {moved['φ_iw']:.2f}, φ_pears by {moved['φ_pears']:.2f}"


def _frequency_score(source, tell):
    """(series, x, y): how often hybrid RFE selects a feature, and its mean frequency score in the runs that do."""
    import pandas as pd

    parts = []
    for number, key in enumerate(("groups", "weak")):
        data, rng = source.simulated(key), source.rng(3, number)
        scores = np.full((RUNS, data.n_features), np.nan)
        for i in range(RUNS):
            tell(number * RUNS + i, 2 * RUNS)
            drawn = rng.integers(data.n_rows, size=data.n_rows)
            fitted = selector("hybrid_rfe", forced=0).fit(data.table.rows(drawn), data.target[drawn], rng=rng, k=SELECTED)
            scores[i] = fitted.frequency_scores_
        often = np.isfinite(scores).mean(axis=0)
        some = often > 0
        parts.append(pd.DataFrame({"series": f"simulated: {key}", "x": often[some], "y": np.nanmean(scores[:, some], axis=0),
                                   "feature": np.array(data.features)[some]}))
    return pd.concat(parts, ignore_index=True)


def _goes_with_frequency(frame):
    correlations = {series: own["x"].corr(own["y"]) for series, own in frame.groupby("series", sort=False)}
    numbers = ", ".join(f"{value:.2f}" for value in correlations.values())
    return all(value > 0.2 for value in correlations.values()), f"correlation {numbers}"


def _settings(source, tell):
    """(series, x, y, label): accuracy and each stability of hybrid RFE at several settings, and which γ = ½ chooses."""
    import pandas as pd

    result = source.study("hamer", tell)
    table = result.table(list(THREE.values())).reset_index()
    parts = []
    for label, key in THREE.items():
        points = pd.DataFrame({"label": table["selector"], "accuracy": table["accuracy"], "stability": table[key]})
        points = compromise(points, 0.5)
        parts.append(pd.DataFrame({"series": label, "x": points["accuracy"], "y": points["stability"], "label": points["label"],
                                   "chosen": points["chosen"], "on_front": points["on_front"]}))
    return pd.concat(parts, ignore_index=True)


def _reach_further(frame):
    reach = frame.groupby("series")["y"].agg(lambda values: values.max() - values.min())
    return bool(reach["φ"] > reach["φ_iw"]), f"φ moves by {reach['φ']:.2f}, φ_iw by {reach['φ_iw']:.2f}"


def _fronts_differ(frame):
    fronts = {series: tuple(own.loc[own["on_front"], "label"]) for series, own in frame.groupby("series", sort=False)}
    return len(set(fronts.values())) > 1, "; ".join(f"{series}: {several(len(one), 'setting')}" for series, one in fronts.items())


def _lasso(source, _tell):
    """(table, φ, φ_pears, φ_iw): three stabilities of the lasso on every table."""
    import pandas as pd

    rows = []
    for key in source.tables:
        result = source.result(key)
        if name("lasso") in result.ready:
            estimates = stability(result.preferences(name("lasso")), list(THREE.values()))
            rows.append({"table": source.title(key), **{label: estimates[one].value for label, one in THREE.items()}})
    return pd.DataFrame(rows, columns=["table", *THREE])


def _varying(source, tell):
    return variation(estimates(source, tell))


def _distribution(source, tell):
    return estimates(source, tell, tables=("weak",))


def _no_tails(frame):
    skew = frame.groupby("series")["y"].skew()
    return bool((skew.abs() < 1).all()), "skewness " + ", ".join(f"{series} {value:.2f}" for series, value in skew.items())


_AT = "The settings file sample_data/papers/hamer.toml: hybrid RFE with several numbers of forced features and contrasts, 30 "
EXHIBITS = (
    Exhibit(key="hamer-figure-2", paper=PAPER, number="Figures 1 and 2", title="Maps of features and runs", kind=GRID,
            told="A row a run, wide where a feature counts much: the map shows which features come back and which matter.",
            here="The bundled Alzheimer's table, the lasso and a random forest; the stronger the colour, the more a feature counts "
                 "in its run.",
            make=_map, x=("x", "Feature, the most frequent first"), y=("y", "Run"), facet="series",
            tables=True,
            claims=(Claim("The lasso gives more importance to features that it selects more often (section 7.2).",
                          _frequent_count_more),), page="pages/maps.py", page_label="Maps"),
    Exhibit(key="hamer-figure-8", paper=PAPER, number="Figure 8", title="A group gets larger; nothing else changes", kind=LINES,
            told="The signal of five groups is told by more and more copies. φ rises, φ_pears falls, φ_C rises or falls without "
                 "limit; φ_iw hardly moves. With the lasso only φ_C stays.",
            here="Their three scenarios, made smaller: 120 rows, 150 loose features, 12 bootstrap runs a point.",
            make=group_sizes, x=("x", "Features in each group"), y=("y", "Stability"), facet="facet",
            seconds=20, claims=(
                Claim("Group lasso, weaker groups: φ rises with the size of the groups.", _moves("1", "φ", 1)),
                Claim("Group lasso, strong groups: φ rises with the size of the groups.", _moves("2", "φ", 1)),
                Claim("Group lasso, strong groups: φ_pears falls.", _moves("2", "φ_pears", -1)),
                Claim("Group lasso, strong groups: φ_iw stays (within 0.15).", _moves("2", "φ_iw", 0)),
                Claim("Group lasso, strong groups: φ_iw moves less than φ_pears.", _steadier_than_weights),
                Claim("Group lasso, groups that come and go: φ_C ends lower.", _moves("1", "φ_C", -1)),
                Claim("Lasso: φ_C stays (within 0.15).", _moves("3", "φ_C", 0)),
                Claim("Lasso: φ falls, as it takes another copy each time.", _moves("3", "φ", -1))),
            page="pages/whatif.py", page_label="What if?"),
    Exhibit(key="hamer-figure-10", paper=PAPER, number="Figure 10", title="Came close to being dropped, comes back less often",
            kind=POINTS, told="In one run of recursive elimination the frequency score sc_f tells how far a feature stayed from "
                              "being dropped. Features with a higher score are selected more often over all runs.",
            here="Recursive elimination on two simulated tables, 60 bootstrap runs each, ten features.",
            make=_frequency_score, x=("x", "Share of the runs that select it"), y=("y", "Mean frequency score sc_f"), seconds=15,
            claims=(Claim("The score goes with the frequency.", _goes_with_frequency),), page="pages/panel.py", page_label="Panel"),
    Exhibit(key="hamer-figure-11", paper=PAPER, number="Figure 11", title="Compromises of hybrid RFE by three measures",
            kind=POINTS,
            told="φ can be driven up much further than φ_iw, by features that come back and hardly count; the settings on the "
                 "front depend on the measure.", here=f"{_AT}bootstrap runs of the bundled Alzheimer's table. Grey rings: what γ "
                                                      f"= ½ chooses.",
            make=_settings, x=("x", "Accuracy"), y=("y", "Stability"), protocol="hamer", seconds=90,
            claims=(Claim("φ can be moved further than φ_iw.", _reach_further),
                    Claim("The settings on the front depend on the measure.", _fronts_differ)),
            page="pages/pareto.py", page_label="Pareto (Compromise)"),
    Exhibit(key="hamer-table-5", paper=PAPER, number="Table 5", title="The lasso by three measures",
            told="The lasso gives features that come back more weight, which raises φ_iw, but another weight each time, which "
                 "keeps it below φ_pears.", here="All bundled tables.", make=_lasso, tables=True, claims=(
                Claim("φ_iw is below φ_pears.", lambda frame: counted(frame["φ_iw"] < frame["φ_pears"], "tables")),
                Claim("φ_iw is above φ.", lambda frame: counted(frame["φ_iw"] > frame["φ"], "tables")))),
    Exhibit(key="hamer-figure-19", paper=PAPER, number="Figure 19", title="How far measures vary with five runs",
            told="With few runs the stability itself varies: φ least, φ_iw more, φ_pears most, on most tables.",
            here="The lasso on four simulated tables, 200 bootstrap runs, five an estimate; standard deviation over mean.",
            make=_varying, seconds=30, claims=(
                Claim("φ varies less than φ_pears.", lambda frame: counted(frame["φ"] < frame["φ_pears"], "tables")),
                Claim("φ_iw varies less than φ_pears.", lambda frame: counted(frame["φ_iw"] < frame["φ_pears"], "tables")),
                Claim("φ varies less than φ_iw.", lambda frame: counted(frame["φ"] < frame["φ_iw"], "tables"))),
            page="pages/profiles.py", page_label="Profiles (enough runs?)"),
    Exhibit(key="hamer-figure-20", paper=PAPER, number="Figure 20", title="The distribution of an estimate", kind=BOXES,
            told="Estimates from five runs each are about normally distributed.", here="The lasso on the simulated table “weak”.",
            make=_distribution, x=("series", ""), y=("y", "Stability of five runs"), seconds=10,
            claims=(Claim("About normal: no long tail to one side (skewness below 1).", _no_tails),)),
)
