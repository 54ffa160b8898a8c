"""A study in words and tables: its sentence, its sheet, numbers of selected features, settings and runs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from stabcore.base.target import TIME, kind_of_target, target_label
from stabcore.base.text import adjusted_for, counted, format_span, joined
from stabcore.classifiers.catalog import describe_classifier
from stabcore.selectors.baseline import is_baseline
from stabcore.selectors.catalog import BY_KEY
from stabcore.selectors.classifier_importance import IMPORTANCE_KINDS
from stabcore.study.choices import format_sizes
from stabcore.study.progress import messages, planned_tasks, progress, runs_per_shuffle
from stabcore.study.settings import MAX_SETTINGS, differing_options
from stabcore.study.task_result import required_array

if TYPE_CHECKING:
    from stabcore.study.result_data import ResultData, StudyData

SEAL_WORDS = {
    True: "yes",
    False: "no: something has changed it since",
    None: "unknown: the study has not ended, or an earlier version made it",
}


def describe_study(result: StudyData) -> str:
    """The study in plain words."""
    finished, planned, different = len(result.store.finished()), planned_tasks(result), n_distinct_resamples(result)
    so_far = "" if finished == planned else f" So far {finished} of {planned} tasks are finished."
    equal = "" if different is None else f" ({different} different ones)"
    n_permutations, n_seeds = result.settings["n_permutations"], result.settings["n_seeds"]
    learner = describe_classifier(result.settings["classifier"])
    besides = ""
    if n_permutations:
        with_runs = f"with {counted(runs_per_shuffle(result), 'run')} per selector each time"
        besides = f" As a permutation control, the outcome was shuffled {counted(n_permutations, 'time')}, {with_runs}."
    besides += f" Randomised selectors were fitted {counted(n_seeds, 'time')} in each run." if n_seeds > 1 else ""
    imputations = result.settings.get("n_imputations", 0)
    besides += f" Missing cells were filled {counted(imputations, 'time')} in each run." if imputations else ""
    count, beside = len(result.selectors), sum(map(is_baseline, result.selectors))
    who = " and ".join(counted(n, noun) for n, noun in ((count - beside, "selector"), (beside, "baseline")) if n)
    return (
        f"{who} {'selects' if count == 1 else 'each select'} {describe_sizes(result)} of {len(result.features):,} "
        f"features per run{adjusted_for(result.given)}. Resampling: {result.plan.sentence()}{equal}. "
        f"{learner[0].upper()}{learner[1:]}. Seed: {result.settings['random_state']}.{besides}{so_far}"
    )


def n_distinct_resamples(result: StudyData) -> int | None:
    """The number of different resamples among the finished runs. None if all differ, or if it is unknown.

    It is known only if held-out rows determine the training rows, which excludes bootstrap samples and nested folds.
    """
    if not result.plan.parts_rows:
        return None
    held_out = {
        task.run: required_array(task.held_out).tobytes()
        for task in result.store.tasks(columns=("held_out",))
        if task.status == "done"
    }
    different = len(set(held_out.values()))
    return different if different < len(held_out) else None


def describe_sizes(result: StudyData) -> str:
    """The number of selected features, or the range if it differs between selectors."""
    at_most = "" if fewer_selected_table(result).empty else "at most "
    return at_most + format_sizes({result.n_selected_by(label) for label in result.selectors})


def describe_selectors(result: ResultData) -> dict[str, str]:
    """{selector: what it does, in a sentence} of those in the catalogue. Uploaded selections have none."""
    entries = {about["label"]: BY_KEY.get(about.get("key")) for about in result.settings.get("selectors", ())}
    return {label: entry.plain for label, entry in entries.items() if entry}


def fewer_selected_table(result: StudyData) -> pd.DataFrame:
    """DataFrame(asked, fewest, most, fewer, runs) of the selectors with runs that selected fewer features than requested.

    A feature that the model of a selector does not use is not selected, so a run selects at most `asked` features. fewest,
    most: features selected in a run. fewer: number of runs with fewer than asked.
    """
    rows = {}
    for label in result.finished_selectors:
        asked, sizes = result.n_selected_by(label), result.selections(label).sizes
        if asked is not None and (sizes < asked).any():
            rows[label] = [asked, int(sizes.min()), int(sizes.max()), int((sizes < asked).sum()), len(sizes)]
    return pd.DataFrame.from_dict(rows, orient="index", columns=["asked", "fewest", "most", "fewer", "runs"])


def describe_fewer(result: StudyData) -> str:
    """The same in a sentence or two, "" if every run selected as many as requested."""
    sentences = []
    for asked, rows in fewer_selected_table(result).groupby("asked"):
        each = [
            f"{label} ({format_span(row.fewest, row.most)}, in {row.fewer} of {counted(row.runs, 'run')})"
            for label, row in rows.iterrows()
        ]
        sentences.append(f"Some runs select fewer than {counted(int(str(asked)), 'feature')}: {joined(each)}.")
    return " ".join([*sentences, "Features that the model of a run does not use are not selected."]) if sentences else ""


def describe_importance(result: ResultData, label: str) -> str:
    """The meaning of importance in the runs of a selector: that of the classifier, if requested, else that of the selector."""
    kind = result.settings.get("importances")
    if kind in IMPORTANCE_KINDS:
        return f"{IMPORTANCE_KINDS[kind][0]} ({describe_classifier(result.settings['classifier'])})"
    entry = result.entry_of(label)
    return "" if entry is None else f"importance in {label} ({entry.importance})"


def describe_rows(result: StudyData) -> str:
    """The number of rows of the table of a study, and of patients if it differs."""
    patients = result.patients
    return f"{result.settings['data']['n_rows']:,} rows" + (f" of {len(set(patients)):,} patients" if patients else "")


def study_table(result: StudyData, digest: str) -> pd.DataFrame:
    """DataFrame(what, value), both text, with the facts about a study file. digest: the fingerprint of its results."""
    settings, data, n_messages = result.settings, result.settings["data"], len(messages(result))
    tasks = progress(result)
    asked = f" (asked for: {settings['k']})" if isinstance(settings["k"], str) else ""  # such as sqrt, which is not shown yet
    rows = {
        "Data": data["name"] or "without a name",
        "Outcome": f"{target_label(data['target'])}: {_outcome_text(result)}",
        "Rows and features": f"{describe_rows(result)}, {data['n_features']:,} features",
        "Corrections of cells": " ".join(result.store.meta("mended", [])) or "none",
        "Selectors": ", ".join(result.selectors),
        "Selected in each run": f"{describe_sizes(result)} of {data['n_features']:,} features{asked}",
        "Runs": result.plan.sentence(),
        "Scored by": describe_classifier(settings["classifier"]),
        "Noise floor": f"outcome shuffled {counted(settings['n_permutations'], 'time')}"
        if settings["n_permutations"]
        else "not measured",
        "Seed": str(settings["random_state"]),
        "Tasks": f"{tasks['done'].sum()} done, {tasks['failed'].sum()} failed, of {planned_tasks(result)}",
        "Warnings and failures": counted(n_messages, "kind") if n_messages else "none",
        "Begun": result.store.meta("begun") or "not told",
        "Made with": ", ".join(f"{name} {version}" for name, version in result.store.meta("versions", {}).items()) or "not told",
        "Fingerprint of the table": data["fingerprint"],
        "Fingerprint of the results": digest,
        "Unchanged since the study ended": SEAL_WORDS[result.store.intact()],
    }
    return pd.DataFrame(list(rows.items()), columns=["what", "value"])


def selector_options(result: StudyData) -> pd.DataFrame:
    """DataFrame(selector, kind, option, value): every option of every selector, including defaults."""
    rows = []
    for about in result.settings["selectors"]:
        entry, chosen = BY_KEY.get(about.get("key")), about.get("options", {})
        kind = f"user-defined: {about['own']} (shown here, never run from this file)" if "own" in about else about["key"]
        kind = entry.label if entry else kind
        options = {name: option.default for name, option in entry.options.items()} if entry else {}
        for name, value in ({**options, **chosen} or {"": ""}).items():
            rows.append([about["label"], kind, name, _option_text(value), "given" if name in chosen else "usual" if name else ""])
    return pd.DataFrame(rows, columns=["selector", "kind", "option", "value", "set"])


def run_table(result: StudyData) -> pd.DataFrame:
    """DataFrame, one row per run: done, failed or waiting for each selector."""
    status, runs = result.run_status(), range(result.plan.n_runs)
    columns = {label: [status.get((label, run), "waiting") for run in runs] for label in result.selectors}
    return pd.DataFrame({"run": range(1, result.plan.n_runs + 1), **columns})


def _option_text(value) -> str:
    return "–" if value is None else ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _outcome_text(result) -> str:
    if kind_of_target(result.target) == TIME:
        rows = np.flatnonzero(result.target["event"])
        of = f", those of {len({result.patients[row] for row in rows}):,} patients" if result.patients else ""
        return f"a time to an event, which happened in {len(rows):,} of {len(result.target):,} rows{of}"
    if not result.classes:
        return f"a number from {result.target.min():g} to {result.target.max():g}"
    patients, classes = result.patients, []
    for code, name in enumerate(result.classes):
        rows = np.flatnonzero(result.target == code)
        of = f" of {len({patients[row] for row in rows}):,} patients" if patients else ""
        classes.append(f"{name} ({len(rows):,} rows{of})")
    return ", ".join(classes)


def settings_of_one_selector(result: ResultData) -> dict[str, str]:
    """{selector: its family} of selectors that a line can join: 2 to 20 settings that differ in one option only.

    Settings that differ in more options, as in a random search, have no order.
    """
    entries = {label: result.entry_of(label) for label in result.finished_selectors}
    called = {label: about.label for label, about in entries.items() if about is not None}
    n_settings, settings = Counter(called.values()), {about["label"]: about for about in result.settings.get("selectors", ())}
    n_differing = {}
    for name in n_settings:
        given = [settings[label] for label in called if called[label] == name and label in settings]
        n_differing[name] = len(
            differing_options([{**about.get("options", {}), "k": about.get("n_selected", "as the study")} for about in given])
        )
    return {label: name for label, name in called.items() if 2 <= n_settings[name] <= MAX_SETTINGS and n_differing[name] <= 1}
