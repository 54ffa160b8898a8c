"""Part 5 of a report: each selector beside its own noise floor, selectors compared, seed variability."""

from __future__ import annotations

import numpy as np

from stabcore.plots import estimates
from stabcore.plots.comparisons import finding_comparisons, frame_comparisons
from stabcore.plots.noise_floor import (
    OF_ALL_RUNS,
    OF_EFFECTIVE,
    OF_HALVES,
    PANELS,
    describe_beyond,
    describe_shared_features,
    finding_beyond,
    floor_is_measured,
    headline_rows,
)
from stabcore.plots.seed_variability import frame_seed_variability
from stabcore.plots.values import format_with_interval, format_with_range
from stabcore.reporting.blocks import Bullets, Heading, Table, Text

AT_FLOOR, FROM_FLOOR = ("floor", "floor_low", "floor_high"), ("beyond", "beyond_low", "beyond_high")
NEW_PATIENTS = (
    "Other patients of the same kind give another value. The study was computed ten times, each time without one fifth "
    "of the patients. The interval is for the average over such tables."
)
VALUE, FLOOR, BEYOND = "stability (95% CI)", "noise floor (range)", "beyond the floor (95% CI)"


def stability(subject):
    """The headline, one sentence per selector, the table; comparisons only where the noise floor was measured."""
    result, frame = subject.result, subject.beyond
    blocks = [
        Text(finding_beyond(frame, result)),
        Bullets([_with_runs(subject, row["selector"], describe_beyond(row)) for row in headline_rows(frame).to_dict("records")]),
        *(Text(one, small=True) for one in _notes(frame)),
        Text(estimates.describe_intervals(result), small=True),
        Table(
            "stability",
            "Stability of each selector beside its noise floor",
            table(frame),
            ("selector", "quantity", VALUE, FLOOR, BEYOND, "p", "clear", "note"),
        ),
    ]
    if subject.is_study and subject.data is not None and len(subject.new_patients):
        blocks += [
            Heading("Intervals for new patients"),
            Text(NEW_PATIENTS),
            Table(
                "new_patients",
                "Stability with an interval (95%) for the average over tables of other patients",
                subject.new_patients,
            ),
        ]
    if len(result.finished_selectors) > 1 and subject.judged:
        pairs = frame_comparisons(subject.stability_pairs("nogueira"))
        blocks += [
            Heading("Selectors compared"),
            Text(finding_comparisons(pairs)),
            Table(
                "comparisons",
                "Differences between selectors in Φ over all runs beyond the noise floor, p by Holm",
                pairs.drop(columns="baseline"),
            ),
        ]
    if result.has_repeats:
        seeds = frame_seed_variability(result.seed_variability())
        blocks += [
            Heading("Seed variability"),
            Bullets(seeds["sentence"].tolist()),
            Table(
                "dice",
                "Share of the disagreement that another seed causes on the same rows",
                seeds.drop(columns=["baseline", "sentence"]),
            ),
        ]
    return blocks


def table(frame):
    """A frame_beyond as it is read: one row per quantity and selector, numbers behind texts with their intervals."""

    def texts(write, name, low, high):
        return [write(*row) if not np.isnan(row[0]) else "" for row in frame[[name, low, high]].itertuples(index=False)]

    shown = frame.assign(
        quantity=frame["panel"].map({key: name for key, (name, _) in PANELS.items()}),
        **{VALUE: texts(format_with_interval, "value", "low", "high")},
    ).drop(columns=["panel", "blind"])
    if not floor_is_measured(frame):
        return shown.drop(columns=[*AT_FLOOR, *FROM_FLOOR, "floor_se", "p", "clear", "shuffles"], errors="ignore")
    return shown.assign(**{FLOOR: texts(format_with_range, *AT_FLOOR), BEYOND: texts(format_with_interval, *FROM_FLOOR)})


def _notes(frame):
    """Which quantities the table holds."""
    panels = set(frame["panel"])
    notes = [
        describe_shared_features(frame),
        *[OF_HALVES, OF_ALL_RUNS] * ("halves" in panels),
        *[OF_EFFECTIVE] * ("effective" in panels),
    ]
    return [one for one in notes if one]


def _with_runs(subject, label, sentence):
    return f"{sentence} ({subject.missing[label]})" if label in subject.missing else sentence
