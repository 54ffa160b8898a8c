"""The command line: running and cancelling studies, user-defined classes, wrong settings, show and help."""

import json
import os
import re
import sqlite3
import subprocess
import sys

import pandas as pd
import pytest
from command_support import settings_file, start, tasks, wait_for
from noise_support import Here
from study_support import frame, study
from support import ROOT

import stabcore as sc
from stabcore.__main__ import main
from stabcore.study.working_files import StudyLock

LARGEST = """import numpy as np


class Largest:
    def __init__(self, power=1):
        self.power = power

    def fit(self, X, y):
        self.scores_ = np.abs(X[y == 0].mean(0) - X[y == 1].mean(0)) ** self.power


class Never:
    def fit(self, X, y):
        raise RuntimeError('not today,\\nsorry')
"""


def refused(capsys, *arguments, code=2):
    """The last line of the error of the command."""
    assert main([str(argument) for argument in arguments]) == code
    return capsys.readouterr().err.splitlines()[-1]


def run(settings, *more):
    return main(["run", str(settings), "--n-jobs", "1", *map(str, more)])


def shown(capsys, store):
    assert main(["show", str(store)]) == 0
    return capsys.readouterr().out


def test_cancel_stops_the_study_and_keeps_finished_tasks(tmp_path):
    settings, store = settings_file(tmp_path, runs=300), tmp_path / "c.stab"
    process = start(settings, store)
    wait_for(lambda: len(tasks(store)) >= 2)
    (tmp_path / "c.stab.cancel").touch()
    assert process.wait(timeout=60) == 3
    assert str(store) in process.stderr.read().splitlines()[-2]  # the last line is for screens
    assert 2 <= len(tasks(store)) < 900 and not StudyLock.held(store)


def test_a_cancellation_counts_from_the_start_of_the_process(tmp_path):
    settings, asked = settings_file(tmp_path, runs=2, selectors=["mim"]), tmp_path / "study.stab.cancel"
    asked.touch()
    assert run(settings) == 3 and not asked.exists() and len(tasks(tmp_path / "study.stab")) < 2
    asked.touch()
    os.utime(asked, (0, 0))  # from an earlier process that was killed
    assert run(settings) == 0 and not asked.exists()


def test_a_settings_file_can_name_a_class_in_its_folder(tmp_path, capsys):
    settings = settings_file(tmp_path, runs=2, selectors=["mim"])
    (tmp_path / "mine.py").write_text(LARGEST)
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text + '[[selector]]\nown = "mine:Largest"\npower = 2\n', encoding="utf-8")
    assert "--allow-code" in refused(capsys, "run", settings)
    assert run(settings, "--store", tmp_path / "o.stab", "--allow-code") == 0
    found = sc.open_study(tmp_path / "o.stab")
    assert found.progress().loc["Largest", "done"] == 2 and "a" in found.selections("Largest").features
    settings.write_text(text + '[[selector]]\nown = "mine:Smallest"\n', encoding="utf-8")
    assert "mine:Smallest" in refused(capsys, "run", settings, "--allow-code")


@pytest.mark.parametrize(
    "code", ["subprocess:check_output", "os:system", "beside:helper", "beside:Plain", "../beside:Fits", "random:Random"]
)
def test_code_that_is_no_selector_is_never_called(code, tmp_path, capsys):
    settings = settings_file(tmp_path, selectors=[], more=f'[[selector]]\nown = "{code}"\n')
    (tmp_path / "beside.py").write_text(
        "def helper():\n    raise SystemExit('called')\n\n\nclass Plain:\n    def __init__(self):\n        helper()\n"
    )
    (tmp_path / "random.py").write_text("class Random:\n    def fit(self, X, y):\n        pass\n")
    for more in ((), ("--allow-code",)):
        assert refused(capsys, "validate", settings, *more) and refused(capsys, "run", settings, *more)
    assert not list(tmp_path.glob("*.stab"))


def test_a_first_settings_file_is_written_checked_and_run(tmp_path, capsys):
    frame().to_csv(tmp_path / "toy.csv", index=False, encoding="utf-8")
    settings = tmp_path / "toy.toml"
    assert main(["init", str(tmp_path / "toy.csv")]) == 0 and main(["validate", str(settings)]) == 0
    assert refused(capsys, "init", tmp_path / "toy.csv").endswith("-o.")
    text = re.sub(r"n_pairs = 25|n_permutations = 20", lambda match: match[0].split(" ")[0] + " = 2", settings.read_text("utf-8"))
    settings.write_text(text, encoding="utf-8-sig")  # with a byte order mark, as written by editors on Windows
    assert main(["run", str(settings), "--n-jobs", "1"]) == 0
    capsys.readouterr()
    assert main(["show", str(tmp_path / "toy.stab"), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [row["selector"] for row in shown["selectors"]] == ["lasso", "anova_f", "mrmr"]
    assert all(row["nogueira_low"] <= row["nogueira"] for row in shown["selectors"])
    for wrong, meant in (("n_pairs", "pairs"), ('"lasso"', '"laso"')):
        settings.write_text(text.replace(wrong, meant), encoding="utf-8")
        assert wrong.strip('"') in refused(capsys, "validate", settings)


def test_a_closed_pipe_is_no_error(tmp_path):
    show = f"{sys.executable} -m stabcore help | head -c 10"
    done = subprocess.run(show, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert not done.stderr and done.stdout


@pytest.mark.parametrize("more", [(), ("--pilot",)])
def test_a_study_with_failed_tasks_only_returns_an_error(more, tmp_path, capsys):
    settings = settings_file(tmp_path, runs=3, selectors=[])
    module = f"sulking_{len(more)}"  # a process refuses two modules with one name
    (tmp_path / f"{module}.py").write_text(LARGEST)
    settings.write_text(settings.read_text() + f'[[selector]]\nown = "{module}:Never"\n')
    for _ in range(2):  # a continued study without open tasks fails, too
        arguments = ("run", settings, "--n-jobs", 1, "--allow-code", *more)
        assert "RuntimeError: not today, sorry" in refused(capsys, *arguments, code=1)


@pytest.mark.parametrize("broken", ["[study]\nk = 3\n", "[data\n", "folds"])
def test_wrong_settings_files_are_refused(broken, tmp_path, capsys):
    settings = settings_file(tmp_path)
    folds = re.sub(r"(?s)kind = .*?test_size = 0.2", 'kind = "repeated_kfold"\nn_splits = 100', settings.read_text())
    settings.write_text(folds if broken == "folds" else broken)
    assert len(refused(capsys, "run", settings)) > 20 and not list(tmp_path.glob("*.stab"))


STORES = ("none/x.stab", "study.toml/x.stab", "toy.csv")
OPTIONS = [("--n-jobs", "-300"), ("--n-jobs", "0"), *(("--store", path) for path in STORES)]


@pytest.mark.parametrize(("option", "value"), OPTIONS)
def test_wrong_numbers_of_workers_and_paths_are_refused(option, value, tmp_path, capsys):
    value = str(tmp_path / value) if option == "--store" else value
    assert refused(capsys, "run", settings_file(tmp_path), option, value) and not list(tmp_path.glob("*.stab*"))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root can write everywhere")
def test_a_study_file_needs_a_writable_folder(tmp_path, capsys):
    settings, closed = settings_file(tmp_path), tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert refused(capsys, "run", settings, "--store", closed / "x.stab")


def test_show_describes_the_basis_of_its_numbers(tmp_path, capsys):
    few = frame().iloc[:14].assign(who=range(14), outcome=["well"] * 13 + ["sick"])
    data = sc.Dataset.from_frame(pd.concat([few] * 3, ignore_index=True), target="outcome", same_patient="who")
    sc.Study(data, ["mim", "random"], plan=sc.Subsample(30), k=2, n_permutations=0).run(Here(), store=tmp_path / "s.stab")
    with sqlite3.connect(tmp_path / "s.stab") as base:
        base.execute("DELETE FROM task WHERE selector = 'mim' AND run > 26")
    text = shown(capsys, tmp_path / "s.stab")
    for fact in ("noise floor was not measured", "13 different ones", "27 of 30 runs (3 not finished)", "'sick' (3 of 42 rows)"):
        assert fact in text


def test_show_counts_runs_and_shuffles_separately(tmp_path, capsys):
    result = study(selectors=["mim", "random"], runs=4, n_permutations=2, n_seeds=2).run(Here(), store=tmp_path / "s.stab")
    with sqlite3.connect(tmp_path / "s.stab") as base:
        base.execute("DELETE FROM task WHERE selector = 'mim' AND shuffle = 2 AND run > 1")
        base.execute("UPDATE task SET status = 'failed' WHERE selector = 'mim' AND shuffle = 1 AND run = 0")
    text = shown(capsys, tmp_path / "s.stab")
    assert re.search(r"mim: 4 of 4 .* 5 of 8 .*\(1 failed\)", text) and re.search("random: 4 of 4 .* 4 of 4 ", text)
    low, high = result.accuracy().loc["mim", ["accuracy_low", "accuracy_high"]].astype(float).round(3)
    rows = [line.split() for line in text.splitlines() if line.startswith("mim  ")]
    assert any({f"{low:.3f}", f"{high:.3f}"} <= set(row) for row in rows)


def test_help_lists_every_entry_with_its_options(capsys):
    assert main(["help"]) == 0
    text = capsys.readouterr().out
    parts = re.split(r"^[A-Z]+$", text, flags=re.MULTILINE)[1:]
    for part, table in zip(parts, (sc.list_measures(), sc.list_selectors(), sc.list_plans(), sc.list_classifiers()), strict=True):
        for key, row in table.iterrows():
            entry = " ".join(part.split(f"\n  {key}: {row['label']}\n")[1].split("\n\n")[0].split())
            options = re.split(r"; (?=\w+ = )", row.get("options", ""))
            assert all(words in entry for words in [row["plain"], row["reference"], *options]), key
