"""Selectors by their names: on screens only, one name each, and the stored labels are understood as well."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from page_support import patients

import stabcore as sc
from stabcore.selectors.baseline import is_baseline
from stabcore.study.outcome import Outcome
from stabcore.study.summary import selector_options


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    data = sc.Dataset.from_frame(patients(), target="outcome")
    chosen = {"mim": "mim", "relieff": "relieff", "random": "random", "by lot": "random", "ReliefF": "mrmr"}
    path = tmp_path_factory.mktemp("named") / "study.stab"
    with ThreadPoolExecutor(1) as executor:
        sc.Study(data, chosen, sc.Subsample(4, 0.2), k=2, seed=1, control=0).run(executor, store=path)
    return path


def test_keys_become_names_and_labels_of_people_stay(file):
    assert sc.open_study(file).selectors == ["mim", "relieff", "random", "by lot", "ReliefF"]
    named = sc.open_study(file, named=True)
    names = ["Mutual information (MIM)", "relieff", "Random ranking (baseline)", "by lot (baseline)", "ReliefF"]
    assert named.selectors == names, "a name that somebody has given is not given twice"
    assert [is_baseline(label) for label in named.selectors] == [False, False, True, True, False]


def test_both_are_understood_and_give_the_same(file):
    stored, named = sc.open_study(file), sc.open_study(file, named=True)
    for label, name in zip(stored.selectors, named.selectors):
        assert named.called(label) == named.called(name) == name and stored.called(label) == label
        assert named.preferences(label) is named.preferences(name)
        assert np.array_equal(named.preferences(name, 3).counts, stored.preferences(label, 3).counts)
        assert named.entry_of(name) == stored.entry_of(label)
    assert named.table().reset_index(drop=True).equals(stored.table().reset_index(drop=True))
    assert named.progress().index.tolist() == named.selectors and named.missing_runs().empty
    assert {one.selector for one in named.store.outcomes("mim", columns=())} == {"Mutual information (MIM)"}
    with pytest.raises(sc.InputError, match="no selector 'lasso'"):
        named.preferences("lasso")


def test_the_fingerprint_is_that_of_the_file(file):
    assert sc.open_study(file, named=True).digest() == sc.open_study(file).digest()


def test_what_is_missing_is_told_by_name(file, tmp_path):
    copy = tmp_path / "copy.stab"
    copy.write_bytes(file.read_bytes())
    sc.open_study(copy).store.add(Outcome("mim", 0, status="failed", message="no"))
    named = sc.open_study(copy, named=True)
    assert named.missing_runs()["selector"].tolist() == ["Mutual information (MIM)"]
    assert named.messages()["selector"].tolist() == ["Mutual information (MIM)"] and not named.tried


def test_the_sheet_of_selectors_has_words_where_code_has_nothing(file):
    told = selector_options(sc.open_study(file)).set_index("option")["value"]
    assert told["length"] == "–" and not {"None", "True", "False"} & set(told)
