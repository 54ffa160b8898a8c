"""Missing values related to the outcome: detection, false alarms of at most 5%, and patients with several rows."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import fisher_exact
from support import slow

import stabcore as sc
from stabcore.data import Dataset, check
from stabcore.data.blanks import blank_tests, blanks_by_class, describe_blanks
from stabcore.io.table import mend_reading, read_frame

CLASSES = ("ill", "well")


def test_a_feature_blank_in_one_class_is_described_with_its_shares():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(100, 4)), columns=list("ABCD")).assign(y=["ill"] * 50 + ["well"] * 50)
    frame.loc[:29, "A"] = np.nan
    frame.loc[[3, 60], "B"] = np.nan
    shares = blanks_by_class(Dataset.from_frame(frame, target="y")).set_index("feature")
    assert list(shares.index) == ["A", "B"] and shares.loc["A", ["missing", "ill", "well"]].tolist() == [0.3, 0.6, 0.0]
    assert shares.loc["A", "p"] == pytest.approx(fisher_exact([[30, 20], [0, 50]])[1])
    assert shares.loc["A", "p_holm"] == pytest.approx(2 * shares.loc["A", "p"]) and shares["differs"].tolist() == [True, False]
    (asked,) = [finding for finding in check(frame, "y") if finding.remedy == "leave out, keep or use the blank"]
    assert asked.columns == ("A",) and not [found for found in check(frame, "y", confirmed=["A"]) if found.remedy == asked.remedy]


def test_the_share_of_all_patients_lies_between_those_of_the_classes():
    """Half of the patients have three rows and one missing cell."""
    who = np.repeat(np.arange(20), np.where(np.arange(20) % 2, 3, 1))
    first = np.r_[True, np.diff(who) > 0]
    values = np.where(first & (who % 2 == 1), np.nan, 1.0)[:, None]
    shares = blank_tests(values, ["A"], (who < 8).astype(int), CLASSES, who)
    assert shares.loc[0, ["missing", *CLASSES]].tolist() == [0.5, 0.5, 0.5]


def test_a_difference_of_a_few_cells_raises_no_question():
    y = np.arange(4000) % 2
    values = np.where((np.arange(4000) < 100) & (y == 1), np.nan, 0.0)[:, None]
    shares = blank_tests(values, ["A"], y, CLASSES)
    assert shares["differs"].tolist() == [True] and describe_blanks(shares) == ""


def simulated(rng, n, d, classes, correlated=0.0, rows=1):
    """Whether any of d columns is called different, although blanks and outcome are unrelated."""
    y = rng.integers(0, classes, n) if classes else rng.normal(size=n)
    z = np.sqrt(correlated) * rng.normal(size=(n, 1)) + np.sqrt(1 - correlated) * rng.normal(size=(n, d))
    values = np.where(z > rng.uniform(0.2, 1.8, d), np.nan, 0.0)
    who = None if rows == 1 else np.repeat(np.arange(n), rows)
    names = tuple("abcdef"[:classes])
    shares = blank_tests(np.repeat(values, rows, axis=0), [str(j) for j in range(d)], np.repeat(y, rows), names, who)
    return bool(shares["differs"].any())


@pytest.mark.parametrize("options", [(80, 20, 2, 0.8), slow((120, 15, 3, 0.5)), slow((60, 15, 0)), (50, 15, 2, 0.0, 6)])
def test_false_alarms_over_all_columns(options):
    """At most 5%. Six or more alarms in 30 tables have a probability of 0.3%."""
    rng = np.random.default_rng(1)
    assert sum(simulated(rng, *options) for _ in range(30)) <= 5


def test_numeric_outcomes_and_patients_with_two_outcomes():
    y = np.arange(40.0)
    values = np.column_stack([np.where(y > 25, np.nan, y), np.where(y % 2, np.nan, y)])
    shares = blank_tests(values, ["late", "odd"], y)
    assert shares["differs"].tolist() == [True, False] and list(shares.columns) == ["feature", "missing", "p", "p_holm", "differs"]
    two = blank_tests(values, ["late", "odd"], np.arange(40) % 2, CLASSES, np.repeat(np.arange(20), 2))
    assert two["p"].isna().all() and not two["differs"].any()
    assert len(blank_tests(np.zeros((10, 2)), ["a", "b"], np.arange(10) % 2, CLASSES)) == 0


def test_a_column_can_become_its_missingness():
    frame = pd.DataFrame({"CRP": [1.0, None, 3.0, None] * 5, "b": np.arange(20.0), "y": ["ill", "well"] * 10})
    read = mend_reading(read_frame(frame), [{"do": "blank", "columns": ["CRP"]}], "y")
    assert list(read.frame.columns) == ["CRP is blank", "b", "y"] and read.frame["CRP is blank"].tolist() == ["no", "yes"] * 10
    data = Dataset.from_frame(frame, target="y", mends=[{"do": "blank", "columns": ["CRP"]}])
    assert data.features == ("CRP is blank", "b") and data.choices["mends"][0]["do"] == "blank"


def test_the_panel_warns_of_features_that_may_be_missingness(tmp_path):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(100, 6)), columns=list("ABCDEF")).assign(y=["ill", "well"] * 50)
    frame["A"] = frame["A"].where((frame["y"] == "well") | (rng.random(100) > 0.6))
    data = Dataset.from_frame(frame, target="y")
    result = sc.Study(data, ["mim"], plan=sc.ComplementaryPairs(6), k=2, n_permutations=0).run(n_jobs=1, store=tmp_path / "s.stab")
    panel = sc.panel(result, 0.0, with_substitutes=False, data=data).set_index("feature")
    assert "'ill'" in panel.loc["A", "missingness"] and "".join(panel.drop(index="A")["missingness"]) == ""
    assert "missingness" not in sc.panel(result, 0.0, with_substitutes=False)
