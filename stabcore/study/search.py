"""Random search over configurations of a filter with a learner, as one study (Bommert et al. 2017, sections 4-5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.text import joined, listed
from stabcore.data.dataset import Dataset
from stabcore.resampling.draws import ComplementaryPairs, RepeatedKFold
from stabcore.resampling.plan import PlanLike
from stabcore.selectors.augmented import FILTERS, LEARNERS
from stabcore.selectors.base import whole_number
from stabcore.study.choices import SELECTOR_CHOOSES
from stabcore.study.results import Results
from stabcore.study.study import Study
from stabcore.study.study_result import StudyResult

SEARCH_OPTIONS = {
    "glm_boosting": ("rounds",),
    "lasso": ("penalty",),
    "random_forest": ("trees", "node"),
    "rbf_svm": ("width", "cost"),
}
LOG_SCALE_OPTIONS = ("penalty", "width", "cost")  # drawn as 2ˣ, x uniform
MAX_CONFIGURATIONS = 20_000  # configurations of one search


@public
@dataclass(frozen=True, kw_only=True)
class SearchSpace:
    """The space of configurations: filters, learners, and the lowest and highest value of every option.

    Parameters
    ----------
    filters, learners : tuple, optional
        Filters and learners to draw from.
    keep : tuple, optional
        Range of the number of features that the filter keeps. None for 1 to all.
    rounds, trees, node : tuple, optional
        Ranges of whole numbers, uniform. As in Table 3 of Bommert et al. 2017, with fewer rounds and trees, which go to 2 ** 15
        in the paper and take most of the time.
    penalty, width, cost : tuple, optional
        Ranges of the exponent x, uniform, of the penalty λ = 2ˣ, the kernel width σ = 2ˣ and the cost C = 2ˣ.

    Raises
    ------
    InputError
        For an unknown filter or learner, and for a lowest value above the highest.

    Examples
    --------
    >>> list(sc.SearchSpace(learners=("lasso",)).draw(2, 50))
    ['1 variance + lasso', '2 auc + lasso']
    """

    filters: tuple[str, ...] = ("variance", "auc", "auc_mrmr")
    learners: tuple[str, ...] = LEARNERS
    keep: tuple[int, int] | None = None
    rounds: tuple[int, int] = (1, 2**12)
    trees: tuple[int, int] = (1, 2**9)
    node: tuple[int, int] = (1, 2**5)
    penalty: tuple[float, float] = (-15, 15)
    width: tuple[float, float] = (-15, 15)
    cost: tuple[float, float] = (-15, 15)

    def __post_init__(self):
        for name, allowed in (("filters", FILTERS), ("learners", LEARNERS)):
            unknown = [key for key in getattr(self, name) if key not in allowed]
            if unknown or not getattr(self, name):
                raise InputError(
                    f"The space has the {name} {listed(unknown) or 'none'}. Choose from {joined(list(allowed), 'and')}."
                )
        for option in fields(self)[2:]:
            ends = getattr(self, option.name)
            if ends is not None and not (
                len(ends) == 2 and ends[0] <= ends[1] and (option.name in LOG_SCALE_OPTIONS or ends[0] >= 1)
            ):
                raise InputError(
                    f"{option.name} of the space must be the lowest and the highest value, from 1 up (exponents for "
                    f"{', '.join(LOG_SCALE_OPTIONS)}). Found {ends!r}."
                )

    def draw(self, n: int, n_features: int, random_state: int = 0) -> dict[str, tuple[str, dict[str, Any]]]:
        """{label: ("augmented", options)} of n configurations: methods in turn, random options, determined by the seed.

        Parameters
        ----------
        n : int
            Number of configurations.
        n_features : int
            Number of features d.
        random_state : int, optional
            Seed of everything drawn at random.

        Raises
        ------
        InputError
            For n below 1 or above MAX_CONFIGURATIONS.

        Examples
        --------
        >>> len(sc.SearchSpace().draw(5, 50))
        5
        """
        whole_number(n, "n, the number of configurations,", 1, MAX_CONFIGURATIONS)
        rng = np.random.default_rng([random_state, 0xB0])
        methods = [(filter_name, learner_name) for filter_name in self.filters for learner_name in self.learners]
        drawn = {}
        for number in range(n):
            filter_, learner = methods[number % len(methods)]
            low, high = self.keep or (1, n_features)
            options: dict[str, Any] = {"k": SELECTOR_CHOOSES, "filter": filter_, "learner": learner}
            options["keep"] = int(rng.integers(min(low, n_features), min(high, n_features) + 1))
            for name in SEARCH_OPTIONS[learner]:
                low, high = getattr(self, name)
                options[name] = (
                    float(f"{2 ** rng.uniform(low, high):.4g}") if name in LOG_SCALE_OPTIONS else int(rng.integers(low, high + 1))
                )
            drawn[f"{number + 1:0{len(str(n))}} {filter_} + {learner}"] = ("augmented", options)
        return drawn


def search_halves(data: Dataset, random_state: int = 0) -> tuple[Dataset, Dataset]:
    """Two halves of the rows with the same share of every class, rows of a patient together, to search and to evaluate."""
    drawn = ComplementaryPairs(n_pairs=1).resample(0, data.target, random_state, data.patients)
    return data.part(drawn.rows, "first half"), data.part(drawn.held_out, "other half")


def search_study(
    data: Dataset, space: SearchSpace | None, n: int, plan: PlanLike | None, random_state: int, confirm: Sequence[str] = ()
) -> Study:
    """The Study of n configurations on the first half of the rows, each scored by its own learner. See `random_search`.

    confirm: labels of configurations to evaluate again on the other half. Raises InputError for labels that were not drawn.
    """
    first, other = search_halves(data, random_state)
    drawn = (space or SearchSpace()).draw(n, data.n_features, random_state)
    if confirm:
        _refuse_unknown(confirm, drawn)
    return Study(
        other if confirm else first,
        {label: drawn[label] for label in confirm or drawn},
        plan=RepeatedKFold() if plan is None else plan,
        k=data.n_features,
        classifier="own",
        random_state=random_state,
    )


@public
def random_search(
    data: Dataset,
    space: SearchSpace | None = None,
    n: int = 100,
    plan: PlanLike | None = None,
    random_state: int = 0,
    **running: Any,
) -> StudyResult:
    """Run n random configurations of a filter with a learner on one half of the rows. Returns a StudyResult.

    Parameters
    ----------
    data : Dataset
        A table with an outcome of two classes.
    space : SearchSpace, optional
        By default nearly Table 3 of Bommert et al. 2017 (see SearchSpace).
    n : int, optional
        Number of configurations, 1 or more. Each is a selector of the result, whose table() has its error, size and stability.
    plan : plan, optional
        By default ten folds.
    random_state : int, optional
        Seed of the configurations and of the halves.
    running : object, optional
        executor, store, progress and n_jobs, see Study.run. Evaluate chosen configurations with `evaluate_on_other_half`.

    Raises
    ------
    InputError
        For a target other than two classes.

    References
    ----------
    Source: Bommert, Rahnenführer & Lang 2017, Computational and Mathematical Methods in Medicine 7907163.

    Examples
    --------
    >>> searched = sc.random_search(data, n=2, plan=sc.RepeatedKFold(2), n_jobs=1, progress=False)
    >>> len(searched.selectors)
    2
    """
    data = Dataset.of(data)
    return search_study(data, space, n, plan, random_state).run(**running)


@public
def evaluate_on_other_half(data: Dataset, searched: StudyResult, labels: Sequence[str], **running: Any) -> StudyResult:
    """Run some configurations of a search with the same plan and seed on the half of the rows that it has not used.

    Parameters
    ----------
    data : Dataset
        The Dataset that was searched.
    searched : StudyResult
        Result of random_search.
    labels : list of str
        Chosen configurations, which are selectors of `searched`.
    running : object, optional
        As in Study.run.

    Raises
    ------
    InputError
        For other data, and for unknown labels.

    Examples
    --------
    >>> searched = sc.random_search(data, n=2, plan=sc.RepeatedKFold(2), n_jobs=1, progress=False)
    >>> sc.evaluate_on_other_half(data, searched, searched.selectors[:1], n_jobs=1, progress=False).n_runs
    2
    """
    data, searched = Dataset.of(data), Results.of(searched)
    settings = searched.settings
    first, other = search_halves(data, settings["random_state"])
    if first.fingerprint != settings["data"]["fingerprint"]:
        raise InputError(
            "These are not the data of the search, because their first half differs. Upload the table of the search, "
            "with the same roles."
        )
    options = {about["label"]: ("augmented", about["options"] | {"k": SELECTOR_CHOOSES}) for about in settings["selectors"]}
    _refuse_unknown(labels, options)
    chosen = {label: options[label] for label in labels}
    seed, k = settings["random_state"], settings["k"]
    return Study(other, chosen, plan=searched.plan, k=k, classifier="own", random_state=seed).run(**running)


def is_of_search_half(data: Dataset, settings: dict[str, Any]) -> bool:
    """Whether a study with these settings was run on one of the two halves of these data."""
    return any(part.fingerprint == settings["data"]["fingerprint"] for part in search_halves(data, settings["random_state"]))


def _refuse_unknown(labels, drawn):
    unknown = [label for label in labels if label not in drawn]
    if unknown or not labels:
        raise InputError(f"The search has no configuration {listed(unknown) or 'to confirm'}. Give labels of its selectors.")
