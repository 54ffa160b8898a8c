"""Effects of features: directions, shrinkage, and patients with several rows."""

import numpy as np
import pandas as pd
import pytest
from project_support import study_file
from scipy.stats import norm
from study_support import frame

import stabcore as sc
from stabcore.analysis.effects import DIFFERENCE, EXPLAINED, RANK, effects, feature_directions, split_effects
from stabcore.base.errors import InputError
from stabcore.inference.effect_sizes import standardised_difference


@pytest.fixture(scope="module")
def data():
    return sc.Dataset.from_frame(frame(), target="outcome")


def test_effects_of_a_table_have_directions_and_shrink(data):
    table = effects(data).set_index("feature")
    assert table.loc["a", "direction"] == f"higher in {data.classes[data.event_class]}"
    codes = data.table.values[:, data.features.index("stage")]
    has_level = (codes[:, None] == np.arange(len(data.levels["stage"]))).astype(float)
    most = data.levels["stage"][np.abs(standardised_difference(has_level, data.target)[0]).argmax()]  # the level that differs most
    assert table.loc["stage", "kind"] == "category" and table.loc["stage", "level"] == most
    assert table.loc["stage", "direction"].split(" in ")[0] in {f"more often {most}", f"less often {most}"}
    assert table.loc["c", "known"] == 55 and (table["measure"] == DIFFERENCE).all()
    first = data.table.values[:, 0]
    medians = [np.median(first[data.target == c]) for c in (1 - data.event_class, data.event_class)]
    assert table.loc["a", "median"] == pytest.approx(medians[1] - medians[0]) and np.isnan(table.loc["stage", "median"])
    named = sc.Dataset.from_frame(frame().assign(outcome=np.resize(["no", "yes"], 60)), target="outcome")
    assert set(feature_directions(named).values()) <= {"higher in outcome = yes", "lower in outcome = yes", ""}
    assert np.isnan(table.loc["stage", "shrunken"]), "the effect of the level that differs most is not nearly normal"
    numbers = table.drop(index="stage")
    assert numbers["shrunken"].abs().mean() < numbers["effect"].abs().mean()
    assert (numbers["shrunken_low"] <= numbers["shrunken"]).all() and (numbers["shrunken"] <= numbers["shrunken_high"]).all()


def test_other_outcomes_have_their_own_measure():
    three = effects(sc.Dataset.from_frame(frame().assign(outcome=np.resize(["x", "y", "z"], 60)), target="outcome"))
    assert (three["measure"] == EXPLAINED).all() and (three["direction"] == "").all() and "auc" not in three
    assert three["shrunken"].isna().all()
    number = frame().assign(outcome=np.arange(60.0) + 20 * frame()["a"])
    table = effects(sc.Dataset.from_frame(number, target="outcome", target_as="number")).set_index("feature")
    assert (table["measure"] == RANK).all() and table.loc["a", "direction"] == "rises with outcome"
    assert 0 < table.loc["a", "shrunken"] < table.loc["a", "effect"] < 1 and table.loc["a", "shrunken_high"] < 1


def test_shrunken_intervals_hold_for_few_correlated_features():
    """Eight features with the same effect, correlated by 0.7. The interval after shrinkage alone held in 56% of 100 tables."""
    held, y = [], np.arange(60) % 2
    for seed in range(25):
        rng = np.random.default_rng(seed)
        X = np.sqrt(0.3) * rng.normal(size=(60, 8)) + np.sqrt(0.7) * rng.normal(size=(60, 1)) + 0.4 * y[:, None]
        named = pd.DataFrame(X).add_prefix("f").assign(outcome=np.where(y, "sick", "well"))
        table = effects(sc.Dataset.from_frame(named, target="outcome"))
        held += [(table["shrunken_low"] <= 0.4) & (table["shrunken_high"] >= 0.4)]
        assert (table["shrunken_low"] <= table["low"]).all() and (table["shrunken_high"] >= table["high"]).all()
    assert np.mean(held) >= 0.85


def test_the_interval_of_the_level_that_differs_most_holds_for_all_levels():
    """Categories of eight levels without signal. By the interval of one level, 34% of the intervals excluded 0."""
    away, widths = [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        table = pd.DataFrame({f"c{i}": np.array(list("abcdefgh"))[rng.integers(0, 8, 100)] for i in range(5)})
        found = effects(sc.Dataset.from_frame(table.assign(outcome=np.resize(["sick", "well"], 100)), target="outcome"))
        away += [(found["low"] > 0) | (found["high"] < 0)]
        first = (table["c0"] == found["level"][0]).to_numpy(dtype=float)[:, None]
        _, low, high = (float(end[0]) for end in standardised_difference(first, np.arange(100) % 2))
        widths.append((found["high"][0] - found["low"][0]) / (high - low))
    assert np.mean(away) <= 0.1 and np.allclose(widths, norm.ppf(1 - 0.025 / 8) / norm.ppf(0.975))


def test_directions_of_features():
    rng, outcome = np.random.default_rng(2), np.arange(60) % 2
    frame = pd.DataFrame({"up": rng.normal(size=60) + 3 * outcome, "down": rng.normal(size=60) - 3 * outcome})
    for y, expected in (
        (np.where(outcome, "well", "sick"), ["lower in sick", "higher in sick"]),
        (outcome + 0.1 * rng.normal(size=60), ["rises with outcome", "falls with outcome"]),
        (np.resize(["x", "y", "z"], 60), []),
    ):
        assert list(feature_directions(sc.Dataset(frame, y)).values()) == expected


def test_rows_of_one_patient_do_not_count_as_patients():
    """Repeated rows of the same patients do not narrow the intervals."""
    once = frame().assign(who=[f"p{i}" for i in range(60)])
    twice = pd.concat([once, once], ignore_index=True)
    width = {}
    for name, table, role in (("once", once, "exclude"), ("twice", twice, "exclude"), ("of patients", twice, "same_patient")):
        row = effects(sc.Dataset.from_frame(table, target="outcome", **{role: "who"})).set_index("feature").loc["a"]
        width[name] = row["high"] - row["low"]
    assert width["of patients"] == pytest.approx(width["once"], rel=0.1) and width["twice"] < 0.8 * width["once"]


def test_a_perfectly_separating_feature_has_a_direction():
    ill = np.repeat([True, False], 8)
    frame = pd.DataFrame({"sex": np.where(ill, "w", "m"), "x": np.arange(16.0), "outcome": np.where(ill, "ill", "well")})
    data = sc.Dataset.from_frame(frame, target="outcome")
    table = effects(data).set_index("feature")
    assert np.isnan(table.loc["sex", "effect"]) and table.loc["sex", "direction"] == "more often w in ill"
    assert feature_directions(data)["sex"] == "higher in ill"


def simulated(seed, effect, n=80, d=40, true=8):
    rng = np.random.default_rng(seed)
    y = np.repeat(["a", "b"], n // 2)
    X = rng.normal(size=(n, d))
    X[:, :true] += effect * (y == "b")[:, None]
    return pd.DataFrame(X, columns=[f"g{i}" for i in range(d)]).assign(outcome=y)


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    table = simulated(0, 0.6)
    file = study_file(tmp_path_factory.mktemp("halves") / "s.stab", table, ["welch_t", "mim"], sc.ComplementaryPairs(3))
    return sc.Dataset.from_frame(table, target="outcome"), sc.open_study(file)


def test_one_half_selects_and_the_other_estimates_effects(studied):
    (data, result), pair = studied, 3
    table = split_effects(data, result, "welch_t", pair=pair)
    first, other = (result.plan.resample(2 * pair - 2 + i, data.target, result.settings["random_state"]).rows for i in (0, 1))
    runs = result.selections("welch_t")
    chosen = [data.features[f] for f in np.flatnonzero(runs.selected[2 * pair - 2])]
    assert set(table["feature"]) == set(chosen) and not set(first) & set(other)
    X, y = data.table.values, (data.target == data.event_class).astype(int)
    places = [data.features.index(name) for name in table["feature"]]
    assert table["chosen_effect"].to_numpy() == pytest.approx(standardised_difference(X[first][:, places], y[first])[0])
    there = np.array(standardised_difference(X[other][:, places], y[other]))
    assert pytest.approx(there) == table[["effect", "low", "high"]].to_numpy().T
    assert (table["chosen_effect"].abs().diff().dropna() <= 1e-12).all()


def test_effects_of_selected_features_are_unbiased_on_the_other_half(tmp_path):
    """Welch's filter, 5 tables with and without signal: the mean on the other half is the true effect, and intervals cover it."""
    for effect in (0.0, 0.6):
        here, there, truth, inside = [], [], [], []
        for seed in range(5):
            table = simulated(seed + 1, effect)
            data = sc.Dataset.from_frame(table, target="outcome")
            result = sc.open_study(study_file(tmp_path / f"{effect}{seed}.stab", table, ["welch_t"], sc.ComplementaryPairs(2)))
            measured = split_effects(data, result, k=8)
            towards_event = 1 if data.classes[data.event_class] == "b" else -1
            true = np.where(measured["feature"].str[1:].astype(int) < 8, effect * towards_event, 0.0)
            sign = np.sign(measured["chosen_effect"])
            here += list(measured["chosen_effect"].abs())
            there += list(sign * measured["effect"])
            truth += list(sign * true)
            inside += list((measured["low"] <= true) & (true <= measured["high"]))
        assert np.mean(here) > np.mean(truth) + 0.3
        assert np.mean(there) == pytest.approx(np.mean(truth), abs=3 * 0.33 / np.sqrt(len(there))) and np.mean(inside) > 0.88


def test_other_plans_tables_and_pairs_are_refused(studied, tmp_path):
    (data, result), other = studied, sc.Dataset.from_frame(frame(), target="outcome")
    subsamples = sc.open_study(study_file(tmp_path / "s.stab", frame(), ["welch_t"], sc.Subsample(3, 0.2)))
    for wrong, options in (((data, result), {"selector": "welch_t", "pair": 4}), ((other, result), {}), ((other, subsamples), {})):
        with pytest.raises(InputError):
            split_effects(*wrong, **options)
