"""The text by which a study recognises a user-defined selector, plan or classifier."""

import os
import subprocess
import sys
from functools import partial
from itertools import count

import numpy as np
import pytest
from sklearn.feature_selection import RFECV, SelectKBest, f_classif, mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer, recall_score
from sklearn.model_selection import StratifiedKFold

from stabcore.base.user_objects import describe_object
from stabcore.study.earlier import is_equal_without_marks

SCRIPT = """
import numpy as np
KINDS, POWER = {"a", "b", "c"}, 2
class Base:
    limit = 3
    def weigh(self, x): return x ** POWER
class Mine(Base):
    def __init__(self, names): self.names = names
    def fit(self, X, y):
        self.scores_ = np.array([self.weigh(x) if name in {"a", "b", "c"} else 0 for name, x in zip(self.names, X.T)])
        return super().fit
from stabcore.base.user_objects import describe_object
print(describe_object(Mine({"x", "y", "z"})))
"""


def mine(**members):
    """An object of a class that a user wrote."""
    return type("Mine", (), {"__module__": "__main__", **members})()


def scaled(by):
    return lambda X, y: by * X.sum(axis=0)


def recursive(X, y, depth=2):
    return recursive(X, y, depth - 1) if depth else X.sum(axis=0)


DIFFERENT = {
    "options": (LogisticRegression(C=1), LogisticRegression(C=2)),
    "an option of a function": (partial(mutual_info_classif, n_neighbors=1), partial(mutual_info_classif, n_neighbors=9)),
    "a splitter": (StratifiedKFold(2), StratifiedKFold(8)),
    "a scorer": (make_scorer(recall_score), make_scorer(f1_score)),
    "functions without a name": (lambda X, y: X.sum(axis=0), lambda X, y: -X.sum(axis=0)),
    "a variable around a function": (scaled(1), scaled(-1)),
    "functions of a package": (f_classif, mutual_info_classif),
    "a method": (mine(fit=lambda self, X, y: X), mine(fit=lambda self, X, y: y)),
    "a constant of a class": (mine(limit=1), mine(limit=2)),
    "arrays": (np.arange(3), np.arange(3.0)),
    "sets": ({1, 2}, {1, 3}),
}


@pytest.mark.parametrize(("first", "second"), DIFFERENT.values(), ids=DIFFERENT)
def test_different_code_and_options_have_different_texts(first, second):
    texts = [describe_object(RFECV(LogisticRegression(), cv=value)) for value in (first, second, first)]
    assert texts[0] == texts[2] != texts[1]


def test_only_code_of_users_has_a_mark():
    assert describe_object(SelectKBest(f_classif, k=3)) == "SelectKBest(k=3, score_func=f_classif)"
    assert describe_object(mine()).startswith("Mine#") and "recursive#" in describe_object(SelectKBest(recursive))


def test_objects_with_a_reference_to_themselves_have_a_text():
    holder = mine()
    holder.parts = [holder, count()]
    assert describe_object(holder).endswith("(parts=[…, count()])")


def test_the_text_is_the_same_in_every_process():
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
    texts = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1 and texts.pop().startswith("Mine#")


def test_a_study_file_without_marks_can_be_continued():
    before, now = "Mine(k=2)", describe_object(mine()).replace("()", "(k=2)")
    assert is_equal_without_marks([{"label": "a", "own": now}], [{"label": "a", "own": before}])
    assert not is_equal_without_marks([{"own": now}], [{"own": now.replace("#", "#0")}]) and not is_equal_without_marks(
        now, "Mine(k=3)"
    )
