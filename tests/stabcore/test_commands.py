"""Studies run by the command: killed, cancelled, with own classes, with wrong settings files."""

import json
import os
import random
import re
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest
from command_support import kill_again_and_again, settings_file, start, tasks, wait_for
from noise_support import Here
from study_support import frame, study
from support import ROOT

import stabcore as sc
from stabcore.__main__ import main
from stabcore.study.loading import load_study
from stabcore.study.working_files import StudyLock


@pytest.mark.slow  # test_guard kills once; bench_kills a thousand times
@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is POSIX")
def test_killed_again_and_again_it_ends_as_if_undisturbed(tmp_path):
    settings = settings_file(tmp_path)
    with ThreadPoolExecutor(1) as executor:
        calm = load_study(settings).run(executor, store=tmp_path / "calm.stab")
    store, chance = tmp_path / "killed.stab", random.Random(3)
    lost, outlived = kill_again_and_again(settings, store, 2, chance, promised=30)  # how soon, a benchmark tells
    assert not lost and not outlived
    assert 0 < len(tasks(store)) < 36, "the kills must have hit a running study"
    last = start(settings, store)
    assert last.wait() == 0, last.stderr.read()
    assert sc.open_study(store).digest() == calm.digest()


def test_cancel_stops_the_study_and_keeps_what_is_done(tmp_path):
    settings, store = settings_file(tmp_path, runs=300), tmp_path / "c.stab"
    process = start(settings, store)
    wait_for(lambda: len(tasks(store)) >= 2)
    (tmp_path / "c.stab.cancel").touch()
    assert process.wait(timeout=20) == 3
    *_, before, last = process.stderr.read().splitlines()
    assert str(store) in before and last == "Cancelled; what is done is kept."  # the last line is shown on screens
    assert 2 <= len(tasks(store)) < 900 and not StudyLock.held(store)


def test_a_settings_file_can_name_a_class_that_lies_beside_it(tmp_path):
    settings = settings_file(tmp_path, runs=2, selectors=["mim"])
    (tmp_path / "my_selectors.py").write_text(
        "import numpy as np\n\n\nclass Largest:\n    def __init__(self, power=1):\n"
        "        self.power = power\n\n    def fit(self, X, y):\n"
        "        difference = X[y == 0].mean(0) - X[y == 1].mean(0)\n"
        "        self.scores_ = np.abs(difference) ** self.power\n"
    )
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text + '[[selector]]\nown = "my_selectors:Largest"\npower = 2\n', encoding="utf-8")
    process = start(settings, tmp_path / "x.stab")
    assert process.wait() == 2 and "--allow-code" in process.stderr.read()
    process = start(settings, tmp_path / "o.stab", more=["--allow-code"])
    assert process.wait() == 0, process.stderr.read()
    found = sc.open_study(tmp_path / "o.stab")
    assert found.progress().loc["Largest", "done"] == 2 and "a" in found.selections("Largest").features
    settings.write_text(text + '[[selector]]\nown = "my_selectors:Smallest"\n', encoding="utf-8")
    process = start(settings, tmp_path / "x.stab", more=["--allow-code"])
    assert process.wait() == 2 and "my_selectors:Smallest" in process.stderr.read()


@pytest.mark.parametrize(
    "own", ["subprocess:check_output", "os:system", "beside:helper", "beside:Plain", "../beside:Fits", "random:Random"]
)
def test_code_that_is_no_selector_beside_the_file_is_never_called(own, tmp_path, capsys):
    settings = settings_file(tmp_path, selectors=[], more=f'[[selector]]\nown = "{own}"\n')
    (tmp_path / "beside.py").write_text(
        "def helper():\n    raise SystemExit('called')\n\n\nclass Plain:\n    def __init__(self):\n        helper()\n"
    )
    (tmp_path / "random.py").write_text("class Random:\n    def fit(self, X, y):\n        pass\n")
    for more in ((), ("--allow-code",)):
        assert said(capsys, "validate", settings, *more) and said(capsys, "run", settings, *more)
    assert not list(tmp_path.glob("*.stab"))


def test_a_first_settings_file_is_written_checked_and_run(tmp_path, capsys):
    frame().to_csv(tmp_path / "toy.csv", index=False, encoding="utf-8")
    settings = tmp_path / "toy.toml"
    assert main(["init", str(tmp_path / "toy.csv")]) == 0 and main(["validate", str(settings)]) == 0
    assert said(capsys, "init", tmp_path / "toy.csv").endswith("-o.")
    text = re.sub(r"n_pairs = 25|n_permutations = 20", lambda match: match[0].split(" ")[0] + " = 2", settings.read_text("utf-8"))
    settings.write_text(text, encoding="utf-8-sig")  # a byte order mark, as editors on Windows leave it
    assert main(["run", str(settings), "--n-jobs", "1"]) == 0
    capsys.readouterr()
    assert main(["show", str(tmp_path / "toy.stab"), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [row["selector"] for row in shown["selectors"]] == ["lasso", "anova_f", "mrmr"]
    assert all(row["nogueira_low"] <= row["nogueira"] for row in shown["selectors"])
    for wrong, meant in (("n_pairs", "pairs"), ('"lasso"', '"laso"')):
        settings.write_text(text.replace(wrong, meant), encoding="utf-8")
        assert wrong.strip('"') in said(capsys, "validate", settings)


def test_a_reader_that_has_enough_is_no_error(tmp_path):
    show = f"{sys.executable} -m stabcore help | head -c 10"
    done = subprocess.run(show, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert not done.stderr and done.stdout


@pytest.mark.parametrize(("broken", "said"), [("[study]\nk = 3\n", r"\[data\]"), ("[data\n", "not valid TOML")])
def test_wrong_settings_files_get_sentences(broken, said, tmp_path):
    settings = settings_file(tmp_path)
    settings.write_text(broken)
    process = start(settings, tmp_path / "x.stab")
    assert process.wait() == 2 and re.search(said, process.stderr.read())


def said(capsys, *arguments, code=2):
    """The last line of the command's one refusal."""
    assert main([str(one) for one in arguments]) == code
    return capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize("workers", ["-300", "0"])
def test_there_is_at_least_one_worker(workers, tmp_path, capsys):
    told = said(capsys, "run", settings_file(tmp_path), "--n-jobs", workers)
    assert "n_jobs" in told and workers in told and not list(tmp_path.glob("*.stab*"))


@pytest.mark.parametrize(
    ("store", "why"),
    [
        ("none/x.stab", "There is no folder .*none"),
        ("", "is a folder"),
        ("study.toml/x.stab", "There is no folder .*study.toml"),
        ("toy.csv", "not a study file"),
    ],
)
def test_a_study_file_needs_a_place(store, why, tmp_path, capsys):
    assert re.search(why, said(capsys, "run", settings_file(tmp_path), "--store", tmp_path / store))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_study_file_needs_a_place_where_one_may_write(tmp_path, capsys):
    settings, closed = settings_file(tmp_path), tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert "You may not write to" in said(capsys, "run", settings, "--store", closed / "x.stab")


@pytest.mark.parametrize(("path", "why"), [(".", "is a folder. Give a settings file"), ("none.toml", "There is no settings file")])
def test_the_settings_are_a_file(path, why, tmp_path, capsys):
    assert why in said(capsys, "run", tmp_path / path)


def test_the_folder_one_is_in_is_no_settings_file(capsys):
    assert "is a folder" in said(capsys, "run", ".")


@pytest.mark.parametrize("more", [(), ("--pilot",)])
def test_a_study_whose_tasks_all_failed_is_not_done(more, tmp_path, capsys):
    settings = settings_file(tmp_path, runs=3, selectors=[])
    (tmp_path / "sulking.py").write_text(
        "class Never:\n    def fit(self, X, y):\n        raise RuntimeError('not today,\\nsorry')\n"
    )
    settings.write_text(settings.read_text() + '[[selector]]\nown = "sulking:Never"\n')
    for _ in range(2):  # going on with nothing left to do is no success either
        assert said(capsys, "run", settings, "--n-jobs", 1, "--allow-code", *more, code=1) == (
            "Every task failed. The most frequent reason: RuntimeError: not today, sorry"
        )


def test_too_many_folds_are_refused_before_anything_is_run(tmp_path, capsys):
    settings = settings_file(tmp_path)
    text = re.sub(r"(?s)kind = .*?test_size = 0.2", 'kind = "repeated_kfold"\nn_splits = 100', settings.read_text())
    settings.write_text(text)
    assert "with 60 rows the largest possible number of folds is 60" in said(capsys, "run", settings)
    assert not list(tmp_path.glob("*.stab"))


def test_show_says_what_its_numbers_rest_on(tmp_path, capsys):
    few = frame().iloc[:14].assign(who=range(14), outcome=["well"] * 13 + ["sick"])
    few = pd.concat([few] * 3, ignore_index=True)
    data = sc.Dataset.from_frame(few, target="outcome", same_patient="who")
    with ThreadPoolExecutor(1) as executor:
        sc.Study(data, ["mim", "random"], plan=sc.Subsample(30), k=2, n_permutations=0).run(executor, store=tmp_path / "s.stab")
    with sqlite3.connect(tmp_path / "s.stab") as base:
        base.execute("DELETE FROM task WHERE selector = 'mim' AND run > 26")
    assert main(["show", str(tmp_path / "s.stab")]) == 0
    shown = capsys.readouterr().out
    assert "noise floor was not measured" in shown  # no stability stands alone
    assert "(13 different ones)" in shown and "mim: rests on 27 of 30 runs (3 not finished)" in shown
    assert "Accuracy says nothing about the class 'sick' (3 of 42 rows)" in shown


def test_show_counts_runs_apart_from_shuffles_and_gives_the_interval_of_accuracy(tmp_path, capsys):
    result = study(selectors=["mim", "random"], runs=4, n_permutations=2, n_seeds=2).run(Here(), store=tmp_path / "s.stab")
    with sqlite3.connect(tmp_path / "s.stab") as base:
        base.execute("DELETE FROM task WHERE selector = 'mim' AND shuffle = 2 AND run > 1")
        base.execute("UPDATE task SET status = 'failed' WHERE selector = 'mim' AND shuffle = 1 AND run = 0")
    assert main(["show", str(tmp_path / "s.stab")]) == 0
    shown = capsys.readouterr().out
    assert "mim: 4 of 4 runs, 5 of 8 with the outcome shuffled (1 failed); " in shown
    assert "random: 4 of 4 runs, 4 of 4 with other dice; " in shown
    low, high = result.accuracy().loc["mim", ["accuracy_low", "accuracy_high"]].astype(float).round(3)
    row = next(line for line in shown.splitlines() if line.startswith("mim  "))
    assert f" {low:.3f} " in row and f" {high:.3f} " in row


def test_copies_of_a_resample_are_said_before_they_are_run(tmp_path, capsys):
    settings = settings_file(tmp_path, runs=30, selectors=["random"])
    table = frame().iloc[:10].assign(outcome=["well", "sick"] * 5)
    table.to_csv(tmp_path / "toy.csv", index=False)
    settings.write_text(settings.read_text().replace("test_size = 0.2", "test_size = 0.05"))
    assert main(["run", str(settings), "--n-jobs", "1"]) == 0
    assert capsys.readouterr().err.startswith("30 runs, 10 different ones: 10 rows can be resampled in few ways.")


def test_help_lists_every_entry_with_its_options(capsys):
    assert main(["help"]) == 0
    told = capsys.readouterr().out
    parts = re.split(r"^[A-Z]+$", told, flags=re.MULTILINE)[1:]
    for part, table in zip(parts, (sc.list_measures(), sc.list_selectors(), sc.list_plans(), sc.list_classifiers()), strict=True):
        for key, row in table.iterrows():
            entry = part.split(f"\n  {key}: {row['label']}\n")[1].split("\n\n")[0]
            words = " ".join(entry.split())
            options = re.split(r"; (?=\w+ = )", row.get("options", ""))
            assert all(part in words for part in [row["plain"], row["reference"], *options]), key
            assert all(re.match(r"- \w+ = .*: .", line.strip()) for line in entry.splitlines() if line.startswith("    - ")), key
    assert [line for line in told.splitlines() if line and line[0] != " "] == ["MEASURES", "SELECTORS", "PLANS", "CLASSIFIERS"]


def test_help_of_one_catalogue_and_of_one_entry(capsys):
    assert main(["help", "plans"]) == 0
    assert re.findall(r"^  (\w+):", capsys.readouterr().out, re.MULTILINE) == list(sc.list_plans().index)
    assert main(["help", "welch_t"]) == 0
    assert re.findall(r"^  (\w+):", capsys.readouterr().out, re.MULTILINE) == ["welch_t"]
    assert said(capsys, "help", "welsh_t").startswith("There is nothing called 'welsh_t' (did you mean 'welch_t'?).")


def test_the_command_tells_what_was_assumed_of_its_table(tmp_path, capsys):
    settings = settings_file(tmp_path, runs=2, selectors=["mim"])
    frame().rename_axis("row").reset_index().to_csv(tmp_path / "toy.csv", index=False)
    assert main(["run", str(settings), "--n-jobs", "1"]) == 0
    assert "Every row has another whole number in 'row', as identifiers do" in capsys.readouterr().err
