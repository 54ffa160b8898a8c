"""The memory guard: what a study needs, and what it says when that is not there."""

import numpy as np
import pytest

import stabcore as sc
from stabcore.study.machine import available, needed, refuse_what_cannot_fit


def data(rows=40, features=50):
    rng = np.random.default_rng(0)
    frame = {f"f{j}": rng.normal(size=rows) for j in range(features)}
    import pandas as pd

    return sc.Dataset.from_frame(pd.DataFrame(frame).assign(y=np.arange(rows) % 2), target="y")


def test_more_rows_features_and_workers_need_more():
    base = needed(data(), 1)
    assert needed(data(rows=80), 1) > base and needed(data(features=90), 1) > base and needed(data(), 2) > base


def test_what_fits_is_let_through_and_what_does_not_gets_a_sentence_with_a_way_out():
    small = data()
    refuse_what_cannot_fit(small, 2, free=needed(small, 2))
    with pytest.raises(sc.InputError, match=r"needs up to .* on 2 workers \(40 rows × 50 features\), but .* free. Use 1 worker\."):
        refuse_what_cannot_fit(small, 2, free=needed(small, 1) + 1)
    with pytest.raises(sc.InputError):
        refuse_what_cannot_fit(small, 2, free=1e6)


def test_this_machine_has_some_memory():
    assert 1e7 < available() < 1e15


def test_a_study_that_cannot_fit_is_not_begun(tmp_path, monkeypatch):
    monkeypatch.setattr("stabcore.study.machine.available", lambda: 1e6)
    with pytest.raises(sc.InputError, match="1 MB are free"):
        sc.Study(data(), ["mim"], plan=sc.Subsample(2), k=2, n_permutations=0).run(store=tmp_path / "s.stab", n_jobs=1)
    assert not (tmp_path / "s.stab").exists()
