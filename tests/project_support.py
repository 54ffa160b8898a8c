"""Projects for tests: bundled studies, tables, selections, small studies that run at once, and simulated tasks."""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
from store_support import done, store_contents
from survival_support import simulated

import stabcore as sc
from pages.workspace.project import Project
from pages.workspace.samples import samples
from stabcore.study.store import Store

COLUMNS = ("ALT", "AST", "EGFR", "age")


def bundled(key="wine"):
    """A bundled study."""
    return next(study for study in samples() if study.key == key)


def sample(key="wine", **settings):
    """A workspace with a bundled study, as made by the button on Start."""
    study, made = bundled(key), Project.create()
    made.save(
        **{
            "kind": "sample",
            "sample": key,
            "name": study.about["title"],
            "roles": study.roles,
            "scenario": {"base": "correlation", "groups": {}},
            **settings,
        }
    )
    return made


def table(frame, name="table.csv", **settings):
    """A workspace with a table and no results."""
    return uploaded(name, frame.to_csv(index=False).encode(), **settings)


def uploaded(name, data, **settings):
    """A workspace with an uploaded file of a table."""
    made = Project.create()
    made.save(kind="table", name=name, table=made.save_upload(name, data), **settings)
    return made


def brought(frame, kind=None, name="mine", **settings):
    """A workspace with selections, one run per row."""
    made = Project.create()
    file = made.save_upload("runs.csv", frame.to_csv(index=False).encode())
    made.save(
        kind="selections", name=name, selections=[{"file": file, "label": name, "name": f"{name}.csv", "kind": kind}], **settings
    )
    return made


def study_file(path, data, selectors, plan, runs=None, **options):
    """A file with a small study of a Dataset or a frame, optionally with only the first runs."""
    dataset = data if isinstance(data, sc.Dataset) else sc.Dataset.from_frame(data, target="outcome")
    study = sc.Study(dataset, selectors, plan=plan, **{"k": 2, "random_state": 1, "n_permutations": 0, **options})
    with ThreadPoolExecutor(1) as executor:
        study.run(executor, store=path)
    if runs is not None:
        with sqlite3.connect(path) as base:
            base.execute("DELETE FROM task WHERE run >= ?", (runs,))
    return path


def studied(file, frame=None, **settings):
    """A workspace with a copy of a study file, and its table."""
    made = Project.create()
    shutil.copy(file, made.folder / "study.stab")
    if frame is not None:
        content = frame.to_csv(index=False).encode()
        settings = {"table": made.save_upload("table.csv", content), "roles": {"target": "outcome"}, **settings}
    made.save(kind="study", name="own", store="study.stab", **settings)
    return made


def followed(n=90):
    """A table of patients with a time to an event."""
    X, target = simulated(np.random.default_rng(0), n, 6, (1.2, -1.0))
    frame = pd.DataFrame(np.round(X, 3), columns=["ALT", "AST", "EGFR", "age", "CRP", "LDH"])
    frame["stage"] = np.random.default_rng(1).choice(["I", "II", "III"], n)
    return frame.assign(os_time=np.round(100 * target["time"] + 1, 1), os_event=target["event"].astype(int))


def files(project):
    """{name: content} of all files of a project."""
    return {path.name: path.read_bytes() for path in project.folder.iterdir() if path.is_file()}


def nested(folder):
    """A workspace in a folder, with a study of 3 × 4 runs."""
    return studied(
        study_file(folder / "nested.stab", patients("abcdef", 48), ["mim", "random"], sc.NestedKFold(n_outer=3, n_inner=4))
    )


def patients(columns=COLUMNS, rows=40):
    """A table in which only the first column carries signal."""
    rng = np.random.default_rng(0)
    made = pd.DataFrame(rng.normal(size=(rows, len(columns))), columns=list(columns))
    return made.assign(outcome=np.where(made.iloc[:, 0] + rng.normal(size=rows) > 0, "sick", "well"))


def new_project(**settings):
    """A project with these settings."""
    made = Project.create()
    made.save(**settings)
    return made


def with_study(tasks=2):
    """A project with a table and a study with this number of finished tasks."""
    made = new_project(name="t.csv", roles={"target": "y"}, kind="table")
    made.save(table=made.save_upload("t.csv", b"y\n1\n"))
    made.write_study({"study": {"k": 2}, "selector": [{"key": "mim"}]})
    store = Store.create(made.folder / "study.stab", *store_contents())
    for run in range(tasks):
        store.add(done(run))
    return made


# ---- for Similarity: two families of names, and a C ----

LABORATORY = ["IL_6", "IL_8", "TNF_a", "TNF_b", "age"]


def two_scenarios(key="wine", **scenario):
    scenarios = {"nothing": {"base": "none"}, "correlated": {"base": "correlation", "groups": {}, **scenario}}
    return sample(key, scenarios=scenarios, scenario=scenarios["correlated"], scenario_name="correlated")


def families(**scenario):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(40, 2))[:, [0, 0, 1, 1, 1]] + 0.5 * rng.normal(size=(40, 5)), columns=LABORATORY)
    frame["outcome"] = np.where(frame["age"] > 0, "a", "b")
    return table(frame, roles={"target": "outcome", "exclude": []}, scenario=scenario, scenario_name="mine")


def similarity_selections(**settings):
    return brought(pd.DataFrame([[1, 0, 1, 0, 0], [0, 1, 1, 0, 0], [1, 0, 0, 1, 0]], columns=LABORATORY), **settings)


def C_text(value):
    """A C of two pairs of features, as a file of pairs."""
    return f"feature_a,feature_b,value\nIL_6,IL_8,{value}\nage,TNF_a,1\n".encode()
