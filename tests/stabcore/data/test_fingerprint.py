"""Fingerprints: equal content is an equal dataset, and any difference another one."""

import numpy as np
import pandas as pd
from dataset_support import N

from stabcore.data import Dataset

FINGERPRINT = "1f93ec55a8eeecc1fd26ffa5a73b51e09983467c7fc3aa7232813ed3e371160a"


def test_the_fingerprint_of_classes_never_changes():
    """Study files carry it: a change would make every one of them another study."""
    table = pd.DataFrame({"a": np.arange(12) / 4, "b": ["x", None, "z"] * 4, "who": range(12), "y": ["no", "yes"] * 6})
    data = Dataset.from_frame(table, target="y", same_patient="who")
    assert data.fingerprint == FINGERPRINT


def test_fingerprint_is_of_the_content_not_of_the_file(frame, tmp_path):
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "t.tsv", index=False, sep="\t", na_rep="NA")
    frame.to_csv(tmp_path / "t.txt", index=False, sep=";", decimal=",", encoding="utf-16")
    frame.to_parquet(tmp_path / "t.parquet")
    names = ["t.csv", "t.tsv", "t.txt", "t.parquet"]
    prints = {Dataset.from_file(tmp_path / name, target="outcome").fingerprint for name in names}
    prints.add(Dataset.from_frame(frame, target="outcome", name="other").fingerprint)
    assert len(prints) == 1 and len(prints.pop()) == 64


def test_fingerprint_sees_every_difference(frame):
    frame["who"] = [i // 2 for i in range(N)]
    one = {"target": "outcome"}
    changed = frame.copy()
    changed.loc[7, "ALT"] += 1e-9
    cases = [
        (frame, one),
        (changed, one),
        (frame.rename(columns={"ALT": "AST"}), one),
        (frame, one | {"exclude": ["ALT"]}),
        (frame, one | {"same_patient": "who"}),
        (frame[::-1], one),
        (frame, {"target": "sex"}),
        (frame.replace({"stage": {"I": "IV"}}), one),
        (frame.replace({"outcome": {"ill": "sick"}}), one),
        (frame[list(frame.columns[::-1])], one),
        (frame.iloc[1:], one),
    ]
    assert len({Dataset.from_frame(table, **roles).fingerprint for table, roles in cases}) == len(cases)
