"""Scenarios side by side: every number done slowly, what counts as depending on C, what is said of it."""

import numpy as np
import pandas as pd
import pytest
from noise_support import Regime, simulated
from scipy.stats import t

import stabcore as sc
from stabcore.analysis.scenarios import HOLDS, LOST, MAYBE, OPEN, SHIFTED, TURNS
from stabcore.figures.scenarios import (
    draw_scenarios,
    finding_conclusions,
    finding_scenarios,
    frame_scenarios,
    sentence_lead,
    table_conclusions,
    table_scenarios,
)
from stabcore.inference.comparison import holm
from stabcore.study.results import Results

M, D = 12, 20


def phi(Z, C):
    """Φ_C from its definition, with whole matrices: 1 − tr(CS)/tr(CΣ⁰)."""
    sizes, d = Z.sum(axis=1), Z.shape[1]
    own = sizes.mean() / d * (1 - sizes.mean() / d)
    pair = ((sizes ** 2).mean() - sizes.mean()) / (d * d - d) - (sizes.mean() / d) ** 2
    chance = np.full((d, d), pair)
    np.fill_diagonal(chance, own)
    return 1 - np.trace(C @ np.cov(Z, rowvar=False)) / np.trace(C @ chance)


def matrix(relation):
    return relation.block(np.arange(relation.n_features))


def by_jackknife(values):
    """(value, low, high, p) of a function of the rows that are kept, one row left out at a time."""
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
    return {"nothing": sc.Relation.identity(D, found.features), "pairs": sc.Relation.from_groups(
        {"a": found.features[3:5], "b": found.features[5:8]}, features=found.features).edited({("f0", "f9"): 0.5}),
        "wide": sc.Relation.from_groups({"all": found.features[:9]}, features=found.features)}


def rows_of(found, label):
    return found.preferences(label).selection_matrix.toarray().astype(float)


def test_every_value_and_change_done_slowly(found, scenarios):
    frame = sc.across_scenarios(found, scenarios, against="pairs")
    assert len(frame) == 9 and set(frame["against"]) == {"pairs"}
    base = matrix(scenarios["pairs"])
    for row in frame.itertuples():
        Z, C = rows_of(found, row.selector), matrix(scenarios[row.scenario])
        assert row.value == pytest.approx(phi(Z, C))
        if row.scenario == "pairs":
            assert np.isnan(row.change) and row.change_note == ""
        else:
            slow = by_jackknife(lambda rows, Z=Z, C=C: phi(Z[rows], C) - phi(Z[rows], base))
            assert (row.change, row.change_low, row.change_high, row.p_value) == pytest.approx(slow)
    np.testing.assert_array_equal(frame["p_holm"], holm(frame["p_value"].to_numpy(dtype=float)))


def test_every_lead_and_shift_done_slowly(found, scenarios):
    frame = sc.conclusions(found, scenarios)
    assert len(frame) == 9 and frame.groupby(["first", "second"]).ngroups == 3
    p_values = []
    for row in frame.itertuples():
        both, C, base = [rows_of(found, one) for one in (row.first, row.second)], *(
            matrix(scenarios[name]) for name in (row.scenario, "nothing"))
        assert row.difference == pytest.approx(phi(both[0], C) - phi(both[1], C))
        assert row.scenario != "nothing" or row.difference >= 0
        if row.scenario != "nothing":
            slow = by_jackknife(lambda rows, both=both, C=C, base=base: np.subtract(*(
                phi(Z[rows], C) - phi(Z[rows], base) for Z in both)))
            assert (row.shift, row.shift_low, row.shift_high) == pytest.approx(slow[:3])
            p_values.append(slow[3])
    assert frame["shift_p_holm"].dropna().to_numpy() == pytest.approx(holm(np.array(p_values)))


def test_which_scenarios_may_be_asked_for(found, scenarios):
    with pytest.raises(sc.InputError, match="two or more.*found 1"):
        sc.across_scenarios(found, {"nothing": scenarios["nothing"]})
    with pytest.raises(sc.InputError, match="no scenario 'none'.*'nothing', 'pairs'"):
        sc.conclusions(found, scenarios, against="none")


# ---- what depends on C ----

def swapping(rng, runs=200):
    """Two selectors: one takes either of two twins by lot and a fixed feature; the other nearly always the same two."""
    twins, steady = np.zeros((runs, D), dtype=int), np.zeros((runs, D), dtype=int)
    twins[:, 0] = steady[:, 0] = 1
    twins[np.arange(runs), rng.integers(1, 3, runs)] = 1
    steady[np.arange(runs), np.where(rng.random(runs) < 0.9, 1, rng.integers(3, D, runs))] = 1
    return Results({"twins": sc.Preferences.from_selection_matrix(twins), "steady": sc.Preferences.from_selection_matrix(steady)})


def test_a_lead_that_turns_round_is_found():
    runs = swapping(np.random.default_rng(0))
    relations = {"nothing": sc.Relation.identity(D), "twins": sc.Relation.from_groups({"t": [1, 2]}, n_features=D)}
    frame = sc.conclusions(runs, relations)
    assert set(frame["verdict"]) == {TURNS} and frame["ahead"].tolist() == ["steady", "twins"]
    said = finding_conclusions(frame)
    assert said.startswith("Who leads depends on what counts as the same: steady is clearly ahead of twins under nothing (by 0.")
    assert "and twins is clearly ahead of steady under twins" in said
    assert table_conclusions(frame)["verdict"].tolist() == ["turns round"]
    frame = frame_scenarios(runs, relations)
    assert "under twins 1 is clearly more stable" in finding_scenarios(frame)


def verdicts(*ahead, shifted=(), base="nothing"):
    """The sentence and verdict of one pair that is (or is not) clear under each scenario."""
    from stabcore.analysis.scenarios import _verdict

    names = ["nothing", "one", "two"][:len(ahead)]
    p_values = [0.01 if name in shifted else np.nan if name == base else 0.5 for name in names]
    own = pd.DataFrame({"first": "a", "second": "b", "scenario": names, "ahead": ahead, "difference": 0.2, "against": base,
                        "shift_p_holm": p_values})
    return _verdict(own), sentence_lead(own)


@pytest.mark.parametrize("ahead, shifted, verdict", [
    ("aaa", (), HOLDS), ("   ", (), OPEN), ("aaa", ("two",), SHIFTED), ("   ", ("one",), SHIFTED), ("a a", (), MAYBE),
    ("a a", ("one",), LOST), ("a a", ("two",), MAYBE), (" a ", ("one",), LOST), ("ab ", (), TURNS)])
def test_a_star_here_and_none_there_is_not_enough(ahead, shifted, verdict):
    assert verdicts(*(one.strip() for one in ahead), shifted=shifted)[0] == verdict


def test_who_leads_where_in_words():
    assert verdicts("a", "", "a", shifted=["one"])[1] == "a is clearly ahead of b under nothing and two (by 0.20), not under one"
    assert verdicts("", "a", "", shifted=["one"])[1] == "a is clearly ahead of b under one (by 0.20), not under nothing"
    assert verdicts("a", "b", "", shifted=["one"])[1] == ("a is clearly ahead of b under nothing (by 0.20) and b is clearly ahead "
                                                          "of a under one (by 0.20)")


def test_where_nothing_depends_on_it_that_is_said(found, scenarios):
    frame = sc.conclusions(found, scenarios).assign(verdict=OPEN)
    assert finding_conclusions(frame) == ("No lead clearly depends on what counts as the same: of 3 pairs of selectors, "
                                          "3 leads are never clear.")
    held = frame.assign(verdict=[HOLDS] * 3 + [MAYBE] * 3 + [SHIFTED] * 3)
    pair = " and ".join(frame[["first", "second"]].iloc[-1])
    assert f"how far {pair} are apart clearly changes, 1 lead is clear under every scenario, 1 lead is clear under some only" in (
        finding_conclusions(held))
    assert finding_conclusions(frame.iloc[:0]) == "There are no two selectors of which one could lead."


def test_random_is_no_rival_and_few_runs_show_no_change():
    few = simulated(1, Regime(runs=4), labels=("amber", "random"))
    relations = {"nothing": sc.Relation.identity(20, few.features),
                 "pair": sc.Relation.from_groups({"a": few.features[3:6]}, features=few.features)}
    frame = frame_scenarios(few, relations)
    assert frame["selector"].tolist() == ["amber", "amber", "random", "random"] and not frame["clear"].any()
    assert "from 5 runs" in frame["change_note"].iloc[1]
    assert finding_scenarios(frame) == "Held against nothing, of 1 selector: under pair none clearly changes."
    assert sc.conclusions(few, relations).empty


# ---- the picture ----

def test_the_picture_holds_the_numbers_of_the_frame(found, scenarios):
    frame = frame_scenarios(found, scenarios)
    figure = draw_scenarios(frame)
    for trace in (one for one in figure.data if one.mode == "markers"):
        rows = frame.loc[list(trace.customdata)]
        assert set(rows["scenario"]) == {trace.name}
        assert list(trace.x) == pytest.approx(rows["value"].tolist())
        assert np.add(trace.x, trace.error_x.array) == pytest.approx((rows["at"] + rows["change_high"]).to_numpy())
        assert ["open" not in symbol for symbol in trace.marker.symbol] == rows["clear"].tolist()
    wide = table_scenarios(frame)
    assert list(wide.columns) == list(scenarios) and wide.index.tolist() == list(dict.fromkeys(frame["selector"]))
    assert wide.loc["amber", "wide"] == frame.set_index(["selector", "scenario"]).loc[("amber", "wide"), "text"]


# ---- chosen by lot, nothing changes ----

def test_of_what_was_chosen_by_lot_nothing_is_said_to_change():
    said = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        runs = Results({label: sc.Preferences.from_scores(rng.normal(size=((5, 20, 10)[seed % 3], D))).top(5) for label in "ab"})
        groups = sc.Relation.from_groups({"g": range(5), "h": range(6, 9)}, n_features=D)
        said.append(finding_scenarios(frame_scenarios(runs, {"nothing": sc.Relation.identity(D), "groups": groups})))
    assert sum("clearly more" in one or "clearly less" in one for one in said) <= 8
