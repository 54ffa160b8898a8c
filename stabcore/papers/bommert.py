"""Bommert, Rahnenführer & Lang 2017: properties of measures, a random search of configurations, and fronts by measure."""

from __future__ import annotations

from typing import Any

import numpy as np

from stabcore.inference.estimate import terms_of
from stabcore.measures.catalog import entry
from stabcore.papers.by_search import (
    FEWER_IS_BETTER,
    MEASURES,
    UNCORRECTED,
    criteria,
    fronts,
    good,
    mean_within,
    rank_correlations,
    searched,
    second_look,
)
from stabcore.papers.exhibit import BOXES, GRID, LINES, MATRIX, POINTS, Claim, Exhibit, counted
from stabcore.preferences import Preferences

PAPER = "Bommert, Rahnenführer & Lang 2017"
D, RUNS, REPEATS = 60, 10, 40           # of the random sets of Table 1
SIZES = (2, 5, 10, 20, 30, 45)
SOME = ("SJ", "SD-0", "SD-1", "SD-10", "SL", "SS", "SC")        # drawn against each other
SHOWN = ("SJ", "SD-1", "SD-10", "SC")       # one of each kind
_WAIT = 90


def _by_lot(source, tell):
    """(series, x, y): the mean of each measure over random sets of each size."""
    import pandas as pd

    rng, rows = source.rng(1), []
    for number, size in enumerate(SIZES):
        tell(number, len(SIZES))
        values_of: dict[str, list[float]] = {}
        for _ in range(REPEATS):
            selected = np.zeros((RUNS, D))
            np.put_along_axis(selected, rng.random((RUNS, D)).argsort(axis=1)[:, :size], 1, axis=1)
            runs = Preferences.from_selection_matrix(selected)
            for called, (key, options) in MEASURES.items():
                values_of.setdefault(called, []).append(terms_of(runs, entry(key), None, options).value())
        rows += [(called, size, float(np.mean(values))) for called, values in values_of.items()]
    return pd.DataFrame(rows, columns=["series", "x", "y"])


def _spreads(frame, names):
    grouped = frame[frame["series"].isin(names)].groupby("series", sort=False)["y"]
    return grouped.max() - grouped.min()


def _constant(names, wanted):
    """A claim's test: do the means of these measures stay within 0.1 over all sizes?"""
    def holds(frame):
        moved = _spreads(frame, names)
        return bool((moved < 0.1).all() if wanted else (moved >= 0.1).all()), ", ".join(
            f"{one} moves by {value:.2f}" for one, value in moved.items())
    return holds


def _points(source, tell):
    return source.once("criteria", lambda: criteria(searched(source, tell)))


def _long(source, tell):
    """(series, x, y): every measure of every configuration, with the mean size."""
    points = _points(source, tell)
    return points.melt(["selector", "filter", "learner", "error", "size"], list(MEASURES), "series", "y").assign(
        x=lambda frame: frame["size"])


def _sparse_alike(points):
    """Do measures agree better on configurations with few features?"""
    few = points["size"] <= points["size"].median()
    names = [one for one in SOME if one != "SD-10"]         # of which they say so for very small models alone
    small, large = (mean_within(rank_correlations(points[which]), names) for which in (few, ~few))
    return bool(small > large), f"mean rank correlation {small:.2f} with few features, {large:.2f} with many"


def _uncorrected_together(points):
    inside = mean_within(rank_correlations(points), UNCORRECTED)
    return bool(inside > 0.9), f"mean rank correlation {inside:.2f}"


def _alone(points):
    table = rank_correlations(points)
    nearest = table.loc["SD-10"].drop("SD-10").max()
    others = mean_within(table, ("SC", "SS"))
    return bool(nearest < others), f"its largest rank correlation is {nearest:.2f}; that of SC and SS {others:.2f}"


def _grows(names, sign):
    """A claim's test: do these measures grow (1) or fall (−1) with the mean size?"""
    def holds(frame):
        correlations = {one: own["y"].corr(own["x"], method="spearman")
                        for one, own in frame.groupby("series", sort=False) if one in names}
        return all(value * sign > 0 for value in correlations.values()), "rank correlation with the size: " + ", ".join(
            f"{one} {value:.2f}" for one, value in correlations.items())
    return holds


def _zero_when_large(frame):
    own = frame[(frame["series"] == "SD-10") & (frame["x"] > frame["x"].max() / 2)]
    return bool((own["y"] == 0).mean() > 0.9), f"{(own['y'] == 0).mean():.0%} of the large configurations have 0"


def _within_unit(frame):
    low = frame.groupby("series")["y"].min()
    below = [one for one in low.index if low[one] < 0]
    return set(below) <= {"SC", "SL"}, f"below 0: {', '.join(below) or 'none'}"


def _member(source, tell):
    """(x, y): which configuration is on the front of error, size and stability by which measure."""
    members = fronts(_points(source, tell))
    order = {label: number for number, label in enumerate(members["selector"].value_counts(sort=True).index, 1)}
    return members.assign(x=members["selector"].map(order), y=members["measure"], value=1.0, series="on the front")


def _differ(frame):
    often = frame["selector"].value_counts()
    everywhere = int((often == len(MEASURES)).sum())
    return 0 < everywhere < len(often), f"{everywhere} of {len(often)} configurations are on the front by all measures"


def _overview(source, tell):
    """(facet, series, x, y): size and 1 − stability of what is accurate enough, by filter and learner, one kind of measure each."""
    points = good(_points(source, tell))
    long = points.melt(["selector", "filter", "learner", "error", "size"], list(SHOWN), "facet", "stability")
    return long.assign(series=long["filter"], x=long["size"], y=1 - long["stability"])


def _boosting_is_sparse(frame):
    size = frame[frame["facet"] == "SJ"].groupby("learner")["size"].median()
    return bool(size.idxmin() == "glm_boosting"), ", ".join(f"{one}: median {value:.0f}" for one, value in size.items())


def _variance_is_stable(frame):
    own = frame[frame["facet"] == "SJ"].sort_values("y").groupby("learner").first()
    return counted(own["filter"] == "variance", "learners")


def _large_on_front(frame):
    from stabcore.analysis.pareto import front

    sizes = {}
    for measure, own in frame.groupby("facet", sort=False):
        placed = front(own.assign(stability=1 - own["y"]), ("size", "stability"), smaller=("size",))
        sizes[measure] = float(placed.loc[placed["on_front"], "size"].max())
    return bool(sizes["SJ"] >= max(sizes.values())), "largest on the front: " + ", ".join(
        f"{one} {value:.0f}" for one, value in sizes.items())


def _again(column, better):
    def holds(frame):
        mean = frame.groupby("kind")[column].mean()
        return bool(better(mean["front"], mean["accurate"])), f"front {mean['front']:.2f}, most accurate {mean['accurate']:.2f}"
    return holds


def _error_close(frame):
    mean = frame.groupby("kind")["error there"].mean()
    return bool(mean["front"] <= mean["accurate"] + 0.07), f"front {mean['front']:.3f}, most accurate {mean['accurate']:.3f}"


_HERE = "96 configurations drawn from nearly their Table 3, ten folds of one half of the bundled Alzheimer's table (bommert.toml)"
_SEARCH: dict[str, Any] = {"protocol": "bommert", "seconds": _WAIT}
_PARETO: dict[str, Any] = {"page": "pages/pareto.py", "page_label": "Pareto"}
EXHIBITS = (
    Exhibit(key="bommert-table-1", paper=PAPER, number="Table 1", title="What measures make of random sets", kind=LINES,
            told="Of random sets, measures that take away what these share say the same whatever their size; others rise or fall.",
            here=f"{RUNS} random sets of {D} features, {REPEATS} times for every size.", make=_by_lot,
            x=("x", "Features in every random set"), y=("y", "Mean of the measure"), seconds=5, claims=(
                Claim("SC and SL say the same of random sets of any size.", _constant(("SC", "SL"), True)),
                Claim("SS says the same of random sets of any size.", _constant(("SS",), True)),
                Claim("SJ, SD, SO, SN and SD-0 do not.", _constant(UNCORRECTED, False)))),
    Exhibit(key="bommert-figure-4", paper=PAPER, number="Figure 4", title="All configurations by all measures", kind=BOXES,
            told="The same selections get values that differ much in height and spread; only SC and SL go below 0.",
            here=f"{_HERE}.",
            make=_long, x=("series", ""), y=("y", "Stability"), **_SEARCH,
            claims=(Claim("No measure but SC and SL goes below 0.", _within_unit),)),
    Exhibit(key="bommert-figure-5", paper=PAPER, number="Figure 5", title="Measure against measure, coloured by size", kind=MATRIX,
            told="Measures that are not corrected order the configurations alike; SD-10 stands alone; with few features all agree.",
            here=f"{_HERE}.", make=_points, x=(" ".join(SOME), ""), y=("size", "Mean number of features"), **_SEARCH, claims=(
                Claim("Uncorrected measures (SJ, SD, SO, SN, SD-0) order configurations alike.", _uncorrected_together),
                Claim("SD-10 is not similar to any other.", _alone),
                Claim("Measures agree better where few features are selected.", _sparse_alike)), **_PARETO),
    Exhibit(key="bommert-figure-6", paper=PAPER, number="Figure 6", title="Stability and the number of features", kind=POINTS,
            told="Uncorrected measures rise with the number of features, those with a penalty fall; SD-10 is 0 for all large ones.",
            here=f"{_HERE}.", make=_long, x=("x", "Mean number of features"), y=("y", "Stability"), facet="series",
            series="learner", **_SEARCH, claims=(
                Claim("Uncorrected measures rise with the size.", _grows(UNCORRECTED, 1)),
                Claim("Measures with a penalty fall with the size.", _grows(FEWER_IS_BETTER, -1)),
                Claim("SC and SS fall with the size.", _grows(("SC", "SS"), -1)),
                Claim("SD-10 is 0 for most large configurations.", _zero_when_large)), **_PARETO),
    Exhibit(key="bommert-figure-7", paper=PAPER, number="Figure 7", title="On the front by which measure?", kind=GRID,
            told="Some configurations are on the front of error, size and stability by every measure, most by some only.",
            here=f"{_HERE}.", make=_member, x=("x", "Configuration, those on most fronts first"), y=("y", ""), **_SEARCH,
            claims=(Claim("Which configurations are on the front depends on the measure.", _differ),), **_PARETO),
    Exhibit(key="bommert-figure-8", paper=PAPER, number="Figures 8 and 9", title="Accurate enough: size against stability",
            kind=POINTS, told="Among configurations within 0.05 of the least error, GLM boosting is always sparse, the variance "
                              "filter most stable; only by SJ, which is not corrected, large ones are on the front.",
            here=f"{_HERE}; error within 0.05 of the least.", make=_overview, x=("x", "Mean number of features"),
            y=("y", "1 − stability"), facet="facet", log=("x",), **_SEARCH, claims=(
                Claim("GLM boosting gives the sparsest models.", _boosting_is_sparse),
                Claim("With most learners the most stable configuration uses the variance filter.", _variance_is_stable),
                Claim("By SJ the largest configurations are on the front.", _large_on_front)), **_PARETO),
    Exhibit(key="bommert-figure-10", paper=PAPER, number="Figures 10 and 11", title="Chosen on one half, looked at on the other",
            told="Configurations on the front of size and stability are sparser and more stable also on the other half than the "
                 "most accurate ones, and hardly less accurate.", here=f"{_HERE}; chosen ones run again on the other half.",
            make=second_look, **_SEARCH | {"seconds": _WAIT + 30}, claims=(
                Claim("There too they are sparser.", _again("size there", lambda one, other: one < other)),
                Claim("There too they are more stable.", _again("stability there", lambda one, other: one > other)),
                Claim("There too the error is close (within 0.07).", _error_close)), **_PARETO),
)
