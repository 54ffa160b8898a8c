"""Continue a study from its file: the roles of its table, and its settings as text."""

from stabcore.base.errors import InputError
from stabcore.base.target import target_columns
from stabcore.base.text import listed, quote
from stabcore.data import Dataset
from stabcore.io.choices import Choices
from stabcore.io.table import read_table
from stabcore.io.type import Reading
from stabcore.resampling.catalog import chosen_plan_options
from stabcore.study.choices import SELECTOR_CHOOSES
from stabcore.study.loading import study_from_settings
from stabcore.study.settings import has_user_classes


def reread_table(source, store, name=None) -> Reading:
    """A table read like that of a study: at the same position, with the same corrections of cells.

    source, name: as in read_table. store: the study file. Raises InputError as it does.
    """
    return read_table(source, name, Choices.of(store.meta("choices", {})))


def matching_roles(frame, settings, features, patients=None) -> dict:
    """The roles (target, exclude, same_patient, target_as) under which a table is that of a study.

    frame: the table. settings, features, patients: from the study file. The file does not name the patient column or whether the
    outcome was taken as a number, so these are tried. Raises InputError, with the difference, for another table.
    """
    target, columns = settings["data"]["target"], [str(name) for name in frame.columns]
    targets = target_columns(target)
    given = settings["data"].get("given", [])
    names, of_study = set(columns), {*targets, *features, *given}
    missing = [name for name in (*targets, *features, *given) if name not in names]
    if missing:
        raise InputError(
            f"This is not the table of the study, because it has no column {listed(missing)}. Upload the original file of the "
            "study."
        )
    rest = [name for name in columns if name not in of_study]
    for same_patient in rest if patients is not None else [None]:
        for target_as in (None, "classes", "number") if len(targets) == 1 else (None,):
            roles = {"target": target, "exclude": [name for name in rest if name != same_patient]}
            roles |= ({"same_patient": same_patient} if same_patient else {}) | ({"target_as": target_as} if target_as else {})
            roles |= {"given": given} if given else {}
            roles |= {"event": event} if (event := settings["data"].get("event")) else {}
            try:
                data = Dataset.from_frame(frame, **roles)
            except InputError:
                continue
            if data.fingerprint == settings["data"]["fingerprint"]:
                return roles
    raise InputError(
        "This table has the columns of the study, but other values. Its fingerprint is not that of the study "
        f"({quote(settings['data']['fingerprint'][:12])}). Upload the original file of the study, without any "
        f"change. The study had {settings['data']['n_rows']:,} rows with an outcome, this "
        f"table has {int(frame[list(targets)].notna().all(axis=1).sum()):,}."
    )


def continued_tables(settings, data) -> dict:
    """The tables study, plan and selector of these settings for its Dataset, to write or continue the study.

    Raises InputError for user-defined classes, and if this version would run a different study.
    """
    of_users, tables = [about["label"] for about in settings["selectors"] if "own" in about], study_tables(settings)
    if study_has_user_classes(settings):
        raise InputError(
            "This study uses user-defined classes, which a study file does not contain and which are never run from it: "
            f"{listed(of_users) if of_users else 'its plan or its classifier'}. You can view its results. To continue "
            "it, use Python with these classes."
        )
    if study_from_settings(tables, data).settings() != settings:
        raise InputError(
            "This version would not run exactly the same study, so it cannot be continued here. You can view its results, "
            "and run a new study of the table."
        )
    return tables


def study_has_user_classes(settings) -> bool:
    """Whether a study uses user-defined classes, which its file does not contain."""
    selectors = any("own" in about for about in settings["selectors"])
    return selectors or isinstance(settings["classifier"], dict) or has_user_classes(study_tables(settings))


def settings_text(settings, data=None, choices=None) -> str:
    """The settings of a study as TOML, for `python -m stabcore run`.

    data: its Dataset, for the roles of its columns, or None. choices: the position of its table and the corrections of its
    cells, as in Choices.settings.

    Raises InputError for user-defined classes.
    """
    import tomli_w

    if study_has_user_classes(settings):
        raise InputError(
            "This study uses user-defined classes, which its file does not contain. Run it again from Python with these classes."
        )
    of_data = settings["data"]
    about = {"file": "table.csv", **{key: of_data[key] for key in ("name", "target", "event", "given") if key in of_data}} | (
        choices or {}
    )
    return tomli_w.dumps({"data": about | ({} if data is None else dataset_roles(data)), **study_tables(settings)})


def dataset_roles(data) -> dict:
    """The left-out columns of a Dataset, its patient column, and the type of its outcome."""
    role = data.columns.set_index("column")["role"]
    patients = role.index[role == "patient"]
    no_feature = role.index[role.isin(["left out", "set aside"])]
    kind = {} if data.timed else {"target_as": "number" if data.numeric_target else "classes"}
    return {"exclude": list(no_feature)} | kind | ({"same_patient": patients[0]} if len(patients) else {})


def study_tables(settings) -> dict:
    """The tables study, plan and selector of the settings of a study, as a settings file has them."""
    study = {"k": settings["k"], "classifier": settings["classifier"], "random_state": settings["random_state"]}
    study |= {name: settings[name] for name in ("importances", "panel", "n_imputations") if name in settings}
    study |= {name: settings[name] for name in ("n_permutations", "permutation_runs", "n_seeds")}
    selectors = []
    for about in settings["selectors"]:
        label = {} if about["label"] == about.get("key") else {"label": about["label"]}
        size = {"k": SELECTOR_CHOOSES if about["n_selected"] is None else about["n_selected"]} if "n_selected" in about else {}
        selectors.append({"key": about.get("key"), **label, **size, **about.get("options", {})})
    return {"study": study, "plan": chosen_plan_options(settings["plan"]), "selector": selectors}
