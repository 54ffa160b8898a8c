"""Growing groups and centres: sentences of what was seen, and tables without any signal."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.figures.learning_curves import draw_learning_curve, finding_learning_curve, frame_learning_curve
from stabcore.figures.replication import finding_centres, frame_centres


def study(seed, effect, plan, rows=160, classifier="none"):
    rng = np.random.default_rng(seed)
    outcome = np.arange(rows) % 2
    frame = pd.DataFrame(rng.normal(size=(rows, 60)), columns=[f"f{i}" for i in range(60)])
    frame.iloc[:, :5] += effect * outcome[:, None]
    frame = frame.assign(outcome=np.where(outcome, "sick", "well"), city=rng.permutation(np.arange(rows) % 4).astype(str))
    data = sc.Dataset.from_frame(frame, target="outcome", exclude=["city"])
    with ThreadPoolExecutor(1) as executor:
        return sc.Study(data, "welch_t", plan=plan, k=5, seed=1, classifier=classifier, control=0).run(executor)


@pytest.mark.parametrize("effect", [0.0, 0.8])
def test_what_was_seen_is_told_and_nothing_beyond_it(effect):
    frame = frame_learning_curve(study(4, effect, sc.Growing(8)).growth(), "welch_t").sort_values("patients")
    assert frame["patients"].tolist() == [20, 40, 80] and "20, 40 and 80 patients" in finding_learning_curve(frame)
    assert list(draw_learning_curve(frame).data[0].x) == [20, 40, 80]
    values = frame["value"].tolist()
    assert values[2] > values[0] if effect else abs(values[2]) < 0.2
    empty = pd.DataFrame({"selector": "a", "patients": [20], "value": np.nan, "low": np.nan, "high": np.nan})
    assert "is not known" in finding_learning_curve(empty)


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
