"""A study file of every released version opens in this one, shows the same numbers, and can be gone on with."""

import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from support import ROOT

import stabcore as sc
from stabcore.study.store import FORMAT

RELEASED = ROOT / "tests" / "released"
FILES = sorted(RELEASED.glob("format-*.stab"))
NOGUEIRA = {"mim": 0.4444444444, "lasso": 1.0}          # as version 0.1.0 printed them


def test_there_is_a_file_of_every_format():
    """Who raises FORMAT adds one."""
    assert [sc.open_study(path).store.meta("format") for path in FILES] == list(range(1, FORMAT + 1))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_shows_the_same_numbers_and_reading_changes_nothing(path):
    before = path.read_bytes()
    found = sc.open_study(path)
    assert found.table("nogueira")["nogueira"].to_dict() == pytest.approx(NOGUEIRA, abs=1e-9)
    assert found.features == tuple("abcde") and found.classes == ("sick", "well") and found.store.intact() is not False
    assert not found.progress()["failed"].any() and path.read_bytes() == before


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_gone_on_with(path, tmp_path):
    copy = shutil.copy(path, tmp_path / "s.stab")
    data = sc.Dataset.from_file(RELEASED / "toy.csv", target="outcome")
    was = sc.open_study(path).store.finished()
    asked = sc.Study(data, ["mim", "lasso"], plan=sc.Subsample(4, 0.2), k=2, seed=3, control=1,
                     control_runs="all")
    with ThreadPoolExecutor(1) as executor:
        found = asked.run(executor, store=copy)
    assert was < found.store.finished() and len(found.store.finished()) == found.total == 16
    assert found.store.meta("format") == FORMAT and found.table("nogueira")["nogueira"]["mim"] == pytest.approx(NOGUEIRA["mim"])
