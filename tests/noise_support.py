"""Results and tables in which there is nothing to find, or only what is known, and every maker of sentences that is tried on them.

A sentence claims something when it says that a selector is better, clearer or other than another (`MAKERS`), or more than noise is
(`OF_ITSELF`). Add your function that makes sentences there, and tests/stabcore/test_claims_on_noise.py and
tests/benchmarks/bench_claims.py try it, or to `CLAIM_NOTHING` with the reason; a test fails on one that is in neither.
"""

import re
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd
from dice_support import drawn

import stabcore as sc
from stabcore.analysis.floors import floors
from stabcore.analysis.pairs import score_pairs, size_pairs, stability_pairs
from stabcore.analysis.passport import partners
from stabcore.figures import (
    alike,
    beside,
    changes,
    comparisons,
    compromise,
    curves,
    dice,
    estimates,
    halves,
    influence,
    knots,
    pareto,
    scenarios,
    sizes,
    studies,
    swaps,
    thresholds,
    whatif,
)
from stabcore.figures.against import half_width
from stabcore.inference.dice import own_share
from stabcore.study.outcome import Outcome
from stabcore.study.plans import plan_settings
from stabcore.study.store import GROWING
from stabcore.study.study_result import StudyResult
from stabcore.whatif import influence as find_influence
from stabcore.whatif import within_between, within_between_beside

KEYS = ("nogueira", "effective")
LABELS = ("amber", "birch", "cedar", "delta")


# ---- predictions of two selectors ----

PLANS = {"once": sc.KFold(10), "kfold": sc.KFold(10, 5), "subsample": sc.Subsample(50, 0.05),
         "subsample 20 %": sc.Subsample(50, 0.2), "bootstrap": sc.Bootstrap(50), "half": sc.Half(25)}
EQUALS = ("unsteady", "suited", "alike", "by run")


def outcomes(hits, held_out, target):
    """One outcome a run: rows held out, predicted rightly where hits say so."""
    return [SimpleNamespace(run=run, held_out=np.asarray(rows), predicted=np.where(hit, target[rows], 1 - target[rows]))
            for run, (hit, rows) in enumerate(zip(hits, held_out, strict=True))]


@lru_cache
def _held_out(plan, n, seed):
    """The held-out rows of every run; one of a few draws, as drawing takes longer than the rest."""
    return [PLANS[plan].resample(run, np.arange(n) % 2, seed).held_out for run in range(PLANS[plan].runs)]


def predictions(rng, plan, kind="unsteady", n=300, chances=(0.8, 0.8)):
    """(outcomes of the first, of the second, target): each is right with its own chance on a new patient, by construction.

    kind: "unsteady": the first is right on the same patients in every run, the second on others each time. "suited": each has
    patients of its own on which it is nearly always right. "alike": both find the same patients hard. "by run": the models of a run
    are good or bad together on all of its rows.
    """
    target, held_out = np.arange(n) % 2, _held_out(plan, n, int(rng.integers(20)))
    by_row = np.tile(np.array(chances)[:, None], n)
    if kind == "unsteady":
        by_row[0] = rng.random(n) < chances[0]
    elif kind == "suited":
        by_row = np.where(rng.random((2, n)) < np.array(chances)[:, None], 0.97, 0.03)
    elif kind == "alike":
        by_row = np.clip(by_row + np.where(rng.random(n) < 0.5, 0.2, -0.2), 0, 1)
    by_run = rng.choice([-0.03, 0.03], (2, len(held_out))) if kind == "by run" else np.zeros((2, len(held_out)))
    return (*(outcomes([rng.random(len(rows)) < by_row[one][rows] + by_run[one, run] for run, rows in enumerate(held_out)],
                       held_out, target) for one in (0, 1)), target)


# ---- a result of selectors of which none is better ----

class Simulated(StudyResult):
    """A StudyResult whose outcomes were drawn instead of run, and are kept in memory."""

    def __init__(self, outcomes, plan, target, features, k):
        self.settings = {"selectors": [{"label": label} for label in dict.fromkeys(one.selector for one in outcomes)],
                         "plan": plan_settings(plan), "n_selected": k, "classifier": "3nn", "seed": 0, **GROWING}
        self.features, self.classes, self.target, self.notes = features, ("well", "sick"), target, []
        self.lots, self.shares = 0, {}
        self.store = SimpleNamespace(meta=lambda key, default=None: default, outcomes=lambda columns=None, **_: outcomes)


@dataclass(frozen=True)
class Regime:
    """How a result is drawn: runs, patients, features, features of a selection (None: every run's own number), noise of scores."""

    runs: int = 20
    patients: int = 100
    features: int = 20
    k: int | None = 5
    noise: float = 1.0
    selectors: int = 4


REGIMES = {"usual": Regime(), "few runs": Regime(runs=5), "three runs": Regime(runs=3), "few patients": Regime(patients=24),
           "own sizes": Regime(k=None), "many runs": Regime(runs=50)}

EQUAL_RESULTS = ("usual", "few runs", "three runs", "few patients", "own sizes")       # the cheap ones, in tests


def simulated(seed, regime=Regime(), best=False, labels=LABELS):
    """A StudyResult of selectors with one and the same chance of everything; with `best`, the first is truly better in all.

    The runs are independent given what each selector prefers, as intervals take them to be: what is the same for this dataset alone
    would not be luck. Selectors share what a resample does to all; odd ones are right on the same patients in every run, even ones
    on others each time.
    """
    rng = np.random.default_rng([seed, regime.runs, regime.patients])
    target = rng.permutation(regime.patients) % 2
    plan = sc.Subsample(regime.runs, 0.2)
    held_out = [plan.resample(run, target, seed).held_out for run in range(regime.runs)]
    shared = rng.normal(size=(regime.runs, regime.features))
    made = []
    labels = labels[:regime.selectors]
    for number, label in enumerate(labels):
        better = best and number == 0
        noise = regime.noise * (0.2 if better else 1)
        scores = np.linspace(2, -2, regime.features) + noise * (0.6 * shared + 0.8 * rng.normal(size=shared.shape))
        chance = np.full(regime.patients, 0.99 if better else 0.7)
        if number % 2:
            chance = (rng.random(regime.patients) < 0.7).astype(float)
        for run in range(regime.runs):
            k = regime.k or (3 if better else int(rng.integers(3, 9)))
            made.append(_outcome(label, run, scores[run], k, held_out[run], target, chance, rng))
    found = Simulated(made, plan, target, tuple(f"f{i}" for i in range(regime.features)), regime.k or 5)
    found.lots, found.shares = seed, {label: 1.0 if best and label == labels[0] else 0.5 for label in labels}
    return found


def _outcome(label, run, scores, k, held_out, target, chance, rng):
    order = np.argsort(-scores)
    ranking = np.empty(len(scores))
    ranking[order] = np.arange(1, len(scores) + 1)
    right = rng.random(len(held_out)) < chance[held_out]
    predicted = np.where(right, target[held_out], 1 - target[held_out])
    likely = np.where(predicted == 1, 0.5, 0.0) + 0.5 * rng.random(len(held_out))
    return Outcome(label, run, scores=scores, ranking=ranking, importances=np.where(ranking <= k, np.exp(scores), 0.0),
                   selected=np.sort(order[:k]), held_out=held_out, predicted=predicted,
                   probability=np.column_stack([1 - likely, likely]).ravel(), seconds=0.0)


# ---- tables without a signal, and one with a known one ----

def noise_table(rng, kind="plain", rows=60, features=12):
    """DataFrame of features that have nothing to do with its column `outcome`. kind: a key of TABLES."""
    frame = pd.DataFrame(rng.normal(size=(rows, features)), columns=[f"f{i}" for i in range(features)])
    return TABLES[kind](rng, frame).assign(outcome=lambda made: OUTCOMES.get(kind, _two_classes)(rng, made))


def _two_classes(rng, frame):
    return np.array(["well", "sick"])[rng.permutation(len(frame)) % 2]


def _known(rng, frame):
    """Three of the features tell the outcome, the first most."""
    merit = frame[["f0", "f1", "f2"]].to_numpy() @ [2.0, 1.5, 1.0] + rng.normal(size=len(frame))
    return np.where(merit > np.median(merit), "sick", "well")


def _categories(rng, frame):
    return frame.assign(**{f"f{i}": np.array(list("uvwxyz"))[rng.integers(0, many, len(frame))] for i, many in ((0, 6), (1, 2))})


TABLES = {
    "plain": lambda rng, frame: frame, "few patients": lambda rng, frame: frame.iloc[:16],
    "rare class": lambda rng, frame: frame, "categories": _categories,
    "gaps": lambda rng, frame: frame.mask(rng.random(frame.shape) < [0.3, *[0.05] * (frame.shape[1] - 1)]),
    "ties": lambda rng, frame: frame.round().clip(-1, 1), "three classes": lambda rng, frame: frame,
    "numbers": lambda rng, frame: frame, "known": lambda rng, frame: frame,
}
OUTCOMES = {
    "rare class": lambda rng, made: np.where(rng.permutation(len(made)) < 6, "sick", "well"),
    "three classes": lambda rng, made: np.array(list("abc"))[rng.permutation(len(made)) % 3],
    "numbers": lambda rng, made: rng.normal(size=len(made)), "known": _known,
}


class Here(Executor):
    """Runs a task at once and in this process: a small study needs no workers."""

    def submit(self, work, /, *given, **named):
        done = Future()
        done.set_result(work(*given, **named))
        return done


def noise_study(seed, kind="plain", selectors=("variance", "random"), plan=None, folder=None, **options):
    """StudyResult of fast selectors on such a table; folder: where its file is kept."""
    frame = noise_table(np.random.default_rng([seed, len(kind)]), kind)
    data = sc.Dataset.from_frame(frame, target="outcome", name=kind)
    made = sc.Study(data, list(selectors), plan=plan or sc.KFold(5), k=3, seed=seed, **options)
    return made.run(executor=Here(), store=folder / f"{kind}-{seed}.stab" if folder else None)


# ---- who makes sentences ----

class Compared:
    """What sentences are made of, each computed once: the table of a result and every two of its selectors compared."""

    def __init__(self, found):
        self.found = found
        self.relation = sc.Relation.from_groups({"a": found.features[:2], "b": found.features[5:7]}, features=found.features)
        self.table = found.table(list(KEYS), relation=self.relation)
        self.pairs = {key: stability_pairs(found, key, self.relation) for key in KEYS} | {
            "accuracy": score_pairs(found), "size": size_pairs(found)}
        self.predictions, self.groups = found.indistinguishable()

    @cached_property
    def conclusions(self):
        """Who leads with no relation, and with one of a pair and a wide group."""
        names = self.found.features
        return sc.conclusions(self.found, {"nothing": sc.Relation.identity(len(names), names), "groups": sc.Relation.from_groups(
            {"pair": names[:2], "wide": names[5:11]}, features=names)})


@dataclass(frozen=True)
class Maker:
    """say: the sentences about a Compared; claims: a pattern of what claims something, or a function that tells it of a sentence;
    finds: does it claim something where the first selector is better in everything?"""

    name: str
    say: Callable[[Compared], list[str]]
    claims: str | Callable[[str], bool]
    finds: bool = True

    def claimed(self, compared) -> list[str]:
        """Those of its sentences that claim something."""
        claims = self.claims if callable(self.claims) else re.compile(self.claims).search
        return [one for one in self.say(compared) if claims(one)]


def _weighed(of, gamma):
    return compromise.frame_compromise(of.table, "nogueira", gamma=gamma, pairs=of.pairs)


def _leaves_somebody_out(said):
    """Does a choice not name all selectors as possible ones?"""
    return not all(label in said for label in LABELS)


def _alike(of):
    frame = alike.table_alike(of.groups, of.predictions, of.table, "nogueira", of.pairs["nogueira"])
    return [alike.sentence_alike(own) for _, own in frame.groupby("group")]


def _at_five(of):
    """The sentence of Profiles with five features."""
    runs = {label: of.found.preferences(label) for label in of.found.ready}
    return [curves.finding_curves(curves.frame_curves(runs, "nogueira", sizes=[5]), 5, "nogueira",
                                  stability_pairs(of.found, "nogueira", None, 5))]


def _at_threshold(of):
    """The sentence of What if, of the relation that the pairs rest on."""
    here = of.table["effective"].rename("value").rename_axis("selector").reset_index().assign(threshold=0.5)
    return [thresholds.finding_thresholds(here, 0.5, of.pairs["effective"])]


def _of_whatif(finding):
    """What a question of What if says of the first selector, which groups have nothing to do with, beside its interval."""
    def said(of):
        runs = of.found.preferences(of.found.ready[0])
        return [finding(runs, of.relation, half_width(sc.stability(runs, "effective", relation=of.relation)))]

    return said


def _swaps(of):
    return [whatif.sentence_swaps(within_between(of.found.preferences(label), of.relation)) for label in of.found.ready[:1]]


def _inside_groups(of):
    """Two selectors, one of them the best if there is one, inside two groups and outside of them."""
    first, second = of.found.ready[:2]
    runs = of.found.paired(first, second)[:2]
    return [beside.sentence_beside(within_between_beside(*runs, of.relation), first, second)]


def _dice(of):
    """Of selectors each of which has the same share of dice in its disagreement, drawn; with a best one, all of that is its own."""
    rng, rows = np.random.default_rng([of.found.lots, 6]), []
    for label, own in of.found.shares.items():
        fits, helps = drawn(rng, of.found.plan.runs, own=own)[0], "nothing" if label == "random" else "more trees"
        rows.append({"selector": label, **own_share(fits), "steadied_by": helps})
    frame = dice.frame_dice(pd.DataFrame(rows).set_index("selector"))
    return [dice.finding_dice(frame), *(dice.sentence_dice({**one, "steadied_by": ""}) for one in frame.to_dict("records"))]


def _partners(of):
    """What Passport says a feature swaps with, of one that comes in about half of the runs."""
    runs = of.found.preferences(of.found.ready[1])
    often = runs.features[int(np.argmin(np.abs(runs.frequencies - 0.5)))]
    return partners(runs, often)["partner"].tolist()


MAKERS = [
    Maker("front", lambda of: [pareto.finding_fronts(pareto.frame_fronts(of.table, KEYS, pairs=of.pairs))],
          "no other selector is|beaten|now"),
    Maker("changes", lambda of: [changes.finding_changes(changes.frame_changes(of.table, *KEYS, pairs=of.pairs), *KEYS)], "now",
          finds=False),
    *(Maker(f"choice at {gamma:g}", lambda of, gamma=gamma: [compromise.finding_compromise(_weighed(of, gamma), gamma)],
            _leaves_somebody_out) for gamma in (0.0, 0.5, 1.0)),
    Maker("reach", lambda of: [" ".join(compromise.sentences_reach(_weighed(of, 0.5)))], lambda said: "may be chance" not in said),
    Maker("space", lambda of: [sizes.finding_space(sizes.frame_space(of.table, "nogueira", pairs=of.pairs))],
          "no other selector is|beaten"),
    Maker("sizes", lambda of: [sizes.finding_sizes(sizes.frame_sizes(of.table, "nogueira", margin=1, pairs=of.pairs), 1, 4)],
          "no other|beaten"),
    Maker("studies", lambda of: [studies.finding_studies(studies.frame_studies({"one": of.table}, "nogueira"))],
          "is dominated least(?!.*may be)", finds=False),
    Maker("stabilities", lambda of: [comparisons.finding_comparisons(comparisons.frame_comparisons(of.pairs["nogueira"]))],
          "differ most"),
    Maker("accuracies", lambda of: [comparisons.finding_comparisons(comparisons.frame_comparisons(of.predictions), "accuracy")],
          "differ most"),
    Maker("own lists", lambda of: [estimates.finding_estimates(estimates.frame_estimates(of.table, KEYS), of.pairs["nogueira"])],
          "(most|least) often"),
    Maker("alike", _alike, "differs from|The most stable|than (?!another)"),
    Maker("curves", _at_five, "most|least"),
    Maker("thresholds", _at_threshold, "most|least"),
    Maker("effects", _of_whatif(lambda runs, C, half: whatif.finding_effects(whatif.frame_effects(runs, C), half)),
          "matters? most", finds=False),
    Maker("movers", _of_whatif(lambda runs, C, half: whatif.finding_movers(whatif.frame_movers(runs, C), half)), "^Without|most",
          finds=False),
    Maker("parts", _of_whatif(lambda runs, C, half: whatif.finding_parts(whatif.frame_parts(runs, C), "run", half)),
          "^Without|most", finds=False),
    Maker("influence", _of_whatif(lambda runs, C, half: influence.finding_influence(find_influence(runs, C), half)),
          "would (rise|fall)", finds=False),
    Maker("swaps", _swaps, "is swapping", finds=False),
    Maker("partners", _partners, ".", finds=False),
    Maker("swaps of a panel", lambda of: [swaps.finding_swaps(sc.swaps(of.found))], "select only the one", finds=False),
    Maker("inside groups", _inside_groups, "more often"),
    Maker("depends on C", lambda of: [scenarios.finding_conclusions(of.conclusions)], "leads depends|clearly changes", finds=False),
    Maker("under every C", lambda of: [scenarios.finding_conclusions(of.conclusions)], "under every scenario"),
    Maker("dice", _dice, "Nearly all|Little|largest share (?!is)"),
]


def _judged(found):
    """The sentences of Stability about each selector."""
    rows = found.table(["nogueira", "effective"]).join(floors(found))
    return [estimates.sentence(label, rows.loc[label]) for label in found.ready]


def _judged_halves(found):
    if not found.plan.separate_halves:
        return []
    frame = halves.frame_halves({"kappa": found.split_half("kappa")}, len(found.features))
    return [halves.finding_halves(frame), *(halves.sentence_halves(own) for _, own in frame.groupby("selector"))]


def _ends(found):
    frame = knots.frame_knots({label: found.preferences(label) for label in found.ready})
    return [knots.finding_knots(frame, found.plan)]


def _next(found):
    frame = knots.frame_marginal({label: found.preferences(label) for label in found.ready}, plan=found.plan)
    return [knots.finding_marginal(frame, 3)]


# What is said of one selector by itself, tried on studies of tables without any signal
OF_ITSELF = [
    Maker("judged", _judged, "which comes? back (well|moderately|poorly|hardly)"),
    Maker("judged by halves", _judged_halves, "They come back (well|moderately|poorly|hardly)"),
    Maker("ends", _ends, "comes to an end(?!.*without any signal too)"),
    Maker("next", _next, "still add"),
]

_COUNTED, _EXACT = "counts what is in these runs", "computes what these very runs would give"
CLAIM_NOTHING = {
    "sentence_ahead": "says how wide an interval is, of one selector by itself", "finding_convergence": "as sentence_ahead",
    "finding_agreement": "is about measures, not about selectors", "finding_grid": _COUNTED, "finding_rectangles": _COUNTED,
    "finding_frequency": _COUNTED, "finding_ranks": _COUNTED, "sentence_often": f"{_COUNTED}, beside how many noise would give",
    "sentence_line": f"{_COUNTED}, beside the most of any feature with the outcome shuffled",
    "sentences_crossings": "says of every crossing: as measured", "sentence_doubtful": "is about C, not about selectors",
    "sentence_pair": _EXACT,
    "sentence_nothing": "says that nothing is found", "finding_uncertainty": "says how far C moves",
    "sentence_floor": "says what noise gives", "sentences_floor": "as sentence_floor", "sentence_floors": "as sentence_floor",
    "finding_exhibit": "counts claims of papers that are computed on one table, which the screen says is no proof",
    "finding_lesson": "says what is known by calculation, beside a simulation of it",
    "finding_relation": "is about features, not about selectors", "finding_tree": "is about features, not about selectors",
    "sentences_knots": "stand below finding_knots, and compare with random sets in so many words",
    "finding_panel": f"{_COUNTED}, beside a bound that test_proof_of_panel.py tries on noise", "finding_paths": _COUNTED,
    "finding_directions": _COUNTED, "sentence_same_sets": _COUNTED,
    "sentence_effect": "tells an effect of this table, which flatters, as the screen says",
    "finding_choices": "is about settings, and says that features part, not that they are true", "finding_shared": _COUNTED,
    "finding_growth": "says what pairs share, and calls the rest a guess; tried on noise in test_growth.py of analysis",
    "finding_centres": "tried on noise in test_growth.py of analysis",
    "finding_patient": _COUNTED,
    "finding_transfer": "tried on noise in test_transfer.py of study", "sentence_ways": f"{_COUNTED}, beside half of them",
    "finding_places": "tried on features of equal effect in test_places.py of analysis",
    "finding_moves": "as finding_risk",
    "finding_risk": "is about patients, and says how far their risks move",
    "finding_concordance": f"{_COUNTED}, beside how many random orders share", "finding_replicated": _COUNTED,
    "sentence_ties": "lists everybody, as finding_compromise tells them apart",
    "sentence_ends": "is part of finding_curves and finding_thresholds", "sentence_standing": "is part of finding_fronts",
    "finding_scenarios": "is of each selector by itself; test_scenarios_side_by_side.py tries it on features chosen by lot",
    "sentence_lead": "is part of finding_conclusions",
}
