"""Panels with and without columns that are always in the model. A marker of age drops out, others stay."""

import numpy as np
import pytest
from given_support import aged
from noise_support import Here
from snapshot_support import check_snapshot

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.plots.compare_given import draw_given, finding_given, frame_given


def study(seed=0):
    X, y, given = aged(seed, n=200, d=12, own_effect=1.2)
    frame = sc.Dataset(X, y).to_frame().drop(columns="outcome").assign(age=given[:, 0], sex=given[:, 1])
    return sc.Study(frame, y, ["welch_t"], plan=sc.ComplementaryPairs(5), k=4, n_permutations=0, given=["age", "sex"])


@pytest.fixture(scope="module")
def both():
    made = study()
    return made.run(Here(), progress=False), made.without_given().run(Here(), progress=False)


def test_frequencies_are_those_of_the_two_studies(both):
    table = sc.compare_given(*both, threshold=0.6).set_index("feature")
    frequencies = [dict(zip(result.features, result.selections("welch_t").frequencies, strict=True)) for result in both]
    for feature, row in table.iterrows():
        assert row["beyond"] == frequencies[0][feature] and row["without"] == frequencies[1][feature]
        inside, before = row["beyond"] >= 0.6, row["without"] >= 0.6
        assert row["change"] == {(True, True): "stays", (True, False): "enters", (False, True): "drops out"}[inside, before]
    assert set(table.index) == {name for name in both[0].features if max(frequency[name] for frequency in frequencies) >= 0.6}
    by_age, *others = both[0].features[:4]
    assert table.loc[by_age, "change"] == "drops out" and (table.loc[others, "change"] != "drops out").all()


def test_both_studies_differ_only_in_the_given_columns(both):
    made = study()
    without = made.without_given()
    assert without.data.features == made.data.features and without.data.given is None and made.data.given is not None
    assert {**without.settings(), "data": 0} == {**made.settings(), "data": 0}
    with pytest.raises(InputError):
        without.without_given()
    for wrong in (both[::-1], (both[0], both[0])):
        with pytest.raises(InputError):
            sc.compare_given(*wrong)


def test_the_figure_and_its_sentence(both):
    table = sc.compare_given(*both)
    figure = draw_given(frame_given(table, ["age"]), 0.75)
    assert [sorted(trace.x) for trace in figure.data[1:]] == [sorted(table[column]) for column in ("without", "beyond")]
    changes = [["stays", "stays", "drops out", "enters"], ["enters"], [], ["drops out"]]
    some = [table.head(0).reindex(np.arange(len(change))).assign(change=change) for change in changes]
    check_snapshot("findings_given_columns", "\n".join(finding_given(change_table, ["age", "sex"]) for change_table in some))
