"""A study that somebody else made, to be gone on with: the roles of its table, and its settings as they are written."""

from __future__ import annotations

from stabcore.base.errors import InputError
from stabcore.base.target import target_columns
from stabcore.base.text import listed, shown
from stabcore.data import Dataset
from stabcore.io.choices import Choices
from stabcore.io.table import read_table
from stabcore.io.type import Reading
from stabcore.resampling.catalog import options_of_plan
from stabcore.study.choices import FREE
from stabcore.study.loading import study_from
from stabcore.study.settings import brings_own


def read_again(source, store, name=None) -> Reading:
    """A table as that of a study was read: from where it was chosen to lie, its cells mended alike.

    source, name: as read_table takes them; store: the study file. Raises InputError as it does.
    """
    return read_table(source, name, Choices.of(store.meta("choices", {})))


def roles_of(frame, settings, features, patients=None) -> dict:
    """The roles (target, exclude, same_patient, target_as) that make a table the one that a study was run on.

    frame: the table; settings, features, patients: as the study file tells them. Which column told the patients, and whether the
    outcome was taken as a number, the file does not say: it is tried. Raises InputError, with what differs, for another table.
    """
    target, columns = settings["data"]["target"], [str(name) for name in frame.columns]
    targets = target_columns(target)
    names, of_study = set(columns), {*targets, *features}
    missing = [name for name in (*targets, *features) if name not in names]
    if missing:
        raise InputError(
            f"This is not the table of the study: it has no column {listed(missing)}. Bring the file that the study was run on."
        )
    rest = [name for name in columns if name not in of_study]
    for same_patient in rest if patients is not None else [None]:
        for target_as in (None, "classes", "number") if len(targets) == 1 else (None,):
            roles = {"target": target, "exclude": [name for name in rest if name != same_patient]}
            roles |= ({"same_patient": same_patient} if same_patient else {}) | ({"target_as": target_as} if target_as else {})
            roles |= {"event": event} if (event := settings["data"].get("event")) else {}
            try:
                data = Dataset.from_frame(frame, **roles)
            except InputError:
                continue
            if data.fingerprint == settings["data"]["fingerprint"]:
                return roles
    raise InputError(
        "This table has the columns of the study, but other values: its fingerprint is not that of the study "
        f"({shown(settings['data']['fingerprint'][:12])}). Bring the very file that the study was run on: with one "
        f"cell changed it is another table. The study had {settings['data']['n_rows']:,} rows with an "
        f"outcome, this one has {int(frame[list(targets)].notna().all(axis=1).sum()):,}."
    )


def tables_of(settings, data) -> dict:
    """The tables study, plan and selector with which the study of these settings is written, and run on, for its Dataset.

    Raises InputError where classes of somebody's own are named, and where this version would run another study.
    """
    of_users, tables = [about["label"] for about in settings["selectors"] if "own" in about], study_tables(settings)
    if names_own(settings):
        raise InputError(
            "This study names classes of somebody's own, which a study file does not hold and which never run from "
            f"one: {listed(of_users) if of_users else 'its plan or its classifier'}. Its results can be looked at; it "
            "is continued from Python, with these classes."
        )
    if study_from(tables, data).settings() != settings:
        raise InputError(
            "This version would not run the very same study again, so it cannot be continued here. Its results can be "
            "looked at, and a new study of the table can be run."
        )
    return tables


def names_own(settings) -> bool:
    """Does a study name classes of somebody's own, which its file does not hold?"""
    selectors = any("own" in about for about in settings["selectors"])
    return selectors or isinstance(settings["classifier"], dict) or brings_own(study_tables(settings))


def settings_text(settings, data=None, choices=None) -> str:
    """The settings of a study as TOML, for `python -m stabcore run`.

    data: its Dataset, for the roles of its columns, or None; choices: where its table lies and how its cells are mended, as
    Choices.settings gives them.

    Raises InputError where classes of somebody's own are named.
    """
    import tomli_w

    if names_own(settings):
        raise InputError(
            "This study names classes of somebody's own, which its file does not hold: it is run again from Python, "
            "with these classes."
        )
    of_data = settings["data"]
    about = {"file": "table.csv", **{key: of_data[key] for key in ("name", "target", "event") if key in of_data}} | (choices or {})
    return tomli_w.dumps({"data": about | ({} if data is None else told_roles(data)), **study_tables(settings)})


def told_roles(data) -> dict:
    """The columns of a Dataset that are left out, the one that tells the patients, and how the outcome is taken."""
    role = data.columns.set_index("column")["role"]
    patients = role.index[role == "patient"]
    no_feature = role.index[role.isin(["left out", "set aside"])]
    told = {} if data.timed else {"target_as": "number" if data.numeric_target else "classes"}
    return {"exclude": list(no_feature)} | told | ({"same_patient": patients[0]} if len(patients) else {})


def study_tables(settings) -> dict:
    """The tables study, plan and selector of the settings of a study, as a settings file has them."""
    study = {"k": settings["k"], "classifier": settings["classifier"], "random_state": settings["random_state"]}
    study |= {name: settings[name] for name in ("importances", "panel") if name in settings}
    study |= {name: settings[name] for name in ("n_permutations", "permutation_runs", "n_seeds")}
    selectors = []
    for about in settings["selectors"]:
        label = {} if about["label"] == about.get("key") else {"label": about["label"]}
        size = {"k": FREE if about["n_selected"] is None else about["n_selected"]} if "n_selected" in about else {}
        selectors.append({"key": about.get("key"), **label, **size, **about.get("options", {})})
    return {"study": study, "plan": options_of_plan(settings["plan"]), "selector": selectors}
