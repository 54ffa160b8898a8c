"""Memory check before a study."""

import numpy as np
import pytest

import stabcore as sc
from stabcore.study.machine import available_memory, needed_memory, refuse_excess_memory


def data(rows=40, features=50):
    return sc.Dataset(np.random.default_rng(0).normal(size=(rows, features)), np.arange(rows) % 2)


def test_study_that_cannot_fit_in_memory_is_refused(tmp_path, monkeypatch):
    small, base = data(), needed_memory(data(), 1)
    assert needed_memory(data(rows=80), 1) > base and needed_memory(data(features=90), 1) > base and needed_memory(small, 2) > base
    refuse_excess_memory(small, 2, free=needed_memory(small, 2))
    with pytest.raises(sc.InputError, match="Use 1 worker"):
        refuse_excess_memory(small, 2, free=base + 1)
    assert 1e7 < available_memory() < 1e15
    monkeypatch.setattr("stabcore.study.machine.available_memory", lambda: 1e6)
    with pytest.raises(sc.InputError):
        sc.Study(small, ["mim"], plan=sc.Subsample(2), k=2, n_permutations=0).run(store=tmp_path / "s.stab", n_jobs=1)
    assert not (tmp_path / "s.stab").exists()
