"""The report without a browser: of a study file, with its table if that is at hand."""

from __future__ import annotations

from dataclasses import replace

from stabcore.base.errors import InputError
from stabcore.reporting.make import report
from stabcore.similarity.files import read_scenario
from stabcore.similarity.scenario import Scenario
from stabcore.similarity.similarity import Similarity


def write_report(store, table, path, **answers):
    """Write the report of a study file; yield what there is to say about it. C: the first scenario that the file holds.

    answers: threshold, filtered and source, as sc.report takes them.
    Without a scenario, features stand for each other by correlation where there is a table, else every one for itself.
    Raises InputError for a file that is no study, a table that is not its own, an answer that is none, or a place that cannot be
    written to.
    """
    from stabcore.study.study_result import open_study

    if path.resolve() == store.resolve() or (table and path.resolve() == table.resolve()):
        raise InputError(f"The report would overwrite {path}. Give another file: -o report.html.")
    result = open_study(store, named=True)
    data = None if table is None else _table(result, table)
    yield from result.notes
    scenario, matrix = _scenario(result, data)
    similarity = scenario.build(
        result.features,
        None
        if data is None
        else lambda threshold: Similarity.from_correlation(data, method=scenario.method, threshold=threshold, binary=False),
        matrix,
    )
    report(result, similarity=similarity, data=data, scenario=scenario, path=path, **answers)
    if data is None:
        yield "Without --table the report has no patients, and no direction and size of effects."
    yield f"Written: {path}"


def _table(result, table):
    """The Dataset of the study from a file. Raises InputError for another table."""
    from stabcore.data import Dataset
    from stabcore.study.rerun import read_again, roles_of

    reading = read_again(table, result.store)
    roles = roles_of(reading.frame, result.settings, result.features, result.store.meta("patients"))
    return Dataset.from_reading(reading, **roles, name=result.settings["data"]["name"])


def _scenario(result, data):
    """(the first scenario of the study file that can be built, what gives its matrix)."""
    for text in result.store.meta("scenarios", []):
        _, scenario, matrix, _ = read_scenario(text.encode("utf-8"), result.features)
        if data is None and scenario.base == "correlation":
            continue
        if matrix is None:
            return scenario, None
        from stabcore.similarity.files import read_similarity

        return replace(scenario, matrix="matrix.csv"), lambda: read_similarity(matrix, "matrix.csv", result.features).similarity
    return Scenario(base="none" if data is None else "correlation"), None
