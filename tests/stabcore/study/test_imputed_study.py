"""Studies with multiple imputation: sources of disagreement, reproducibility, and held-out rows."""

import numpy as np
import pandas as pd
import pytest
from noise_support import Here

import stabcore as sc
from stabcore.study.rerun import study_tables
from stabcore.study.store import Store

PLAN = sc.ComplementaryPairs(2)


def gappy(seed=0, n=60, d=8, share=0.2, given=False):
    """A Dataset of correlated columns with signal. Two have missing cells, one of which has three levels."""
    rng = np.random.default_rng(seed)
    ill = np.arange(n) % 2
    values = rng.standard_normal((n, d)) + 0.5 * rng.standard_normal((n, 1)) + ill[:, None] * np.linspace(1, 0, d)
    frame = pd.DataFrame(values, columns=list("abcdefgh"[:d]))
    frame["b"] = np.where(frame["b"] > 1, "high", np.where(frame["b"] > 0, "middle", "low"))
    frame = frame.mask((rng.random((n, d)) < share) & (np.arange(d) < 2))
    return sc.Dataset(frame, np.where(ill, "ill", "well"), given=["h"] if given else ())


def study(data, keys=("lasso", "welch_t"), **options):
    return sc.Study(data, list(keys), **{"plan": PLAN, "k": 3, "n_permutations": 0} | options)


def test_imputations_measure_every_source_of_disagreement():
    made = study(gappy(), ["welch_t", ("random_forest", {"trees": 5})], n_imputations=3)
    assert made.n_seeds == 2  # to separate the seed of the forest from its missing values
    result = made.run(Here())
    assert result.total == len(list(made.tasks())) == 4 * 2 + 4 + 2 * 4 * 2
    found = result.disagreement_sources()
    assert found["imputations"].tolist() == [3, 3] and found["seeds"].tolist() == [1, 2]
    assert found[["patients", "missing", "seed"]].sum(axis=1).tolist() == pytest.approx([1, 1])
    assert found.loc["welch_t", "seed"] == 0 and found.loc["welch_t", "missing"] > 0
    assert [Store(result.path).tasks("welch_t", imputation=i)[0].held_out is None for i in range(3)] == [False, True, True]
    pooled = result.imputed_frequencies().set_index(["selector", "feature"])
    each = [result.selections("welch_t", imputation=i).frequencies for i in range(3)]
    np.testing.assert_allclose(pooled.loc["welch_t", "frequency"], np.mean(each, axis=0))
    np.testing.assert_allclose(pooled.loc["welch_t", ["lowest", "highest"]].to_numpy().T, [np.min(each, 0), np.max(each, 0)])


def test_runs_depend_only_on_the_seed_and_their_number(tmp_path):
    data = gappy(n=40, given=True)

    def asked(n):
        return study(data, ["welch_t"], n_imputations=n, n_permutations=1, classifier="logistic")

    digest = asked(2).run(Here(), store=tmp_path / "a.stab").digest()
    grown = asked(3)
    assert grown.run(Here(), store=tmp_path / "a.stab").digest() == grown.run(Here()).digest() != digest
    assert grown.settings()["n_imputations"] == 3 and "n_imputations" in study_tables(grown.settings())["study"]
    with pytest.raises(sc.InputError):  # the first imputation would differ
        study(data, ["welch_t"], n_permutations=1, classifier="logistic").run(Here(), store=tmp_path / "a.stab")
    once = study(data, ["welch_t"], n_imputations=1).run(Here())
    assert not once.has_refits and once.digest() != study(data, ["welch_t"]).run(Here()).digest()


def test_complete_table_has_no_share_of_missing_values():
    data, selectors = gappy(share=0), ["welch_t", ("random_forest", {"trees": 5})]
    made = study(data, selectors, n_imputations=5, n_seeds=2)
    result, plain = made.run(Here()), study(data, selectors, n_seeds=2).run(Here())
    assert made.n_imputations == 1 and result.disagreement_sources()["missing"].tolist() == [0]
    for label in plain.selectors:
        np.testing.assert_array_equal(plain.selections(label).selected, result.selections(label).selected)
        assert "n_imputations" not in plain.settings


def test_held_out_rows_are_not_used_for_training():
    """Values of held-out rows affect neither selection nor imputation of the training rows."""
    data, rng = gappy(), np.random.default_rng(9)
    made = study(data, ["welch_t"], n_imputations=1)
    rows = made.plan.resample(0, data.target, 0).rows
    frame = data.to_frame().drop(columns=data.target_name)
    others = np.setdiff1d(np.arange(len(frame)), rows)
    for name in frame.columns.drop("b"):
        frame.loc[others, name] = rng.standard_normal(len(others)) * 3
    changed = sc.Dataset(frame, data.to_frame()[data.target_name])
    settings = [planned.run(Here()) for planned in (made, study(changed, ["welch_t"], n_imputations=1))]
    first, second = (Store(result.path).tasks("welch_t")[0] for result in settings)
    np.testing.assert_array_equal(first.scores, second.scores)
