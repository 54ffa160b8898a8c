"""The bundled results are those of the bundled settings today. If not, run `make samples`."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from project_support import bundled
from support import slow

import stabcore as sc
from pages.workspace.samples import samples
from stabcore.study.loading import load_study

STALE = "out of date: run `make samples`"
QUICK = ("wine", "actg175_survival", "teaching_weak")  # classes, times and the lessons; others have the selectors of these


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.key)
def test_bundled_results_are_complete_small_and_of_these_settings(sample):
    found = sc.open_study(sample.store)
    assert found.settings == load_study(sample.settings).settings(), STALE
    assert len(found.store.finished()) == found.total and not found.progress()["failed"].any() and found.store.intact() is not False
    assert sample.store.stat().st_size < 3_000_000


@pytest.mark.parametrize("key", [sample.key if sample.key in QUICK else slow(sample.key) for sample in samples()])
def test_bundled_results_come_out_again(key, tmp_path):
    """The first run of every selector, done again."""
    sample = bundled(key)
    study, found = load_study(sample.settings), sc.open_study(sample.store)
    with ThreadPoolExecutor(1) as executor:
        again = replace(study, plan=replace(study.plan, n_pairs=1)).run(
            executor, store=tmp_path / "again.stab", progress=lambda done, total: done < len(study.selectors)
        )
    compared = 0
    for task in again.store.tasks():
        bundled_task = found.store.tasks(task.selector)[task.run]
        np.testing.assert_array_equal(task.selected, bundled_task.selected, err_msg=STALE)
        np.testing.assert_array_equal(task.held_out, bundled_task.held_out, err_msg=STALE)
        np.testing.assert_allclose(task.scores, bundled_task.scores, rtol=1e-6, atol=1e-9, err_msg=STALE)
        compared += 1
    assert compared >= len(study.selectors)
