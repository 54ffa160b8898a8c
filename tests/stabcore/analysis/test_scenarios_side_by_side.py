"""Comparisons of scenarios: slow versions of every number, and conclusions that depend on C."""

import numpy as np
import pandas as pd
import pytest
from noise_support import Regime, noise_study, simulated
from scipy.stats import t
from snapshot_support import check_snapshot

import stabcore as sc
from stabcore.analysis.scenarios import HOLDS, LOST, MAYBE, OPEN, SHIFTED, TURNS, pair_verdict
from stabcore.base.holm import holm
from stabcore.plots.similarity import NOT_JUDGED, finding_conclusions, finding_scenarios, frame_scenarios, table_conclusions
from stabcore.study.results import Results

M, D = 12, 20


def phi(Z, C):
    """Φ_C from its definition, with whole matrices: 1 − tr(CS)/tr(CΣ⁰)."""
    sizes, d = Z.sum(axis=1), Z.shape[1]
    diagonal = sizes.mean() / d * (1 - sizes.mean() / d)
    pair = ((sizes**2).mean() - sizes.mean()) / (d * d - d) - (sizes.mean() / d) ** 2
    chance = np.full((d, d), pair)
    np.fill_diagonal(chance, diagonal)
    return 1 - np.trace(C @ np.cov(Z, rowvar=False)) / np.trace(C @ chance)


def matrix(similarity):
    return similarity.block(np.arange(similarity.n_features))


def by_jackknife(values):
    """(value, low, high, p) of a function of the kept rows, leaving out one row at a time."""
    whole = values(np.arange(M))
    without = np.array([values(np.delete(np.arange(M), i)) for i in range(M)])
    se = np.sqrt((M - 1) / M * ((without - without.mean()) ** 2).sum())
    half = t.ppf(0.975, M - 1) * se
    return whole, whole - half, whole + half, 2 * t.sf(abs(whole) / se, M - 1)


@pytest.fixture(scope="module")
def found():
    return simulated(3, Regime(runs=M, features=D, selectors=3, k=None))


@pytest.fixture(scope="module")
def scenarios(found):
    names = found.features
    return {
        "nothing": sc.Similarity.identity(D, names),
        "pairs": sc.Similarity.from_groups({"a": names[3:5], "b": names[5:8]}, names=names).edited({("f0", "f9"): 0.5}),
        "wide": sc.Similarity.from_groups({"all": names[:9]}, names=names),
    }


def rows_of(found, label):
    return found.selections(label).selection_matrix.toarray().astype(float)


def test_values_and_changes_equal_a_slow_version(found, scenarios):
    frame = sc.compare_scenarios(found, scenarios, against="pairs")
    assert len(frame) == 9 and set(frame["against"]) == {"pairs"}
    base = matrix(scenarios["pairs"])
    for row in frame.itertuples():
        Z, C = rows_of(found, row.selector), matrix(scenarios[row.scenario])
        assert row.value == pytest.approx(phi(Z, C))
        if row.scenario == "pairs":
            assert np.isnan(row.change) and row.change_note == ""
        else:
            slow = by_jackknife(lambda rows: phi(Z[rows], C) - phi(Z[rows], base))
            assert (row.change, row.change_low, row.change_high, row.p_value) == pytest.approx(slow)
    np.testing.assert_array_equal(frame["p_holm"], holm(frame["p_value"].to_numpy(dtype=float)))


def test_leads_and_shifts_equal_a_slow_version(found, scenarios):
    frame = sc.scenario_contrasts(found, scenarios)
    assert len(frame) == 9 and frame.groupby(["first", "second"]).ngroups == 3
    p_values = []
    for row in frame.itertuples():
        both = [rows_of(found, label) for label in (row.first, row.second)]
        C, base = (matrix(scenarios[name]) for name in (row.scenario, "nothing"))
        assert row.difference == pytest.approx(phi(both[0], C) - phi(both[1], C))
        assert row.scenario != "nothing" or row.difference >= 0
        if row.scenario != "nothing":
            slow = by_jackknife(lambda rows: np.subtract(*(phi(Z[rows], C) - phi(Z[rows], base) for Z in both)))
            assert (row.shift, row.shift_low, row.shift_high) == pytest.approx(slow[:3])
            p_values.append(slow[3])
    assert frame["shift_p_holm"].dropna().to_numpy() == pytest.approx(holm(np.array(p_values)))


def test_wrong_scenarios_are_refused(found, scenarios):
    with pytest.raises(sc.InputError):
        sc.compare_scenarios(found, {"nothing": scenarios["nothing"]})
    with pytest.raises(sc.InputError):
        sc.scenario_contrasts(found, scenarios, against="none")


def swapping(rng, runs=200):
    """Two selectors: one selects a fixed feature and either of two twins at random, the other nearly always the same two."""
    twins, steady = np.zeros((runs, D), dtype=int), np.zeros((runs, D), dtype=int)
    twins[:, 0] = steady[:, 0] = 1
    twins[np.arange(runs), rng.integers(1, 3, runs)] = 1
    steady[np.arange(runs), np.where(rng.random(runs) < 0.9, 1, rng.integers(3, D, runs))] = 1
    return Results({"twins": sc.Selections.from_matrix(twins), "steady": sc.Selections.from_matrix(steady)})


def test_a_reversed_lead_is_found():
    runs = swapping(np.random.default_rng(0))
    similarities = {"nothing": sc.Similarity.identity(D), "twins": sc.Similarity.from_groups({"t": [1, 2]}, n_features=D)}
    frame = sc.scenario_contrasts(runs, similarities)
    assert set(frame["verdict"]) == {TURNS} and frame["ahead"].tolist() == ["steady", "twins"]
    check_snapshot("plots/conclusions", finding_conclusions(frame))
    assert table_conclusions(frame)["verdict"].tolist() == ["the order reverses"]
    assert finding_scenarios(frame_scenarios(runs, similarities)) == NOT_JUDGED, "no noise floor is known"


@pytest.mark.parametrize(
    ("ahead", "shifted", "verdict"),
    [
        *(("aaa", (), HOLDS), ("   ", (), OPEN), ("aaa", ("two",), SHIFTED), ("a a", (), MAYBE), ("a a", ("one",), LOST)),
        *(("a a", ("two",), MAYBE), ("ab ", (), TURNS)),
    ],
)
def test_the_verdict_needs_more_than_significance_in_one_scenario(ahead, shifted, verdict):
    names = ["nothing", "one", "two"]
    p_values = [0.01 if name in shifted else np.nan if name == "nothing" else 0.5 for name in names]
    leads = [letter.strip() for letter in ahead]
    pair = pd.DataFrame({"scenario": names, "ahead": leads, "against": "nothing", "shift_p_holm": p_values})
    assert pair_verdict(pair) == verdict


def test_baselines_do_not_compete_and_few_runs_show_no_change():
    few = simulated(1, Regime(runs=4), labels=("amber", "random"))
    similarities = {"nothing": sc.Similarity.identity(20, few.features)}
    similarities["pair"] = sc.Similarity.from_groups({"a": few.features[3:6]}, names=few.features)
    frame = frame_scenarios(few, similarities)
    assert frame["selector"].tolist() == ["amber", "random"] * 2 and not frame["clear"].any()
    assert "5 independent runs" in frame["change_note"].iloc[2] and finding_scenarios(frame) == NOT_JUDGED
    assert sc.scenario_contrasts(few, similarities).empty


@pytest.mark.slow
def test_conclusions_on_noise_do_not_depend_on_c(tmp_path):
    """Φ_C of noise rises and falls with C. The part above the floor under the same C does not."""
    moves, said = 0, []
    for seed in range(8):
        options = {"plan": sc.ComplementaryPairs(5), "n_permutations": 20, "classifier": "none"}
        study = noise_study(seed, "blocks", ("mim", "mrmr"), folder=tmp_path, **options)
        groups = {f"g{i}": study.features[3 * i : 3 * i + 3] for i in range(4)}
        blocks = sc.Similarity.from_groups(groups, names=study.features)
        both = {"nothing": sc.Similarity.identity(12, study.features), "blocks": blocks}
        frame = frame_scenarios(study, both)
        values = frame.pivot(index="selector", columns="scenario", values="value")
        moves += (values["blocks"] - values["nothing"]).abs().max() > 0.2
        said += [finding_scenarios(frame), finding_conclusions(sc.scenario_contrasts(study, both))]
    assert moves >= 3 and sum(text.startswith(("Of ", "The lead depends")) for text in said) <= 1
