"""Accuracy: its controls, the sections about one study, and several studies together. Only the open section computes."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts import cache, controls, figures, glossary, other_studies, project_choices, session, text
from pages.parts.view import View
from stabcore.analysis.compare_selectors import score_pairs, size_pairs
from stabcore.analysis.noise_floors import beyond_floor, noise_floors
from stabcore.analysis.pareto import DOMINATED, HALVES, front_shares
from stabcore.base.text import counted, join_tied
from stabcore.classifiers.catalog import describe_classifier
from stabcore.inference.predictions import default_score, guessing_score
from stabcore.measures.catalog import entry
from stabcore.plots.added_value import ABOUT_ADDED_VALUE, draw_added_value, finding_added_value, frame_added_value
from stabcore.plots.comparisons import draw_comparisons, finding_comparisons, frame_comparisons
from stabcore.plots.front_comparison import (
    describe_quantity,
    draw_changes,
    draw_studies,
    finding_changes,
    finding_studies,
    frame_changes,
    frame_studies,
    table_ranks,
)
from stabcore.plots.names import short_names
from stabcore.plots.noise_floor import describe_unknown_floor, format_compared_runs
from stabcore.plots.pareto import (
    BEYOND_COLUMNS,
    SCORE_NAMES,
    describe_above_random,
    describe_equal_accuracy,
    describe_needed_difference,
    describe_without_features,
    draw_fronts,
    draw_sizes,
    draw_space,
    finding_fronts,
    finding_sizes,
    finding_space,
    frame_fronts,
    frame_sizes,
    frame_space,
    is_no_better_than_guessing,
    points_with_beyond,
    table_chosen,
    table_equal_accuracy,
)
from stabcore.plots.pareto_points import describe_missing, describe_unnamed, floor_is_known
from stabcore.plots.weighted_choice import (
    describe_scores,
    describe_weight_ranges,
    draw_weight_ranges,
    draw_weighted_choice,
    finding_weighted_choice,
    frame_weight_ranges,
    frame_weighted_choice,
)
from stabcore.selectors.baseline import drop_baselines
from stabcore.study.run_scores import NUMERIC_SCORES
from stabcore.study.summary import settings_of_one_selector

SCORES = {
    "accuracy": "Accuracy",
    "balanced_accuracy": "Balanced accuracy",
    "auc": "Area under the ROC curve",
    "harrell": "Harrell's concordance",
    "uno": "Uno's concordance",
}
ABOUT_BARS = "Selectors along one grey bar do not differ clearly (above: in stability, right: in accuracy)."
NO_COMMON_BAR = "Two selectors without a common bar may still not differ clearly, if one between them does."
ABOUT_HOLLOW = (
    "Hollow: another selector is at least as good in both, and clearly better in one (p < 0.05 over the number of criteria){}. "
    "Pareto front, as measured: {}. No other selector is at least as good in both."
)
MAX_ON_FRONT = 8  # selectors on the front that are named
NO_BETTER = ", or not clearly better than a model without features"
INTERVALS = (
    "Horizontal lines: 95% interval of the stability beyond the noise floor, for other resamples and shuffles of these patients. "
    "It includes the uncertainty of the noise floor, so it is wider than on the screen Stability. Differences in stability are "
    "tested on paired runs (jackknife, Holm over all pairs), for other resamples of these patients. "
    "Intervals of the accuracy are under Numbers."
)
ABOUT_EQUALITY = "No clear difference does not mean that selectors are equal."
ABOUT_ROWS = (
    "Accuracy is the mean over the models of all runs, each on the held-out rows of its run. In other hospitals it can be lower."
)
ABOUT_SHARES = (
    f"The table under Numbers has the share of {HALVES} random halves of the runs in which each selector is on the front. It is no "
    "probability: of two to eight equal selectors, the best had a share of 84% to 98% on average."
)


@dataclass(frozen=True, eq=False, kw_only=True)
class ParetoView(View):
    """The table of the results, the chosen measure and score, and the known scores.

    The number of features is that of each run, because the accuracy was measured with it.
    """

    measure: str
    keys: list[str]  # measures in the table, the chosen one first
    measured: Any  # the result table
    table: Any  # the result table with the stability beyond the noise floor
    scores: dict[str, str]  # {score: name}
    score: str

    @property
    def score_label(self):
        """The name of the score."""
        return SCORES[self.score]

    def families(self):
        """{selector: family}: a line joins the settings of one selector."""
        return settings_of_one_selector(self.results)

    @property
    def threads(self):
        """The explanation of thin lines, "" without any."""
        return "Thin lines join settings of one selector." if self.families() else ""

    @property
    def sizes_differ(self):
        """Whether selectors select different numbers of features, so that size can be a criterion."""
        return self.table["mean_size"].round(6).nunique() > 1

    @property
    def guessing(self):
        """The selectors that predict better than a model without features. None without scores."""
        return cache.computed(self.results.beats_guessing, self.score) if self.scores else None

    def front(self):
        """Accuracy against stability of each selector, with clear differences, see stabcore.plots.pareto."""
        return frame_fronts(self.table, self.measure, self.score, self.pairs(self.measure), self.front_shares(), self.guessing)

    def front_shares(self):
        """The share of halves of the runs with each selector on the front, see stabcore.analysis.pareto."""
        floors = self.table[f"{self.measure}_floor"]
        return cache.computed(
            front_shares,
            self.results,
            self.measure,
            self.score,
            similarity=self.similarity_for(self.measure),
            floors=floors.to_dict() if floors.notna().any() else None,
        )

    def pairs(self, *measures, sizes=False):
        """{measure, score or "size": comparisons of all pairs of selectors}, for clear differences."""
        compared = {measure: self.stability_pairs(measure) for measure in measures}
        if self.table[self.score].notna().any():
            compared[self.score] = cache.computed(score_pairs, self.results, self.score)
        return compared | ({"size": cache.computed(size_pairs, self.results)} if sizes else {})


def ask_view(view) -> ParetoView:
    """Choose the measure of stability and the score."""
    left, right = st.columns(2)
    about, label = glossary.describe_term("measure"), "Choose stability measure"
    measure = controls.ask_measure(view.measures, session.PARETO_MEASURE, place=left, label=label, about=about)
    keys = list(dict.fromkeys([measure, "nogueira", "effective"]))
    if controls.chosen_cardinality(view.results) is not None:
        view.screen.add_limitations(
            "This screen uses the features that each run selected, because the accuracy was measured with these."
        )
    table = cache.computed(view.results.table, keys, similarity=view.similarity)
    scores = {key: label for key, label in SCORES.items() if key in table and table[key].notna().any()}
    with right:
        score = _ask_score(scores, default_score(view.results, table), bool(numeric_scores(table)))
    controls.show_score_notes(table)
    beyond = beyond_floor(table, {key: view.noise_floors(key) for key in keys})
    return view.extended(ParetoView, measure=measure, keys=keys, measured=table, table=beyond, scores=scores, score=score)


def numeric_scores(table):
    """The measured scores of a numeric outcome, which have no front."""
    return [score for score in NUMERIC_SCORES if score in table and table[score].notna().any()]


def _ask_score(scores, usual, numeric):
    """Choose a known score, by default the usual one, or show why there is none. numeric: whether those of a number are known."""
    score = usual or "accuracy"
    if len(scores) > 1:
        score = st.segmented_control(
            "Choose score on held-out rows",
            scores,
            format_func=scores.get,
            required=True,
            wrap=True,
            **session.bound(session.PARETO_SCORE, score, scores),
        )
    if not scores and numeric:
        st.info(
            "An outcome that is a number has no accuracy. So the front is that of stability and size. The table has its scores on "
            "held-out rows.",
            icon=":material/info:",
        )
    elif not scores:
        st.info("No accuracy is known. Uploaded selections and studies without a classifier have none.", icon=":material/info:")
        st.page_link("pages/study.py", label="Run a study", icon=":material/arrow_forward:")
    return score


def chosen_selectors(results):
    """The compared selectors that these results have."""
    return [label for label in st.session_state.get(session.PARETO_SELECTORS, []) if label in results.finished_selectors]


def selecting_callback(frame):
    """The effect of a marked point: one adds its selector to the comparison, several replace it. The last is the explored one."""

    def pick(rows):
        numbers = [row[0] if isinstance(row, list) else row for row in rows if row is not None]
        marked = list(dict.fromkeys(frame.loc[number, "selector"] for number in numbers if number in frame.index))
        if not marked:
            return
        others = [label for label in st.session_state.get(session.PARETO_SELECTORS, []) if label not in marked]
        st.session_state[session.PARETO_SELECTORS] = [*(others if len(marked) == 1 else []), *marked]
        st.session_state[session.SELECTOR] = marked[-1]

    return pick


def explain_missing(view, frame):
    """The selectors without a place in the figure."""
    if describe_missing(frame):
        view.screen.explain(text.plain(describe_missing(frame)))


def has_useless(frame):
    """Whether a selector is known to predict no better than a model without features."""
    return "better" in frame and frame["better"].eq(False).any()


def describe_hollow(frame, score):
    """The meaning of hollow points."""
    short = short_names(frame["selector"].tolist())
    front = join_tied([short[name] for name in frame.loc[frame["on_front"], "selector"]], MAX_ON_FRONT) or "none"
    return ABOUT_HOLLOW.format(NO_BETTER if has_useless(frame) else "", text.plain(front))


def describe_points(results, frame, known, has_lines):
    """What the places, lines, points and bars mean, of those in the figure."""
    classifier = results.settings.get("classifier")  # unknown of uploaded selections
    beyond, lines = ", beyond the noise floor" * known, " (lines: 95% intervals)" * has_lines
    parts = [f"Right: more stable {format_compared_runs(results)}{beyond}{lines}."]
    parts += [f"Up: more accurate ({describe_classifier(classifier) if classifier else 'held-out rows'})."]
    useless = has_useless(frame)
    if not known:
        parts += ["Hollow: not judged."]
    elif useless or (frame["standing"] == DOMINATED).any():
        parts += [f"Hollow: clearly dominated{NO_BETTER if useless else ''}."]
    parts += [ABOUT_BARS] if frame[["stability_ties", "accuracy_ties"]].ne("").any(axis=None) else []
    return " ".join(parts)


def show_front(view):
    """Accuracy against stability beyond the noise floor."""
    frame, always = view.front(), guessing_score(view.results, view.score)
    drawn = draw_fronts(
        frame, view.score, view.score_label, chosen=chosen_selectors(view.results), guessed=always, families=view.families()
    )
    finding, pick = finding_fronts(frame, view.score), selecting_callback(frame)
    figures.show_figure(drawn, finding, points_with_beyond(frame), "front", pick=pick, lasso=True, screen=view.screen)
    known, has_lines = floor_is_known(frame), bool(frame["stability_low"].notna().any())
    glossary.show_caption(describe_points(view.results, frame, known, has_lines))
    explain_missing(view, frame)
    if known:
        view.screen.explain(describe_hollow(frame, view.score), NO_COMMON_BAR, INTERVALS if has_lines else "")
        view.screen.explain(
            describe_needed_difference(frame, view.score),
            describe_without_features(always, view.score),
            text.plain(describe_above_random(frame)),
        )
        view.screen.add_limitations(ABOUT_EQUALITY, ABOUT_ROWS)
    else:
        view.screen.add_limitations(text.plain(describe_unknown_floor(view.results)))
    view.screen.explain(view.threads, describe_unnamed(len(frame)), ABOUT_SHARES if frame["share"].notna().any() else "")


def show_weighted_choice(view):
    """The weight of accuracy against stability, the selector that it chooses, and the range of this choice."""
    gamma = st.slider(
        "Set weight γ of accuracy",
        step=0.01,
        help=glossary.describe_term("gamma"),
        **session.bound_range(session.PARETO_GAMMA, 0.0, 1.0, 0.5),
    )
    frame = frame_weighted_choice(view.table, view.measure, view.score, gamma, view.pairs(view.measure), view.guessing)
    figures.show_figure(
        draw_weighted_choice(frame, view.score, view.score_label, view.families()),
        finding_weighted_choice(frame, gamma, view.score),
        points_with_beyond(frame).rename(columns={"level": "Not distinguishable from the choice"}),
        "trade-off",
        pick=selecting_callback(frame),
        screen=view.screen,
    )
    if floor_is_known(frame) and not is_no_better_than_guessing(frame):
        reach = frame_weight_ranges(frame)
        if len(reach):
            figures.show_figure(
                draw_weight_ranges(reach, gamma), "For which γ each selector would be chosen", reach, "weight-ranges"
            )
        view.screen.explain(*map(text.plain, [describe_scores(frame), *describe_weight_ranges(frame)]))
    explain_missing(view, frame)
    view.screen.explain(
        "The choice maximises γ · accuracy + (1 − γ) · stability. Only selectors on the dashed line can be chosen.",
        "Stability counts from the noise floor, where that was measured. Ring: the choice.",
        describe_unnamed(len(drop_baselines(frame))),
        view.threads,
    )


def show_changes(view):
    """The change of the front from another measure to effective stability."""
    before = "nogueira" if entry(view.measure).uses_similar_overlaps else view.measure
    frame = frame_changes(view.table, before, "effective", view.score, view.pairs(before, "effective"))
    ends = [f"{part}_{end}" for part in ("before", "after") for end in ("low", "high")]
    numbers = frame.drop(columns=[*ends, "floor"]).round(3)
    columns = {
        "before": glossary.measure_label(before),
        "after": glossary.measure_label("effective"),
        "on_front_before": "On the first front",
        "on_front_after": "On the effective front",
        "standing_before": "Standing on the first front",
        "standing_after": "Standing on the effective front",
    }
    figures.show_figure(
        draw_changes(frame, before, "effective"),
        finding_changes(frame, before, "effective"),
        numbers.rename(columns=columns),
        "changes",
        pick=selecting_callback(frame),
        screen=view.screen,
    )
    view.screen.explain(
        "Hollow: the first measure. Filled: effective stability. Each counts from its own noise floor, where that was measured.",
        "In brackets: the selector enters or leaves the front. A question mark means that this may be chance.",
    )
    view.screen.add_limitations("The two noise floors differ. Compare selectors, not the two points of one selector.")


def show_sizes(view):
    """The number of features as a third criterion."""
    pairs = view.pairs(view.measure, sizes=True)
    frame = frame_space(view.table, view.measure, view.score, pairs)
    has_accuracy = frame["accuracy"].notna().any()
    chosen = chosen_selectors(view.results)
    if has_accuracy:
        margin = st.slider("Accept this loss of accuracy", step=0.01, **session.bound_range(session.PARETO_MARGIN, 0.0, 0.5, 0.05))
        few = frame_sizes(view.table, view.measure, view.score, margin, pairs)
        figures.show_figure(
            draw_sizes(few, chosen, view.families()),
            finding_sizes(few, margin, len(drop_baselines(frame))),
            points_with_beyond(few),
            "sizes",
            pick=selecting_callback(few),
            lasso=True,
            screen=view.screen,
        )
    axes = [("size", "stability"), ("size", "accuracy")] if has_accuracy else [("size", "stability")]
    for place, pair in zip(st.columns(len(axes)), axes):
        with place:
            figures.show_figure(
                draw_space(frame, pair, chosen, view.families()),
                finding_space(frame),
                points_with_beyond(frame),
                f"space-{pair[1]}",
                pick=selecting_callback(frame),
                lasso=True,
            )
    explain_missing(view, frame)
    shown = frame[["selector", "size", "stability", "accuracy", *["standing"] * floor_is_known(frame)]]
    shown = shown if has_accuracy else shown.drop(columns="accuracy").join(view.table[numeric_scores(view.table)], on="selector")
    shown = shown.rename(columns=BEYOND_COLUMNS) if floor_is_known(frame) else shown
    figures.show_dataframe(shown.round(3), alt="Size, stability and accuracy of each selector")
    view.screen.explain(describe_hollow(frame, view.score) if floor_is_known(frame) else "", view.threads)
    if not floor_is_known(frame):
        view.screen.add_limitations(text.plain(describe_unknown_floor(view.results)))


def show_added_value(view):
    """The added value of the selected features over the columns that are always in the model."""
    frame = frame_added_value(cache.computed(view.results.added_value, view.score if view.scores else None), view.results.given)
    if frame.empty:
        st.info("This analysis needs predictions. Only a study with a classifier keeps them.", icon=":material/info:")
        return
    figures.show_figure(draw_added_value(frame), finding_added_value(frame), frame, "added", screen=view.screen)
    view.screen.explain(ABOUT_ADDED_VALUE)


def show_accuracy_differences(view):
    """All pairs of selectors by accuracy, and the groups that are not distinguishable. Among them stability decides."""
    pairs, score = cache.computed(score_pairs, view.results, view.score), SCORE_NAMES[view.score]
    differences = frame_comparisons(pairs)
    figures.show_figure(
        draw_comparisons(differences, score),
        finding_comparisons(differences, score),
        differences,
        "predictions",
        max_height=figures.MAX_PAIRS_HEIGHT,
        screen=view.screen,
    )
    frame = table_equal_accuracy(view.front(), pairs, view.stability_pairs(view.measure))
    if frame.empty:
        return
    st.markdown("**Selectors tied in accuracy**")
    text.show_bullets(describe_equal_accuracy(rows) for _, rows in frame.groupby("group"))
    figures.show_dataframe(points_with_beyond(frame).round(3), alt="Sets of selectors whose accuracies are not distinguishable")
    view.screen.explain(
        "Differences are paired by run. Intervals and p-values refer to new patients (paired t-test of scores).",
        "p (Holm) is corrected for all pairs. Each interval is for one difference.",
        "Study and Accuracy test selectors against random ranking alone, so p is smaller there.",
        "The groups are those under the bars of the figure on Accuracy.",
    )
    view.screen.add_limitations(
        "A selector can be in several ties, because two neighbours of one selector may differ.", ABOUT_EQUALITY
    )


def show_chosen(view):
    """The marked selectors side by side, with a link to the map of the last one."""
    front = view.front()
    picked = st.multiselect(
        "Choose selectors",
        view.results.finished_selectors,
        placeholder="All on the Pareto front",
        **session.bound(session.PARETO_SELECTORS, [], view.results.finished_selectors),
    ) or list(front.loc[front["on_front"], "selector"])
    if not picked:
        return
    side_by_side = table_chosen(view.measured, view.keys, front, picked)
    figures.show_dataframe(
        side_by_side.assign(runs=controls.format_run_counts(view.results, picked)), alt="The chosen selectors side by side"
    )
    figures.show_folded_table(lambda: view.measured.loc[picked].reset_index(), "chosen", "All their numbers")
    label = st.session_state.get(session.SELECTOR)
    if label not in picked:
        label = picked[-1]
        st.session_state[session.SELECTOR] = label
    st.page_link("pages/maps.py", label=f"Map of {text.plain(label)}", icon=":material/grid_on:")


def show_studies(view):
    """All studies in one figure, and the mean rank of each selector."""
    project = session.project()
    _ask_studies(project)
    name_here, absent = project.settings.get("name") or "these results", []
    tables, families = {name_here: view.table}, {name_here: view.families()}
    for overlaid in other_studies.compared_studies(project):
        label, table, settings = _table_of(project, overlaid, view)
        while label in tables:
            label += " (again)"
        tables[label], families[label] = table, settings
        if view.measure not in table:
            absent.append(label)
            tables[label] = table.assign(**{view.measure + part: float("nan") for part in ("", "_low", "_high")})
    if absent:
        view.screen.add_limitations(
            text.plain(
                f"{entry(view.measure).label} is missing for {', '.join(absent)}, because the similarity of its features is not "
                "known. Define similarity by correlation, or choose Nogueira."
            )
        )
    for name, table in list(tables.items())[1:]:
        controls.show_score_notes(table, f"{name}: ")
    if len(tables) < 2:
        st.info("Choose at least one other study, or add one.", icon=":material/info:")
        return
    frame = frame_studies(tables, view.measure, view.score)
    if frame["dominated_by"].isna().all():
        st.info(finding_studies(frame), icon=":material/info:")
        return
    figures.show_figure(draw_studies(frame), finding_studies(frame), frame, "studies", screen=view.screen)
    view.screen.explain(text.plain(describe_quantity(frame)))
    show_ranks(table_ranks(frame))
    view.screen.explain(
        "One symbol per study, filled where the selector is on its front. The bar is the mean.",
        "Selectors compete within a study. Selectors with one name count as the same.",
        "Similarity follows the same rule in every study, on its own table." if entry(view.measure).needs_similarity else "",
    )
    show_each_study(tables, view, families)


def show_ranks(ranks):
    """The mean rank of each selector over the studies, as numbers and a file."""
    st.markdown("**Mean rank over the studies, by the number of selectors that dominate**")
    figures.show_dataframe(
        ranks.round(2),
        alt="Averaged ranks",
        column_config={
            "rank": st.column_config.NumberColumn("Rank", help="1: never dominated"),
            "dominated_by": "Dominated by (others)",
            "on_front": "On the front of (studies)",
            "counted": "Studies",
            "missing": "Studies without it",
            "p_holm": st.column_config.NumberColumn("p (Holm)", help="Test that it is dominated as often as the best selector"),
        },
    )
    figures.show_folded_table(lambda: ranks, "averaged-ranks", f"These ranks ({counted(len(ranks), 'row')})")


def show_each_study(tables, view, families):
    """Accuracy against stability in each study, on request."""
    if not st.toggle("Show accuracy against stability in each study", **session.bound(session.PARETO_EACH, False)):
        return
    places = st.columns(2)
    for number, (name, table) in enumerate(tables.items()):
        frame = frame_fronts(table, view.measure, view.score)
        if frame["dominated_by"].notna().any():
            with places[number % 2]:
                st.markdown(f"**{text.plain(name)}**")
                drawn = draw_fronts(frame, view.score, view.score_label, families=families[name])
                figures.show_figure(
                    drawn, f"{name}: the front as measured", frame, f"each-{number}", subject=name, with_finding=False
                )


def _ask_studies(project):
    """Choose among bundled and added studies, or add one."""
    offered = [*other_studies.bundled_studies(project), *other_studies.added_studies(project)]
    laid_over = other_studies.compared_studies(project)
    st.session_state[session.COMPARED_CHOICE] = [offered.index(study) for study in laid_over if study in offered]
    st.multiselect(
        "Choose other studies",
        range(len(offered)),
        key=session.COMPARED_CHOICE,
        on_change=_set_studies,
        args=(offered,),
        format_func=lambda number: offered[number]["name"],
        placeholder="Bundled or added studies",
    )
    if other_studies.ask_study_file(project, "compare", "Removing it from the list above deletes it."):
        st.rerun()


@session.if_project_exists
def _set_studies(offered):
    """Keep the chosen studies. An added study that is removed is deleted."""
    project, chosen_numbers = session.project(), st.session_state[session.COMPARED_CHOICE]
    for number, study in enumerate(offered):
        if "file" in study and number not in chosen_numbers and project.read_only_since is None:
            (project.folder / study["file"]).unlink(missing_ok=True)
    project_choices.save(compared=[offered[number] for number in chosen_numbers])


def _table_of(project, overlaid, view):
    """(name, result table with the stability beyond the noise floor, settings of one selector) of another study.

    It has the same measures, without those that are unknown for its features.
    """
    study = cache.compared_results(other_studies.open_study(project, overlaid))
    same = study.features == view.results.features
    similarity = view.similarity if same else other_studies.similarity_of(overlaid, view.scenario)
    keys = [key for key in view.keys if similarity is not None or not entry(key).needs_similarity]

    return overlaid["name"], cache.computed(_beyond_floor, study, keys, similarity), settings_of_one_selector(study)


def _beyond_floor(study, keys, similarity):
    by_measure = {key: noise_floors(study, key, similarity if entry(key).needs_similarity else None) for key in keys}
    return beyond_floor(study.table(keys, similarity=similarity), by_measure)
