"""Part 2 of a report: rows and columns, and the features by class."""

import numpy as np
import pandas as pd

from stabcore.base.text import joined, quote
from stabcore.data.describe import feature_two_values, values_by_patient
from stabcore.data.missing import COLUMNS
from stabcore.reporting.page import Bullets, Heading, Table, Text
from stabcore.reporting.subject import FILTERED
from stabcore.study.summary import study_table

QUARTILES = (0.25, 0.5, 0.75)


def patients(subject):
    """Return rows, outcome, features by class, columns left out, fingerprint."""
    answers = [Text(f"Source of the patients: {subject.source}")] if subject.source else []
    answers.append(Text(FILTERED[subject.filtered]))
    if not subject.is_study:
        return [Text("These selections were uploaded. Their table, patients, outcome and missing values are unknown."), *answers]
    about = Table("study", "The study and its file", study_table(subject.result, subject.digest))
    if subject.data is None:
        missing = "Features by class and columns left out are unknown, because the table is not available."
        return [about, *answers, Text(f"{missing} A study file does not hold the table.")]
    data = subject.data
    left = data.columns[data.columns["role"] == "left out"]
    by = " by class" if data.classes else " by event" if data.timed else ""
    used = f"{_describe_rows(data)} The fingerprint of the table matches the study: {data.fingerprint}."
    blocks = [about, *answers, Text(used), *([Bullets(list(data.notes))] if data.notes else [])]
    caption = "Numbers: median (quartiles). Categories, and numbers with two values: n (% of those recorded)"
    if data.patients is not None:
        caption = (
            "Numbers: median (quartiles) over patients, each with the mean of their rows. Categories, and numbers with two values: "
            "patients (% of those recorded), each with their most frequent value"
        )
    blocks += [Heading(f"Features{by}"), Table("features_by_class", caption, features_by_class(data, subject.panel["feature"]))]
    if len(subject.blanks):
        caption = "Share of missing cells per feature and class, with Holm's correction over features"
        if data.patients is not None and len(subject.blanks.columns) > len(COLUMNS):
            caption = "Share of patients with a missing cell per feature and class, with Holm's correction over features"
        blocks += [Heading(f"Missing cells{by}"), Table("missing_by_class", caption, _format_table(subject.blanks))]
    if len(left):
        columns = left[["column", "kind", "why", "missing"]]
        blocks += [Heading("Columns left out"), Table("left_out", "Columns that are not features, and why", columns)]
    return blocks


def _format_table(frame):
    """The table with shares and p-values as text."""
    tests = {name: [f"{p:.2g}" if p == p else "not tested" for p in frame[name]] for name in ("p", "p_holm")}
    shares = {name: [f"{share:.1%}" for share in frame[name]] for name in frame.columns[1:] if name not in (*tests, "differs")}
    return frame.assign(**shares, **tests, differs=["yes" if differs else "no" for differs in frame["differs"]])


def _describe_rows(data):
    """The numbers of rows of the table, of omitted rows with reasons, and of used rows."""
    patients = "" if data.patients is None else f" of {len(np.unique(data.patients)):,} patients"
    used = f"{data.n_rows:,} rows{patients} were used."
    if data.n_came is None:
        return used
    without_outcome = data.n_came - data.n_rows - data.n_elsewhere - data.n_repeated
    reasons = [
        f"{count:,} {reason}"
        for count, reason in (
            (data.n_elsewhere, "of other cohorts"),
            (data.n_repeated, "further rows of a patient"),
            (without_outcome, f"without a value for {quote(data.target_name)}"),
        )
        if count
    ]
    return f"The table has {data.n_came:,} rows. Left out: {joined(reasons) if reasons else 'none'}. {used}"


def features_by_class(data, first=()):
    """DataFrame(feature, level, all, a column for each class, missing), every cell in words. The features of `first` come first.

    A number with two values is counted, such as 0 and 1: its level is the larger one. Patients with several rows count once, with
    the mean of their rows, or with their most frequent level or value of two. A patient with rows in two classes counts in both.
    """
    everybody = values_by_patient(data, np.ones(data.n_rows, dtype=bool))
    names = ("censored", "event") if data.timed else data.classes
    strata = data.target["event"] if data.timed else data.target
    parts = [everybody, *(values_by_patient(data, strata == number) for number in range(len(names)))]  # a class may be called all
    quartiles, missing = [_quartiles(part) for part in parts], np.isnan(everybody).sum(axis=0)
    table, counted = [], _counted_features(data)
    place = {name: number for number, name in enumerate(data.features)}
    for name in dict.fromkeys([*(name for name in first if name in place), *data.features]):
        f = place[name]
        unit = f" [{data.units[name]}]" if data.units.get(name) else ""
        for value, level in counted.get(f, {None: ""}).items():
            texts = [part[f] for part in quartiles] if value is None else [_format_share(part[:, f], value) for part in parts]
            table.append([f"{name}{unit}", level, *texts, int(missing[f])])
    headings = [f"{label} ({len(part):,} patients)" for label, part in zip(("all", *names), parts, strict=True)]
    return pd.DataFrame(table, columns=["feature", "level", *headings, "missing"])


def _counted_features(data):
    """{place of a feature: {value: its level}} of the features whose patients are counted: categories, numbers with two values."""
    levels = {f: dict(enumerate(data.levels[data.features[f]])) for f in np.flatnonzero(data.table.categorical)}
    _, larger, two = feature_two_values(data)
    return levels | {f: {larger[f]: f"{larger[f]:g}"} for f in np.flatnonzero(two)}


def two_valued(data) -> list[str]:
    """Return the numbers with two values, such as 0 and 1."""
    return [data.features[f] for f in np.flatnonzero(feature_two_values(data)[2])]


def _quartiles(values):
    """Median and quartiles of the recorded values of each column. Complete columns are computed together for speed."""
    gaps, limits = np.isnan(values), np.full((3, values.shape[1]), np.nan)
    complete = ~gaps.any(axis=0)
    limits[:, complete] = np.quantile(values[:, complete], QUARTILES, axis=0)
    for f in np.flatnonzero(~complete & ~gaps.all(axis=0)):
        limits[:, f] = np.quantile(values[~gaps[:, f], f], QUARTILES)
    digits = [[f"{number:z.4g}".replace("-", "−") for number in column] for column in limits.T]
    return ["none recorded" if middle == "nan" else f"{middle} ({low} to {high})" for low, middle, high in digits]


def _format_share(column, level):
    recorded = column[~np.isnan(column)]
    count = int((recorded == level).sum())
    return f"{count:,} ({count / len(recorded):.0%})" if len(recorded) else "none recorded"
