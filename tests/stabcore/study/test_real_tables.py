"""Every selector on real clinical tables: mixed types, gaps, repeated patients, three arms, and an outcome that is a number."""

import numpy as np
import pytest
from support import shared

import stabcore as sc
from stabcore.selectors.base import kind_of_target
from stabcore.selectors.catalog import BY_KEY, ENCODINGS
from stabcore.study.choices import Choice
from stabcore.study.outcome import Outcome
from stabcore.study.tasks import Task, Work, run_task

# file, target, left out, who a row belongs to, share of the rows held out (the largest table mostly, to stay quick)
TABLES = {
    "hepatitis": ("hepatitis.csv", "target", [], None, 0.2),
    "pbc": ("pbc.csv", "target", ["time", "status"], None, 0.2),
    "a number": ("pbc.csv", "bili", ["time", "status", "target"], None, 0.2),
    "trial": ("cdisc_pilot_baseline.csv", "target", ["time"], "usubjid", 0.2),
    "three arms": ("cdisc_pilot_baseline.csv", "arm", ["time", "usubjid"], None, 0.2),
    "thiomon": ("thiomon.csv.gz", "target", [], None, 0.9),
}


@pytest.fixture(scope="module", params=TABLES)
def work(request, tmp_path_factory):
    name, target, exclude, patient, held_out = TABLES[request.param]
    data = sc.Dataset.from_file(shared("data", "checks", name), target=target, exclude=exclude, same_patient=patient)
    folder = tmp_path_factory.mktemp("work")
    study = sc.Study(data, ["random"], plan=sc.Subsample(2, held_out), k="sqrt", seed=1, control=0)
    Work.write(folder, data, study.settings())
    return data, str(folder)


@pytest.mark.parametrize("key", BY_KEY)
def test_every_selector_gets_through(work, key):
    data, folder = work
    if kind_of_target(data.target) not in BY_KEY[key].targets:
        with pytest.raises(sc.InputError, match=f"{key}: This selector is defined for"):
            sc.Study(data, [key], control=0)
        return
    done = run_task(folder, Task(Choice(key, key), 0))
    assert isinstance(done, Outcome) and done.status == "done", done.message
    assert 1 <= len(done.selected) <= int(min(20, data.n_features ** 0.5)) and np.isfinite(done.importances).all()
    assert not [said for said in done.warnings if "Warning:" in said]          # a library's own complaint, in its own words
    assert data.numeric_target or len(done.predicted) == len(done.held_out)


def test_what_each_selector_does_with_categories_and_gaps_is_stated():
    assert all(entry.encoding in ENCODINGS for entry in BY_KEY.values())
    assert {entry.encoding for entry in BY_KEY.values()} == set(ENCODINGS)
