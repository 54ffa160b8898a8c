"""The only list of resampling plans: pages, settings files, tests and documentation read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.tables import listed_entries
from stabcore.base.text import suggest_name
from stabcore.base.validation import plain_number
from stabcore.resampling import draws
from stabcore.resampling.plan import Plan, PlanLike
from stabcore.resampling.user_plan import Splits, SplitterPlan, UserPlan, is_splitter

if TYPE_CHECKING:
    import pandas as pd


class Option(NamedTuple):
    """An option of a plan: its default, its meaning, and the values of a form.

    kind: a "whole" number, a "share" of the rows, a "switch", or a "column" of the table that is left out. low: the smallest
    allowed value. high: the largest value of a form. offered: the first value of a form, if it is not the default.
    """

    default: Any
    meaning: str
    kind: str
    low: float | None = None
    high: float | None = None
    offered: Any = None


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One plan of the catalogue. learns_from: the rows of each run, in plain words. about: {option: its details}."""

    key: str
    label: str
    learns_from: str
    build: type[Plan]
    about: dict[str, dict[str, Any]]
    reference: str

    @property
    def plain(self) -> str:
        """The plan in one plain sentence."""
        return f"Each run learns from {self.learns_from}."

    @property
    def options(self) -> dict[str, Option]:
        about = {"stratified": _STRATIFIED, **self.about}  # an option in neither is learned from the table
        return {
            field.name: Option(field.default, **about[field.name])
            for field in fields(self.build)  # type: ignore[arg-type]
            if field.name in about
        }


_STRATIFIED = {"meaning": "Same share of every class in each run", "kind": "switch"}
_RUNS = {"meaning": "Runs", "kind": "whole", "low": 2, "high": 1000}

ENTRIES = (
    Entry(
        key="subsample",
        label="Subsampling",
        learns_from="most of the rows (some are left out)",
        build=draws.Subsample,
        about={"n_runs": _RUNS, "test_size": {"meaning": "Rows left out in each run", "kind": "share", "low": 0.01, "high": 0.5}},
        reference="Sechidis et al. 2019",
    ),
    Entry(
        key="bootstrap",
        label="Bootstrap",
        learns_from="a bootstrap sample (drawn with replacement)",
        build=draws.Bootstrap,
        about={"n_runs": _RUNS},
        reference="Hamer & Dupont 2021, JMLR 22(116)",
    ),
    Entry(
        key="repeated_kfold",
        label="Cross-validation",
        learns_from="all folds but one (cross-validation)",
        build=draws.RepeatedKFold,
        about={
            "n_splits": {"meaning": "Folds", "kind": "whole", "low": 2, "high": 100},
            "n_repeats": {"meaning": "Repeats", "kind": "whole", "low": 1, "high": 100, "offered": 5},
        },
        reference="Bommert, Rahnenführer & Lang 2017",
    ),
    Entry(
        key="nested_kfold",
        label="Nested cross-validation",
        learns_from="folds inside folds (nested cross-validation)",
        build=draws.NestedKFold,
        about={
            "n_outer": {"meaning": "Outer folds", "kind": "whole", "low": 2, "high": 50},
            "n_inner": {"meaning": "Inner folds", "kind": "whole", "low": 2, "high": 50},
        },
        reference="Kalousis, Prados & Hilario 2005, ICDM",
    ),
    Entry(
        key="complementary_pairs",
        label="Complementary halves",
        learns_from="one half of the rows (complementary halves)",
        build=draws.ComplementaryPairs,
        about={"n_pairs": {"meaning": "Pairs of halves", "kind": "whole", "low": 1, "high": 500}},
        reference="Shah & Samworth 2013, JRSS B 75:55-80",
    ),
    Entry(
        key="learning_curve",
        label="Learning curve",
        build=draws.LearningCurve,
        learns_from="a half, a quarter or an eighth of the rows (learning curve)",
        about={"n_pairs": {"meaning": "Pairs of each size", "kind": "whole", "low": 3, "high": 500}},
        reference="Shah & Samworth 2013, JRSS B 75:55-80 (the pairs of halves)",
    ),
    Entry(
        key="leave_one_site_out",
        label="Centres left out",
        learns_from="all centres but one (centres left out)",
        build=draws.LeaveOneSiteOut,
        about={"column": {"meaning": "Column with the centre", "kind": "column"}},
        reference="Riley et al. 2016, BMJ 353:i3140 (internal-external validation)",
    ),
)

_ALL_PLANS = (
    "Give a plan of the catalogue, such as sc.ComplementaryPairs(25): "
    + ", ".join(f"{entry.build.__name__} ({entry.key!r})" for entry in ENTRIES)
    + ", a number of folds, or a splitter of scikit-learn with its options."
)
PLANS: dict[str, Entry] = {entry.key: entry for entry in ENTRIES}
KINDS = tuple(entry.build for entry in ENTRIES)


def list_plans() -> pd.DataFrame:
    """The catalogue as a DataFrame by key: label, plain sentence, options, and reference.

    Examples
    --------
    >>> sc.list_plans().index.tolist()[:2]
    ['subsample', 'bootstrap']
    """
    return listed_entries(ENTRIES, ("label", "plain", "options", "reference"))


def adopt_plan(plan: PlanLike, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> Plan:
    """A plan of the catalogue unchanged. A user-defined plan or a scikit-learn splitter is tried on these rows.

    Raises InputError for anything else.
    """
    if isinstance(plan, Plan) and (type(plan) in KINDS or isinstance(plan, UserPlan) and plan.user_object is not None):
        return plan
    user_object = SplitterPlan.of(plan, target, seed, patients) if is_splitter(plan) else plan
    return UserPlan.of(user_object, target, seed, patients)


PlanSetting: TypeAlias = "PlanLike | int | str | type[Plan] | Iterable[tuple[Any, Any]] | None"


def resolve_plan(plan: PlanSetting) -> Any:
    """A plan or splitter from a setting: None (the default), a key, a number of folds, a plan class, or splits.

    Raises InputError with the list of plans for anything else.
    """
    if plan is None:
        return draws.Subsample()
    if isinstance(plan, type) and issubclass(plan, KINDS):
        try:
            return plan()
        except TypeError:
            raise InputError(f"The plan {plan.__name__} needs its options, such as sc.{plan.__name__}('centre').") from None
    if isinstance(plan, bool) or isinstance(plan, str) and plan not in PLANS or isinstance(plan, type):
        found = f"the class {plan.__name__}" if isinstance(plan, type) else repr(plan)
        raise InputError(f"There is no resampling plan {found}{suggest_name(plan, PLANS)}. {_ALL_PLANS}")
    if isinstance(plan, str):
        return plan_from_settings({"kind": plan})
    if isinstance(plan, (int, np.integer)):
        return draws.RepeatedKFold(int(plan))
    if hasattr(plan, "resample") or is_splitter(plan):
        return plan
    try:
        return Splits([(np.asarray(rows), np.asarray(others)) for rows, others in plan])
    except (TypeError, ValueError):
        raise InputError(f"An object of type {type(plan).__name__} is not a resampling plan. {_ALL_PLANS}") from None


def plan_settings(plan: Plan) -> dict:
    """A plan as plain settings: its kind and options, or the description of a user-defined plan."""
    if isinstance(plan, UserPlan):
        return plan.description
    options = asdict(plan)  # type: ignore[call-overload]
    plain = {name: list(value) if isinstance(value, tuple) else plain_number(value) for name, value in options.items()}
    return {"kind": plan.kind, **plain}


def chosen_plan_options(settings: Mapping[str, Any]) -> dict:
    """The settings of a plan that the user chooses, without those learned from the table."""
    if settings.get("kind") not in PLANS:
        return dict(settings)
    return {name: value for name, value in settings.items() if name in ("kind", *PLANS[settings["kind"]].options)}


def plan_from_settings(settings: Mapping[str, Any]) -> Plan:
    """The plan of plain settings. Raises InputError for an unknown kind or option."""
    options = dict(settings)
    if "own" in options:
        return UserPlan(options)
    kind = options.pop("kind", "subsample")
    if kind not in PLANS:
        raise InputError(f"There is no resampling plan {kind!r}. Choose one of: {', '.join(PLANS)}.")
    allowed = [field.name for field in fields(PLANS[kind].build)]  # type: ignore[arg-type]
    if not set(options) <= set(allowed):
        raise InputError(f"The plan {kind!r} has the options {', '.join(allowed)}. Found {', '.join(options)}.")
    return PLANS[kind].build(**options)


# ---- the plan of selections that were made elsewhere, whose runs are counted ----

_REQUIRED_OPTIONS = {"subsample": ("test_size",), "repeated_kfold": ("n_splits",)}  # no default is likely
_RUN_COUNTS = {  # the option that follows from the number of runs, and its number of runs per unit
    "subsample": ("n_runs", None),
    "bootstrap": ("n_runs", None),
    "complementary_pairs": ("n_pairs", None),
    "repeated_kfold": ("n_repeats", "n_splits"),
}


def plans_of_uploads() -> tuple[str, ...]:
    """The keys of the plans whose other options follow from the number of runs."""
    return tuple(_RUN_COUNTS)


def required_plan_options(kind: str) -> tuple[str, ...]:
    """The options of such a plan that do not follow from the number of runs."""
    return _REQUIRED_OPTIONS.get(kind, ())


def plan_for_runs(plan: PlanLike | str, n_runs: int) -> Any:
    """A plan with this number of runs: the given one, or that of a text such as "subsample:test_size=0.2".

    Raises InputError for a plan with another number of runs, and for a text without a known plan or without its options.
    """
    if isinstance(plan, str):
        plan = plan_from_settings(_settings_from_text(plan, n_runs))
    if getattr(plan, "n_runs", n_runs) != n_runs:
        raise InputError(
            f"The resampling scheme has {getattr(plan, 'n_runs', 0)} runs, but the selections have {n_runs}. Correct its options."
        )
    return plan


def _settings_from_text(text, n_runs):
    kind, _, rest = text.partition(":")
    kind, parts = kind.strip(), [part.partition("=") for part in rest.split(",") if part.strip()]
    if kind not in _RUN_COUNTS:
        in_catalogue = kind in PLANS
        why = "shares rows as its table says, so its noise floor needs a study here" if in_catalogue else "is not known"
        raise InputError(
            f"The resampling scheme {kind!r} {why}{suggest_name(kind, _RUN_COUNTS)}. Choose one of: {', '.join(_RUN_COUNTS)}."
        )
    try:
        options = {name.strip(): float(value) if "." in value else int(value) for name, _, value in parts}
    except ValueError:
        raise InputError(
            f"An option of a resampling scheme is a name and a number, as in subsample:test_size=0.2. Found {rest!r}."
        ) from None
    if missing := [name for name in _REQUIRED_OPTIONS.get(kind, ()) if name not in options]:
        raise InputError(f"The resampling scheme {kind!r} needs {missing[0]}: {kind}:{missing[0]}=…")
    counted, per = _RUN_COUNTS[kind]
    each = 2 if kind == "complementary_pairs" else options.get(per, 1) if per else 1
    return {counted: max(1, int(n_runs // max(each, 1))), **options, "kind": kind}
