"""Figure of effects: shrunken and measured effects, directions, and effects that are unknown."""

import numpy as np
import pandas as pd
import pytest
from figure_support import drawn
from snapshot_support import check_snapshot

import stabcore as sc
from stabcore.analysis.effects import HAZARDS, effects
from stabcore.plots.effects import (
    NOT_SHRUNKEN,
    describe_direction,
    describe_selection_bias,
    draw_directions,
    finding_directions,
    frame_directions,
)

Y = np.arange(40) % 2


def effects_of(outcome, **options):
    """Effects of a that rises, b that falls, c that is known in two rows, and a category."""
    rng = np.random.default_rng(1)
    gappy = np.where(Y * np.arange(40) > 36, np.arange(40.0), np.nan)
    frame = pd.DataFrame(
        {
            "a": Y * 2 + rng.normal(size=40),
            "b": -3.0 * Y + rng.normal(size=40),
            "c": gappy,
            "sex": np.where(Y + rng.normal(size=40) > 0.5, "f", "m"),
        }
    )
    return effects(sc.Dataset.from_frame(frame.assign(outcome=outcome), target="outcome", **options))


def panel_of(names, stay):
    return pd.DataFrame({"feature": names, "in_panel": [name in stay for name in names], "frequency": 0.8})


def test_each_row_has_a_shrunken_and_a_measured_effect():
    table = effects_of(np.where(Y, "sick", "well"))
    figure = drawn(draw_directions(frame_directions(panel_of(["a", "b", "c"], "ab"), table)))
    ticks, dots = figure["data"]
    a, b = (table.set_index("feature").loc[name] for name in "ab")
    assert list(ticks["x"]) == [b["effect"], a["effect"]] and list(dots["x"]) == [b["shrunken"], a["shrunken"]]
    assert list(dots["y"]) == [1, 2]
    assert list(dots["error_x"]["array"]) == pytest.approx([row["shrunken_high"] - row["shrunken"] for row in (b, a)])
    assert {dot.split("-")[1] for dot in dots["marker"]["symbol"]} == {"left", "right"}
    assert [(annotation["text"], annotation["y"]) for annotation in figure["layout"]["annotations"]] == [("unknown", 0)]
    assert f"{a['shrunken']:.2f} [{a['shrunken_low']:.2f}, {a['shrunken_high']:.2f}]" in dots["text"][1]


def test_effects_without_shrinkage_are_drawn_as_measured():
    table = effects_of(np.resize(["x", "y", "z"], 40))
    frame = frame_directions(panel_of(["a", "b"], "ab"), table)
    assert not frame["is_shrunken"].any() and frame["value"].tolist() == frame["effect"].tolist()
    _, dots = drawn(draw_directions(frame))["data"]
    assert list(dots["x"]) == frame["effect"].tolist()[::-1] and set(dots["marker"]["symbol"]) == {"circle"}
    assert describe_selection_bias(table) == NOT_SHRUNKEN != describe_selection_bias(effects_of(np.where(Y, "sick", "well")))
    part = effects_of(np.where(Y, "sick", "well"))
    part.loc[0, "shrunken"] = np.nan
    assert "(1 feature)" in describe_selection_bias(part)


def test_a_direction_is_claimed_only_if_its_interval_excludes_no_effect():
    row = {"direction": "higher in ill", "measure": "difference", "effect": 0.5, "low": 0.1, "high": 0.9, "auc": 0.62}
    rows = [row | {"shrunken": 0.3, "shrunken_low": low, "shrunken_high": 0.9} for low in (0.05, -0.05)]
    rows += [row | {"shrunken": np.nan}, row | {"shrunken": np.nan, "low": -0.1}, row | {"shrunken": np.nan, "effect": np.nan}]
    hazard = {"direction": HAZARDS[0], "measure": "log hazard ratio", "hazard_ratio": 1.2, "per": "1 SD"}
    rows += [of | hazard for of in rows[:2]]
    check_snapshot("plots/directions", "\n".join(describe_direction(pd.Series(of)) for of in rows))


def test_the_strongest_of_many_features_without_signal_has_no_clear_direction():
    """The strongest one is what a user opens. Without shrinkage, 95 of 100 such tables would have one."""
    clear = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = 0.5 * rng.standard_normal((80, 100)) + np.repeat(rng.standard_normal((80, 20)), 5, axis=1)
        effects = sc.effects(sc.Dataset(X, np.where(rng.permutation(80) < 30, "ill", "well")))
        clear += describe_direction(effects.loc[effects["effect"].abs().idxmax()]).startswith("It ")
    assert clear <= 4


def test_directions_of_a_panel_are_counted_where_they_are_clear():
    members = pd.DataFrame({"in_panel": True, "measure": "difference", "direction": ["higher in ill"] * 3 + [""]})
    members = members.assign(value_low=[0.1, -0.1, 0.2, np.nan], value_high=[0.5, 0.5, 0.9, np.nan])
    finding = finding_directions(members)
    assert "2 higher in ill" in finding and "1 of unclear direction" in finding and "1 of unknown direction" in finding
