"""Every function that makes sentences, tried on results and tables without differences or signal.

A sentence claims something if it says that a selector is better, clearer or different from another (`MAKERS`), or more than noise
(`OF_ITSELF`). Add a function that makes sentences there, and tests/stabcore/test_claims_on_noise.py and
tests/benchmarks/bench_claims.py try it. Or add it to `CLAIM_NOTHING` with the reason. A test fails on functions that are in none.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from noise_support import LABELS
from pareto_support import floors_of
from seed_support import drawn

import stabcore as sc
from stabcore.analysis.compare_selectors import score_pairs, size_pairs, stability_pairs
from stabcore.analysis.feature_profile import feature_substitutes
from stabcore.analysis.noise_floors import beyond_floor, blind_selectors, noise_floors, shuffled_runs
from stabcore.analysis.whatif import influence as find_influence
from stabcore.analysis.whatif import within_between, within_between_beside
from stabcore.inference.disagreement import disagreement_sources
from stabcore.inference.noise_floor import difference_from_floor
from stabcore.plots import (
    comparisons,
    disagreement,
    front_comparison,
    noise_floor,
    pareto,
    profiles,
    similarity,
    substitutes,
    thresholds,
    weighted_choice,
    whatif,
)
from stabcore.plots.whatif import half_width

KEYS = ("nogueira", "effective")


class Compared:
    """Inputs of sentences, each computed once: the table of a result and comparisons of all pairs of selectors."""

    def __init__(self, found):
        self.found = found
        self.similarity = sc.Similarity.from_groups({"a": found.features[:2], "b": found.features[5:7]}, names=found.features)
        self.table = found.table(list(KEYS), similarity=self.similarity)
        self.pairs = {"accuracy": score_pairs(found), "size": size_pairs(found)}
        self.pairs |= {key: stability_pairs(found, key, self.similarity) for key in KEYS}
        self.beyond = beyond_floor(self.table, {key: floors_of(self.table, key, 0.0) for key in KEYS})

    @cached_property
    def conclusions(self):
        """The leaders without similarity, and with one of a pair and a large group."""
        names = self.found.features
        groups = sc.Similarity.from_groups({"pair": names[:2], "wide": names[5:11]}, names=names)
        return sc.scenario_contrasts(self.found, {"nothing": sc.Similarity.identity(len(names), names), "groups": groups})


@dataclass(frozen=True)
class Maker:
    """say: makes sentences about a Compared. claims: pattern of a claim, or a function that returns whether a sentence is one.
    finds: whether it must claim something if the first selector is better in everything."""

    name: str
    say: Callable[[Compared], list[str]]
    claims: str | Callable[[str], bool]
    finds: bool = True

    def claimed(self, compared) -> list[str]:
        """The sentences that claim something."""
        claims = self.claims if callable(self.claims) else re.compile(self.claims).search
        return [sentence for sentence in self.say(compared) if claims(sentence)]


def _beyond(of, frame, **more):
    """A frame of the selectors by values beyond their noise floors."""
    return frame(of.beyond, "nogueira", pairs=of.pairs, **more)


def _weighed(of, gamma):
    return _beyond(of, weighted_choice.frame_weighted_choice, gamma=gamma)


def _leaves_somebody_out(said):
    """Return whether a choice names fewer than all selectors."""
    return not all(label in said for label in LABELS)


def _alike(of):
    fronts = _beyond(of, pareto.frame_fronts)
    frame = pareto.table_equal_accuracy(fronts, of.pairs["accuracy"], of.pairs["nogueira"])
    return [pareto.describe_equal_accuracy(group_table) for _, group_table in frame.groupby("group")]


def _floored(of, measure):
    """A frame_beyond with noise floors drawn around a common mean, far below the values."""
    rng = np.random.default_rng([of.found.lots, 11])
    values = of.table[[measure, f"{measure}_low", f"{measure}_high"]].set_axis(["value", "low", "high"], axis="columns")
    floors = [difference_from_floor(*estimate, rng.normal(-0.5, 0.05, 20)) for estimate in values.to_numpy()]
    table = values.join(pd.DataFrame(floors, values.index)).assign(note="")
    return noise_floor.frame_beyond(
        {noise_floor.compared_facet(of.found): table}, [name for name in table.index if name == "random"]
    )


def _own_lists(of):
    return [noise_floor.finding_beyond(_floored(of, "nogueira"))]


def _at_five(of):
    """The sentence of Feature count with five features."""
    return [profiles.finding_profiles(_floored(of, "nogueira"), 5)]


def _at_threshold(of):
    """The sentence of What if about similarity thresholds."""
    return [thresholds.finding_thresholds(_floored(of, "nogueira").set_index("selector"), _floored(of, "effective"), 0.5)]


def _of_whatif(finding):
    """Sentence of a question of What if about the first selector, whose selections are unrelated to the groups."""

    def sentences(of):
        runs = of.found.selections(of.found.finished_selectors[0])
        return [finding(runs, of.similarity, half_width(sc.stability(runs, "effective", similarity=of.similarity)))]

    return sentences


def _swaps(of):
    return [whatif.describe_substitution(within_between(of.found.selections(of.found.finished_selectors[0]), of.similarity))]


def _inside_groups(of):
    """Compare two selectors, including the best if there is one, within groups and between them."""
    first, second = of.found.finished_selectors[:2]
    runs = of.found.paired(first, second)[:2]
    return [whatif.describe_groups_compared(within_between_beside(*runs, of.similarity), first, second)]


def _disagreement(of):
    """Simulated disagreement with an equal share of the seed. With a best selector, the shares are its own."""
    rng, rows = np.random.default_rng([of.found.lots, 6]), []
    for label, seed_share in of.found.shares.items():
        fits, helps = drawn(rng, of.found.plan.n_runs, seed_share=seed_share)[0], "nothing" if label == "random" else "more trees"
        rows.append({"selector": label, **disagreement_sources({(i, 0): fit for i, fit in enumerate(fits)}), "steadied_by": helps})
    frame = disagreement.frame_disagreement(pd.DataFrame(rows).set_index("selector"))
    return [
        disagreement.finding_disagreement(frame),
        *(disagreement.describe_disagreement({**row, "steadied_by": ""}) for row in frame.to_dict("records")),
    ]


def _partners(of):
    """The substitutes on Feature profile of a feature selected in about half of the runs."""
    runs = of.found.selections(of.found.finished_selectors[1])
    often = runs.features[int(np.argmin(np.abs(runs.frequencies - 0.5)))]
    return feature_substitutes(runs, often)["partner"].tolist()


MAKERS = [
    *(
        Maker(
            f"front by {key}",
            lambda of, key=key: [pareto.finding_fronts(pareto.frame_fronts(of.beyond, key, pairs=of.pairs))],
            r"\bhighest in\b|most stable beyond",
        )
        for key in KEYS
    ),
    Maker(
        "above random",
        lambda of: [pareto.describe_above_random(_beyond(of, pareto.frame_fronts))],
        "Clearly more accurate(?!.*no selector)",
        finds=False,
    ),
    Maker(
        "changes",
        lambda of: [front_comparison.finding_changes(front_comparison.frame_changes(of.beyond, *KEYS, pairs=of.pairs), *KEYS)],
        "now",
        finds=False,
    ),
    *(
        Maker(
            f"choice at {gamma:g}",
            lambda of, gamma=gamma: [weighted_choice.finding_weighted_choice(_weighed(of, gamma), gamma)],
            _leaves_somebody_out,
        )
        for gamma in (0.0, 0.5, 1.0)
    ),
    Maker(
        "reach",
        lambda of: [" ".join(weighted_choice.describe_weight_ranges(_weighed(of, 0.5)))],
        lambda said: "may be chance" not in said,
    ),
    Maker("space", lambda of: [pareto.finding_space(_beyond(of, pareto.frame_space))], "Clearly on|Dominated"),
    Maker("sizes", lambda of: [pareto.finding_sizes(_beyond(of, pareto.frame_sizes, margin=1), 1, 4)], "Clearly on|Dominated"),
    Maker(
        "studies",
        lambda of: [front_comparison.finding_studies(front_comparison.frame_studies({"one": of.beyond}, "nogueira"))],
        "is dominated least(?!.*Not distinguishable)",
        finds=False,
    ),
    Maker(
        "stabilities",
        lambda of: [comparisons.finding_comparisons(comparisons.frame_comparisons(of.pairs["nogueira"]))],
        "of selectors clearly differ",
    ),
    Maker(
        "accuracies",
        lambda of: [comparisons.finding_comparisons(comparisons.frame_comparisons(of.pairs["accuracy"]), "accuracy")],
        "of selectors clearly differ",
    ),
    Maker("own lists", _own_lists, "most stable|farthest"),
    Maker("alike", _alike, "Most stable", finds=False),
    Maker("curves", _at_five, "most stable|farthest"),
    Maker("thresholds", _at_threshold, "most stable|farthest"),
    Maker(
        "effects",
        _of_whatif(lambda runs, C, half: whatif.finding_group_effects(whatif.frame_group_effects(runs, C), half)),
        "largest effect",
        finds=False,
    ),
    Maker(
        "movers",
        _of_whatif(lambda runs, C, half: whatif.finding_left_out_features(whatif.frame_left_out_features(runs, C), half)),
        "changes stability most",
        finds=False,
    ),
    Maker(
        "parts",
        _of_whatif(lambda runs, C, half: whatif.finding_left_out_runs(whatif.frame_left_out_runs(runs, C), "run", half)),
        "changes stability most",
        finds=False,
    ),
    Maker(
        "influence",
        _of_whatif(lambda runs, C, half: whatif.finding_influence(find_influence(runs, C), half)),
        "would change",
        finds=False,
    ),
    Maker("swaps", _swaps, "beyond chance", finds=False),
    Maker("partners", _partners, ".", finds=False),
    Maker(
        "swaps of a panel", lambda of: [substitutes.finding_substitutes(sc.substitutes(of.found))], "are substitutes", finds=False
    ),
    Maker("inside groups", _inside_groups, "is clearly more stable than"),
    Maker(
        "depends on C",
        lambda of: [similarity.finding_conclusions(of.conclusions)],
        "lead depends|change of size: [1-9]",
        finds=False,
    ),
    Maker("under every C", lambda of: [similarity.finding_conclusions(of.conclusions)], "Clear in all scenarios: [1-9]"),
    Maker("dice", _disagreement, "nearly all of the disagreement|is the largest"),
]


def _judged(found, similarity=None):
    """Sentences of Stability for all selectors and each one."""
    ask = (lambda key: found.split_half(key, similarity)), (lambda key: noise_floors(found, key, similarity))
    frame = noise_floor.frame_beyond(noise_floor.floor_facets(found, similarity, *ask), blind_selectors(found))
    return [noise_floor.finding_beyond(frame, found)]


def _judged_with_groups(found):
    """Sentences of Stability about effective stability, with the blocks of features as groups."""
    size = len(found.features) // 4
    names = {f"g{i}": found.features[size * i : size * (i + 1)] for i in range(4)}
    similarity = sc.Similarity.from_groups(names, names=found.features)
    return [noise_floor.finding_beyond(noise_floor.result_beyond(found, "effective", similarity), found)]


def _ends(found):
    frame = profiles.frame_agreement_cutoffs({label: found.selections(label) for label in found.finished_selectors})
    return [profiles.finding_agreement_cutoffs(frame)]


def _next(found):
    runs = {label: found.selections(label) for label in found.finished_selectors}
    frame = profiles.frame_marginal(runs, None, *shuffled_runs(found, runs))
    return [profiles.finding_marginal(frame, 3, found)]


ABOVE = "(?<![Nn]o selector )(is|are) (clearly )?more stable than with|is clearly stable|most stable selector|are farthest beyond"
# Sentences about single selectors, tried on studies of tables without signal
OF_ITSELF = [
    Maker("judged", _judged, ABOVE),
    Maker("judged with groups", _judged_with_groups, ABOVE),
    Maker("ends", _ends, "(has|have) an agreement cutoff(?!.*without signal)"),
    Maker("next", _next, "for [1-9][0-9]* of"),
]

_COUNTED, _EXACT = "counts within these runs", "computes exact values for these runs"
_READING = "explains how to read a figure, or names missing parts"
CLAIM_NOTHING = {
    **dict.fromkeys(
        (
            *("describe_cells", "describe_dots", "describe_few_runs", "describe_p_of_curves"),
            *("describe_parts_of_change", "describe_effects", "describe_intervals", "describe_marks"),
            *("describe_missing", "describe_movement", "describe_needed_difference", "describe_notes", "describe_quantities"),
            *("describe_repeated_rows", "describe_unnamed", "describe_marks_beyond"),
            *("describe_compared_runs", "describe_chance_of_exceeding", "describe_selection_bias"),
        ),
        _READING,
    ),
    **dict.fromkeys(
        (
            *("finding_grid", "finding_importance_map", "finding_frequency", "finding_ranks", "finding_paths"),
            *("finding_directions", "describe_same_sets", "finding_shared", "finding_patient", "finding_replicated"),
            *("describe_shared_features", "describe_similar_outside"),
        ),
        _COUNTED,
    ),
    **dict.fromkeys(("describe_pair", "finding_together", "describe_change", "finding_before_after"), _EXACT),
    **dict.fromkeys(("finding_similarity", "finding_tree"), "is about features, not about selectors"),
    **dict.fromkeys(("finding_outcome", "finding_missing"), "is about the table, not about selectors"),
    "describe_runs_needed": "says how wide an interval is, of one selector by itself",
    "finding_stability_by_runs": "as describe_runs_needed",
    "finding_agreement": "is about measures, not about selectors",
    "describe_frequencies": f"{_COUNTED}, beside how many noise would give",
    "describe_frequency_line": f"{_COUNTED}, beside the most of any feature with the outcome shuffled",
    "describe_doubtful": "is about C, not about selectors",
    "describe_within_interval": "says that nothing is found",
    "finding_uncertainty": "gives ranges over draws, whose share is tried in test_substitution.py of whatif",
    "describe_floor": "says what noise gives",
    "describe_quantity": "says what is measured",
    "finding_exhibit": "counts claims of papers that were tried with ten seeds and ten shuffled outcomes",
    "finding_lesson": "says what is known by calculation, beside a simulation of it",
    "finding_class": "counts the guesses of a class and takes their mean",
    "describe_agreement_cutoffs": "stand below finding_agreement_cutoffs, and compare with random sets in so many words",
    "finding_prediction": f"{_COUNTED}, beside the larger class",
    "finding_values": "is about features in the table, not about selectors",
    "finding_feature_values": "is about one feature in the table, not about selectors",
    "finding_panel": f"{_COUNTED}, beside a bound that test_proof_of_panel.py tries on noise",
    "finding_by_rule": "names a limit that test_path_selection.py of inference tries on noise",
    "describe_not_fixed": "is about settings",
    "describe_without_features": "is about a prediction without features, not about selectors",
    "describe_false_features": "gives a bound, or counts of shuffles, which test_panel_shuffled.py of analysis tries",
    "describe_direction": "claims by the shrunken effect, tried on noise in test_effects.py of plots",
    "describe_adjustment": "says what an effect is adjusted for",
    "describe_effect": "gives an effect and its shrunken value, tried on noise in test_shrinkage.py of inference",
    "finding_other_half": "gives effects on patients not used for selection, tried on noise in test_effects.py of analysis",
    "finding_threshold_grid": "is about settings, and says that features part, not that they are true",
    "finding_learning_curve": "gives the observed agreement of pairs",
    "finding_centres": "tried on noise in test_centres.py of figures",
    "finding_external_validation": "tried on noise in test_transfer.py of study",
    "describe_same_directions": f"{_COUNTED}, beside half of them",
    "finding_rank_intervals": "tried on features of equal effect in test_rank_intervals.py of analysis",
    "finding_worth": "gives intervals, tried in test_clinical_worth.py of analysis",
    "finding_worth_calibration": "as finding_worth",
    "finding_decision_curve": "tried on noise in test_clinical_worth.py of figures",
    "finding_mape": "as finding_risk",
    "finding_risk": "describes how much risks of patients vary",
    "finding_added_value": "is about single selectors, and test_given_study.py of study tries it where features add nothing",
    "finding_given": f"{_COUNTED}, in two studies of the same rows",
    "finding_subgroups": "is about one selector, and test_subgroups.py of study tries it without a difference",
    "finding_patient_intervals": "gives intervals of single selectors, which bench_intervals.py simulates",
    "finding_survival": "gives the shares of two thirds of the patients, and compares no selectors",
    "finding_concordance": f"{_COUNTED}, beside how many random orders share",
    "describe_scores": "lists all selectors, which finding_weighted_choice compares",
    "describe_leading": "names the standing of selectors, which test_floor_curves.py of analysis tries without signal",
    "describe_above_floor": "counts tests of single selectors, each true of 1 in 20 without signal, as it says",
    "describe_beyond": "gives the test of one selector, significant in 1 of 20 without signal",
    "describe_unknown_floor": "says that nothing is known",
    "describe_large_floors": "warns that selectors agree without signal, by their measured noise floors",
    "describe_categories": "is about features without a correlation, not about selectors",
    "describe_standing": "is part of finding_fronts",
    "finding_scenarios": "is about single selectors, and test_scenarios_side_by_side.py tries it on random features",
    "describe_lead": "is part of finding_conclusions",
}
