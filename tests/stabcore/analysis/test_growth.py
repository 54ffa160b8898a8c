"""Growth and centres: the guess beside what was seen, sentences, and tables in which there is nothing."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.analysis.growth import growth
from stabcore.figures.centres import finding_centres, frame_centres
from stabcore.figures.growth import finding_growth, frame_growth


def study(seed, effect, plan, rows=160, classifier="none"):
    rng = np.random.default_rng(seed)
    outcome = np.arange(rows) % 2
    frame = pd.DataFrame(rng.normal(size=(rows, 60)), columns=[f"f{i}" for i in range(60)])
    frame.iloc[:, :5] += effect * outcome[:, None]
    frame = frame.assign(outcome=np.where(outcome, "sick", "well"), city=rng.permutation(np.arange(rows) % 4).astype(str))
    data = sc.Dataset.from_frame(frame, target="outcome", exclude=["city"])
    with ThreadPoolExecutor(1) as executor:
        return sc.Study(data, "welch_t", plan=plan, k=5, seed=1, classifier=classifier).run(executor)


@pytest.mark.parametrize("effect", [0.0, 0.8])
def test_what_was_seen_and_a_guess_beyond_it(effect):
    result = study(4, effect, sc.Growing(8))
    table = growth(result)
    assert table["patients"].tolist() == [20, 40, 80, 160, 320] and table["guess"].tolist() == [False] * 3 + [True] * 2
    seen = result.growth().set_index("patients")["value"]
    assert table.set_index("patients")["value"][:3].to_dict() == seen.to_dict()
    guess = table[table["guess"]]
    assert (guess["low"] <= guess["value"] + 1e-9).all() and (guess["value"] <= guess["high"] + 1e-9).all()
    said = finding_growth(frame_growth(table, "welch_t"))
    assert "Two separate groups of 20, 40 and 80 patients agree at" in said and "A guess of how it goes on" in said
    if effect:
        assert seen[80] > seen[20] and guess["value"].iloc[0] > 0.4 and guess["high"].iloc[0] > 0.9
    else:
        assert abs(seen[80]) < 0.2 and (guess["low"] < 0.01).all()


def test_nothing_is_guessed_from_nothing():
    empty = pd.DataFrame({"selector": "a", "patients": [20], "value": np.nan, "low": np.nan, "high": np.nan, "guess": [False]})
    assert "is not known" in finding_growth(empty)
    said = finding_growth(empty.assign(value=0.25))
    assert said == "Two separate groups of 20 patients agree at 0.25 (0: as random sets, 1: the same features)."


def test_centres_of_noise_are_not_called_clear_and_those_of_a_signal_are():
    clear = 0
    for seed in range(6):
        told = study(seed, 0.0, sc.Site("city"), rows=120, classifier="logistic").centres()
        clear += int((told["accuracy_low"] > told["largest"]).sum())
    assert clear <= 2                   # of 24 centres
    frame = frame_centres(study(1, 1.5, sc.Site("city"), classifier="logistic").centres(), "welch_t")
    said = finding_centres(frame)
    assert "In 4 of 4 centres that is clearly more" in said and "Models of all other centres are right about" in said
    assert finding_centres(frame.assign(accuracy=np.nan)) == "No centre was predicted."
