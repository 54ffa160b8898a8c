"""Ready-made study settings: a first look, and the protocols of the papers this program rests on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """Settings of a study, as the tables `study`, `plan` and `selector` of a settings file, and where they come from.

    selectors   keys, or (key, options); an option that depends on how many features are selected is a function of that
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
        """As plain values for a table of so many features, for `study_from` or a settings file."""
        from stabcore.study.choices import how_many

        k = min(self.k, n_features) if isinstance(self.k, int) else self.k
        number = how_many(k, n_features)
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
            "Different selectors on two separate halves of the rows, many times over: what two halves agree on does not come "
            "from rows that they share, and each predicts the other. Usually done in a minute or two.",
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
            "features, or one fewer than are selected (N < k): with all of them forced it would be its filter.",
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
            "Three filters and three learners that select, in ten-fold cross-validation.",
            ("variance", "auc", "auc_mrmr", "glm_boosting", "lasso", "random_forest"),
            {"kind": "repeated_kfold", "n_splits": 10, "n_repeats": 1},
            0.25,
            "rbf_svm",
            "Bommert, Rahnenführer & Lang 2017, Computational and Mathematical Methods in Medicine, section 4",
        ),
    ]
}
