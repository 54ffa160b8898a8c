"""What a study file is, told to somebody who gets it by mail: settings, circumstances, and how far each run is."""

from __future__ import annotations

import numpy as np

from stabcore.classifiers.catalog import learner_name
from stabcore.selectors.catalog import BY_KEY
from stabcore.wording import several

SEALED = {True: "yes", False: "no: something has changed it since",
          None: "not known: the study has not ended, or an earlier version made it"}


def sheet(found):
    """DataFrame(what, value) of a StudyResult, both text."""
    import pandas as pd

    settings, data = found.settings, found.settings["data"]
    progress = found.progress()
    done, failed = (int(progress[name].sum()) for name in ("done", "failed"))
    rows = {
        "Data": data["name"] or "without a name",
        "Outcome": f"{data['target']}: {_outcome(found)}",
        "Rows and features": f"{data['n_rows']:,} rows, {data['n_features']:,} features"
                             + (", several rows of one patient" if found.store.meta("patients") else ""),
        "What was made of its cells": " ".join(found.store.meta("mended", [])) or "nothing had to be",
        "Selectors": ", ".join(found.selectors),
        "Selected in each run": f"{found.n_selected} features (asked for: {settings['k']})",
        "Runs": found.plan.sentence(),
        "Scored by": learner_name(settings["classifier"]),
        "Without any signal": (f"outcome shuffled {several(settings['control'], 'time')}" if settings["control"] else
                               "not asked for"),
        "Seed": str(settings["seed"]),
        "Tasks": f"{done} done, {failed} failed, of {found.total}",
        "Warnings and failures": several(len(found.messages()), "kind") if len(found.messages()) else "none",
        "Begun": found.store.meta("begun") or "not told",
        "Made with": ", ".join(f"{name} {version}" for name, version in found.store.meta("versions", {}).items()) or "not told",
        "Fingerprint of the table": data["fingerprint"],
        "Fingerprint of the results": found.digest(),
        "As it was when the study ended": SEALED[found.store.intact()],
    }
    return pd.DataFrame(list(rows.items()), columns=["what", "value"])


def selector_sheet(found):
    """DataFrame(selector, kind, option, value): every option of every selector, also those that were left as they usually are."""
    import pandas as pd

    rows = []
    for one in found.settings["selectors"]:
        entry, given = BY_KEY.get(one.get("key")), one.get("options", {})
        kind = entry.label if entry else f"own: {one['own']} (shown here, never run from this file)" if "own" in one else one["key"]
        options = {name: option.default for name, option in entry.options.items()} if entry else {}
        for name, value in ({**options, **given} or {"": ""}).items():
            rows.append([one["label"], kind, name, str(value), "given" if name in given else "usual" if name else ""])
    return pd.DataFrame(rows, columns=["selector", "kind", "option", "value", "set"])


def run_sheet(found):
    """DataFrame, one row a run: done, failed or waiting for each selector."""
    import pandas as pd

    ended = {(one.selector, one.run): one.status for one in found.store.outcomes(columns=())}
    columns = {label: [ended.get((label, run), "waiting") for run in range(found.plan.runs)] for label in found.selectors}
    return pd.DataFrame({"run": range(1, found.plan.runs + 1), **columns})


def _outcome(found) -> str:
    if not found.classes:
        return f"a number from {found.target.min():g} to {found.target.max():g}"
    counts = np.bincount(found.target, minlength=len(found.classes))
    return ", ".join(f"{name} ({count:,} rows)" for name, count in zip(found.classes, counts, strict=True))
