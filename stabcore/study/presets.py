"""Ready-made study settings (a first look, the protocols of the papers), and the first settings file of a table."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from stabcore.base.errors import InputError
from stabcore.base.text import listed
from stabcore.data.dataset import Dataset
from stabcore.data.presets import guess_roles
from stabcore.io.table import read_table
from stabcore.study.choices import resolve_k, scoring_classifier


@dataclass(frozen=True)
class Preset:
    """Settings of a study, as the tables `study`, `plan` and `selector` of a settings file, with their source.

    selectors   keys, or (key, options). An option that depends on the number of selected features is a function of it
    k           as in Study: a number, a share, or "sqrt"
    """

    key: str
    label: str
    plain: str
    selectors: tuple
    plan: dict
    k: float | str
    classifier: str
    reference: str = ""

    def settings(self, n_features) -> dict:
        """The preset as plain values for a table with n features, for `study_from_settings` or a settings file."""
        k = min(self.k, n_features) if isinstance(self.k, int) else self.k
        number = resolve_k(k, n_features)
        pairs = [(selector, {}) if isinstance(selector, str) else selector for selector in self.selectors]
        return {
            "study": {"k": k, "classifier": self.classifier},
            "plan": dict(self.plan),
            "selector": [
                {"key": key, **{name: value(number) if callable(value) else value for name, value in options.items()}}
                for key, options in pairs
            ],
        }


PRESETS = {
    preset.key: preset
    for preset in [
        Preset(
            "first",
            "A first look",
            "Different selectors on pairs of disjoint halves of the rows. The halves share no rows, so their agreement does not "
            "come from shared rows. Each half predicts the other. It usually takes a minute or two.",
            ("mim", "mrmr", "jmi", "cmim", "lasso", "random_forest", "gbm", "random"),
            {"kind": "complementary_pairs", "n_pairs": 25},
            "sqrt",
            "3nn",
            "Shah & Samworth 2013, JRSS B 75:55-80 (complementary halves)",
        ),
        Preset(
            "sechidis",
            "As Sechidis et al. 2019",
            "Seven selectors, a quarter of the features, 50 runs that each leave out 5%.",
            ("lasso", "random_forest", "gbm", "mim", "mrmr", "jmi", "cmim"),
            {"kind": "subsample", "n_runs": 50, "test_size": 0.05},
            0.25,
            "3nn",
            "Sechidis, Papangelou, Nogueira, Weatherall & Brown 2019, ECML-PKDD, section 4.1",
        ),
        Preset(
            "kalousis",
            "As Kalousis et al. 2005",
            "Four selectors, ten features, stability inside every fold of a cross-validation.",
            ("information_gain", "relieff", "svm", "svm_rfe"),
            {"kind": "nested_kfold", "n_outer": 10, "n_inner": 10},
            10,
            "svm",
            "Kalousis, Prados & Hilario 2005, ICDM, section 3",
        ),
        Preset(
            "hamer",
            "As Hamer & Dupont 2021",
            "Penalised models, recursive elimination, forests and ReliefF on 30 bootstrap samples. Hybrid RFE forces five "
            "features, or one fewer than are selected (N < k). With all of them forced, it would equal its filter.",
            (
                "lasso",
                "elastic_net",
                "logistic_rfe",
                ("hybrid_rfe", {"forced": lambda k: min(5, k - 1)}),
                "random_forest_permutation",
                "relieff",
            ),
            {"kind": "bootstrap", "n_runs": 30},
            "sqrt",
            "logistic",
            "Hamer & Dupont 2021, JMLR 22, section 7.2",
        ),
        Preset(
            "bommert",
            "As Bommert et al. 2017",
            "Three filters and three learners with built-in selection, in ten-fold cross-validation.",
            ("variance", "auc", "auc_mrmr", "glm_boosting", "lasso", "random_forest"),
            {"kind": "repeated_kfold", "n_splits": 10, "n_repeats": 1},
            0.25,
            "rbf_svm",
            "Bommert, Rahnenführer & Lang 2017, Computational and Mathematical Methods in Medicine, section 4",
        ),
    ]
}


SETTINGS_TEMPLATE = """\
# A study of the stability of feature selection. Check these settings, then run it:
#     python -m stabcore validate {name}
#     python -m stabcore run {name}

[data]
file = {file}
target = {target}            # the outcome that the features predict
{patient}
exclude = {exclude}          # columns that are not features, such as identifiers and dates

[study]
k = 0.25                     # features per run at most: a number, a share of all, or "sqrt"
classifier = {classifier}    # scores the selected features on held-out rows, "none" for no scores
random_state = 1             # the same number gives the same study
n_permutations = 20          # shuffles of the outcome, which measure the noise floor, 0 for none
n_seeds = 1                  # 2 also measures seed variability
n_imputations = 0            # 5 fills missing cells 5 times in each run, and measures their share of the disagreement

[plan]                       # the rows that each run learns from: python -m stabcore help plans
kind = "complementary_pairs"
n_pairs = 25                 # 50 runs, each on one half of the rows

# One table per selector: python -m stabcore help selectors
{selectors}"""
FIRST_SELECTORS = {"lasso": "a linear model that leaves features out", "anova_f": "each feature alone"}
FIRST_TIMED_SELECTORS = ("cox_score", "concordance")  # selectors added to the settings of a paper for times to an event
CLASS_SELECTORS = {"mrmr": "each feature with those chosen before it"}


def first_settings(table: Path, target: str | None, folder: Path) -> str:
    """The text of a settings file for a table. target: its outcome, guessed if None. folder: the folder of the settings file.

    Raises InputError for a table that cannot be read, and if no column seems to be the outcome.
    """
    frame = read_table(table).frame
    guessed = guess_roles(frame)
    target = target or guessed.target
    if target is None:
        some = guessed.candidates or [str(name) for name in frame.columns]
        raise InputError(f"The outcome is not clear. Name its column with --target. The columns are {listed(some, 10)}.")
    exclude = [name for name in guessed.exclude if name != target]
    patient = guessed.patient if guessed.patient != target else None
    data = Dataset.from_frame(frame, target=target, exclude=exclude, same_patient=patient, set_aside=True)
    chosen = FIRST_SELECTORS | CLASS_SELECTORS if data.classes else FIRST_SELECTORS
    return SETTINGS_TEMPLATE.format(
        name=table.with_suffix(".toml").name,
        file=_text(os.path.relpath(table, folder).replace(os.sep, "/")),
        target=_text(target),
        patient=f"same_patient = {_text(patient)}     # rows of one patient stay together"
        if patient
        else '# same_patient = "…"       # the column that identifies the patient of each row',
        exclude=json.dumps(exclude, ensure_ascii=False),
        classifier=_text(scoring_classifier(None, data, ())),
        selectors="\n".join(f'[[selector]]\nkey = "{key}"{" " * (22 - len(key))}# {meaning}\n' for key, meaning in chosen.items()),
    )


def _text(value) -> str:
    """A text in TOML notation, whose basic strings are those of JSON."""
    return json.dumps(value, ensure_ascii=False)
