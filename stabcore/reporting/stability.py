"""Part 5 of a report: each selector beside its noise floor, selectors compared, seed variability."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import format_with_interval
from stabcore.plots import estimates
from stabcore.plots.comparisons import finding_comparisons, frame_comparisons
from stabcore.plots.noise_floor import (
    DIFFERENCE,
    FLOOR_RANGE,
    INTERVAL,
    PANELS,
    describe_beyond,
    describe_quantities,
    finding_beyond,
    floor_is_measured,
    headline_rows,
)
from stabcore.plots.seed_variability import frame_seed_variability
from stabcore.plots.values import format_with_range
from stabcore.reporting.blocks import Bullets, Heading, Table, Text

NEW_PATIENTS = (
    "Other patients of the same kind give another value. The study was computed ten times, each time without one fifth "
    "of the patients. The interval is for the average over such tables."
)
VALUE, FLOOR, BEYOND = "stability (95% CI)", "noise floor (range)", "beyond the floor (95% CI)"


def stability(subject):
    """Return the headline, one sentence per selector, the table, and comparisons where the noise floor was measured."""
    result, frame = subject.result, subject.beyond
    sentences = [
        _with_missing_runs(subject, row["selector"], describe_beyond(row)) for row in headline_rows(frame).to_dict("records")
    ]
    columns = ("selector", "quantity", VALUE, FLOOR, BEYOND, "p", "clear", "note")
    blocks = [
        Text(finding_beyond(frame, result)),
        Bullets(sentences),
        *(Text(sentence, small=True) for sentence in describe_quantities(frame)),
        Text(estimates.describe_intervals(result), small=True),
        Table("stability", "Stability of each selector beside its noise floor", table(frame), columns),
    ]
    if subject.is_study and subject.data is not None and len(subject.new_patients):
        caption = "Stability with an interval (95%) for the average over tables of other patients"
        blocks += [Heading("Intervals for new patients"), Text(NEW_PATIENTS), Table("new_patients", caption, subject.new_patients)]
    if len(result.finished_selectors) > 1 and subject.judged:
        pairs = frame_comparisons(subject.stability_pairs("nogueira"))
        caption = "Differences between selectors in Φ over all runs beyond the noise floor, p by Holm"
        compared = Table("comparisons", caption, pairs.drop(columns="baseline"))
        blocks += [Heading("Selectors compared"), Text(finding_comparisons(pairs)), compared]
    if result.has_repeats:
        seeds = frame_seed_variability(result.seed_variability())
        caption = "Share of the disagreement that another seed causes on the same rows"
        shares = Table("dice", caption, seeds.drop(columns=["baseline", "sentence"]))
        blocks += [Heading("Seed variability"), Bullets(seeds["sentence"].tolist()), shares]
    return blocks


def table(frame):
    """Return a frame_beyond with one row per quantity and selector, and numbers in words with their intervals."""

    def in_words(form, columns):
        return [form(*row) if not np.isnan(row[0]) else "" for row in frame[list(columns)].itertuples(index=False)]

    quantity = frame["panel"].map({key: name for key, (name, _) in PANELS.items()})
    shown = frame.assign(quantity=quantity, **{VALUE: in_words(format_with_interval, INTERVAL)}).drop(columns=["panel", "blind"])
    if not floor_is_measured(frame):
        return shown.drop(columns=[*FLOOR_RANGE, *DIFFERENCE, "floor_se", "p", "clear", "shuffles"], errors="ignore")
    return shown.assign(**{FLOOR: in_words(format_with_range, FLOOR_RANGE), BEYOND: in_words(format_with_interval, DIFFERENCE)})


def _with_missing_runs(subject, label, sentence):
    return f"{sentence} ({subject.missing[label]})" if label in subject.missing else sentence
