"""Every maker of sentences in claims_support.MAKERS finds large differences, and none among equal selectors."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest
from claims_support import ABOVE, CLAIM_NOTHING, MAKERS, OF_ITSELF, Compared
from noise_support import LABELS, REGIMES, Regime, noise_study, simulated
from support import slow

import stabcore as sc
from stabcore.analysis.noise_floors import noise_floors
from stabcore.plots.noise_floor import finding_beyond, frame_beyond
from stabcore.plots.profiles import finding_marginal, frame_marginal
from stabcore.study.results import Results

MAX_CLAIMED = 8  # of 100 results
ON_NOISE = (8, slow(25))  # tables without signal, more in tests/benchmarks/bench_claims.py
RESULTS = (7, slow(25))  # results, of which one may claim something


EQUAL_RESULTS = (
    "usual",
    "few runs",
    "three runs",
    "few patients",
    "own sizes",
    "halves",
    "halves, own sizes",
)  # the cheap ones, in tests


@pytest.fixture(scope="module", params=RESULTS)
def on_equals(request):
    """{maker: its claims} on results of equal selectors, from all regimes in turn."""
    results = [Compared(simulated(seed, REGIMES[EQUAL_RESULTS[seed % len(EQUAL_RESULTS)]])) for seed in range(request.param)]
    return {maker.name: [said for result in results for said in maker.claimed(result)[:1]] for maker in MAKERS}


@pytest.fixture(scope="module")
def on_a_winner():
    return [Compared(simulated(seed, best=True)) for seed in range(2)]


@pytest.mark.parametrize("maker", [maker.name for maker in MAKERS])
def test_nothing_is_claimed_about_equal_selectors(on_equals, maker, request):
    claimed, results = on_equals[maker], request.node.callspec.params["on_equals"]
    assert len(claimed) <= max(1, MAX_CLAIMED * results / 100), claimed[:3]


@pytest.mark.parametrize("maker", [maker for maker in MAKERS if maker.finds], ids=lambda maker: maker.name)
def test_a_selector_that_is_better_in_everything_is_found(on_a_winner, maker):
    """A maker that never claims anything would pass the test above."""
    assert all(maker.claimed(compared) for compared in on_a_winner), [maker.say(compared) for compared in on_a_winner]


@pytest.mark.parametrize("seeds", [2, slow(5)])
def test_no_selector_predicts_noise_better_than_another(seeds, tmp_path):
    """Real selectors on tables without signal differ in stability, but not in predictions."""
    makers = [maker for maker in MAKERS if maker.name in ("accuracies", "above random")]
    kinds = ("plain", "few patients", "rare class", "categories", "gaps", "ties", "three classes")
    selectors, settings = ("mim", "variance", "random"), [(seed, kind) for seed in range(seeds) for kind in kinds]
    on_noise = [Compared(noise_study(seed, kind, selectors, folder=tmp_path)) for seed, kind in settings]
    for maker in makers:
        claimed = [said for compared in on_noise for said in maker.claimed(compared)]
        assert len(claimed) <= MAX_CLAIMED * len(on_noise) / 100, claimed[:3]


def makers_of_sentences():
    """Names of all functions of figures and analyses that make sentences."""
    files = [file for room in ("plots", "analysis") for file in (Path(sc.__file__).parent / room).glob("*.py")]
    functions = [
        node.name for file in files for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)
    ]
    return {name for name in functions if re.match("(finding|sentences?|describe)(_|$)", name)}


def test_every_maker_of_sentences_is_tested_or_has_a_reason():
    tree = ast.parse((Path(__file__).parents[1] / "claims_support.py").read_text("utf-8"))
    tried = {getattr(node, "attr", getattr(node, "id", "")) for node in ast.walk(tree)}
    every = makers_of_sentences()
    assert len(every) > 35 and every - tried - CLAIM_NOTHING.keys() == set(), "give it a Maker, or a reason in CLAIM_NOTHING"
    assert every - tried >= CLAIM_NOTHING.keys(), "removed, or tested"


@pytest.fixture(scope="module")
def with_baselines():
    """One result has a baseline that is best in everything, the other one that is worse than its only rival."""
    return [
        Compared(simulated(1, best=True, labels=("random", *LABELS[1:]))),
        Compared(simulated(1, Regime(selectors=2), best=True, labels=(LABELS[0], "random"))),
    ]


@pytest.mark.parametrize(
    "maker", [maker for maker in MAKERS if maker.name not in ("swaps", "partners", "inside groups")], ids=lambda maker: maker.name
)
def test_no_sentence_names_a_baseline_as_an_extreme(with_baselines, maker):
    """A sentence may compare the accuracy of a baseline, and say that it selects at random."""
    allowed = "^The accuracy of|not distinguishable|selects at random|random ranking|at random[.,]"
    assert [
        said
        for baseline in with_baselines
        for said in maker.say(baseline)
        if "random" in re.sub(allowed, "", said) and not re.search(allowed, said)
    ] == []


@pytest.fixture(scope="module", params=ON_NOISE)
def on_noise(request, tmp_path_factory):
    """Studies of tables without signal, with halves or few rows left out, and with several kinds of features."""
    folder = tmp_path_factory.mktemp("noise")
    kinds = ("blocks", "plain", "one factor", "few patients", "rare class", "categories", "ties", "three classes")
    plans = (sc.ComplementaryPairs(5), sc.Subsample(10, 0.05))
    options = {"folder": folder, "n_permutations": 20, "classifier": "none"}
    settings = [(seed, kinds[seed % len(kinds)], plans[(seed + seed // len(kinds)) % 2]) for seed in range(request.param)]
    return [noise_study(seed, kind, ("mim", "mrmr"), plan=plan, **options) for seed, kind, plan in settings]


@pytest.mark.parametrize("maker", OF_ITSELF, ids=lambda maker: maker.name)
def test_no_selector_exceeds_noise_without_signal(on_noise, maker):
    claimed = [said for study in on_noise for said in maker.claimed(study)[:1]]
    assert len(claimed) <= MAX_CLAIMED * len(on_noise) / 100, claimed[:4]


def test_a_signal_is_found(tmp_path):
    judged = next(maker for maker in OF_ITSELF if maker.name == "judged")
    plan = sc.ComplementaryPairs(25)
    assert judged.claimed(noise_study(1, "known", ("mim", "welch_t"), plan=plan, folder=tmp_path, n_permutations=20))


def test_no_selector_is_judged_without_a_noise_floor(tmp_path):
    """A signal without a permutation control, and uploaded selections that never vary."""
    study = noise_study(1, "known", ("mim", "welch_t"), plan=sc.ComplementaryPairs(5), folder=tmp_path)
    always = np.zeros((20, 12), dtype=int)
    always[:, :3] = 1
    uploaded = Results({"a": sc.Selections.from_matrix(always), "b": sc.Selections.from_matrix(always)})
    facets = {"runs": noise_floors(uploaded, "nogueira")}
    assert not [said for maker in OF_ITSELF if "judged" in maker.name for said in maker.claimed(study)]
    assert not re.search(ABOVE, finding_beyond(frame_beyond(facets), uploaded))


@pytest.mark.parametrize("times", [13, slow(50)])
def test_further_features_of_filters_on_noise_are_not_above_the_floor(times):
    """Runs that share rows agree on noise, too. Against random sets, every selector would seem to add features."""
    rng, claimed = np.random.default_rng(7), []
    next_features = next(maker for maker in OF_ITSELF if maker.name == "next")

    def runs(n_runs):
        shared = np.sqrt(0.95) * rng.normal(size=(1, 60))
        return sc.Selections.from_scores(np.abs(shared + np.sqrt(0.05) * rng.normal(size=(n_runs, 60))))

    for _ in range(times):
        shuffled = {label: [runs(4) for _ in range(20)] for label in "abc"}
        said = finding_marginal(frame_marginal({label: runs(20) for label in "abc"}, None, shuffled), 5)
        claimed += [said] * bool(re.search(next_features.claims, said))
    assert len(claimed) <= MAX_CLAIMED * times / 100, claimed[:3]
    independent = {label: [sc.Selections.from_scores(rng.random((4, 60))) for _ in range(20)] for label in "abc"}
    said = finding_marginal(frame_marginal({label: runs(20) for label in "abc"}, None, independent), 5)
    assert re.search(next_features.claims, said), "compared with independent runs, it is claimed"
