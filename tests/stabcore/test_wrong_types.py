"""Every public parameter accepts a value of any type or raises an InputError with the accepted types."""

import inspect
import warnings

import numpy as np
import pandas as pd
import pytest
from face_support import functions
from support import slow

import stabcore as sc

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(60, 6)), columns=list("abcdef"))
y = np.where(X["a"] + X["b"] + RNG.normal(size=60) > 0, "ill", "well")
PLAN, DATA = sc.ComplementaryPairs(3), sc.Dataset(X, y)
RUNS = sc.Selections.from_scores(np.abs(X.to_numpy()[:12]), list("abcdef")).top(3)
SIMILARITY = sc.Similarity.from_groups({"g": ["a", "b"], "h": ["c", "d"]}, names=list("abcdef"))
SIMULATED = sc.teaching_data("twins")
MINUTES = {"random_search"}  # every accepted value starts a search, so only refused values are tested
SECONDS = {  # these accept everything and compute for seconds, so `make bench` tests them
    *(("report", name) for name in ("source", "interactive", "figures")),
    *(("patient_interval", name) for name in ("level", "halves", "measures", "similarity")),
    ("whatif.similarity_uncertainty", "binary"),
}


class Nothing:
    """A type that no parameter accepts."""


WRONG = {
    **{"nothing": None, "a text": "nothing", "a list": [1.5, "x", None], "a number": -2.5, "a dict": {"q": Nothing()}},
    **{"a frame": pd.DataFrame({"u": [1, 2], "v": ["p", "q"]}), "an object": Nothing()},
}
QUICK = ["an object"]  # `make bench` tests the others


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    study = sc.Study(DATA, ["mim", "anova_f"], plan=PLAN, k=2, n_permutations=1)
    return study.run(n_jobs=1, progress=False, store=tmp_path_factory.mktemp("study") / "s.stab")


def right_values_by_name(result):
    """{name of a parameter: a right value}."""
    return {
        **dict.fromkeys(["runs", "selections", "first", "second"], RUNS),
        **dict.fromkeys(["result", "searched", "given"], result),
        **dict.fromkeys(["selector", "label", "labels"], "mim"),
        **{"data": DATA, "X": X, "y": y, "features": ["a", "b"], "feature": "a", "similarity": SIMILARITY, "k": 2, "d": 6},
        **{"measure": "nogueira", "measures": ["nogueira", "jaccard"], "plan": PLAN, "q": 2, "threshold": 0.75, "pairs": 3},
        **{"frame": X, "key": "mim", "points": result.table(), "criteria": ("accuracy", "nogueira"), "gamma": 0.5},
        **{"scenarios": {"C": SIMILARITY, "none": sc.Similarity.identity(6, "abcdef")}, "blocks": [0] * 6 + [1] * 6},
        **{"bins": sc.whatif.CorrelationBins.of(X), "floors": pd.DataFrame(), "curves": pd.DataFrame(), "weights": [1.0, 2.0]},
        **{"names": list("abcdef"), "Z": RUNS.to_frame(), "A": np.eye(3), "sets": [["a"], ["b"]], "scores": X, "ranks": X.rank()},
        **{"importances": X.abs(), "groups": {"g": ["a"]}, "edits": {("a", "c"): 0.5}, "on": ["g"], "units": [0, 1] * 6},
        **{"path": result.path, "target": "y", "n": 100, "true": 3, "effect": 0.5, "other": result, "value": 0.1, "index": [0, 1]},
        **{"i": 0, "j": 1, "rows": np.arange(20), "name": "x"},
    }


def right_values_of_functions(result):
    return {
        **{name: {"first": result, "second": result} for name in ("concordance", "replication")},
        "external_validation": {"first": DATA, "second": DATA},
        "subgroup_agreement": {"groups": np.arange(DATA.n_rows) % 2, "n_repeats": 1, "n_permutations": 1},
        "clinical_worth": {"n_bootstrap": 3},
        **{f"StudyResult.{name}": {"first": "mim", "second": "anova_f"} for name in ("compare_scores", "paired")},
        "teaching_data": {"key": "twins"},
    }


def public_functions(result):
    """(name, function, {required parameter: right value}, all parameters)."""
    whose = {
        **{"Selections": RUNS, "Similarity": SIMILARITY, "StudyResult": result, "Estimate": sc.stability(RUNS), "Dataset": DATA},
        "Results": sc.Results({"mim": RUNS, "anova_f": RUNS}),
    }
    for_all, for_one = right_values_by_name(result), right_values_of_functions(result)
    for name, _ in functions():
        first, *rest = name.removesuffix(".__init__").split(".")
        call = getattr(whose.get(first, getattr(sc, first)), rest[0]) if rest else getattr(sc, first)
        if not callable(call) or (rest and first not in {*whose, "plot", "whatif", "importance"}):
            continue
        own_values = for_one.get(name, {})
        right_values = for_all | own_values
        given = inspect.signature(call).parameters.values()
        given = [parameter for parameter in given if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)]
        needed = {parameter.name for parameter in given if parameter.default is parameter.empty}
        if needed <= right_values.keys():
            arguments = {key: right_values[key] for key in needed} | own_values
            yield name.removesuffix(".__init__"), call, arguments, [parameter.name for parameter in given]


@pytest.mark.parametrize("wrong", [kind if kind in QUICK else slow(kind) for kind in WRONG])
def test_every_parameter_accepts_or_refuses_a_value(result, wrong, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a text can be the path of a report, which is written here
    raw, tried = {}, 0
    for name, call, needed, parameters in public_functions(result):
        for parameter in parameters:
            if (name, parameter) in SECONDS if wrong in QUICK else name in MINUTES:
                continue
            tried += 1
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    call(**{**needed, parameter: WRONG[wrong]})
            except sc.InputError as refused:
                assert str(refused).endswith((".", ")", "}")), (name, parameter, str(refused))
            except Exception as error:
                raw.setdefault(name, {})[parameter] = repr(error)
    assert tried > 600
    assert raw == {}


MISTAKES = {
    "a frame as similarity": lambda result: sc.stability(RUNS, "effective", similarity=X.corr().abs()),
    "an array as similarity": lambda result: result.stability("effective", np.eye(6)),
    "a level of 95": lambda result: result.stability(level=95),
    "an empty dict": lambda result: sc.stability({}),
    "a file as features": lambda result: sc.Study("trial.csv", y, ["mim"]),
    "y in another order": lambda result: sc.Study(X, pd.Series(y).iloc[::-1], ["mim"]),
    "the class itself": lambda result: sc.Selections(RUNS.to_frame().to_numpy()),
    "runs that do not exist": lambda result: RUNS.take([0, 99]),
    "half a run": lambda result: RUNS.take([0.5, 1]),
    "an edit of one text": lambda result: SIMILARITY.edited({"ab": 1}),
    "an unknown feature": lambda result: SIMILARITY.value("a", "z"),
    "an unknown selector": lambda result: result.shuffled("x"),
    "the entry of an unknown selector": lambda result: result.entry_of("x"),
    "the line of an unknown selector": lambda result: result.frequency_line("x"),
    "an unknown selector of uploaded runs": lambda result: sc.Results({"a": RUNS}).selections("b"),
    "no workers": lambda result: result.seconds_left(0),
    "a threshold of 75": lambda result: result.plot.panel(threshold=75),
    "a threshold of 75 in two studies": lambda result: sc.replication(result, result, 75),
    "unknown axes": lambda result: result.plot.criteria(axes=("size", "weight")),
    "figures of uploads that need a study": lambda result: sc.Results({"a": RUNS}).plot.survival("a"),
    "values of a category": lambda result: result.plot.feature_values(sc.Dataset(X.assign(a=y), X["b"].to_numpy()), "a"),
    "a share above 1": lambda result: sc.StableSelector("mim", fdr=2).fit(X, y),
    "an option of scikit-learn": lambda result: sc.Study(DATA, "mim", cv=5),
    "unknown fields": lambda result: DATA.changed(foo=3),
    "y alone": lambda result: sc.Study(X, y),
    "features alone": lambda result: sc.Study(X),
    "a shorter y": lambda result: sc.Study(X, y[:5], "mim"),
    "a misspelt selector": lambda result: sc.Study(X, y, "mimm"),
    "no outcome": lambda result: sc.Dataset(X, None),
    "an outcome twice": lambda result: sc.Dataset(DATA, y),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_refused_with_a_sentence(result, mistake):
    with pytest.raises((sc.InputError, TypeError)) as refused:
        MISTAKES[mistake](result)
    sentence = str(refused.value)
    assert " " in sentence and sentence.endswith((".", "}"))
    assert "'<" not in sentence and "attribute" not in sentence


def test_a_wrong_type_is_reported_by_the_called_function(result):
    with pytest.raises(sc.InputError, match="^label of StudyResult.selections"):
        result.selections(["mim"])
    with pytest.raises(sc.InputError, match="^features of stability_paths"):
        sc.stability_paths(result, "mim", features=3)


def test_equivalent_input_is_accepted(result):
    assert sc.Study(SIMULATED, ["mim"]) == sc.Study(SIMULATED.dataset(), ["mim"]) != sc.Study(DATA, ["mim"])
    assert sc.Similarity.from_correlation(SIMULATED.dataset()).n_features == len(sc.effects(SIMULATED))
    assert RUNS.take([True] * 4 + [False] * 8) == RUNS.take(range(4))
    assert sc.stability(pd.Series([["a", "b"], ["a"]]), names="abc") == sc.stability([["a", "b"], ["a"]], names="abc")
    assert sc.compare_selectors({"a": RUNS, "b": RUNS})["difference"].item() == 0
    assert SIMILARITY.value("a", "b") == SIMILARITY.value(0, 1) == 1 and SIMILARITY.block(["a", "c"]).tolist() == np.eye(2).tolist()
    estimate = sc.stability(RUNS)
    assert f"{estimate:.3f}" == f"{estimate.value:.3f}" and round(estimate, 3) == round(estimate.value, 3) and f"{estimate}"
    assert "mim, anova_f" in repr(sc.Study(DATA, ["mim", "anova_f"])) and "<p>" in sc.Study(DATA, "mim")._repr_html_()
    assert " object at " not in repr(result.plot) and sc.noise_floor(5, 2, 6) == sc.noise_floor(sc.RepeatedKFold(5, 1), 2, 6)
    pd.testing.assert_frame_equal(DATA.to_frame()[list("abcdef")], X)
    assert DATA.to_frame()["outcome"].tolist() == y.tolist() and sc.Dataset(DATA.to_frame(), "outcome") == DATA
