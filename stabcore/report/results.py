"""The parts of a report that say what came out: the answer, the panel, stability, prediction."""

from __future__ import annotations

from stabcore.analysis.panel import IN, no_bound
from stabcore.analysis.pareto import guessed
from stabcore.analysis.swaps import swaps
from stabcore.figures import directions, estimates, panel
from stabcore.figures.alike import sentence_alike, table_alike
from stabcore.figures.comparisons import finding_comparisons, frame_comparisons
from stabcore.figures.dice import frame_dice
from stabcore.figures.halves import COST, finding_halves, sentence_halves
from stabcore.figures.pareto import finding_fronts, frame_fronts
from stabcore.figures.risk import counted, finding_risk
from stabcore.figures.swaps import SWAPS, finding_swaps
from stabcore.inference.error_control import BOUNDS
from stabcore.report.blocks import Bullets, Heading, Table, Text
from stabcore.report.limitations import limits

SCORES = {"accuracy": "accuracy [interval]", "balanced_accuracy": "balanced accuracy [interval]", "auc": "AUC [interval]"}
ROW_BY_ROW = ("This table has a line for each row of the table of patients: with this file, outcome and risk of every patient "
              "leave your computer. Where they must not, leave out the part Prediction and the figure How far risks move, and "
              "do not hand on the study file, which holds the outcomes too.")
FEWER = ("Halves are judged by one number a pair, all runs above by every two of them: so the halves may leave open what all runs "
         "show. Where they do, the halves are the safer answer: their 0 without any signal holds for every selector that looks at "
         "the outcome.")
OF_EACH_RUN = ("These scores are of what each run selected, and of models of its rows; how well a model of the panel above would "
               "do in new patients was not measured.")
ONE_HALF = 0.5          # the risk from which on a patient is called


def answer(subject):
    """What was asked; three sentences: the panel, how far it can be trusted, what limits it; the members."""
    return [Text(subject.result.sentence()), Bullets(in_short(subject)), *_members(subject)]


def in_short(subject) -> list[str]:
    """Those sentences."""
    trust = finding_halves(subject.halves) if subject.has_halves else \
        estimates.finding_estimates(subject.estimates, subject.stability_pairs("nogueira"))
    return [_panel(subject), trust, limits(subject)[0]]


def _panel(subject):
    return panel.finding_panel(subject.panel, subject.threshold, subject.alone)


def _members(subject):
    stay = subject.panel.loc[subject.panel["stays"], "feature"].tolist()
    return [Text(f"The panel: {', '.join(stay)}.")] if stay else []


def who_stays(subject):
    """The panel with frequency, interval, group, floor line, direction and size; and how many may be false."""
    table = subject.panel if subject.panel["group"].any() else subject.panel.drop(columns="group")
    blocks = [Text(_panel(subject)), Text(panel.INTERVALS, small=True),
              Table("panel", f"Features that any run selected, most often selected first; the panel are those of at least "
                    f"{subject.threshold:.0%} of the runs", table.dropna(axis="columns", how="all"),
                    tuple(name for name in table.columns if not name.startswith(IN)))]
    if len(subject.labels) > 1:
        each = table[["feature", *(name for name in table if name.startswith(IN))]].rename(
            columns=lambda name: name.removeprefix(IN))
        blocks.append(Table("panel_by_selector", "The same features, selector by selector: share of its runs", each))
    swapping = swaps(subject.result, None, subject.relation, subject.labels)
    blocks += [Heading("Which features take each other's place?"), Text(finding_swaps(swapping)), Text(SWAPS, small=True), *(
        [Table("swaps", "Pairs of which runs select one in place of the other", swapping)] if len(swapping) else []),
        Heading("Which way, and by how much?"), *_effects(subject), Heading("How many of them are false?")]
    why = no_bound(subject.result, subject.threshold)
    if why:
        return [*blocks, Text(why)]
    false = subject.false.reset_index().drop(columns="reason").rename(columns=BOUNDS)
    title = "How many false features such panels hold at most, on average over studies"
    bounded = panel.BOUNDED + (panel.EACH if subject.alone is None else "")
    return [*blocks, Text(bounded, small=True), Table("false_features", title, false)]


def _effects(subject):
    if subject.effects is None:
        return [Text("Which way the features go cannot be said here: that needs the table that the runs were made of.")]
    own = subject.panel[["feature", "stays"]].merge(subject.effects, on="feature", how="left").drop(columns=["measure", "known"])
    own = own.assign(looks=own["exaggeration"].map(directions.looks)) if "exaggeration" in own else own
    return [Table("effects", f"Direction and size of each feature: {subject.effects['measure'].iloc[0]}",
                  own.dropna(axis="columns", how="all"),
                  ("feature", "stays", "level", "direction", "effect", "low", "high", "auc", "same_sign", "looks")),
            Text(_of_effects(subject), small=True)]


def _of_effects(subject):
    measure = subject.effects["measure"].iloc[0]
    data = subject.data if subject.is_study else subject.beside
    rows = "" if subject.is_study else " of the table that was brought beside the selections"
    sentences = [f"Effect: {measure}, on all rows{rows}, with its interval for new patients.", directions.of_patients(data)]
    much = f"; how much in the runs of {subject.labels[0]} stands in the last column" if subject.is_study else ""
    return (f"{' '.join(filter(None, sentences))} Features were chosen because they looked large, so all of this flatters{much}. "
            "Of a category the level is shown that differs most.")


def stability(subject):
    """Each selector beside its floor, halves, comparisons, dice."""
    result, shown = subject.result, subject.estimates
    rows = subject.table.join(subject.floors["nogueira"].drop(columns="note")).join(subject.changes)
    blocks = [Text(estimates.finding_estimates(shown, subject.stability_pairs("nogueira"))),
              Bullets([_with_runs(subject, label, estimates.sentence(label, rows.loc[label])) for label in result.ready]),
              *(Text(one, small=True) for one in [*estimates.judged(subject.floors["nogueira"]), *estimates.by_itself(rows)]),
              Text(estimates.intervals_of(result), small=True),
              Table("stability", "Stability of each selector with its interval, beside what there would be without any signal",
                    shown.drop(columns=["measure", "blind"]),
                    ("selector", "label", "text", "floor", "floor_low", "floor_high", "note"))]
    if subject.has_halves:
        of = dict(list(subject.halves.groupby("selector")))
        blocks += [Heading("Two separate halves of the patients"), Text(finding_halves(subject.halves)),
                   Bullets([sentence_halves(of[label]) for label in result.ready]), Text(COST, small=True),
                   Text(FEWER, small=True),
                   Table("halves", "What two separate halves agree on", subject.halves.drop(columns=["measure"]),
                         ("selector", "label", "text", "shared", "size", "by_luck", "pairs", "note"))]
    if len(result.ready) > 1:
        frame = frame_comparisons(subject.stability_pairs("nogueira"))
        blocks += [Heading("Selectors compared"), Text(finding_comparisons(frame)),
                   Table("comparisons", "Differences in stability of every two selectors, p by Holm"
                         + ("; the sentence above leaves out the pairs with a baseline" if frame["baseline"].any() else ""),
                         frame.drop(columns="baseline"))]
    if result.has_repeats:
        dice = frame_dice(result.own_dice())
        blocks += [Heading("Whose dice?"), Bullets(dice["sentence"].tolist()),
                   Table("dice", "How much of the disagreement is the selector's own", dice.drop(columns=["baseline", "sentence"]))]
    return blocks


def _with_runs(subject, label, sentence):
    return f"{sentence} ({subject.missing[label]})" if label in subject.missing else sentence


def prediction(subject):
    """Accuracy with its intervals, the front, errors that cannot be told apart."""
    if not subject.score:
        return [Text("Nothing is known about how well these features predict: selections that were brought along have no accuracy, "
                     "and a study has one only with a classifier.")]
    frame, always = front(subject), guessed(subject.result, subject.score)
    blocks = [Text(finding_fronts(frame, subject.floor)), Text(OF_EACH_RUN), *(
              [Text(f"Who always named the larger class would be right in {always:.0%} of the rows.")]
              if subject.score == "accuracy" and always == always else []),
              Table("prediction", "How well the selected features predict held-out rows; intervals (95%) are about new patients",
                    _scores(subject.table), ("selector", *SCORES.values(), "mean_size")),
              Table("front", "Accuracy against stability: who is beaten by whom", frame.drop(columns=["measure"]),
                    ("selector", "stability", "accuracy", "size", "beaten_by", "standing"))]
    compared, groups = subject.alike
    if groups:
        alike = table_alike(groups, compared, subject.table, "nogueira", subject.stability_pairs("nogueira"))
        blocks += [Heading("Whose accuracies cannot be told apart?"),
                   Bullets([sentence_alike(own) for _, own in alike.groupby("group")]),
                   Text("Not to be told apart is not to be the same.", small=True),
                   Table("alike", "Groups of selectors whose accuracies cannot be told apart", alike)]
    return [*blocks, *_risks(subject)]


def _scores(table):
    """The scores that are known, with their limits as numbers and as texts with their intervals."""
    known = [name for name in SCORES if table[name].notna().any()]
    numbers = table[[f"{name}{end}" for name in known for end in ("", "_low", "_high")]]
    texts = {SCORES[name]: [estimates.written(*row) for row in table[[name, f"{name}_low", f"{name}_high"]].itertuples(index=False)]
             for name in known}
    return numbers.assign(**texts, mean_size=table["mean_size"]).reset_index()


def _risks(subject):
    if subject.risk is None:
        return []
    table, note = subject.risk.table(), subject.risk.note
    return [Heading("How far does each patient's risk move?"), Text(finding_risk(table, ONE_HALF, counted(subject.data))),
            *([Text(note)] if note else []), Text(ROW_BY_ROW),
            Table("risks", f"The risk of {subject.risk.event} by the model of all rows, and by those of the runs: band of 95%, "
                  "mean distance, share of the models on the other side of 50%", table)]


def front(subject):
    """Accuracy against stability of every selector."""
    return frame_fronts(subject.table, ["nogueira"], subject.score,
                        {"nogueira": subject.stability_pairs("nogueira"), subject.score: subject.score_pairs})
