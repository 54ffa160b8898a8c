"""Every maker of sentences that is tried on results and tables in which there is nothing to find.

A sentence claims something when it says that a selector is better, clearer or other than another (`MAKERS`), or more than noise is
(`OF_ITSELF`). Add your function that makes sentences there, and tests/stabcore/test_claims_on_noise.py and
tests/benchmarks/bench_claims.py try it, or to `CLAIM_NOTHING` with the reason; a test fails on one that is in neither.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from dice_support import drawn
from fronts_support import floors_of
from noise_support import LABELS

import stabcore as sc
from stabcore.analysis.beyond import beyond_floor
from stabcore.analysis.floors import blind, floors
from stabcore.analysis.pairs import score_pairs, size_pairs, stability_pairs
from stabcore.analysis.passport import partners
from stabcore.figures import (
    alike,
    beside,
    beyond,
    beyond_words,
    changes,
    comparisons,
    compromise,
    curves,
    dice,
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
from stabcore.inference.control import beside_floor
from stabcore.inference.dice import own_share
from stabcore.whatif import influence as find_influence
from stabcore.whatif import within_between, within_between_beside

KEYS = ("nogueira", "effective")


class Compared:
    """What sentences are made of, each computed once: the table of a result and every two of its selectors compared."""

    def __init__(self, found):
        self.found = found
        self.relation = sc.Relation.from_groups({"a": found.features[:2], "b": found.features[5:7]}, features=found.features)
        self.table = found.table(list(KEYS), relation=self.relation)
        self.pairs = {key: stability_pairs(found, key, self.relation) for key in KEYS} | {
            "accuracy": score_pairs(found), "size": size_pairs(found)}
        self.beyond = beyond_floor(self.table, {key: floors_of(self.table, key, 0.0) for key in KEYS})
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
    return compromise.frame_compromise(of.beyond, "nogueira", gamma=gamma, pairs=of.pairs)


def _leaves_somebody_out(said):
    """Does a choice not name all selectors as possible ones?"""
    return not all(label in said for label in LABELS)


def _alike(of):
    frame = alike.table_alike(of.groups, of.predictions, of.beyond, "nogueira", of.pairs["nogueira"])
    return [alike.sentence_alike(own) for _, own in frame.groupby("group")]


def _floored(of, measure):
    """A frame_beyond of equals: the values of a result beside noise floors that are drawn about one and the same, far below."""
    rng = np.random.default_rng([of.found.lots, 11])
    names, shuffles = of.table.index, 20
    floors = pd.DataFrame([beside_floor(*of.table.loc[label, [measure, f"{measure}_low", f"{measure}_high"]],
                                        rng.normal(-0.5, 0.05, shuffles)) for label in names], index=names)
    values = of.table[[measure, f"{measure}_low", f"{measure}_high"]].set_axis(["value", "low", "high"], axis="columns")
    return beyond.frame_beyond({"runs": values.join(floors).assign(note="")}, [one for one in names if one == "random"])


def _own_lists(of):
    """The sentence of Stability."""
    return [beyond_words.finding_beyond(_floored(of, "nogueira"))]


def _at_five(of):
    """The sentence of Profiles with five features."""
    return [curves.finding_curves(_floored(of, "nogueira"), 5, "nogueira")]


def _at_threshold(of):
    """The sentence of What if, of the relation that the pairs rest on."""
    return [thresholds.finding_thresholds(_floored(of, "effective"), 0.5)]


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
    *(Maker(f"front by {key}", lambda of, key=key: [pareto.finding_fronts(pareto.frame_fronts(of.beyond, key, pairs=of.pairs))],
            "the most|on the Pareto front|dominated") for key in KEYS),
    Maker("changes", lambda of: [changes.finding_changes(changes.frame_changes(of.beyond, *KEYS, pairs=of.pairs), *KEYS)], "now",
          finds=False),
    *(Maker(f"choice at {gamma:g}", lambda of, gamma=gamma: [compromise.finding_compromise(_weighed(of, gamma), gamma)],
            _leaves_somebody_out) for gamma in (0.0, 0.5, 1.0)),
    Maker("reach", lambda of: [" ".join(compromise.sentences_reach(_weighed(of, 0.5)))], lambda said: "may be chance" not in said),
    Maker("space", lambda of: [sizes.finding_space(sizes.frame_space(of.beyond, "nogueira", pairs=of.pairs))],
          "[Nn]o other selector is|dominated"),
    Maker("sizes", lambda of: [sizes.finding_sizes(sizes.frame_sizes(of.beyond, "nogueira", margin=1, pairs=of.pairs), 1, 4)],
          "[Nn]o other|dominated"),
    Maker("studies", lambda of: [studies.finding_studies(studies.frame_studies({"one": of.beyond}, "nogueira"))],
          "is dominated least(?!.*may be)", finds=False),
    Maker("stabilities", lambda of: [comparisons.finding_comparisons(comparisons.frame_comparisons(of.pairs["nogueira"]))],
          "differ most"),
    Maker("accuracies", lambda of: [comparisons.finding_comparisons(comparisons.frame_comparisons(of.predictions), "accuracy")],
          "differ most"),
    Maker("own lists", _own_lists, "most stable|farthest"),
    Maker("alike", _alike, "differs from|The most stable|than (?!another)"),
    Maker("curves", _at_five, "most stable|farthest"),
    Maker("thresholds", _at_threshold, "most stable|farthest"),
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


def _judged(found, relation=None):
    """What Stability says of all selectors and of each, by the headline of the study."""
    frame = beyond.frame_beyond(beyond.panels_of(found, relation, lambda key: found.split_half(key, relation),
                                                 lambda key: floors(found, key, relation)), blind(found))
    return [beyond_words.finding_beyond(frame, found)]


def _judged_with_groups(found):
    """The same of the effective stability, with the features that the table has in blocks as groups; its panel alone."""
    size = len(found.features) // 4
    names = {f"g{i}": found.features[size * i:size * (i + 1)] for i in range(4)}
    relation = sc.Relation.from_groups(names, features=found.features)
    return [beyond_words.finding_beyond(beyond.frame_beyond({"runs": floors(found, "effective", relation)}, blind(found)), found)]


def _ends(found):
    frame = knots.frame_knots({label: found.preferences(label) for label in found.ready})
    return [knots.finding_knots(frame)]


def _next(found):
    shuffled = {label: [one for _, one in found.shuffled(label)] for label in found.ready}
    frame = knots.frame_marginal({label: found.preferences(label) for label in found.ready}, None, shuffled, found.cluster_share)
    return [knots.finding_marginal(frame, 3, found)]


ABOVE = "(?<!^No selector )(is|are) clearly more stable|is more stable than|most stable selector|are farthest beyond"
# What is said of one selector by itself, tried on studies of tables without any signal
OF_ITSELF = [
    Maker("judged", _judged, ABOVE),
    Maker("judged with groups", _judged_with_groups, ABOVE),
    Maker("ends", _ends, "comes to an end(?!.*without any signal too)"),
    Maker("next", _next, "still add"),
]

_COUNTED, _EXACT = "counts what is in these runs", "computes what these very runs would give"
CLAIM_NOTHING = {
    "sentence_ahead": "says how wide an interval is, of one selector by itself", "finding_convergence": "as sentence_ahead",
    "finding_agreement": "is about measures, not about selectors", "finding_grid": _COUNTED, "finding_rectangles": _COUNTED,
    "finding_frequency": _COUNTED, "finding_ranks": _COUNTED, "sentence_often": f"{_COUNTED}, beside how many noise would give",
    "sentence_line": f"{_COUNTED}, beside the most of any feature with the outcome shuffled",
    "sentence_doubtful": "is about C, not about selectors",
    "sentence_pair": _EXACT,
    "sentence_nothing": "says that nothing is found", "finding_uncertainty": "says how far C moves",
    "sentence_floor": "says what noise gives", "sentence_quantity": "says what is measured",
    "finding_exhibit": "counts claims of papers that were tried with ten seeds and ten shuffled outcomes",
    "finding_lesson": "says what is known by calculation, beside a simulation of it",
    "finding_relation": "is about features, not about selectors", "finding_tree": "is about features, not about selectors",
    "sentences_knots": "stand below finding_knots, and compare with random sets in so many words",
    "finding_panel": f"{_COUNTED}, beside a bound that test_proof_of_panel.py tries on noise",
    "sentence_false": "tells a bound, or what shuffles count; test_panel_shuffled.py of analysis tries which",
    "finding_paths": _COUNTED,
    "finding_directions": _COUNTED, "sentence_same_sets": _COUNTED,
    "sentence_effect": "tells an effect beside what empirical Bayes leaves of it, tried on noise in test_shrinkage.py of inference",
    "finding_other_half": "tells effects on patients who did not select; tried on noise in test_split_effects.py of analysis",
    "finding_choices": "is about settings, and says that features part, not that they are true", "finding_shared": _COUNTED,
    "finding_growth": "says what pairs share, as it was seen",
    "finding_centres": "tried on noise in test_centres.py of figures",
    "finding_patient": _COUNTED,
    "finding_transfer": "tried on noise in test_transfer.py of study", "sentence_ways": f"{_COUNTED}, beside half of them",
    "finding_places": "tried on features of equal effect in test_places.py of analysis",
    "finding_moves": "as finding_risk",
    "finding_risk": "is about patients, and says how far their risks move",
    "finding_concordance": f"{_COUNTED}, beside how many random orders share", "finding_replicated": _COUNTED,
    "sentence_ties": "lists everybody, as finding_compromise tells them apart",
    "sentence_shared": _COUNTED, "sentence_beyond": "tells the test of one selector, true of 1 in 20 without a signal",
    "sentence_unknown": "says that nothing is known",
    "sentence_standing": "is part of finding_fronts",
    "finding_scenarios": "is of each selector by itself; test_scenarios_side_by_side.py tries it on features chosen by lot",
    "sentence_lead": "is part of finding_conclusions",
}
