"""Part 2 of a report: which rows and columns, and the features by class."""

from __future__ import annotations

import numpy as np

from stabcore.report.blocks import Bullets, Heading, Table, Text
from stabcore.report.subject import FILTERED
from stabcore.study.sheet import sheet
from stabcore.wording import joined, plural, shown

QUARTILES = (0.25, 0.5, 0.75)


def patients(subject):
    """Rows, outcome, features by class, columns left out, fingerprint."""
    asked = [Text(f"Where the patients come from, as it was told: {subject.source}")] if subject.source else []
    asked.append(Text(FILTERED[subject.filtered]))
    if not subject.is_study:
        return [Text("These selections were brought: which runs of which table made them is not known here. So nothing can be said "
                     "about patients, outcome or missing values."), *asked]
    about = Table("study", "The study and its file", sheet(subject.result, subject.digest))
    if subject.data is None:
        return [about, *asked, Text("The table itself is not at hand, and a study file holds no measurements: features by class "
                                    "and columns left out cannot be said.")]
    data = subject.data
    left = data.columns[data.columns["role"] == "left out"]
    blocks = [about, *asked, Text(f"{_used(data)} Their table has the fingerprint {data.fingerprint}, which is that of the study.")]
    blocks += [Bullets(list(data.notes))] if data.notes else []
    blocks += [Heading("Features by class" if data.classes else "Features"),
               Table("features_by_class", "Numbers: median (quartiles). Categories: rows and per cent of those recorded",
                     by_class(data))]
    if len(left):
        blocks += [Heading("Columns left out"), Table("left_out", "Columns that are no features, and why",
                                                      left[["column", "kind", "why", "missing"]])]
    return blocks


def _used(data):
    """How many rows came, why some were left out, how many were used, and of how many patients."""
    patients = "" if data.patients is None else f", of {len(np.unique(data.patients)):,} patients"
    came = "" if data.n_came is None else f"{data.n_came:,} rows came with the table; {_left_out(data)}; "
    return f"{came}{data.n_rows:,} rows were used{patients}."


def _left_out(data):
    many = data.n_came - data.n_rows - data.n_elsewhere
    reasons = [f"{data.n_elsewhere:,} of other cohorts"] if data.n_elsewhere else []
    reasons += [f"{many:,} {plural(many, 'row')} without a value for {shown(data.target_name)}"] if many else []
    if not reasons:
        return "none was left out"
    return f"{joined(reasons)} {'was' if data.n_elsewhere + many == 1 else 'were'} left out"


def by_class(data):
    """DataFrame(feature, level, all, a column for each class, missing), every cell a text as papers print it."""
    import pandas as pd

    values, rows = np.asarray(data.table.values, dtype=float), []
    parts = {"all": values, **{name: values[data.target == number] for number, name in enumerate(data.classes)}}
    quartiles = [_quartiles(part) for part in parts.values()]
    for f, (name, missing) in enumerate(zip(data.features, np.isnan(values).sum(axis=0), strict=True)):
        levels = data.levels.get(name) if data.table.categorical[f] else None
        for number, level in enumerate(levels or [""]):
            told = [_share(part[:, f], number) for part in parts.values()] if levels else [one[f] for one in quartiles]
            rows.append([name, level, *told, int(missing)])
    sizes = [f"{label} ({len(part):,} rows)" for label, part in parts.items()]
    return pd.DataFrame(rows, columns=["feature", "level", *sizes, "missing"])


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
