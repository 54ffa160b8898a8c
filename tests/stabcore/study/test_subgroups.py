"""Agreement within, across and between random subgroups: against a slow version, false alarms and power."""

import numpy as np
import pandas as pd
import pytest
from noise_support import Here
from support import slow

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.base.target import TIME, TWO, survival_target
from stabcore.selectors.catalog import selector
from stabcore.study.subgroups import _STREAM, MIN_ROWS, _SubgroupUnits, possible_group_columns, subgroup_seconds
from stabcore.study.tasks import text_seed


def table(seed=0, kind=TWO, n=160, d=30, ways="same", share=0.5, linked=False, effect=0.8):
    """Return (features, outcome, sex) with five markers in both sexes, different ones in each, or none.

    linked: sex is related to the outcome and to ten features.
    """
    rng = np.random.default_rng([3, seed])
    sex = (rng.random(n) < share).astype(int)
    outcome = (rng.random(n) < (0.35 + 0.3 * sex if linked else 0.5)).astype(int)
    effects = np.zeros((2, d))
    if ways != "none":
        effects[0, :5] = effect
        effects[1, slice(5, 10) if ways == "other" else slice(5)] = effect
    X = rng.standard_normal((n, d)) + outcome[:, None] * effects[sex]
    if linked:
        X[:, 2:12] += sex[:, None]
    if kind == TIME:
        time, end = rng.exponential(size=n) * np.exp(-(X * effects[sex]).sum(axis=1)), 2 * rng.exponential(size=n)
        outcome = survival_target(np.minimum(time, end), time <= end)
    return X, outcome, np.where(sex, "m", "f")


def study(X, outcome, choice="welch_t", k=5, **options):
    data = sc.Dataset(X, outcome, **options)
    made = sc.Study(data, [choice], plan=sc.Subsample(2, 0.2), k=k, n_permutations=0, classifier="none")
    return data, made.run(Here(), progress=False)


def asked(seed, n_repeats=3, n_permutations=19, choice="welch_t", **options):
    X, outcome, sex = table(seed, **options)
    times = {"n_repeats": n_repeats, "n_permutations": n_permutations}
    return sc.subgroup_agreement(*study(X, outcome, choice), sex, **times).set_index("of")


def kappa(a, b, d):
    by_chance = len(a) * len(b) / d
    return (len(a & b) - by_chance) / ((len(a) + len(b)) / 2 - by_chance)


def test_agreements_match_fits_to_the_halves():
    X, outcome, sex = table(1, ways="other", share=0.4)
    data, result = study(X, outcome)
    found = sc.subgroup_agreement(data, result, sex, n_repeats=4, n_permutations=2).set_index("of")
    design, note = _SubgroupUnits.of(data, sex)
    assert design.names == ("f", "m") and note == ""
    counts = [[np.sum((sex == name) & (outcome == label)) for name in "fm"] for label in (0, 1)]
    assert list(design.sizes) == [min(of_class) // 2 for of_class in counts]
    assert found["rows"].unique().tolist() == [sum(design.sizes)]
    within, across = [], []
    rng = np.random.default_rng([0, _STREAM, text_seed("welch_t"), text_seed(data.fingerprint), 0])
    for _ in range(4):
        halves = design.halves(rng)
        assert len(np.unique(np.concatenate(halves))) == sum(map(len, halves))  # no row twice
        assert [set(sex[rows]) for rows in halves] == [{"f"}, {"f"}, {"m"}, {"m"}]
        assert all(np.bincount(outcome[rows]).tolist() == list(design.sizes) for rows in halves)
        sets = [set(selector("welch_t").fit(X[rows], outcome[rows], rng=rng, k=5).select(5).tolist()) for rows in halves]
        values = {(i, j): kappa(sets[i], sets[j], 30) for i in range(4) for j in range(i)}
        within.append((values[1, 0] + values[3, 2]) / 2)
        across.append(np.mean([values[2, 0], values[3, 0], values[2, 1], values[3, 1]]))
    assert found["value"]["within"] == pytest.approx(np.mean(within))
    assert found["value"]["across"] == pytest.approx(np.mean(across))
    assert found["value"]["difference"] == pytest.approx(np.mean(within) - np.mean(across))
    assert found["low"]["within"] == pytest.approx(np.mean(within) - 3.182 * np.std(within, ddof=1) / 2, abs=1e-3)
    narrow = sc.subgroup_agreement(data, result, sex, n_repeats=2, n_permutations=9, level=0.4).set_index("of").loc["random"]
    assert narrow["low"] < narrow["value"] < narrow["high"]
    other = design.shuffled(np.random.default_rng(0))  # with the same class sizes
    assert (other.of_unit != design.of_unit).any()
    for rows in (outcome == 0, outcome == 1):
        assert np.bincount(other.of_unit[rows]).tolist() == np.bincount(design.of_unit[rows]).tolist()


def test_different_markers_per_subgroup_are_distinguished():
    other, same = asked(0, ways="other", n=300), asked(0, n=300)
    assert other["p"]["difference"] == 0.05 and other["value"]["within"] > 0.4 > other["value"]["across"] + 0.2
    assert same["p"]["difference"] > 0.05 and abs(same["value"]["difference"]) < 0.2


def test_times_given_columns_and_features_as_subgroups():
    X, outcome, sex = table(3, TIME, n=200, ways="other")
    frame = pd.DataFrame(X, columns=[f"m{i}" for i in range(30)]).assign(sex=sex)
    values = []
    for roles in ({"given": ["sex"]}, {"exclude": ["sex"]}, {}):
        data, result = study(frame, outcome, "cox_score", **roles)
        assert possible_group_columns(data) == {"sex": ("f", "m")}
        values.append(sc.subgroup_agreement(data, result, "sex", n_repeats=3, n_permutations=0)["value"].tolist()[:2])
    assert all(within > across + 0.2 for within, across in values)
    assert subgroup_seconds(result, "cox_score") > 0


def test_patients_stay_together_and_small_subgroups_are_left_out():
    X, outcome, _ = table(4, n=120)
    of_row = np.repeat(np.arange(60), 2)
    patients = outcome[::2][of_row]
    sites = np.array(["a", "b", "c"])[np.digitize(of_row, [27, 54])]
    data, result = study(X, patients, groups=of_row)
    found = sc.subgroup_agreement(data, result, sites, n_repeats=2, n_permutations=0)
    assert "'c'" in found["note"][0] and found["p"].isna().all()
    design, _ = _SubgroupUnits.of(data, sites)
    halves = [set(of_row[rows]) for rows in design.halves(np.random.default_rng(0))]
    assert all(not halves[i] & halves[j] for i in range(4) for j in range(i))
    with pytest.raises(InputError):
        sc.subgroup_agreement(data, result, np.arange(120) % 2)


@pytest.mark.parametrize(
    ("groups", "options"),
    [
        *((groups, {}) for groups in (np.zeros(160), np.arange(160), np.arange(159) % 2, "sex", np.arange(160) < 3 * MIN_ROWS)),
        *((np.arange(160) % 2, option) for option in ({"measure": "pogr"}, {"selector": "lasso"}, {"level": -2.5})),
        (np.arange(160) % 2, {"progress": lambda done, total: done < 5}),
    ],
)
def test_incomparable_groups_are_refused(groups, options):
    X, outcome, _ = table(5)
    with pytest.raises(InputError):
        sc.subgroup_agreement(*study(X, outcome), groups, n_repeats=2, n_permutations=1, **options)
    with pytest.raises(InputError):
        sc.subgroup_agreement(sc.Dataset(X[:-1], outcome[:-1]), study(X, outcome)[1], np.arange(159) % 2)


def alarms(n_tables, n_repeats=5, n_permutations=39, **options):
    """Share of tables with p ≤ 0.05."""
    return np.mean([asked(seed, n_repeats, n_permutations, **options)["p"]["difference"] <= 0.05 for seed in range(n_tables)])


def test_false_alarms_in_few_tables():
    assert alarms(6, 2, 19, n=100, d=15) <= 0.34


TIMED = {"kind": TIME, "choice": "cox_score", "n": 260}


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"ways": "none"}, {"share": 0.3}, {"linked": True}, TIMED])
def test_false_alarms(options):
    assert alarms(100, **options) <= 0.09


@pytest.mark.slow
def test_power():
    assert alarms(30, ways="other", n=300) >= 0.8


@pytest.mark.parametrize("times", [12, slow(100)])
def test_intervals_cover_the_mean_over_divisions(times):
    """One table, divided with other seeds."""
    X, outcome, sex = table(6, ways="other", n=200)
    data, found = sc.Dataset(X, outcome), []
    for seed in range(times):
        made = sc.Study(data, "welch_t", plan=sc.Subsample(2, 0.2), k=5, n_permutations=0, classifier="none", random_state=seed)
        result = made.run(Here(), progress=False)
        found.append(sc.subgroup_agreement(data, result, sex, n_permutations=0).set_index("of").loc[["within", "across"]])
    mean = np.mean([agreement["value"] for agreement in found], axis=0)
    covered = np.mean([(agreement["low"] <= mean) & (mean <= agreement["high"]) for agreement in found])
    assert (0.75 if times < 50 else 0.9) <= covered
