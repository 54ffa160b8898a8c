"""Memory check before a study."""

import numpy as np
import pytest

import stabcore as sc
from stabcore.study.machine import available, needed, refuse_what_cannot_fit


def data(rows=40, features=50):
    return sc.Dataset(np.random.default_rng(0).normal(size=(rows, features)), np.arange(rows) % 2)


def test_study_that_cannot_fit_in_memory_is_refused(tmp_path, monkeypatch):
    small, base = data(), needed(data(), 1)
    assert needed(data(rows=80), 1) > base and needed(data(features=90), 1) > base and needed(small, 2) > base
    refuse_what_cannot_fit(small, 2, free=needed(small, 2))
    with pytest.raises(sc.InputError, match=r"2 workers \(40 rows × 50 features\), but .* Use 1 worker\."):
        refuse_what_cannot_fit(small, 2, free=base + 1)
    assert 1e7 < available() < 1e15
    monkeypatch.setattr("stabcore.study.machine.available", lambda: 1e6)
    with pytest.raises(sc.InputError, match="1 MB are free"):
        sc.Study(small, ["mim"], plan=sc.Subsample(2), k=2, n_permutations=0).run(store=tmp_path / "s.stab", n_jobs=1)
    assert not (tmp_path / "s.stab").exists()
