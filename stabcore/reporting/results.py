"""The parts of a report that say what came out: the answer, the panel, prediction. Stability: stabcore.reporting.stability."""

from __future__ import annotations

from stabcore.analysis.effects import SHRUNKEN
from stabcore.analysis.noise_floors import beyond_floor
from stabcore.analysis.panel import IN
from stabcore.analysis.substitutes import substitutes
from stabcore.inference.error_bounds import BOUNDS
from stabcore.inference.predictions import guessed
from stabcore.plots import effects, panel, values
from stabcore.plots.noise_floor import finding_beyond
from stabcore.plots.pareto import (
    GUESSING,
    describe_equal_accuracy,
    finding_fronts,
    frame_fronts,
    no_better_than_guessing,
    table_equal_accuracy,
)
from stabcore.plots.risk import finding_risk, row_noun
from stabcore.plots.substitutes import SUBSTITUTES, finding_substitutes
from stabcore.reporting.blocks import Bullets, Heading, Table, Text
from stabcore.reporting.limitations import beside_floors, limits

SCORES = {"accuracy": "accuracy [interval]", "balanced_accuracy": "balanced accuracy [interval]", "auc": "AUC [interval]"}
NAMED = {"accuracy": "an accuracy", "balanced_accuracy": "a balanced accuracy", "auc": "an area under the curve"}
ROW_BY_ROW = (
    "This table has one line per row of the table of patients: with this file, outcome and risk of every patient "
    "leave your computer. To prevent that, leave out the part Prediction and the figure Risk instability, and do not "
    "share the study file, which holds the outcomes too."
)
OF_EACH_RUN = (
    "These scores describe the features that each run selected, and models of its rows. The performance of a model of "
    "the panel in new patients was not measured."
)
ONE_HALF = 0.5  # the risk from which on a patient is called


def answer(subject):
    """The question, three sentences (panel, stability, limitation), and the members of the panel."""
    useless = [Text(GUESSING)] if no_better_than_guessing(subject.result.beats_guessing().reset_index()) else []
    return [*useless, Text(subject.result.sentence()), Bullets(in_short(subject)), *_members(subject)]


def in_short(subject) -> list[str]:
    """Those sentences."""
    headline, floors = finding_beyond(subject.beyond, subject.result), beside_floors(subject)
    return [_panel(subject), headline, next(one for one in limits(subject) if one != floors)]


def _panel(subject):
    return panel.finding_panel(subject.panel, subject.threshold, subject.false_together)


def _members(subject):
    stay = subject.panel.loc[subject.panel["stays"], "feature"].tolist()
    return [Text(f"The panel: {', '.join(stay)}.")] if stay else []


def who_stays(subject):
    """The panel with frequencies and intervals, substitutes, direction and size, expected false selections."""
    without = ["any_related"] * (not subject.similarity.n_related) + ["group"] * (not subject.panel["group"].any())
    table = subject.panel.drop(columns=without)
    blocks = [
        Text(_panel(subject)),
        Text(panel.INTERVALS, small=True),
        Table(
            "panel",
            f"All features selected in any run. The panel has those selected in at least {subject.threshold:.0%} of the runs",
            table.dropna(axis="columns", how="all"),
            tuple(name for name in table.columns if not name.startswith(IN)),
        ),
    ]
    if len(subject.labels) > 1:
        each = table[["feature", *(name for name in table if name.startswith(IN))]].rename(
            columns=lambda name: name.removeprefix(IN)
        )
        blocks.append(Table("panel_by_selector", "Selection frequency by selector", each))
    swapping = substitutes(subject.result, None, subject.similarity, subject.labels)
    blocks += [
        Heading("Substitutes"),
        Text(finding_substitutes(swapping)),
        Text(SUBSTITUTES, small=True),
        *([Table("swaps", "Pairs of features that replace each other", swapping)] if len(swapping) else []),
        Heading("Direction and size"),
        *_effects(subject),
        Heading("Expected false selections"),
        *_false(subject),
    ]
    return blocks


def _false(subject):
    """The expected number of false selections: the bound, or what the shuffles count."""
    together, each = subject.false_together, subject.false
    unknown = together["pfer_bound"] != together["pfer_bound"]
    blocks = [
        Text(
            f"{together['reason']} A study with the outcome shuffled counts them."
            if unknown
            else panel.describe_false_features(together)
        )
    ]
    if each["pfer_bound"].isna().all():
        return blocks
    return [
        *blocks,
        Text(panel.BOUNDED, small=True),
        Table(
            "false_selection_bounds",
            "Expected false selections (PFER): bounds, and how many pass with the outcome shuffled",
            each.reset_index().drop(columns="reason").rename(columns=BOUNDS),
        ),
    ]


def _effects(subject):
    if subject.effects is None:
        return [Text("Direction and size need the table of the study, which is not at hand.")]
    own = subject.panel[["feature", "stays"]].merge(subject.effects, on="feature", how="left").drop(columns=["measure", "known"])
    blocks = [
        Table(
            "effects",
            f"Direction and size of each feature: {subject.effects['measure'].iloc[0]}",
            own.dropna(axis="columns", how="all"),
            ("feature", "stays", "level", "direction", "effect", "low", "high", *SHRUNKEN, "auc"),
        ),
        Text(_of_effects(subject), small=True),
    ]
    if subject.other_half is not None and len(subject.other_half):
        frame = effects.frame_other_half(subject.other_half)
        blocks += [
            Heading("Effects on the other half of the patients"),
            Text(effects.finding_other_half(frame)),
            Text(f"{effects.OTHER_HALF} {subject.labels[0]} selected, in the first pair of halves.", small=True),
            Table(
                "other_half",
                "Effects of the features selected on one half of the patients, on both halves",
                subject.other_half.drop(columns="measure"),
                ("feature", "level", "direction", "chosen_effect", "effect", "low", "high"),
            ),
        ]
    blocks += [Heading("Ranks of the effects"), Text(effects.finding_rank_intervals(subject.places))]
    if len(subject.places):
        blocks += [
            Text(effects.RANK_INTERVALS, small=True),
            Table("places", "Rank intervals of the effects of the features that were selected most often", subject.places),
        ]
    return blocks


def _of_effects(subject):
    measure = subject.effects["measure"].iloc[0]
    data = subject.data if subject.is_study else subject.beside
    rows = "" if subject.is_study else " of the table uploaded with the selections"
    sentences = [f"Effect: {measure}, on all rows{rows}, with its interval for new patients.", effects.describe_repeated_rows(data)]
    return (
        f"{' '.join(filter(None, sentences))} {effects.describe_chosen(subject.effects)} Of a category the level that differs "
        "most is shown."
    )


def prediction(subject):
    """Scores with their intervals, the front, selectors with indistinguishable accuracies."""
    if not subject.score:
        return [
            Text("Prediction was not measured. Uploaded selections have no accuracy, and a study has one only with a classifier.")
        ]
    frame, always = pareto_front(subject), guessed(subject.result, subject.score)
    blocks = [
        Text(finding_fronts(frame, subject.score)),
        Text(OF_EACH_RUN),
        *([Text(f"Always naming the larger class has {NAMED[subject.score]} of {always:.2f}.")] if always == always else []),
        Table(
            "prediction",
            "How well the selected features predict held-out rows; intervals (95%) are about new patients",
            _scores(subject.table),
            ("selector", *SCORES.values(), "mean_size"),
        ),
        Table(
            "front",
            "Accuracy against stability beyond the noise floor",
            frame.drop(columns=["measure"]),
            ("selector", "stability", "floor", "accuracy", "better", "size", "beaten_by", "standing"),
        ),
    ]
    compared, groups = subject.alike
    if groups:
        alike = table_equal_accuracy(
            groups, compared, beyond_floor(subject.table, subject.floors), "nogueira", subject.stability_pairs("nogueira")
        )
        blocks += [
            Heading("Selectors with indistinguishable accuracies"),
            Bullets([describe_equal_accuracy(own) for _, own in alike.groupby("group")]),
            Text("Indistinguishable does not mean equal.", small=True),
            Table("alike", "Groups of selectors with indistinguishable accuracies", alike),
        ]
    return [*blocks, *_risks(subject)]


def _scores(table):
    """The scores that are known, with their limits as numbers and as texts with their intervals."""
    known = [name for name in SCORES if table[name].notna().any()]
    numbers = table[[f"{name}{end}" for name in known for end in ("", "_low", "_high")]]
    texts = {
        SCORES[name]: [values.format_estimate(*row) for row in table[[name, f"{name}_low", f"{name}_high"]].itertuples(index=False)]
        for name in known
    }
    return numbers.assign(**texts, mean_size=table["mean_size"]).reset_index()


def _risks(subject):
    if subject.risk is None:
        return []
    table = subject.risk.table()
    return [
        Heading("Risk instability"),
        Text(finding_risk(table, ONE_HALF, row_noun(subject.data))),
        Text(ROW_BY_ROW),
        Table(
            "risks",
            f"The risk of {subject.risk.event} by the model of all rows, and by those of the runs: band of 95%, "
            "mean distance, share of the models on the other side of 50%",
            table,
        ),
    ]


def pareto_front(subject):
    """Accuracy against stability beyond the noise floor of every selector."""
    return frame_fronts(
        beyond_floor(subject.table, subject.floors),
        "nogueira",
        subject.score,
        {"nogueira": subject.stability_pairs("nogueira"), subject.score: subject.score_pairs},
        guessing=subject.result.beats_guessing(subject.score),
    )
