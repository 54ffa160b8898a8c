"""No maker of sentences finds a difference where there is none, and each finds a large one. Tried are claims_support.MAKERS."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest
from claims_support import ABOVE, CLAIM_NOTHING, MAKERS, OF_ITSELF, Compared
from noise_support import EQUAL_RESULTS, LABELS, REGIMES, Regime, noise_study, simulated
from support import slow

import stabcore as sc
from stabcore.analysis.noise_floors import floors
from stabcore.plots.noise_floor import finding_beyond, frame_beyond
from stabcore.plots.profiles import finding_marginal, frame_marginal
from stabcore.study.results import Results

MAX_CLAIMED = 8  # of 100 results
ON_NOISE = (8, slow(25))  # tables without a signal; more in tests/benchmarks/bench_claims.py
RESULTS = (7, slow(25))  # one of them may claim something; more, and slower ones, in tests/benchmarks/bench_claims.py


@pytest.fixture(scope="module", params=RESULTS)
def on_equals(request):
    """Of results of equal selectors, drawn in every way in turn: the claims of each maker."""
    results = [Compared(simulated(seed, REGIMES[EQUAL_RESULTS[seed % len(EQUAL_RESULTS)]])) for seed in range(request.param)]
    return {maker.name: [said for result in results for said in maker.claimed(result)[:1]] for maker in MAKERS}


@pytest.fixture(scope="module")
def on_a_winner():
    return [Compared(simulated(seed, best=True)) for seed in range(2)]


@pytest.mark.parametrize("maker", [maker.name for maker in MAKERS])
def test_nothing_is_claimed_of_equal_selectors(on_equals, maker, request):
    claimed, results = on_equals[maker], request.node.callspec.params["on_equals"]
    assert len(claimed) <= max(1, MAX_CLAIMED * results / 100), claimed[:3]


@pytest.mark.parametrize("maker", [maker for maker in MAKERS if maker.finds], ids=lambda maker: maker.name)
def test_a_selector_that_is_better_in_everything_is_found(on_a_winner, maker):
    """A maker that never claims anything would pass the test above."""
    assert all(maker.claimed(compared) for compared in on_a_winner), [maker.say(compared) for compared in on_a_winner]


@pytest.mark.parametrize("seeds", [2, slow(5)])
def test_no_selector_predicts_noise_better_than_another(seeds, tmp_path):
    """Real selectors on tables without a signal: they differ in stability, but none has learned anything."""
    makers = [maker for maker in MAKERS if maker.name in ("accuracies", "above random")]
    kinds = ("plain", "few patients", "rare class", "categories", "gaps", "ties", "three classes")
    selectors, lot = ("mim", "variance", "random"), [(seed, kind) for seed in range(seeds) for kind in kinds]
    on_noise = [Compared(noise_study(seed, kind, selectors, folder=tmp_path)) for seed, kind in lot]
    for maker in makers:
        claimed = [said for compared in on_noise for said in maker.claimed(compared)]
        assert len(claimed) <= MAX_CLAIMED * len(on_noise) / 100, claimed[:3]


def makers_of_sentences():
    """The names of all functions of figures and analysis that make sentences."""
    files = [file for room in ("plots", "analysis") for file in (Path(sc.__file__).parent / room).glob("*.py")]
    functions = [
        node.name for file in files for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)
    ]
    return {name for name in functions if re.match("(finding|sentences?|describe)(_|$)", name)}


def test_everything_that_makes_sentences_is_tried_or_says_why_not():
    tree = ast.parse((Path(__file__).parents[1] / "claims_support.py").read_text("utf-8"))
    tried = {getattr(node, "attr", getattr(node, "id", "")) for node in ast.walk(tree)}
    every = makers_of_sentences()
    assert len(every) > 35 and every - tried - CLAIM_NOTHING.keys() == set(), "give it a Maker, or a reason in CLAIM_NOTHING"
    assert every - tried >= CLAIM_NOTHING.keys(), "gone, or tried after all"


@pytest.fixture(scope="module")
def with_baselines():
    """The baseline is better than three others in everything; it is worse than one other."""
    return [
        Compared(simulated(1, best=True, labels=("random", *LABELS[1:]))),
        Compared(simulated(1, Regime(selectors=2), best=True, labels=(LABELS[0], "random"))),
    ]


@pytest.mark.parametrize(
    "maker", [maker for maker in MAKERS if maker.name not in ("swaps", "partners", "inside groups")], ids=lambda maker: maker.name
)
def test_no_sentence_names_a_baseline_as_an_extreme(with_baselines, maker):
    """A sentence may say that its accuracy is not distinguishable or differs, and that it selects at random."""
    allowed = "^The accuracy of|not distinguishable|selects at random|random ranking|at random[.,]"
    assert [
        said
        for baseline in with_baselines
        for said in maker.say(baseline)
        if "random" in re.sub(allowed, "", said) and not re.search(allowed, said)
    ] == []


@pytest.fixture(scope="module", params=ON_NOISE)
def on_noise(request, tmp_path_factory):
    """Studies of tables without any signal: halves, and with few rows left out; features in blocks, and with a common factor."""
    folder = tmp_path_factory.mktemp("noise")
    kinds = ("blocks", "plain", "one factor", "few patients", "rare class", "categories", "ties", "three classes")
    plans = (sc.ComplementaryPairs(5), sc.Subsample(10, 0.05))
    options = {"folder": folder, "n_permutations": 20, "classifier": "none"}
    lot = [(seed, kinds[seed % len(kinds)], plans[(seed + seed // len(kinds)) % 2]) for seed in range(request.param)]
    return [noise_study(seed, kind, ("mim", "mrmr"), plan=plan, **options) for seed, kind, plan in lot]


@pytest.mark.parametrize("maker", OF_ITSELF, ids=lambda maker: maker.name)
def test_no_selector_exceeds_noise_without_signal(on_noise, maker):
    claimed = [said for study in on_noise for said in maker.claimed(study)[:1]]
    assert len(claimed) <= MAX_CLAIMED * len(on_noise) / 100, claimed[:4]


def test_what_is_there_is_found(tmp_path):
    judged = next(maker for maker in OF_ITSELF if maker.name == "judged")
    plan = sc.ComplementaryPairs(25)
    assert judged.claimed(noise_study(1, "known", ("mim", "welch_t"), plan=plan, folder=tmp_path, n_permutations=20))


def test_no_selector_is_judged_without_a_noise_floor(tmp_path):
    """A signal, but no control; and selections that were uploaded, which always are the same."""
    study = noise_study(1, "known", ("mim", "welch_t"), plan=sc.ComplementaryPairs(5), folder=tmp_path)
    always = np.zeros((20, 12), dtype=int)
    always[:, :3] = 1
    uploaded = Results({"a": sc.Selections.from_matrix(always), "b": sc.Selections.from_matrix(always)})
    facets = {"runs": floors(uploaded, "nogueira")}
    assert not [said for maker in OF_ITSELF if "judged" in maker.name for said in maker.claimed(study)]
    assert not re.search(ABOVE, finding_beyond(frame_beyond(facets), uploaded))


@pytest.mark.parametrize("times", [13, slow(50)])
def test_filters_on_noise_add_no_features_more_stably_than_with_the_outcome_shuffled(times):
    """Runs that share most of their rows agree on noise too: against random sets, "every selector still adds" would be said."""
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
    assert re.search(next_features.claims, said), "beside runs that share nothing it is claimed"
