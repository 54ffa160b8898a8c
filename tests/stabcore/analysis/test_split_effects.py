"""Effects on the other half: against the rows of the plan, unbiased and covering on simulated tables, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from page_support import study_file
from study_support import frame

import stabcore as sc
from stabcore.analysis.split_effects import split_effects
from stabcore.errors import InputError
from stabcore.figures.effects import (draw_other_half, finding_other_half, frame_other_half)
from stabcore.inference.effect_sizes import standardised_difference


def simulated(seed, effect, n=80, d=40, true=8):
    rng = np.random.default_rng(seed)
    y = np.repeat(["a", "b"], n // 2)
    X = rng.normal(size=(n, d))
    X[:, :true] += effect * (y == "b")[:, None]
    return pd.DataFrame(X, columns=[f"g{i}" for i in range(d)]).assign(outcome=y)


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    table = simulated(0, 0.6)
    file = study_file(tmp_path_factory.mktemp("halves") / "s.stab", table, ["welch_t", "mim"], sc.Half(3))
    return sc.Dataset.from_frame(table, target="outcome"), sc.open_study(file)


@pytest.mark.parametrize("pair", [1, 3])
def test_one_half_selects_and_the_other_is_measured(studied, pair):
    data, result = studied
    table = split_effects(data, result, "welch_t", pair=pair)
    first, other = (result.plan.resample(2 * pair - 2 + i, data.target, result.settings["seed"]).rows for i in (0, 1))
    runs = result.preferences("welch_t")
    chosen = [data.features[f] for f in np.flatnonzero(runs.selected[2 * pair - 2])]
    assert set(table["feature"]) == set(chosen) and not set(first) & set(other)
    X, y = data.table.values, (data.target == data.told_of).astype(int)
    for row in table.itertuples():
        f = [data.features.index(row.feature)]
        assert row.chosen_effect == pytest.approx(standardised_difference(X[first][:, f], y[first])[0][0])
        there = standardised_difference(X[other][:, f], y[other])
        assert [row.effect, row.low, row.high] == pytest.approx([one[0] for one in there])
    assert (table["chosen_effect"].abs().diff().dropna() <= 1e-12).all()


def test_chosen_effects_are_overstated_on_their_half_and_right_on_the_other(tmp_path):
    """Welch's filter, 12 tables with and without signal: the mean on the other half is the truth, and intervals hold it."""
    for effect in (0.0, 0.6):
        here, there, truth, inside = [], [], [], []
        for seed in range(12):
            table = simulated(seed + 1, effect)
            data = sc.Dataset.from_frame(table, target="outcome")
            result = sc.open_study(study_file(tmp_path / f"{effect}{seed}.stab", table, ["welch_t"], sc.Half(2)))
            own = split_effects(data, result, k=8)
            true = np.where(own["feature"].str[1:].astype(int) < 8, effect, 0.0) * (1 if data.classes[data.told_of] == "b" else -1)
            sign = np.sign(own["chosen_effect"])
            here += list(own["chosen_effect"].abs())
            there += list(sign * own["effect"])
            truth += list(sign * true)
            inside += list((own["low"] <= true) & (true <= own["high"]))
        assert np.mean(here) > np.mean(truth) + 0.3
        assert np.mean(there) == pytest.approx(np.mean(truth), abs=3 * 0.33 / np.sqrt(len(there))) and np.mean(inside) > 0.88


def test_the_sentence_and_the_picture_hold_both_halves(studied):
    frame_of = frame_other_half(split_effects(*studied, "welch_t"))
    sentence = finding_other_half(frame_of)
    assert f"{frame_of['size'].mean():.2f}" in sentence and f"{frame_of['same_way'].mean():.2f}" in sentence
    ticks, dots = draw_other_half(frame_of).data
    assert list(ticks.x) == list(frame_of["chosen_effect"][::-1]) and list(dots.x) == list(frame_of["effect"][::-1])
    assert finding_other_half(frame_of.head(0)) and finding_other_half(frame_of.head(1)) != sentence


def test_other_plans_tables_and_pairs_are_refused(studied, tmp_path):
    data, result = studied
    with pytest.raises(InputError, match="pair 4"):
        split_effects(data, result, "welch_t", pair=4)
    with pytest.raises(InputError, match="another table"):
        split_effects(sc.Dataset.from_frame(frame(), target="outcome"), result)
    other = sc.open_study(study_file(tmp_path / "s.stab", frame(), ["welch_t"], sc.Subsample(3, 0.2)))
    with pytest.raises(InputError, match="complementary halves"):
        split_effects(sc.Dataset.from_frame(frame(), target="outcome"), other)
