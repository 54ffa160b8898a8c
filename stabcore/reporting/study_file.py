"""The report of a study file, on the command line."""

import json
from dataclasses import replace
from typing import Any

from stabcore.base.errors import InputError
from stabcore.data import Dataset
from stabcore.reporting.make import report
from stabcore.similarity.files import read_scenario, read_similarity
from stabcore.similarity.scenario import Scenario
from stabcore.similarity.similarity import Similarity
from stabcore.study.rerun import matching_roles, reread_table
from stabcore.study.study_result import open_study


def write_report(store, table, path, **answers):
    """Write the report of a study file, and yield messages. C is that of the first scenario in the file.

    answers: threshold, max_false, fdr, filtered, source and interactive, as sc.report takes them. Without a scenario, C comes from
    correlations if there is a table, else no features are similar. Raises InputError for a file that is not a study, another table,
    an invalid answer, or a path that cannot be written.
    """
    if path.resolve() == store.resolve() or (table and path.resolve() == table.resolve()):
        raise InputError(f"The report would overwrite {path}. Give another file: -o report.html.")
    result = open_study(store, named=True)
    data = None if table is None else _read_table(result, table)
    yield from result.notes
    scenarios = _read_scenarios(result, data)
    (scenario, similarity), *_ = scenarios.values()
    others = {name: C for name, (_, C) in list(scenarios.items())[1:]}
    report(result, similarity=similarity, data=data, scenario=scenario, scenarios=others, path=path, **answers)
    if data is None:
        yield "Without --table, the report has no table of patients and no effects."
    yield f"Written: {path}"


def _read_table(result, table):
    """Read the Dataset of the study from a file. Raises InputError for another table."""
    reading = reread_table(table, result.store)
    roles = matching_roles(reading.frame, result.settings, result.features, result.store.meta("patients"))
    return Dataset.from_reading(reading, **roles, name=result.settings["data"]["name"])


def _read_scenarios(result, data):
    """{name: (scenario, C)} of those in the study file that can be built, else of correlations if there is a table, or of none."""
    found = {}
    for text in result.store.meta("scenarios", []):
        name, scenario, file, _ = read_scenario(text.encode("utf-8"), result.features)
        basis: Any = None
        if file is not None and scenario.base == "sets":
            scenario, basis = replace(scenario, sets="sets.json"), json.loads(file)
        elif file is not None:
            scenario = replace(scenario, matrix="matrix.csv")
            basis = read_similarity(file, "matrix.csv", result.features).similarity
        if scenario.base != "correlation" or data is not None:
            found[name] = scenario, _make_similarity(scenario, result, data, basis)
    if not found:
        scenario = Scenario(base="none" if data is None else "correlation")
        found[""] = scenario, _make_similarity(scenario, result, data)
    return found


def _make_similarity(scenario, result, data, basis=None):
    if scenario.base == "correlation":
        basis = Similarity.from_correlation(data, method=scenario.method, threshold=scenario.threshold, binary=False)
    return scenario.build_similarity(result.features, basis)
