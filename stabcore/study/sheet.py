"""What a study file is, told to somebody who gets it by mail: settings, circumstances, and how far each run is."""

from __future__ import annotations

import numpy as np

from stabcore.classifiers.catalog import learner_name
from stabcore.selectors.catalog import BY_KEY
from stabcore.wording import several

SEALED = {True: "yes", False: "no: something has changed it since",
          None: "not known: the study has not ended, or an earlier version made it"}


def rows_told(result) -> str:
    """How many rows the table of a StudyResult had, and of how many patients where that is not the same."""
    patients = result.store.meta("patients")
    return f"{result.settings['data']['n_rows']:,} rows" + (f" of {len(set(patients)):,} patients" if patients else "")


def sheet(result, digest=None):
    """DataFrame(what, value) of a StudyResult, both text. digest: its fingerprint, where that is known already."""
    import pandas as pd

    settings, data = result.settings, result.settings["data"]
    progress = result.progress()
    done, failed = (int(progress[name].sum()) for name in ("done", "failed"))
    rows = {
        "Data": data["name"] or "without a name",
        "Outcome": f"{data['target']}: {_outcome(result)}",
        "Rows and features": f"{rows_told(result)}, {data['n_features']:,} features",
        "What was made of its cells": " ".join(result.store.meta("mended", [])) or "nothing had to be",
        "Selectors": ", ".join(result.selectors),
        "Selected in each run": f"{result.sizes_told()} of {data['n_features']:,} features{_asked(settings['k'])}",
        "Runs": result.plan.sentence(),
        "Scored by": learner_name(settings["classifier"]),
        "Noise floor": f"outcome shuffled {several(settings['control'], 'time')}" if settings["control"] else "not measured",
        "Seed": str(settings["seed"]),
        "Tasks": f"{done} done, {failed} failed, of {result.total}",
        "Warnings and failures": several(len(result.messages()), "kind") if len(result.messages()) else "none",
        "Begun": result.store.meta("begun") or "not told",
        "Made with": ", ".join(f"{name} {version}" for name, version in result.store.meta("versions", {}).items()) or "not told",
        "Fingerprint of the table": data["fingerprint"],
        "Fingerprint of the results": digest or result.digest(),
        "As it was when the study ended": SEALED[result.store.intact()],
    }
    return pd.DataFrame(list(rows.items()), columns=["what", "value"])


def selector_sheet(result):
    """DataFrame(selector, kind, option, value): every option of every selector, also those that were left as they usually are."""
    import pandas as pd

    rows = []
    for one in result.settings["selectors"]:
        entry, given = BY_KEY.get(one.get("key")), one.get("options", {})
        kind = entry.label if entry else f"own: {one['own']} (shown here, never run from this file)" if "own" in one else one["key"]
        options = {name: option.default for name, option in entry.options.items()} if entry else {}
        for name, value in ({**options, **given} or {"": ""}).items():
            rows.append([one["label"], kind, name, _told(value), "given" if name in given else "usual" if name else ""])
    return pd.DataFrame(rows, columns=["selector", "kind", "option", "value", "set"])


def _told(value) -> str:
    """An option as people read it."""
    return "–" if value is None else ("yes" if value else "no") if isinstance(value, bool) else str(value)


def run_sheet(result):
    """DataFrame, one row a run: done, failed or waiting for each selector."""
    import pandas as pd

    ended = {(one.selector, one.run): one.status for one in result.store.outcomes(columns=())}
    columns = {label: [ended.get((label, run), "waiting") for run in range(result.plan.runs)] for label in result.selectors}
    return pd.DataFrame({"run": range(1, result.plan.runs + 1), **columns})


def _asked(k) -> str:
    """The word that was chosen for the number of features, such as sqrt; a number stands there already."""
    return f" (asked for: {k})" if isinstance(k, str) else ""


def _outcome(result) -> str:
    if not result.classes:
        return f"a number from {result.target.min():g} to {result.target.max():g}"
    patients, told = result.store.meta("patients"), []
    for code, name in enumerate(result.classes):
        rows = np.flatnonzero(result.target == code)
        of = f" of {len({patients[row] for row in rows}):,} patients" if patients else ""
        told.append(f"{name} ({len(rows):,} rows{of})")
    return ", ".join(told)
