"""Predicted risks: their variation between models, and the calibration of the models."""

import numpy as np
import pandas as pd

from stabcore.base.text import counted
from stabcore.plots.marks import line, points, segments
from stabcore.plots.names import safe
from stabcore.plots.style import GREY, MEASURED, PALETTE, empty_figure, mark_value, set_share_axes

LARGE_MAPE = 0.1  # mean change of a risk above which a patient is counted
OFTEN_CHANGED = 0.1  # share of the models that must change a patient's class for the patient to be counted


def row_noun(data) -> str:
    """Return the noun for a row of Risk.table: patient, or row if patients have several rows."""
    return "patient" if data is None or data.patients is None else "row"


def finding_risk(table, threshold, noun="patient") -> str:
    """Describe the variation of risks and the number of changed classes, of Risk.table. noun: of row_noun."""
    changing, far = int((table["changes"] > OFTEN_CHANGED).sum()), int((table["mape"] > LARGE_MAPE).sum())
    return (
        f"The risk of a {noun} differs by {100 * table['mape'].mean():.0f} percentage points on average between the models of the "
        f"runs and the model of all rows (largest: {100 * table['mape'].max():.0f}). The mean difference exceeds "
        f"{100 * LARGE_MAPE:.0f} points for {far} of {counted(len(table), noun)}. More than a tenth of the models put {changing} "
        f"of {len(table):,} on the other side of {threshold:.0%}."
    )


def frame_risk(table):
    """Return Risk.table in the order of risk."""
    return table.sort_values("risk", kind="stable", ignore_index=True)


def draw_risk(frame, threshold, event=""):
    """Draw the risks by the models of the runs (95% band) against the risk by the model of all rows."""
    figure = empty_figure(x="Risk by the model of all rows", y="Risk by the models of the runs", height=480)
    figure.add_trace(line([0, 1], [0, 1], "grey", None, line={"dash": "dot"}, name="the same risk"))
    for happened, name, colour, symbol in (
        (False, f"not {safe(event)}", MEASURED, "circle-open"),
        (True, safe(event), PALETTE[5], "diamond"),
    ):
        patients = frame[frame["happened"] == happened]
        x, y = segments([((row.risk, row.low), (row.risk, row.high)) for row in patients.itertuples()])
        hovers = [
            f"row {row.row}: {row.risk:.0%} [{row.low:.0%}, {row.high:.0%}]<br>mean difference {100 * row.mape:.0f} points, "
            f"other side in {row.changes:.0%} of the models"
            for row in patients.itertuples()
        ]
        look = {"color": colour, "symbol": symbol, "size": 6}
        figure.add_traces([line(x, y, colour, 1, opacity=0.5), points(patients["risk"], patients["risk"], look, hovers, name=name)])
    mark_value(figure, threshold, f"threshold {threshold:.0%}")
    figure.add_hline(y=threshold, line={"dash": "dot", "color": "grey"}, layer="below")
    return set_share_axes(figure, "xy", -0.03)


def frame_mape(table):
    """DataFrame(row, mape, share) of Risk.table in order of mape. share: of the patients whose risk varies at most this much."""
    moves = table[["row", "mape"]].sort_values("mape", kind="stable", ignore_index=True)
    return moves.assign(share=np.arange(1, len(moves) + 1) / len(moves))


def finding_mape(frame, of="patient") -> str:
    """Describe the median and the 90th percentile of the mean differences. noun: of row_noun."""
    half, most = (100 * frame.loc[frame["share"] >= share - 1e-9, "mape"].iloc[0] for share in (0.5, 0.9))
    return (
        f"For half of the {of}s, the risks differ by at most {half:.0f} percentage points on average. For 90% of the {of}s, they "
        f"differ by at most {most:.0f}."
    )


def draw_mape(frame, of="patient"):
    """Draw the share of the patients against the mean absolute difference of their risks (MAPE)."""
    figure = empty_figure(x="Mean difference at most (MAPE)", y=f"Share of the {of}s", height=340)
    hovers = [f"row {row.row}: {100 * row.mape:.0f} points, at most this for {row.share:.0%}" for row in frame.itertuples()]
    x, y, look = [0, *frame["mape"]], [0, *frame["share"]], {"shape": "hv"}
    figure.add_trace(line(x, y, MEASURED, 2, ["", *hovers], line=look))
    figure.update_xaxes(range=[0, 1.06 * max(frame["mape"].max(), 0.01)], tickformat=".0%")
    return set_share_axes(figure, "y", 0)


def frame_calibration(curves):
    """Return the rows of Risk.curves if some patients have about this risk."""
    return curves.dropna(subset="happened").reset_index(drop=True)


def draw_calibration(frame):
    """Draw observed shares against predicted risks: a thin line per run, a thick one for the model of all rows."""
    figure = empty_figure(x="Predicted risk", y="Observed share of events", height=420)
    of_runs = [part for _, part in frame[frame["model"] > 0].groupby("model")]
    x, y = ([value for part in of_runs for value in (*part[name], np.nan)] for name in ("risk", "happened"))
    of_all = frame[frame["model"] == 0]
    figure.add_trace(line(x, y, GREY, 1, opacity=0.5, name="models of the runs"))
    figure.add_trace(line(of_all["risk"], of_all["happened"], MEASURED, 3, name="model of all rows", hoverinfo=None))
    figure.add_trace(line([0, 1], [0, 1], "grey", None, line={"dash": "dot"}, name="as predicted"))
    return set_share_axes(figure, "xy", -0.03)


def frame_patient(risk, row):
    """DataFrame(model, risk) of one patient of a Risk. row counts from 1, and model 0 is that of all rows."""
    return pd.DataFrame({"model": range(len(risk.models) + 1), "risk": [risk.on_all_rows[row - 1], *risk.models[:, row - 1]]})


def finding_patient(frame, row, threshold) -> str:
    """Describe the risk of one patient by all models."""
    on_all_rows, models = frame["risk"].iloc[0], frame["risk"].iloc[1:]
    other = int(((models > threshold) != (on_all_rows > threshold)).sum())
    return (
        f"Row {row}: {on_all_rows:.0%} by the model of all rows, {models.min():.0%} to {models.max():.0%} by the "
        f"{counted(len(models), 'model')} of the runs. On the other side of {threshold:.0%}: {other} of {len(models)} models."
    )


def draw_patient(frame, threshold):
    """Draw the risk of one patient by every model of the runs, in ascending order, and by the model of all rows."""
    figure = empty_figure(x="Models of the runs, by increasing risk", y="Predicted risk", height=300)
    models = sorted(frame["risk"].iloc[1:])
    look = {"size": 7, "color": MEASURED}
    figure.add_trace(points(list(range(1, len(models) + 1)), models, look, name="models of the runs", hoverinfo="y"))
    figure.add_hline(y=frame["risk"].iloc[0], line={"color": PALETTE[5], "width": 2})
    figure.add_trace(line([None], [None], PALETTE[5], 2, name="model of all rows", hoverinfo=None))
    figure.add_hline(y=threshold, line={"dash": "dot", "color": "grey"}, layer="below")
    return set_share_axes(figure, "y", -0.03)
