"""The first settings file of a table: what its columns seem to be for, and every setting with its meaning."""

from __future__ import annotations

import json
import os
from pathlib import Path

from stabcore.base.errors import InputError
from stabcore.base.text import listed
from stabcore.data.dataset import Dataset
from stabcore.data.presets import presets
from stabcore.io.table import read_table
from stabcore.study.choices import scoring_classifier

TEXT = """\
# A study of how stable feature selection is. Check what is written here, then run it:
#     python -m stabcore validate {name}
#     python -m stabcore run {name}

[data]
file = {file}
target = {target}            # the outcome: what the features are to predict
{patient}
exclude = {exclude}          # columns that are no features, such as identifiers and dates

[study]
k = 0.25                     # features per run at most: a number, a share of all, or "sqrt"
classifier = {classifier}    # scores the selected features on held-out rows; "none" leaves that out
random_state = 1             # the same number gives the same study
n_permutations = 20          # shuffles of the outcome, which measure the noise floor; 0 leaves them out
n_seeds = 1                  # 2 also measures how much selectors differ by their own random numbers

[plan]                       # which rows each run learns from: python -m stabcore help plans
kind = "complementary_pairs"
n_pairs = 25                 # 50 runs, each on one half of the rows

# One table per selector: python -m stabcore help selectors
{selectors}"""
SELECTORS = {"lasso": "a linear model that leaves features out", "anova_f": "each feature alone"}
BY_CLASS = {"mrmr": "each feature with those chosen before it"}


def first_settings(table: Path, target: str | None, folder: Path) -> str:
    """The text of a settings file for a table; target: its outcome, guessed if None. The file is to lie in `folder`.

    Raises InputError for a table that cannot be read, and where no column seems to be the outcome.
    """
    frame = read_table(table).frame
    guessed = presets(frame)
    target = target or guessed.target
    if target is None:
        some = guessed.candidates or [str(name) for name in frame.columns]
        raise InputError(f"Which column is the outcome? Name it with --target; the columns are {listed(some, 10)}.")
    exclude = [name for name in guessed.exclude if name != target]
    patient = guessed.patient if guessed.patient != target else None
    data = Dataset.from_frame(frame, target=target, exclude=exclude, same_patient=patient, set_aside=True)
    chosen = SELECTORS if data.numeric_target else SELECTORS | BY_CLASS
    return TEXT.format(
        name=table.with_suffix(".toml").name,
        file=_text(os.path.relpath(table, folder).replace(os.sep, "/")),
        target=_text(target),
        patient=f"same_patient = {_text(patient)}     # rows of one patient stay together"
        if patient
        else '# same_patient = "…"       # the column that says which rows are of one patient',
        exclude=json.dumps(exclude, ensure_ascii=False),
        classifier=_text(scoring_classifier(None, data, ())),
        selectors="\n".join(f'[[selector]]\nkey = "{key}"{" " * (22 - len(key))}# {meaning}\n' for key, meaning in chosen.items()),
    )


def _text(value) -> str:
    """A text as TOML writes it, whose basic strings are those of JSON."""
    return json.dumps(value, ensure_ascii=False)
