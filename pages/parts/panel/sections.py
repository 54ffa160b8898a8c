"""The sections of Panel: the panel, its choices, paths, selectors together, direction and size, patients."""

from functools import partial

import streamlit as st

from pages.parts import cache, feature_profile, figures, glossary, pictures, project_choices, session, text
from pages.parts.panel.replication import show_replication
from pages.parts.panel.risks import show_risks
from pages.parts.panel.subgroups import show_subgroups
from pages.parts.panel.view import ALL_SELECTORS
from pages.parts.panel.worth import show_clinical_worth
from stabcore.analysis.consensus import consensus, identical_sets, shared_panels
from stabcore.analysis.effects import NO_HALVES, split_effects
from stabcore.analysis.noise_floors import floor_frequencies
from stabcore.analysis.panel import false_selection_bounds, joint_false_selections, no_bound_reason, stability_paths, threshold_grid
from stabcore.analysis.rank_intervals import rank_intervals
from stabcore.analysis.runs_asked import chosen_selectors
from stabcore.analysis.substitutes import substitutes
from stabcore.base.errors import InputError
from stabcore.base.target import NUMBER, has_classes, kind_of_target
from stabcore.base.text import counted, listed
from stabcore.data.spreadsheets import csv_bytes, xlsx_bytes
from stabcore.plots.effects import (
    ABOUT_OTHER_HALF,
    ABOUT_RANK_INTERVALS,
    NO_TABLE_NO_RANKS,
    describe_adjustment,
    describe_repeated_rows,
    describe_selection_bias,
    draw_directions,
    draw_other_half,
    draw_rank_intervals,
    finding_directions,
    finding_other_half,
    finding_rank_intervals,
    frame_directions,
    frame_other_half,
    frame_rank_intervals,
)
from stabcore.plots.learning_curves import draw_learning_curve, finding_learning_curve, frame_learning_curve
from stabcore.plots.panel import (
    ABOUT_BOUND,
    ABOUT_GRID_SHUFFLES,
    ABOUT_PATHS,
    caption_panel,
    describe_effects,
    describe_false_features,
    describe_marks,
    describe_not_fixed,
    describe_same_sets,
    describe_similar_outside,
    draw_panel,
    draw_paths,
    draw_shared,
    draw_threshold_grid,
    finding_by_rule,
    finding_paths,
    finding_shared,
    finding_threshold_grid,
    frame_panel,
    frame_paths,
    frame_shared,
    frame_threshold_grid,
)
from stabcore.plots.replication import draw_centres, finding_centres, frame_centres
from stabcore.plots.substitutes import ABOUT_SUBSTITUTES, draw_substitutes, finding_substitutes, frame_substitutes
from stabcore.study.progress import shuffle_run_counts

CENTRES = figures.number_columns(
    *("%.2f", "auc", "auc_low", "auc_high"),
    **{"accuracy": "Predicted right", "accuracy_low": "From", "accuracy_high": "To", "largest": "Most frequent class"},
)
REQUIRED_PLANS = {"growth": "learning_curve", "centres": "leave_one_site_out"}  # sections that need one plan
BASIS_TITLES = {
    "paths": "ranking at many numbers of features",
    "bound": "bound of Shah and Samworth",
    "shuffled": "outcome shuffled",
    "": "",
}
COLOUR_TITLES = {"panel_size": "Number of features in the panel", "false": "Expected false selections"}
USUAL_THRESHOLDS = "With one selector, thresholds from 60% to 90% are usual. A higher one gives fewer features."
UNKNOWN_BOUND = "The permutation control of a study counts how many features pass without signal."
ABOUT_LOOKING = "A bound on false selections holds only for a choice made before looking. Use this figure to plan the next study."
PATHS = "Blue: {}. Grey: other features. Dotted: the threshold, and the number of features per run."
N_RANKED = 20  # number of features with rank intervals. Fewer features have narrower intervals
FIRST_COLUMNS = 5  # columns of a panel before direction and size
COLUMNS = {
    **figures.number_columns(
        "percent",
        frequency="Selected in",
        line="Highest of the shuffles",
        about={
            "frequency": "Share of the runs, mean over the selectors",
            "low": "Lower end of the 95% interval",
            "high": "Upper end of the 95% interval",
            "any_related": "Share of the runs with it or any similar feature",
            "shuffled": "Selection frequency of the same feature, mean over shuffles",
            "line": "Highest selection frequency of any feature in any shuffle",
        },
    ),
    **figures.number_columns(
        "%.2f",
        about={
            "expected_false": "At most, among all features with at least this stability",
            "q_value": "Expected share of false features among these",
        },
    ),
    "approval": st.column_config.NumberColumn("Selectors", help="In how many selectors it passes the threshold"),
    "selectors": "Of",
    "clear": st.column_config.CheckboxColumn(
        "Above the shuffles", help="Its whole interval lies above the highest of the shuffles"
    ),
}
EFFECTS = {
    **figures.number_columns(
        "%.2f",
        *("adjusted", "adjusted_low", "adjusted_high", "shrunken_low", "shrunken_high", "chosen_effect"),
        *("low", "high", "auc", "auc_low", "auc_high"),
        about={
            "effect": "As measured in this table. Effects of selected features are overestimated.",
            "shrunken": "Expected in new patients, by empirical Bayes over all features",
        },
    ),
    **figures.number_columns("%.3g", "median", "median_low", "median_high"),
}


def show_growth(view):
    """The agreement of disjoint groups of patients by their size."""
    table = cache.computed(view.results.growth, k=view.k)
    frame = frame_learning_curve(table, view.selector)
    figures.show_figure(draw_learning_curve(frame), finding_learning_curve(frame), frame, "growth", screen=view.screen)
    view.screen.explain(
        "Groups of one pair share no patient. The intervals are for other divisions of the same patients.",
        "The curve cannot be continued beyond this table.",
    )


def show_centres(view):
    """The accuracy in each centre of models of all others."""
    try:
        table = cache.computed(view.results.centres)
    except InputError as error:
        st.info(text.plain(error), icon=":material/info:")
        return
    frame = frame_centres(table, view.selector)
    figures.show_figure(draw_centres(frame), finding_centres(frame), frame, "centres", screen=view.screen)
    figures.show_dataframe(frame.drop(columns="selector"), alt="Accuracy in each centre", column_config=CENTRES)
    view.screen.explain(
        "Selection and classifier learn from all other centres. The 95% intervals treat patients of a centre as independent.",
        "With few centres, this says little about other centres.",
    )


def show_save_buttons(view, table):
    """Save the panel, download it, copy its names, and the saved panels."""
    panel, panels = table[table["in_panel"]], project_choices.panels()
    with st.container(horizontal=True):
        if not panel.empty:
            _show_save_button(view, panel)
            _show_download_button(view, panel)
        if panels:
            with st.popover(f"Saved panels ({len(panels)})", icon=":material/bookmarks:"):
                for number, (name, about) in enumerate(panels.items(), 1):
                    _show_saved_panel(number, name, about)


def _show_save_button(view, panel):
    """Save the panel with this project under a name."""
    with st.popover("Save panel", icon=":material/bookmark_add:"), st.form("take-panel", clear_on_submit=True, border=False):
        name = st.text_input("Name of the panel", placeholder="for example: first draft", max_chars=project_choices.MAX_NAME_LENGTH)
        if st.form_submit_button("Save panel"):
            about = {
                "features": panel["feature"].tolist(),
                "threshold": view.threshold,
                "rule": view.rule.description(),
                "k": view.k,
                "selector": "all selectors together" if view.selector == ALL_SELECTORS else view.selector,
            }
            _try_change(project_choices.add_panel, name, about)


def _show_download_button(view, panel):
    """The panel as files, and its names to copy."""
    box = st.popover("Download panel", icon=":material/download:", key="panel-names", on_change="rerun")
    if not box.open:  # the code view that shows names needs 1.6 MB of scripts
        return
    name = pictures.file_name("panel-picture", view.selector)
    with box:
        figures.show_file_button("Download as CSV", lambda: csv_bytes(glossary.file_frame(panel)), f"{name}.csv", "panel-csv")
        excel = f"{name}.xlsx"
        figures.show_file_button(
            "Download for Excel", lambda: xlsx_bytes({"Panel": glossary.file_frame(panel)}), excel, "panel-xlsx"
        )
        st.caption("Copy the names:")
        st.code("\n".join(panel["feature"]), language=None)


def _show_saved_panel(number, name, about):
    """One saved panel: its features to copy, rename, and delete."""
    rule = about.get("rule") or f"at least {about['threshold']:.0%} of the runs"
    with st.expander(
        text.plain(f"{name}: {counted(len(about['features']), 'feature')} of {about['selector']}, {rule}{_format_k(about)}"),
        key=f"panel-kept-{number}",
    ):
        st.code("\n".join(about["features"]), language=None)
        with st.form(f"rename-panel-{number}", border=False):
            new = st.text_input(
                "Name of the panel", name, max_chars=project_choices.MAX_NAME_LENGTH, key=f"panel-name-{number}-{name}"
            )
            if st.form_submit_button("Rename", icon=":material/edit:", key=f"panel-rename-{number}"):
                _try_change(project_choices.rename_panel, name, new)
        st.button(
            "Remove",
            key=f"panel-remove-{number}",
            icon=":material/delete:",
            help="Undo restores it.",
            on_click=project_choices.remove_panel,
            args=(name,),
        )


def _format_k(about):
    return f", {counted(about['k'], 'feature')} per run" if about.get("k") else ""


def _try_change(change, *arguments):
    """Run the action and draw the page again, or show the error."""
    try:
        change(*arguments)
    except InputError as error:
        st.warning(text.plain(error), icon=":material/warning:")
    else:
        st.rerun()


def show_panel(view):
    """The panel: figure, expected false features, save and download."""
    table, luckiest = view.panel(), cache.computed(floor_frequencies, view.results, view.selectors, view.k)[1]
    false = cache.computed(joint_false_selections, view.results, view.selectors, view.rule, view.k)
    frame = frame_panel(table, view.rule.threshold, view.highlighted, view.effects(), luckiest)

    def pick(places):
        feature_profile.open_or_highlight([table["feature"][place] for place in dict.fromkeys(places) if place is not None])

    finding = finding_by_rule(table, view.rule, false, view.results.given)
    view.screen.numbers = partial(_show_numbers, view, table)
    figures.show_row_figure(
        partial(draw_panel, frame), finding, table, "panel-picture", pick=pick, subject=view.selector, screen=view.screen
    )
    feature_profile.show_opened_profile(view)
    size = "" if view.k is None else f"{counted(view.k, 'feature')} per run."
    glossary.show_caption(*map(text.plain, (caption_panel(frame), describe_similar_outside(table, view.similarity), size)))
    show_save_buttons(view, table)
    view.screen.explain(
        *describe_marks(frame, *shuffle_run_counts(view.results)),
        text.plain(describe_effects(frame)),
        "" if view.rule.is_target else USUAL_THRESHOLDS,
        "Click a feature to open it. Draw around several to highlight them.",
    )
    if view.rule.is_target:
        view.screen.explain(*ABOUT_PATHS)
        view.screen.add_limitations(*filter(None, [describe_not_fixed(view.rule, view.results)]))
    elif false["pfer_bound"] == false["pfer_bound"]:
        view.screen.explain(text.plain(describe_false_features(false, frame["selectors"].max() > 1)))
        view.screen.add_limitations(ABOUT_BOUND if false["basis"] != "shuffled" else ABOUT_GRID_SHUFFLES)
    else:
        view.screen.add_limitations(
            text.plain(f"{false['reason'] or no_bound_reason(view.results, view.threshold)} {UNKNOWN_BOUND}")
        )
    _warn_of_blanks(view, table)


def _show_numbers(view, table):
    """All selected features, and the bounds on false selections of each selector."""
    table = _with_missingness(view, _with_directions(view, table))
    figures.show_dataframe(
        table.dropna(axis="columns", how="all"),
        column_config=EFFECTS | COLUMNS | _rank_column(view),
        alt="All selected features: frequency, interval, selectors",
    )
    figures.show_csv_button(table, "panel-picture", view.selector)
    every = cache.computed(false_selection_bounds, view.results, view.threshold, view.k)
    if every["pfer_bound"].notna().any():
        st.markdown("**Expected false selections of each selector**")
        figures.show_dataframe(
            every.assign(basis=every["basis"].map(BASIS_TITLES))[["selector", "panel_size", "pfer_bound", "basis"]].round(2),
            alt="Expected false selections in the panel of each selector",
            column_config={"pfer_bound": "Expected false selections", "basis": "From"},
        )
        figures.show_folded_table(lambda: every, "bounds", "All bounds on false selections")


def _rank_column(view):
    """The column of ranks, with the number of ranked features."""
    about = f"1 is the best of {len(view.results.features):,} features"
    return {"rank": st.column_config.NumberColumn("Median rank", help=about, format="%.1f")}


def _missingness(view):
    """{feature: sentence} of features with blank cells that differ by outcome."""
    data = view.effect_data()
    return {} if data is None else data.missingness


def _warn_of_blanks(view, table):
    """Warn of features in the panel that may be selected for their blank cells."""
    if affected := [name for name in table.loc[table["in_panel"], "feature"] if name in _missingness(view)]:
        view.screen.add_limitations(
            text.plain(f"Blank cells of {listed(affected)} differ by outcome. The selection may reflect missingness, not values.")
        )


def _with_missingness(view, table):
    """The panel, with a column on blank cells that differ by outcome, if there are any."""
    missingness = _missingness(view)
    if set(table["feature"]).isdisjoint(missingness):
        return table
    return table.assign(missingness=table["feature"].map(missingness).fillna(""))


def _with_directions(view, table):
    """The panel with direction and size of each effect, measured and shrunken, if the table is available."""
    effects = view.effects()
    if effects is None:
        return table
    ways = ["direction", "effect", "shrunken", "shrunken_low", "shrunken_high"]  # more than two classes have no direction
    ways = [column for column in ways if (effects[column] != "").any() and effects[column].notna().any()]
    both = table.merge(effects[["feature", *ways]], on="feature", how="left")
    return both[[*table.columns[:FIRST_COLUMNS], *ways, *table.columns[FIRST_COLUMNS:]]]


def show_threshold_grid(view):
    """All numbers of features and thresholds at once."""
    with st.spinner("Counting at every number of features …"):
        table = cache.computed(threshold_grid, view.results, view.selectors)
    keys = ["panel_size", *(["false"] if table["false"].notna().any() else [])]
    box = session.bound(session.PANEL_COLOURS, "panel_size", keys)
    colours = st.selectbox("Choose colours", keys, format_func=COLOUR_TITLES.__getitem__, **box)
    drawn = draw_threshold_grid(frame_threshold_grid(table), view.size, view.threshold, colours)
    finding = finding_threshold_grid(table, view.size, view.threshold)
    shown = table.drop(columns="score").dropna(axis="columns", how="all")
    figures.show_figure(drawn, finding, shown, "choices", subject=view.selector, screen=view.screen)
    view.screen.explain("The cross marks the panel.")
    view.screen.add_limitations(ABOUT_LOOKING)


def show_paths(view):
    """The selection frequency of each feature by the number of features per run."""
    members = view.panel().query("in_panel")["feature"].tolist()
    table = cache.computed(stability_paths, view.results, view.selectors, always=members)
    frame = frame_paths(table, view.threshold, view.size, view.highlighted)
    drawn, shown = draw_paths(frame, view.threshold, view.size), frame.drop(columns="text")
    figures.show_figure(
        drawn, finding_paths(frame, view.threshold), shown, "panel-paths", subject=view.selector, screen=view.screen
    )
    glossary.show_caption(PATHS.format("highlighted" if view.highlighted else "in the panel"))


def show_overlap(view):
    """The features that all panels share, the consensus order, and the frequency of identical selections."""
    labels = chosen_selectors(view.results)
    grouped = st.toggle("Count each group as one", **session.bound(session.PANEL_GROUPED, False))
    table = cache.computed(shared_panels, view.results, view.threshold, view.k, view.similarity if grouped else None)
    frame, finding = frame_shared(table, labels), finding_shared(table, len(labels))
    figures.show_figure(draw_shared(frame, labels), finding, frame.drop(columns="place"), "panel-shared", screen=view.screen)
    st.header("Consensus of the selectors", divider="gray")
    order = cache.computed(consensus, view.results, view.threshold, view.k)
    view.screen.explain(
        "Borda: mean rank over selectors and runs, from 0 (always last) to 1 (always first), with an interval over runs.",
        "The last columns count the selectors in which a feature passes the threshold.",
    )
    columns = figures.number_columns("%.3f", "borda", "borda_low", "borda_high")
    figures.show_dataframe(order.head(figures.MAX_SHOWN), alt="Features by the consensus of the selectors", column_config=columns)
    st.header("Identical selections", divider="gray")
    same = identical_sets(view.results, view.k)
    glossary.show_sentence(describe_same_sets(same))
    figures.show_dataframe(same, alt="Different sets among the runs of each selector")


def show_rank_intervals(view):
    """Rank intervals of the effects of the most frequent features."""
    data = view.effect_data()
    names = [name for name in view.panel()["feature"].head(N_RANKED) if data is not None and name in data.features]
    table = None if data is None else cache.computed(rank_intervals, data, names)
    if table is None or table.empty:
        st.info(NO_TABLE_NO_RANKS, icon=":material/info:")
        return
    frame = frame_rank_intervals(table, view.highlighted)
    figures.show_figure(
        draw_rank_intervals(frame),
        finding_rank_intervals(table),
        table,
        "rank-intervals",
        subject=view.selector,
        screen=view.screen,
    )
    view.screen.explain(
        f"{ABOUT_RANK_INTERVALS} The ranks are among the {counted(len(table), 'feature')} shown, which are selected most often."
    )


def show_substitutes(view):
    """Features that are selected instead of each other."""
    table = cache.computed(substitutes, view.results, view.k, view.similarity, view.selectors)
    frame = frame_substitutes(table, view.highlighted)
    if table.empty:
        glossary.show_sentence(finding_substitutes(table))
    else:
        figures.show_figure(
            draw_substitutes(frame), finding_substitutes(table), table, "substitutes", subject=view.selector, screen=view.screen
        )
    view.screen.explain(text.plain(ABOUT_SUBSTITUTES))


def show_directions(view):
    """Direction and size of effects, measured and shrunken, and on the half of the patients that did not select."""
    table = view.effects()
    if table is None:
        st.info(
            "Direction and size need the table of the study. Uploaded selections alone do not hold them.", icon=":material/info:"
        )
        return
    frame = frame_directions(view.panel(), table)
    view.screen.numbers = partial(_show_effects, view, table)
    figures.show_figure(
        draw_directions(frame), finding_directions(frame), table, "directions", subject=view.selector, screen=view.screen
    )
    view.screen.add_limitations(text.plain(describe_adjustment(view.results.given)))
    view.screen.explain(" ".join(filter(None, (describe_selection_bias(table), describe_repeated_rows(view.effect_data())))))
    view.screen.explain("Filled symbols: in the panel. For a category the figure shows the level that differs most.")
    _show_other_half(view)


def _show_effects(view, table):
    """The effects of all features of the panel's table."""
    of_panel = view.panel()[["feature", "in_panel", "frequency"]]
    by_feature = of_panel.merge(table.replace({"level": {"": None}}), on="feature", how="left").drop(columns="measure")
    shown = by_feature.dropna(axis="columns", how="all")
    figures.show_dataframe(shown, column_config={**COLUMNS, **EFFECTS}, alt="Direction and size of each feature")
    figures.show_csv_button(by_feature, "directions", view.selector)


def _show_other_half(view):
    """Effects on one half of the patients of the features selected on the other half, on request."""
    st.header("Effects on the other half", divider="gray")
    if not view.results.has_halves:
        view.screen.explain(NO_HALVES)
        return
    if not st.toggle("Select on one half and estimate on the other", **session.bound(session.PANEL_OTHER_HALF, False)):
        return
    try:
        data, label = view.study_data(), view.selectors[0]
        table = None if data is None else cache.computed(split_effects, data, view.results, label, view.k)
    except InputError as error:
        st.info(text.plain(error), icon=":material/info:")
        return
    if table is None:
        view.screen.explain("Effects on the other half need the table of the study.")
        return
    frame = frame_other_half(table)
    figures.show_figure(draw_other_half(frame), finding_other_half(frame), table, "other-half", subject=view.selectors[0])
    shown = table.drop(columns="measure").replace({"level": {"": None}}).dropna(axis="columns", how="all")
    figures.show_dataframe(shown, column_config={**COLUMNS, **EFFECTS}, alt="Effects on the half that did not select")
    view.screen.explain(f"{ABOUT_OTHER_HALF} {text.plain(view.selectors[0])} selects, in the first pair of halves of the study.")


def allowed_analyses(results) -> dict:
    """{name: (title, function that draws)} of the analyses that these results allow."""
    ranked = all(results.can_rank(label) for label in results.finished_selectors)
    kind = getattr(results.plan, "kind", "")
    offered = {
        "choices": ("Number and threshold", show_threshold_grid),
        "paths": ("Stability paths", show_paths),
        "overlap": ("Selector overlap", show_overlap),
        "direction": ("Direction and size", show_directions),
        "rank_intervals": ("Rank intervals", show_rank_intervals),
        "substitutes": ("Substitutes", show_substitutes),
        "growth": ("Number of patients", show_growth),
        "centres": ("Centres", show_centres),
        "subgroups": ("Subgroups", show_subgroups),
        "replicate": ("Replication", show_replication),
        "clinical": ("Clinical worth", show_clinical_worth),
        "risk": ("Individual risk", show_risks),
    }
    if results.plan is not None and not has_classes(results.target):
        del offered["clinical"]
        if kind_of_target(results.target) == NUMBER:
            del offered["risk"]
    offered = {name: analysis for name, analysis in offered.items() if REQUIRED_PLANS.get(name, kind) == kind}
    return {name: analysis for name, analysis in offered.items() if ranked or name not in ("choices", "paths")}


GROUPS = {
    "How to choose": ("choices", "paths", "overlap"),
    "What it means": ("direction", "rank_intervals", "substitutes", "clinical"),
    "Will it hold?": ("growth", "centres", "subgroups", "replicate", "risk"),
}
