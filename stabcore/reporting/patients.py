"""Part 2 of a report: which rows and columns, and the features by class."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import joined, plural, shown
from stabcore.reporting.blocks import Bullets, Heading, Table, Text
from stabcore.reporting.subject import FILTERED
from stabcore.study.summary import study_table

QUARTILES = (0.25, 0.5, 0.75)


def patients(subject):
    """Rows, outcome, features by class, columns left out, fingerprint."""
    asked = [Text(f"Source of the patients: {subject.source}")] if subject.source else []
    asked.append(Text(FILTERED[subject.filtered]))
    if not subject.is_study:
        return [
            Text(
                "These selections were uploaded. The table behind them is not known here, nor are patients, outcome or "
                "missing values."
            ),
            *asked,
        ]
    about = Table("study", "The study and its file", study_table(subject.result, subject.digest))
    if subject.data is None:
        return [
            about,
            *asked,
            Text(
                "The table itself is not at hand, and a study file holds no measurements: features by class "
                "and columns left out cannot be said."
            ),
        ]
    data = subject.data
    left = data.columns[data.columns["role"] == "left out"]
    blocks = [about, *asked, Text(f"{_used(data)} Their table has the fingerprint {data.fingerprint}, which is that of the study.")]
    blocks += [Bullets(list(data.notes))] if data.notes else []
    blocks += [
        Heading("Features by class" if data.classes else "Features"),
        Table("features_by_class", _counted(data), by_class(data)),
    ]
    if len(subject.blanks):
        blocks += [
            Heading("Missing cells by class" if data.classes else "Missing cells"),
            Table(
                "missing_by_class",
                "Share of missing cells per feature and class, with Holm's correction over features",
                _rounded(subject.blanks),
            ),
        ]
    if len(left):
        blocks += [
            Heading("Columns left out"),
            Table("left_out", "Columns that are no features, and why", left[["column", "kind", "why", "missing"]]),
        ]
    return blocks


def _counted(data):
    """The caption of the table by class: what its cells are."""
    if data.patients is None:
        return "Numbers: median (quartiles). Categories: rows and per cent of those recorded"
    return (
        "Numbers: median (quartiles) over patients, each with the mean of their rows. Categories: patients and per cent of "
        "those recorded, each with their most frequent level"
    )


def _rounded(frame):
    """Shares and p as they are printed."""
    tests = {name: [f"{p:.2g}" if p == p else "not tested" for p in frame[name]] for name in ("p", "p_holm")}
    shares = {name: [f"{share:.1%}" for share in frame[name]] for name in frame.columns[1:] if name not in (*tests, "differs")}
    return frame.assign(**shares, **tests, differs=["yes" if one else "no" for one in frame["differs"]])


def _used(data):
    """How many rows came, why some were left out, how many were used, and of how many patients."""
    patients = "" if data.patients is None else f", of {len(np.unique(data.patients)):,} patients"
    came = "" if data.n_came is None else f"{data.n_came:,} rows came with the table; {_left_out(data)}; "
    return f"{came}{data.n_rows:,} rows were used{patients}."


def _left_out(data):
    many = data.n_came - data.n_rows - data.n_elsewhere - data.n_repeated
    reasons = [f"{data.n_elsewhere:,} of other cohorts"] if data.n_elsewhere else []
    reasons += [f"{data.n_repeated:,} further {plural(data.n_repeated, 'row')} of a patient"] if data.n_repeated else []
    reasons += [f"{many:,} {plural(many, 'row')} without a value for {shown(data.target_name)}"] if many else []
    if not reasons:
        return "none was left out"
    return f"{joined(reasons)} {'was' if data.n_came - data.n_rows == 1 else 'were'} left out"


def by_class(data):
    """DataFrame(feature, level, all, a column for each class, missing), every cell a text as papers print it.

    Patients are counted where they have several rows: once, with the mean of their rows, and for a category with the level that
    they have most often. A patient with rows in two classes counts in both.
    """
    import pandas as pd

    everybody = np.ones(data.n_rows, dtype=bool)
    parts = {
        name: _once(data, rows)
        for name, rows in (("all", everybody), *((name, data.target == number) for number, name in enumerate(data.classes)))
    }
    quartiles, missing = [_quartiles(part) for part in parts.values()], np.isnan(parts["all"]).sum(axis=0)
    table = []
    for f, name in enumerate(data.features):
        levels = data.levels.get(name) if data.table.categorical[f] else None
        for number, level in enumerate(levels or [""]):
            texts = [_share(part[:, f], number) for part in parts.values()] if levels else [one[f] for one in quartiles]
            table.append([name, level, *texts, int(missing[f])])
    who = "rows" if data.patients is None else "patients"
    return pd.DataFrame(
        table, columns=["feature", "level", *(f"{label} ({len(part):,} {who})" for label, part in parts.items()), "missing"]
    )


def _once(data, rows):
    """(patients, d) one value per patient among these rows, or the rows themselves where each is a patient."""
    values = np.asarray(data.table.values, dtype=float)[rows]
    if data.patients is None:
        return values
    who = np.unique(np.asarray(data.patients)[rows], return_inverse=True)[1]
    known = ~np.isnan(values)
    many, total = np.zeros((2, who.max() + 1, values.shape[1]))
    np.add.at(many, who, known)
    np.add.at(total, who, np.where(known, values, 0))
    with np.errstate(invalid="ignore"):
        once = total / many
    for f in np.flatnonzero(data.table.categorical):
        levels = len(data.levels[data.features[f]])
        counts = np.zeros((len(once), levels))
        np.add.at(counts, (who[known[:, f]], values[known[:, f], f].astype(int)), 1)
        once[:, f] = np.where(counts.any(axis=1), counts.argmax(axis=1), np.nan)
    return once


def _quartiles(values):
    """Of each column, of what is recorded; whole columns all together, which is a hundred times quicker."""
    gaps, limits = np.isnan(values), np.full((3, values.shape[1]), np.nan)
    whole = ~gaps.any(axis=0)
    limits[:, whole] = np.quantile(values[:, whole], QUARTILES, axis=0)
    for f in np.flatnonzero(~whole & ~gaps.all(axis=0)):
        limits[:, f] = np.quantile(values[~gaps[:, f], f], QUARTILES)
    return [f"{middle:.4g} ({low:.4g} to {high:.4g})" if middle == middle else "none recorded" for low, middle, high in limits.T]


def _share(column, level):
    known = column[~np.isnan(column)]
    many = int((known == level).sum())
    return f"{many:,} ({many / len(known):.0%})" if len(known) else "none recorded"
