"""Clinical worth of a panel: measures of its model, calibration, and the decision curve."""

import numpy as np

from stabcore.base.text import counted, format_definite
from stabcore.plots.marks import line
from stabcore.plots.style import GREY, MEASURED, empty_figure, set_share_axes, translucent

MEASURE_NAMES = {
    "concordance": "Concordance (AUC)",
    "brier": "Brier score",
    "intercept": "Calibration intercept",
    "slope": "Calibration slope",
    "e50": "E50",
    "e90": "E90",
}
MIN_NET_BENEFIT = -0.1  # lower end of the axis of net benefit
ABOUT_WORTH = (
    "Corrected: the value in these patients, less the optimism of bootstrap samples. An interval is shown in Python only, because "
    "it holds only for features that were chosen without these patients.",
    "Runs: each selects its own features, and its model is judged on patients that the run has not seen.",
    "E50 and E90: median and 90th percentile of the distance between predicted risk and observed share. They have no interval, as "
    "chance alone makes them positive.",
)


def finding_worth(worth) -> str:
    """Describe the concordance: over the runs, in patients that these have not seen, and of the panel, corrected for optimism."""
    row, features = worth.table.set_index("measure").loc["concordance"], format_definite(len(worth.features), "feature")
    if not _knows_runs(worth):
        of_panel = f"The model on {features} of the panel has a concordance of {row['corrected']:.2f}, corrected for optimism."
        return f"{of_panel} That may be too high if these patients selected the panel."
    return (
        f"In unseen patients, models of single runs ({worth.run_size:.3g} features each) have a concordance of {_over_runs(row)}. "
        f"That of the panel ({counted(len(worth.features), 'feature')}) is {row['corrected']:.2f}, which may be too high, "
        "because these patients selected it."
    )


def table_worth(worth):
    """Return the measures of a ClinicalWorth with their names on screens, without columns that are empty.

    Without the intervals, which do not hold for a panel that was selected on these patients.
    """
    named = worth.table.assign(measure=worth.table["measure"].map(MEASURE_NAMES))
    return named.drop(columns=["low", "high"]).dropna(axis="columns", how="all")


def frame_worth_calibration(worth):
    """Return the calibration of a ClinicalWorth at risks that the model predicts."""
    return worth.calibration.dropna(subset=["corrected", "run_median"], how="all").reset_index(drop=True)


def finding_worth_calibration(worth) -> str:
    """Describe the slope over the runs, and slope, E50 and E90 of the panel, corrected for optimism."""
    rows = worth.table.set_index("measure")
    slope, half, most = (rows.loc[measure, "corrected"] * times for measure, times in (("slope", 1), ("e50", 100), ("e90", 100)))
    of_panel = (
        f"{slope:.2f}. Half of its risks are within {half:.0f} percentage points of the observed share, 90% within {most:.0f}."
    )
    if not _knows_runs(worth) or np.isnan(rows.loc["slope", "run_median"]):
        return f"Corrected for optimism, the calibration slope of the panel is {of_panel}"
    of_runs = f"In unseen patients, the calibration slope of single runs is {_over_runs(rows.loc['slope'])}."
    return f"{of_runs} That of the panel is {of_panel}"


def draw_worth_calibration(frame):
    """Draw observed against predicted risks: corrected for optimism, and over the runs with a band of 95% of them."""
    figure = empty_figure(x="Predicted risk", y="Observed share of events", height=420)
    _add_runs(figure, frame, "risk")
    figure.add_trace(line(frame["risk"], frame["corrected"], MEASURED, 3, name="panel, corrected for optimism", hoverinfo=None))
    figure.add_trace(line([0, 1], [0, 1], GREY, None, line={"dash": "dot"}, name="as predicted"))
    return set_share_axes(figure, "xy", -0.03)


def frame_decision_curve(worth):
    """Return the net benefit of a ClinicalWorth up to a threshold at which hardly anybody is treated, and that of treating none."""
    curve = worth.net_benefit.assign(treat_none=0.0)
    columns = ["apparent", "corrected", "low", "high", "run_median"]
    used = (curve[columns].abs() > 1e-12).any(axis=1).to_numpy()
    return curve[: int(np.flatnonzero(used)[-1]) + 1 if used.any() else 1].reset_index(drop=True)


def finding_decision_curve(frame) -> str:
    """Describe the thresholds at which treating by the model is better than treating everybody and nobody."""
    of_runs = frame["run_median"].notna().any()
    if not of_runs and frame["low"].isna().all():
        return "The net benefit has no interval, as too few patients have the event, or do not have it."
    best = np.maximum(frame["treat_all"], 0.0)
    better = frame.loc[frame["run_low" if of_runs else "low"] > best + 1e-12, "threshold"]
    whose, count = "models of the runs" if of_runs else "model", counted(len(better), "threshold")
    of_panel = "by its 95% interval, if these patients did not select the panel"
    where = "in 97.5% of the runs, in patients that the run has not seen" if of_runs else of_panel
    if better.empty:
        return f"At no threshold does the net benefit of the {whose} exceed that of treating everybody or nobody, {where}."
    return (
        f"The net benefit of the {whose} exceeds that of treating everybody or nobody at {count} from {better.min():.0%} to "
        f"{better.max():.0%}. This holds {where}."
    )


def draw_decision_curve(frame):
    """Draw net benefit against the risk threshold of treatment."""
    figure = empty_figure(x="Risk above which patients are treated", y="Net benefit", height=420)
    _add_runs(figure, frame, "threshold")
    for column, colour, width, name in (
        ("corrected", MEASURED, 3, "panel, corrected for optimism"),
        ("treat_all", GREY, 1.5, "treat everybody"),
        ("treat_none", GREY, 1.5, "treat nobody"),
    ):
        dash = {"dash": "dash" if column == "treat_none" else "solid"}
        figure.add_trace(line(frame["threshold"], frame[column], colour, width, line=dash, name=name, hoverinfo=None))
    figure.update_xaxes(range=[0, 1.02 * frame["threshold"].max()], tickformat=".0%")
    figure.update_yaxes(range=[MIN_NET_BENEFIT, 1.1 * max(frame[["corrected", "treat_all"]].max().max(), 0.02)])
    return figure


def _add_runs(figure, frame, x):
    """Draw the median over the runs and a band of 95% of them, where they are known."""
    if not frame["run_median"].notna().any():
        return
    with_band = frame.dropna(subset=["run_low", "run_high"])
    ends = [*with_band[x], *with_band[x][::-1]], [*with_band["run_high"], *with_band["run_low"][::-1]]
    pale = translucent(MEASURED)
    figure.add_trace(line(*ends, pale, 0, fill="toself", fillcolor=pale, name="95% of the runs"))
    figure.add_trace(line(frame[x], frame["run_median"], MEASURED, 1, name="median run, unseen patients", hoverinfo=None))


def _knows_runs(worth):
    return bool(worth.n_runs) and not np.isnan(worth.table.set_index("measure").loc["concordance", "run_median"])


def _over_runs(row):
    """The median over the runs, with a range of 95% of them."""
    return f"{row['run_median']:.2f} (95% of the runs {row['run_low']:.2f} to {row['run_high']:.2f})"
