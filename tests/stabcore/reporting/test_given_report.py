"""Report of a study with given columns: every part names them."""

import re

import pandas as pd
import pytest
from given_support import aged
from noise_support import Here

import stabcore as sc
from stabcore.reporting.citations import Citations
from stabcore.reporting.limitations import limitation_sentences
from stabcore.reporting.methods import methods
from stabcore.reporting.results import answer, prediction
from stabcore.reporting.subject import Subject
from stabcore.similarity.similarity import Similarity


@pytest.fixture(scope="module", params=[("age", "sex"), ()], ids=["given", "none"])
def subject(request):
    X, y, given = aged(0, n=90, d=8)
    table = pd.DataFrame(X, columns=[f"m{i}" for i in range(8)]).assign(age=given[:, 0], sex=given[:, 1])
    data = sc.Dataset(table, y, given=request.param, exclude=() if request.param else ["age", "sex"])
    made = sc.Study(data, ["welch_t", "auc"], plan=sc.ComplementaryPairs(3), k=3, classifier="logistic", n_permutations=2)
    result = made.run(Here(), progress=False)
    return Subject(result, Similarity.identity(8, names=data.features), data=data)


def text_of(blocks) -> str:
    return " ".join(str(vars(block)) for block in blocks)


def test_every_part_names_the_given_columns(subject):
    named = bool(subject.result.given)
    cited = Citations()
    parts = {
        "answer": text_of(answer(subject)),
        "methods": text_of(methods(subject, cited)),
        "prediction": text_of(prediction(subject)),
        "limits": " ".join(limitation_sentences(subject)),
    }
    for name, text in parts.items():
        assert bool(re.search(r"\bage and sex\b", text)) == named, name
    assert ("added_value" in parts["prediction"]) == named
    assert any("Rao" in reference for reference in cited.listed()) == named
    assert ("age and sex" in subject.result.sentence()) == named
