"""Reading groups of features, right and wrong."""

import io

import pandas as pd
import pytest
from file_support import parquet

from stabcore.errors import InputError
from stabcore.io.feature_sets import read_groups


def test_groups(tmp_path):
    text = "feature,group\nALT,liver\nAST,liver\nNa,salts\n007,salts\nalone,\nALT,liver\n"
    expected = {"liver": ["ALT", "AST"], "salts": ["Na", "007"]}
    features = ["ALT", "AST", "Na", "007", "alone"]
    (tmp_path / "g.csv").write_text(text, encoding="utf-8")
    assert read_groups(text, features) == expected
    assert read_groups(tmp_path / "g.csv", features) == expected
    assert read_groups(text.replace(",", ";").replace("feature", " Feature ").encode(), features) == expected
    frame = pd.DataFrame({"group": ["g", "g"], "feature": ["a", "b"], "comment": ["", "x"]})
    assert read_groups(io.BytesIO(parquet(frame)), ["a", "b"]) == {"g": ["a", "b"]}


@pytest.mark.parametrize("text, words", [
    ("feature,cluster\nALT,liver", ["'feature' and 'group'", "'cluster'", "no 'group'"]),
    ("feature,group\nALTT,liver\nzzz,liver", ["not features of this table", "'ALTT' (did you mean 'ALT'?)", "'zzz'"]),
    ("feature,group\nALT,liver\nALT,blood", ["'ALT' is in two groups, 'liver' and (line 3) 'blood'"]),
    ("feature,group\nALT,\n,liver", ["nothing to group"]),
])
def test_wrong_groups(text, words):
    with pytest.raises(InputError) as error:
        read_groups(text, ["ALT", "AST"])
    for word in words:
        assert word in str(error.value)
