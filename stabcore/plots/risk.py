"""Pictures of each patient's risk: how far it moves from model to model, and how the models are calibrated."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import be, several
from stabcore.plots.names import safe
from stabcore.plots.style import GREY, PALETTE, blank, mark_value

FAR_MOVED = 0.1  # how far a risk moves on average, from which on that is told
OFTEN_CHANGED = 0.1  # share of the models that change a patient's class, from which on that is told


def row_noun(data) -> str:
    """What a line of Risk.table is, in a word: a patient, or a row where patients of the table have several."""
    return "patient" if data is None or data.patients is None else "row"


def finding_risk(table, threshold, of="patient") -> str:
    """How far risks move and how many patients change sides, of Risk.table; of: what a line of it is, see row_noun."""
    changing = int((table["changes"] > OFTEN_CHANGED).sum())
    far = int((table["mape"] > FAR_MOVED).sum())
    whose = "a patient's risk" if of == "patient" else "the risk of a row"
    return (
        f"The models of the runs move {whose} by {100 * table['mape'].mean():.0f} points of 100 on average, away from "
        f"that by the model of all rows; of one {of} by {100 * table['mape'].max():.0f}, of {far or 'none'} by more than "
        f"{100 * FAR_MOVED:.0f}. "
        f"{several(changing, of) if changing else 'None'} of {len(table):,} "
        f"{be(changing or 1)} on the other side of {threshold:.0%} in more than a tenth of the models."
    )


def frame_risk(table):
    """Risk.table as it is drawn, from the lowest risk to the highest."""
    return table.sort_values("risk", kind="stable", ignore_index=True)


def draw_risk(frame, threshold, event=""):
    """Each patient's risk by the models of the runs (band of 95%) against that by the procedure on all rows."""
    figure = blank(x="Risk by the model of all rows", y="Risk by the models of the runs", height=480)
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", line={"color": "grey", "dash": "dot"}, hoverinfo="skip", name="the same risk"
    )
    for happened, name, colour, symbol in (
        (False, f"not {safe(event)}", PALETTE[0], "circle-open"),
        (True, safe(event), PALETTE[5], "diamond"),
    ):
        patients = frame[frame["happened"] == happened]
        bands = [point for row in patients.itertuples() for point in ((row.risk, row.low), (row.risk, row.high), (np.nan, np.nan))]
        figure.add_scatter(
            x=[x for x, _ in bands],
            y=[y for _, y in bands],
            mode="lines",
            hoverinfo="skip",
            opacity=0.5,
            line={"color": colour, "width": 1},
            showlegend=False,
        )
        figure.add_scatter(
            x=patients["risk"],
            y=patients["risk"],
            mode="markers",
            name=name,
            hoverinfo="text",
            marker={"color": colour, "symbol": symbol, "size": 6},
            text=[
                f"row {row.row}: {row.risk:.0%} [{row.low:.0%}, {row.high:.0%}]<br>moves by {100 * row.mape:.0f} points, "
                f"other side in {row.changes:.0%} of the models"
                for row in patients.itertuples()
            ],
        )
    mark_value(figure, threshold, f"threshold {threshold:.0%}")
    figure.add_hline(y=threshold, line={"dash": "dot", "color": "grey"}, layer="below")
    figure.update_xaxes(range=[-0.03, 1.03], tickformat=".0%")
    figure.update_yaxes(range=[-0.03, 1.03], tickformat=".0%")
    return figure


def frame_mape(table):
    """DataFrame(row, mape, share) of Risk.table: how far risks move, the least first; share: of patients who move no further."""
    moves = table[["row", "mape"]].sort_values("mape", kind="stable", ignore_index=True)
    return moves.assign(share=np.arange(1, len(moves) + 1) / len(moves))


def finding_mape(frame, of="patient") -> str:
    """How far half and nine tenths of the risks move at most; of: what a line of the frame is, see row_noun."""
    half, most = (100 * frame.loc[frame["share"] >= share - 1e-9, "mape"].iloc[0] for share in (0.5, 0.9))
    return (
        f"The models of the runs move the risks of half of the {of}s by at most {half:.0f} points of 100 on average, those "
        f"of nine in ten by at most {most:.0f}."
    )


def draw_mape(frame, of="patient"):
    """The share of the patients against how far their risks move at most (MAPE); of: what a line of the frame is, see row_noun."""
    figure = blank(x="Moves on average by at most (MAPE)", y=f"Share of the {of}s", height=340)
    figure.add_scatter(
        x=[0, *frame["mape"]],
        y=[0, *frame["share"]],
        mode="lines",
        hoverinfo="text",
        showlegend=False,
        line={"color": PALETTE[0], "width": 2, "shape": "hv"},
        text=[
            "",
            *(
                f"row {row.row}: {100 * row.mape:.0f} points; {row.share:.0%} of the {of}s move by no more"
                for row in frame.itertuples()
            ),
        ],
    )
    figure.update_xaxes(range=[0, 1.06 * max(frame["mape"].max(), 0.01)], tickformat=".0%")
    figure.update_yaxes(range=[0, 1.03], tickformat=".0%")
    return figure


def frame_calibration(curves):
    """Risk.curves where patients have about such a risk."""
    return curves.dropna(subset="happened").reset_index(drop=True)


def draw_calibration(frame):
    """In what share of the patients it happened against their risk: a thin line a run, a strong one for the model of all rows."""
    figure = blank(x="Predicted risk", y="Share in whom it happened", height=420)
    runs = frame[frame["model"] > 0]
    lines = [part for _, part in runs.groupby("model")]
    x = [value for part in lines for value in (*part["risk"], np.nan)]
    y = [value for part in lines for value in (*part["happened"], np.nan)]
    whole = frame[frame["model"] == 0]
    figure.add_scatter(
        x=x, y=y, mode="lines", line={"color": GREY, "width": 1}, opacity=0.5, hoverinfo="skip", name="models of the runs"
    )
    figure.add_scatter(
        x=whole["risk"], y=whole["happened"], mode="lines", line={"color": PALETTE[0], "width": 3}, name="model of all rows"
    )
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", line={"color": "grey", "dash": "dot"}, hoverinfo="skip", name="as predicted"
    )
    figure.update_xaxes(range=[-0.03, 1.03], tickformat=".0%")
    figure.update_yaxes(range=[-0.03, 1.03], tickformat=".0%")
    return figure


def frame_patient(risk, row):
    """DataFrame(model, risk), one row a model, of one patient of a Risk: row counts from 1; model 0 is that of all rows."""
    import pandas as pd

    return pd.DataFrame({"model": range(len(risk.models) + 1), "risk": [risk.whole[row - 1], *risk.models[:, row - 1]]})


def finding_patient(frame, row, threshold) -> str:
    """One patient's risk by all models, in a sentence."""
    whole, models = frame["risk"].iloc[0], frame["risk"].iloc[1:]
    other = int(((models > threshold) != (whole > threshold)).sum())
    return (
        f"Row {row}: {whole:.0%} by the model of all rows; {several(len(models), 'model')} of the runs say {models.min():.0%} "
        f"to {models.max():.0%}, and {other or 'none'} of them {be(max(other, 1))} on the other side of {threshold:.0%}."
    )


def draw_patient(frame, threshold):
    """The risk of one patient by every model of the runs, in their order from the lowest, and by the model of all rows."""
    figure = blank(x="Models of the runs, from the lowest risk on", y="Predicted risk", height=300)
    models = sorted(frame["risk"].iloc[1:])
    figure.add_scatter(
        x=list(range(1, len(models) + 1)),
        y=models,
        mode="markers",
        name="models of the runs",
        hoverinfo="y",
        marker={"size": 7, "color": PALETTE[0]},
    )
    figure.add_hline(y=frame["risk"].iloc[0], line={"color": PALETTE[5], "width": 2})
    figure.add_scatter(x=[None], y=[None], mode="lines", name="model of all rows", line={"color": PALETTE[5], "width": 2})
    figure.add_hline(y=threshold, line={"dash": "dot", "color": "grey"}, layer="below")
    figure.update_yaxes(range=[-0.03, 1.03], tickformat=".0%")
    return figure
