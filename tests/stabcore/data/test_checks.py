"""Checks before a study: doubtful columns, leaks, targets, copied rows."""

import numpy as np
import pandas as pd
import pytest
from dataset_support import N
from scipy.stats import spearmanr

from stabcore.data import check
from stabcore.data.checks import LEAVE_OUT, ONE_ROW, copied_rows
from stabcore.data.columns import describe_columns
from stabcore.data.leaks import target_correlations


def finding(findings, column):
    return next(f for f in findings if column in f.columns)


def test_check_finds_all_problems(frame):
    rng = np.random.default_rng(0)
    frame = frame.assign(
        id=rng.permutation(N),
        copy=frame["ALT"],
        sex2=frame["sex"],
        same=1,
        sparse=np.where(np.arange(N) % 4 == 0, rng.normal(size=N), np.nan),
        leak=np.r_[rng.normal(size=15), 9 + rng.normal(size=25)],
        code=["dead"] * 15 + ["alive"] * 25,
        endless=[np.inf, *range(1, N)],
        low=["<1", *(f"{i}.5" for i in range(1, N))],
        seen_if_ill=np.r_[rng.normal(size=15), np.full(25, np.nan)],
    )
    found = check(frame, "outcome")
    assert finding(found, "id").severity == "warning" and finding(found, "same").severity == "note"
    assert [finding(found, name).remedy for name in ("id", "sparse", "same")] == ["leave out", "leave out", ""]
    assert finding(found, "sex2").columns == ("sex2",) and finding(found, "leak").columns == ("leak", "code", "seen_if_ill")
    assert finding(found, "endless").severity == finding(found, "low").severity == "error"
    assert [f.severity for f in found] == sorted((f.severity for f in found), key=["error", "warning", "note"].index)
    fine = check(frame, "outcome", exclude=[c for f in found if f.remedy.startswith("leave out") for c in f.columns])
    assert not [f for f in fine if f.severity != "note"]


def test_columns_constant_within_patients_are_noted(frame):
    twice = pd.concat([frame.assign(AST=0.5), frame.assign(AST=range(N))]).assign(who=[f"P{i}" for i in range(N)] * 2)
    (found,) = [finding for finding in check(twice, "outcome", same_patient="who") if finding.remedy == ONE_ROW]
    assert found.severity == "warning" and "ALT" in found.columns and "AST" not in found.columns
    for table, options in ((twice, {"exclude": ["who"]}), (twice.iloc[:N], {"same_patient": "who"})):
        assert not any(finding.remedy == ONE_ROW for finding in check(table, "outcome", **options))


@pytest.mark.parametrize(("n_wrong", "severity"), [(0, None), (3, "warning"), (N, "note")])
def test_patients_with_several_classes_are_counted(frame, n_wrong, severity):
    other = frame["outcome"].map(
        dict(zip(*[frame["outcome"].unique()[step] for step in (slice(None), slice(None, None, -1))], strict=True))
    )
    twice = pd.concat([frame, frame.assign(outcome=other.where(np.arange(N) < n_wrong, frame["outcome"]))])
    found = check(twice.assign(who=[*range(N)] * 2), "outcome", same_patient="who")
    assert [f.severity for f in found if "different classes" in f.sentence] == [severity] * bool(severity)
    assert not n_wrong or any(f"{n_wrong} patients" in f.sentence for f in found)


def test_a_table_with_one_result_per_row_is_noted(frame):
    """As laboratories export it. Visits with several measurements are no such table."""
    long = frame[["ALT", "sex", "outcome"]].assign(id=[f"P{i}" for i in range(N)], CRP=np.arange(N) * 0.5, IL6=np.arange(N)[::-1])
    visits = pd.concat([long.assign(visit=visit, CRP=long["CRP"] + i, ALT=long["ALT"] * i) for i, visit in enumerate("abc")])
    long = long.melt(id_vars=["id", "sex", "outcome"], var_name="test", value_name="result").assign(unit="mg", method="ELISA")
    (found,) = [f for f in check(long, "outcome") if set(f.columns) == {"test", "result"}]
    assert found.severity == "warning"
    for table in (visits, long.assign(outcome=np.arange(len(long)) // 3 % 2), long[["id", "result", "outcome"]]):
        assert not [f for f in check(table, "outcome") if "one row per patient" in f.sentence]


def test_leaks_with_three_classes():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], 20)
    table = pd.DataFrame({"grade": y * 3 + rng.random(60), "half": (y > 0) + 0.1 * rng.random(60), "y": y})
    assert finding(check(table, "y"), "grade").columns == ("grade",)


def test_check_of_a_numeric_target():
    rng = np.random.default_rng(2)
    y = rng.gamma(2, 10, 60)
    half = np.where(np.arange(60) % 2, np.exp(-y / 9), np.nan)
    table = pd.DataFrame({"y": y, "log": np.log(y), "near": y + 0.3 * rng.normal(size=60), "half": half, "half_too": -half})
    table = table.assign(
        far=y + 9 * rng.normal(size=60),
        grade=[f"g{i // 6}" for i in np.argsort(np.argsort(y))],
        few=np.where(np.arange(60) < 9, y, np.nan),
        noise=rng.normal(size=60),
    )
    found = check(table, "y")
    leak = finding(found, "log")
    assert leak.columns == ("log", "near", "half", "half_too", "grade") and leak.severity == "warning"
    assert leak.remedy == "leave out"
    few = pd.DataFrame(rng.normal(size=(21, 4000))).add_prefix("g").assign(y=rng.normal(size=21))
    assert not any(finding.remedy == LEAVE_OUT for finding in check(few, "y"))


def test_spearman_of_many_columns_equals_scipy():
    rng = np.random.default_rng(4)
    values = rng.integers(0, 9, (50, 30)).astype(float)
    values[rng.random((50, 30)) < 0.3] = np.nan
    values[:, 3] = 1.0
    target = rng.integers(0, 20, 50).astype(float)
    found = target_correlations(describe_columns(pd.DataFrame(values).add_prefix("c")), target)
    expected = [spearmanr(column, target, nan_policy="omit").statistic if j != 3 else 0 for j, column in enumerate(values.T)]
    np.testing.assert_allclose(found, expected, atol=1e-12)


RNG = np.random.default_rng(8)


def table(n=40, d=5):
    return pd.DataFrame(RNG.normal(size=(n, d)), columns=[f"x{j}" for j in range(d)]).assign(y=np.arange(n) % 2)


def warned(frame, **roles):
    return [finding.sentence for finding in check(frame, "y", **roles) if "cop" in finding.sentence]


def test_copies_without_signal_are_found_unless_they_are_of_one_patient():
    frame = table()
    assert warned(frame) == []
    again = warned(pd.concat([frame] * 3, ignore_index=True))
    assert len(again) == 1 and again[0].startswith("80 rows")
    assert warned(pd.concat([frame, frame[:1]], ignore_index=True))[0].startswith("1 row ")
    frame = pd.concat([table().assign(who=np.arange(40))] * 2, ignore_index=True)
    assert warned(frame, same_patient="who") == []
    frame.loc[40:, "who"] += 100
    assert warned(frame, same_patient="who")[0].startswith("40 rows")


@pytest.mark.parametrize(
    "values",
    [
        RNG.integers(0, 2, size=(90, 4)),
        RNG.integers(0, 30, size=(300, 2)),
        RNG.integers(0, 99, size=(300, 1)),
        np.column_stack([RNG.integers(20, 80, size=900), RNG.integers(0, 2, size=900)]),
    ],
)
def test_equal_rows_of_few_values_are_not_copies(values):
    assert len(np.unique(values, axis=0)) < len(values) and copied_rows(values * 1.0, np.ones(values.shape[1], dtype=bool)) == 0
