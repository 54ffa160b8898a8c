"""What to keep in mind about a relation C before its numbers are read, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.measures.effective import Chance
from stabcore.wording import listed, shown

if TYPE_CHECKING:

    from stabcore.data.dataset import Dataset
    from stabcore.relation.relation import Relation
    from stabcore.selections.preferences import Preferences

MOST_CHECKED = 500          # features among which C is tested; the eigenvalues of more would take seconds
ALMOST_ALL = 0.05           # of what chance varies without C, the share below which dividing by it says little
TINY = 1e-8                 # below 0, an eigenvalue that is 0 but for rounding
LARGE = 1 / 3               # of all features
FROM_THE_SAME_ROWS = "These correlations are estimated from the same rows and taken as known here."


def cautions(relation: Relation, preferences: Preferences | None = None) -> list[str]:
    """Sentences on what makes the effective stability hard to read with this C; none when there is nothing to say.

    C not positive semi-definite (its smallest eigenvalue < 0, among up to 500 features), tr(CΣ⁰)/tr(Σ⁰) < 0.05, or one feature that
    stands for more than a third of all. preferences: the runs that it is about; C is tested among the features that they selected
    most often. Raises InputError when C is about other features than the runs.
    """
    if preferences is not None:
        relation.check_covers(preferences)
    sentences = [_not_semidefinite(relation, preferences), _little_left(relation, preferences), _one_for_many(relation)]
    return [sentence for sentence in sentences if sentence]


def _of_most_often(relation, preferences, most):
    """C among up to `most` features, those selected most often; (0, 0) of groups alone, which never contradict themselves."""
    if relation.extra is None:
        return np.zeros((0, 0))
    if preferences is None:
        index = np.arange(min(relation.n_features, most))
    else:
        often = np.argsort(-preferences.counts, kind="stable")[:most]
        index = often[preferences.counts[often] > 0]
    return relation.block(index)


def _is_semidefinite(C) -> bool:
    """Is the smallest eigenvalue of C above −TINY? Told by a decomposition that takes a tenth of the time of the eigenvalues."""
    related = np.count_nonzero(C, axis=1) > 1           # the others have an eigenvalue of their own, 1
    try:
        np.linalg.cholesky(C[np.ix_(related, related)] + TINY * np.eye(related.sum()))
    except np.linalg.LinAlgError:
        return False
    return True


def chance_share(relation: Relation, sizes: np.ndarray | None = None) -> float:
    """tr(CΣ⁰)/tr(Σ⁰): what random selections of these sizes vary when related features count as the same, as a share of what
    they vary when none are related. 1 for C = I; near 0 nothing is left to compare with. NaN when selections cannot vary.

    sizes: (M,) features in each run; None: as if all were equal, then it is 1 less the mean of C off its diagonal.
    """
    d, beside = relation.n_features, relation.total - relation.n_features
    if d < 2:
        return 1.0
    if sizes is None:
        return 1 - beside / (d * d - d)
    chance = Chance.of(np.mean(sizes), np.mean(np.square(sizes)), d)
    return float(chance.total(beside) / chance.own) if chance.own > 0 else float("nan")


def without_correlation(data: Dataset) -> list[str]:
    """Names of the features of a Dataset that no rank correlation is defined for: categories of three or more levels."""
    return [name for name in data.features if len(data.levels.get(name, ())) > 2]


def on_categories(data: Dataset) -> str:
    """A sentence on them, or nothing."""
    names = without_correlation(data)
    if not names:
        return ""
    verb = "stands for itself" if len(names) == 1 else "stand for themselves"
    return (f"Categories of three or more levels have no order, hence no correlation: {listed(names)} {verb} only, unless you set "
            "pairs by hand.")


def _not_semidefinite(relation, preferences):
    if _is_semidefinite(_of_most_often(relation, preferences, MOST_CHECKED)):
        return ""
    return ("C contradicts itself in places: one feature stands for a second and that for a third, but the first not for the "
            "third (C is not positive semi-definite, as thresholded correlations often are not). Partial agreement is then counted "
            "more than once, so the effective stability can pass 1 or drop very low. Do not read it as a share: compare only what "
            "is beyond the noise floor of each selector.")


def _little_left(relation, preferences):
    share = chance_share(relation, None if preferences is None else preferences.sizes)
    if not share < ALMOST_ALL:
        return ""
    return (f"Almost every feature stands for almost every other, so random selections would already agree: only {share:.1%} of "
            "their variation is left to compare with (tr(CΣ⁰) ≈ 0). The effective stability divides by that and swings widely. "
            "Choose a higher threshold, or smaller groups.")


def _one_for_many(relation):
    partners = relation.times(np.ones(relation.n_features)) - 1         # row sums of C
    most = int(np.argmax(partners)) if len(partners) else 0
    if relation.n_features < 6 or partners[most] <= LARGE * relation.n_features:
        return ""
    name = relation.features[most]
    return (f"{shown(name)} stands for {partners[most]:,.0f} of {relation.n_features - 1:,} other features. When so many count "
            "as the same, agreement says little about any one of them, and a group that is selected as a whole in some runs "
            "only can drive the effective stability far below 0.")
