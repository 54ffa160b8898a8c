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
from noise_support import LABELS

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
          "is beaten least(?!.*may be)", finds=False),
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
