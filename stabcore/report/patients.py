"""Part 2 of a report: which rows and columns, and the features by class."""

from __future__ import annotations

import numpy as np

from stabcore.report.blocks import Bullets, Heading, Table, Text
from stabcore.report.subject import FILTERED
from stabcore.study.sheet import sheet


def patients(subject):
    """Rows, outcome, features by class, columns left out, fingerprint."""
    asked = [Text(f"Where the patients come from, as it was told: {subject.source}")] if subject.source else []
    asked.append(Text(FILTERED[subject.filtered]))
    if not subject.is_study:
        return [Text("These selections were brought along without their table and without the plan of their runs. So nothing can "
                     "be said here about patients, outcome or missing values."), *asked]
    about = Table("study", "The study and its file", sheet(subject.result))
    if subject.data is None:
        return [about, *asked, Text("The table itself is not at hand, and a study file holds no measurements: features by class "
                                    "and columns left out cannot be said.")]
    data = subject.data
    left = data.columns[data.columns["role"] == "left out"]
    blocks = [about, *asked, Text(f"{data.n_rows:,} rows were used. Their table has the fingerprint {data.fingerprint}, "
                                  "which is that of the study.")]
    blocks += [Bullets(list(data.notes))] if data.notes else []
    blocks += [Heading("Features by class" if data.classes else "Features"),
               Table("features_by_class", "Numbers: median (quartiles). Categories: rows and per cent of those recorded",
                     by_class(data))]
    if len(left):
        blocks += [Heading("Columns left out"), Table("left_out", "Columns that are no features, and why",
                                                      left[["column", "kind", "why", "missing"]])]
    return blocks


def by_class(data):
    """DataFrame(feature, level, all, a column for each class, missing), every cell a text as papers print it."""
    import pandas as pd

    parts = {"all": np.full(data.n_rows, True), **{name: data.target == number for number, name in enumerate(data.classes)}}
    values, rows = np.asarray(data.table.values, dtype=float), []
    for f, name in enumerate(data.features):
        levels = data.levels.get(name) if data.table.categorical[f] else None
        missing = int(np.isnan(values[:, f]).sum())
        for number, level in enumerate(levels or [""]):
            told = [_share(values[rows_in, f], number) if levels else _quartiles(values[rows_in, f]) for rows_in in parts.values()]
            rows.append([name, level, *told, missing])
    sizes = [f"{label} ({int(inside.sum()):,} rows)" for label, inside in parts.items()]
    return pd.DataFrame(rows, columns=["feature", "level", *sizes, "missing"])


def _quartiles(column):
    known = column[~np.isnan(column)]
    return "none recorded" if not len(known) else "{1:.4g} ({0:.4g} to {2:.4g})".format(*np.quantile(known, [0.25, 0.5, 0.75]))


def _share(column, level):
    known = column[~np.isnan(column)]
    many = int((known == level).sum())
    return f"{many:,} ({many / len(known):.0%})" if len(known) else "none recorded"
