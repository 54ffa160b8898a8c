"""Study files: hostile and damaged files, names of selectors, and files of earlier versions."""

import shutil
import sqlite3
import time
import warnings
import zlib

import numpy as np
import pandas as pd
import pytest
from damaged_support import SQL, good, use, variants
from noise_support import Here
from project_support import patients, study_file
from store_support import done, store_contents
from support import ROOT

import stabcore as sc
from stabcore.selectors.baseline import is_baseline
from stabcore.study import opening
from stabcore.study.store import FORMAT, Store

EACH = 5  # random variants of each kind of damage, of which the benchmark tries many more
HARMLESS = {"many-meta", "all-failed"}  # unread entries, and failed tasks that are reported
SLOW = 5.0  # limit in seconds for each file


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    return good(tmp_path_factory.mktemp("good") / "good.stab")


def test_damaged_files_are_refused_or_noted_in_time(content, tmp_path):
    """Damage by SQL, truncation, flipped bits, zeroed or exchanged pages, headers, values, arrays, entries, settings."""
    (tmp_path / "good.stab").write_bytes(content)
    seen, refused, real = 0, set(), sc.open_study(tmp_path / "good.stab").digest()
    for name, path in variants(content, tmp_path, random_state=1, n_each=EACH):
        started = time.perf_counter()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                found = use(path)
            assert found.notes or found.digest() == real, f"{name}: other results without a note"
        except sc.InputError as error:
            refused.add(name)
            assert "variant.stab" in str(error) and len(str(error)) < 500, (name, error)
        seen += 1
        assert time.perf_counter() - started < SLOW, name
    assert seen >= 80 and len(refused) > seen / 2 and refused >= set(SQL) - HARMLESS


def test_study_file_holds_only_corrected_cells_of_the_table(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"crp": [f"{value:.1f}" for value in rng.normal(10, 2, 60)], "alb": rng.normal(40, 3, 60)})
    frame["ward"] = rng.choice(["Wirsing", "Grünkohl"], 60)
    frame["patient"] = [f"Jane Doe {i}" for i in range(60)]
    frame["outcome"] = rng.choice(["ill", "well"], 60)
    frame.loc[3, "crp"], frame.loc[5, "alb"] = ">1000", 4242.4242
    frame.to_csv(tmp_path / "t.csv", index=False)
    made = sc.Dataset.from_file(tmp_path / "t.csv", target="outcome", same_patient="patient", mends="suggested")
    plan = sc.ComplementaryPairs(2)
    sc.Study(made, ["mim", "lasso"], plan=plan, k=1, n_permutations=0).run(n_jobs=1, store=tmp_path / "t.stab")
    written = (tmp_path / "t.stab").read_bytes()
    assert not [text for text in ("Jane Doe", "4242.4", "Wirsing", "Gr\\u00fcnkohl", "Grünkohl") if text.encode() in written]
    assert b">1000" in written


def test_damaged_choices_about_reading_a_table_are_refused(content, tmp_path):
    for choices in (
        *('{"header": null}', '{"header": "3"}', '{"else": 1}', '{"sheet": ["a"]}', '{"mends": 7}'),
        *('{"mends": [{"do": "shell", "columns": ["a"]}]}', '{"mends": [{"do": "missing", "columns": "a"}]}'),
    ):
        (tmp_path / "s.stab").write_bytes(content)
        with sqlite3.connect(tmp_path / "s.stab") as base:
            base.execute("INSERT INTO meta VALUES ('choices', ?)", (choices,))
        with pytest.raises(sc.InputError):
            sc.open_study(tmp_path / "s.stab")


def test_compression_bombs_are_not_unpacked(monkeypatch, tmp_path):
    store = Store.create(tmp_path / "s.stab", *store_contents())
    store.add(done(0))
    with sqlite3.connect(store.path) as base:
        base.execute("UPDATE task SET scores = ?", (zlib.compress(bytes(300_000_000), 1),))
    started = time.perf_counter()
    with pytest.raises(sc.InputError):
        store.tasks()
    assert time.perf_counter() - started < 1
    inflate = opening.Inflater(0)  # the limit is for all arrays together
    monkeypatch.setattr(inflate, "left", 100)
    assert len(inflate(zlib.compress(bytes(90)), 90)) == 90
    with pytest.raises(opening.Damaged):
        inflate(zlib.compress(bytes(90)), 90)


def test_files_are_opened_read_only_with_limited_work(content, tmp_path, monkeypatch):
    """The size of the file limits the work of SQLite, so cycles in its pages end."""
    path = tmp_path / "s.stab"
    path.write_bytes(content)
    with pytest.raises(sc.InputError), opening.open_read_only(path) as (base, _):
        base.execute("DELETE FROM task")
    assert path.read_bytes() == content and [entry.name for entry in tmp_path.iterdir()] == ["s.stab"]
    monkeypatch.setattr(opening, "MAX_STEPS", -2 * len(content) + 20_000)
    with pytest.raises(sc.InputError), opening.open_read_only(path) as (base, _):
        base.execute("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c").fetchall()


def test_finished_study_is_sealed_and_changes_are_noted(content, tmp_path):
    path = tmp_path / "s.stab"
    path.write_bytes(content)
    assert sc.open_study(path).store.intact() is True and sc.open_study(path).notes == []
    with sqlite3.connect(path) as base:
        base.execute("VACUUM")
    assert sc.open_study(path).store.intact() is True  # VACUUM only reorders pages
    with sqlite3.connect(path) as base:
        base.execute("UPDATE task SET message = 'x' WHERE run = 1")
    assert sc.open_study(path).store.intact() is False and "not as it was" in sc.open_study(path).notes[0]
    path.write_bytes(content)
    with sqlite3.connect(path) as base:
        base.execute("UPDATE meta SET key = 'sdal' WHERE key = 'seal'")
    assert "does not know: 'sdal'" in sc.open_study(path).notes[0]
    store = Store.create(tmp_path / "t.stab", *store_contents())  # an unfinished study has no seal
    assert store.intact() is None
    store.seal()
    assert store.intact() and Store.create(tmp_path / "t.stab", *store_contents()).intact() is None


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    chosen = {"mim": "mim", "relieff": "relieff", "random": "random", "by lot": "random", "ReliefF": "mrmr"}
    return study_file(tmp_path_factory.mktemp("named") / "study.stab", patients(), chosen, sc.Subsample(4, 0.2))


def test_keys_become_names_and_user_labels_stay(file):
    assert sc.open_study(file).selectors == ["mim", "relieff", "random", "by lot", "ReliefF"]
    named = sc.open_study(file, named=True)
    names = ["Mutual information (MIM)", "relieff", "Random ranking (baseline)", "by lot (baseline)", "ReliefF"]
    assert named.selectors == names, "a name that somebody has given is not given twice"
    assert [is_baseline(label) for label in named.selectors] == [False, False, True, True, False]


def test_keys_and_names_give_the_same_results(file):
    stored, named = sc.open_study(file), sc.open_study(file, named=True)
    for label, name in zip(stored.selectors, named.selectors):
        assert named.display_name(label) == named.display_name(name) == name and stored.display_name(label) == label
        assert named.selections(label) is named.selections(name)
        assert np.array_equal(named.selections(name, 3).counts, stored.selections(label, 3).counts)
        assert named.entry_of(name) == stored.entry_of(label)
    assert named.table().reset_index(drop=True).equals(stored.table().reset_index(drop=True)) and named.digest() == stored.digest()
    assert named.progress().index.tolist() == named.selectors and named.missing_runs().empty
    assert {task.selector for task in named.store.tasks("mim", columns=())} == {"Mutual information (MIM)"}
    with pytest.raises(sc.InputError):
        named.selections("lasso")


RELEASED = ROOT / "tests" / "released"
FILES = sorted(RELEASED.glob("format-*.stab"))
NOGUEIRA = {"mim": 0.4444444444, "lasso": 1.0}  # printed by version 0.1.0


def test_every_format_has_a_file():
    """A new FORMAT needs a new file."""
    assert [sc.open_study(path).store.meta("format") for path in FILES] == list(range(1, FORMAT + 1))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_old_files_give_the_same_numbers_unchanged(path):
    before = path.read_bytes()
    found = sc.open_study(path)
    assert found.table("nogueira")["nogueira"].to_dict() == pytest.approx(NOGUEIRA, abs=1e-9)
    assert found.features == tuple("abcde") and found.classes == ("sick", "well") and found.store.intact() is not False
    lacking = [note for note in found.notes if "did not keep" in note]  # the first format stores no rankings for another k
    assert ["'lasso'" in note and "'mim'" not in note for note in lacking] == [True] * (path.stem == "format-1")
    assert found.selections("lasso", 1).sizes.max() == 1
    assert not found.progress()["failed"].any() and path.read_bytes() == before


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_trial_is_continued(path, tmp_path):
    copy = shutil.copy(path, tmp_path / "s.stab")
    data = sc.Dataset.from_file(RELEASED / "toy.csv", target="outcome")
    was = sc.open_study(path).store.finished()
    options = {"k": 2, "random_state": 3, "n_permutations": 1, "permutation_runs": "all"}
    found = sc.Study(data, ["mim", "lasso"], plan=sc.Subsample(4, 0.2), **options).run(Here(), store=copy)
    assert was < found.store.finished() and len(found.store.finished()) == found.total == 16
    assert found.store.meta("format") == FORMAT and found.table("nogueira")["nogueira"].to_dict() == pytest.approx(NOGUEIRA)
