"""The sections of Panel: who stays, which choice parts best, paths, selectors together, direction and size, patients."""

import streamlit as st

from pages.parts import cache, figures, highlights, pictures, session, text, words, work_choices
from pages.parts.panel.replication import replicate
from pages.parts.panel.risks import risks
from pages.parts.panel.view import TOGETHER, of_ready
from stabcore.analysis.consensus import consensus, same_sets, shared_panels
from stabcore.analysis.effects import NO_HALVES, split_effects
from stabcore.analysis.noise_floors import panel_floor
from stabcore.analysis.panel import false_selection_bounds, false_together, no_bound, stability_paths, threshold_grid
from stabcore.analysis.rank_intervals import rank_intervals
from stabcore.analysis.runs_asked import chosen_selectors
from stabcore.analysis.substitutes import substitutes
from stabcore.base.errors import InputError
from stabcore.base.text import listed, several
from stabcore.data.spreadsheets import csv_bytes, xlsx_bytes
from stabcore.plots.effects import (
    NO_TABLE,
    OTHER_HALF,
    RANK_INTERVALS,
    describe_chosen,
    describe_repeated_rows,
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
    BOUNDED,
    describe_false_features,
    describe_marks,
    describe_same_sets,
    draw_panel,
    draw_paths,
    draw_shared,
    draw_threshold_grid,
    finding_panel,
    finding_paths,
    finding_shared,
    finding_threshold_grid,
    frame_panel,
    frame_paths,
    frame_shared,
    frame_threshold_grid,
)
from stabcore.plots.replication import draw_centres, finding_centres, frame_centres
from stabcore.plots.substitutes import SUBSTITUTES, draw_substitutes, finding_substitutes, frame_substitutes

CENTRES = {
    "accuracy": "Predicted right",
    "accuracy_low": "From",
    "accuracy_high": "To",
    "auc": "AUC",
    "auc_low": "AUC from",
    "auc_high": "AUC to",
    "largest": "Most frequent class",
}
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PLAN_OF = {"growth": "learning_curve", "centres": "leave_one_site_out"}  # sections that only one plan allows
BASIS = {"bound": "bound of Shah and Samworth", "shuffled": "outcome shuffled", "": ""}
SHOWN = {"stays": "How many features stay", "false": "How many of them are false on average"}
UNKNOWN = "A study with the outcome shuffled counts how many features pass without signal."
LOOKED = (
    "The cross marks the panel. A bound on false features holds only for a choice made before looking: use it to plan the "
    "next study."
)
OF_CHOICES = {
    "k": "Features a run",
    "threshold": "Least share of the runs",
    "stays": "Features that stay",
    "false": "False features, on average",
    "basis": "From",
}
DRAWN_ONLY = ["sign", "value", "value_low", "value_high", "is_shrunken"]
RANKED = 20  # features whose effects are ranked: the fewer, the narrower the intervals
AFTER = 5  # columns of a panel, behind which way and size stand
COLUMNS = {
    "stays": st.column_config.CheckboxColumn("In the panel"),
    "frequency": st.column_config.NumberColumn("Selected in", help="Share of the runs, mean over the selectors", format="percent"),
    "low": st.column_config.NumberColumn("From", help="2.5% of where more such runs would put it", format="percent"),
    "high": st.column_config.NumberColumn("To", help="97.5% of where more such runs would put it", format="percent"),
    "approval": st.column_config.NumberColumn("Selectors for it", help="In how many selectors it passes the threshold"),
    "selectors": st.column_config.NumberColumn("Of"),
    "any_related": st.column_config.NumberColumn(
        "It or a stand-in", help="Share of the runs with it or any feature that stands for it", format="percent"
    ),
    "shuffled": st.column_config.NumberColumn(
        "Outcome shuffled", help="Selection frequency of the same feature, mean over shuffles", format="percent"
    ),
    "line": st.column_config.NumberColumn(
        "Luckiest feature", help="Selection frequency of the luckiest feature of all shuffles", format="percent"
    ),
    "clear": st.column_config.CheckboxColumn("Clear of the luckiest", help="Its interval lies wholly above that line"),
}
EFFECTS = {
    "level": st.column_config.TextColumn("Level"),
    "direction": st.column_config.TextColumn("Which way"),
    "effect": st.column_config.NumberColumn(
        "Effect", format="%.2f", help="As measured in this table. Of chosen features it is too large."
    ),
    "shrunken": st.column_config.NumberColumn(
        "Shrunken effect", format="%.2f", help="What to expect in new patients, by empirical Bayes over all features"
    ),
    "shrunken_low": st.column_config.NumberColumn("Shrunken, from", format="%.2f"),
    "shrunken_high": st.column_config.NumberColumn("Shrunken, to", format="%.2f"),
    "chosen_effect": st.column_config.NumberColumn("On the half that selected", format="%.2f"),
    "low": st.column_config.NumberColumn("From", format="%.2f"),
    "high": st.column_config.NumberColumn("To", format="%.2f"),
    "auc": st.column_config.NumberColumn("AUC", format="%.2f"),
    "auc_low": st.column_config.NumberColumn("AUC from", format="%.2f"),
    "auc_high": st.column_config.NumberColumn("AUC to", format="%.2f"),
    "median": st.column_config.NumberColumn("Difference of medians", format="%.3g"),
    "median_low": st.column_config.NumberColumn("Medians from", format="%.3g"),
    "median_high": st.column_config.NumberColumn("Medians to", format="%.3g"),
}


def how_many(view):
    """Agreement of separate groups against their size."""
    label = of_ready(view)
    table = cache.computed(view.results.growth, k=view.k)
    frame = frame_learning_curve(table, label)
    with view.top:
        figures.figure(draw_learning_curve(frame), finding_learning_curve(frame), frame, "growth")
    words.tell(
        "Groups of one pair share no patient. The intervals are for other divisions of the same patients, not for other "
        "patients. How agreement continues beyond this table cannot be told from it."
    )


def each_centre(view):
    """How well each centre is predicted by models of all others."""
    label = of_ready(view)
    try:
        table = cache.computed(view.results.centres)
    except InputError as error:
        with view.top:
            st.info(text.plain(error), icon=":material/info:")
        return
    frame = frame_centres(table, label)
    with view.top:
        figures.figure(draw_centres(frame), finding_centres(frame), frame, "centres")
    figures.numbers(
        frame.drop(columns="selector"),
        hide_index=True,
        alt="Accuracy in each centre",
        column_config={name: st.column_config.NumberColumn(label, format="%.2f") for name, label in CENTRES.items()},
    )
    words.tell(
        "What was selected, and the classifier, learned from all other centres; intervals (95%) take the patients of a "
        "centre to be independent of each other. With few centres this says little about a centre that is not among them."
    )


def take(view, table):
    """Take the panel as it is now, and those that were taken before."""
    st.header("Take this panel", divider="gray")
    panel = table[table["stays"]]
    if panel.empty:
        st.caption("There is nothing to take: no feature passes the threshold.")
    else:
        _take_now(view, panel)
    panels = work_choices.panels()
    if panels:
        st.header("Panels kept with this work", divider="gray")
    for number, (name, about) in enumerate(panels.items(), 1):
        _panel_of_work(number, name, about)


def _take_now(view, panel):
    """The panel of now as files, as a list, and to be kept."""
    first, second, third, _ = st.columns([1, 1, 1, 1])
    file = pictures.file_name("panel-picture", view.who)
    first.download_button(
        "Download as CSV",
        lambda: csv_bytes(words.in_file(panel)),
        f"{file}.csv",
        "text/csv",
        key="panel-csv",
        on_click="ignore",
        icon=":material/download:",
    )
    second.download_button(
        "Download for Excel",
        lambda: xlsx_bytes({"Panel": words.in_file(panel)}),
        f"{file}.xlsx",
        XLSX,
        key="panel-xlsx",
        on_click="ignore",
        icon=":material/download:",
    )
    box = third.popover("Copy the names", key="panel-names", icon=":material/content_copy:", on_change="rerun")
    if box.open:  # to show them the browser has to read 1.6 MB of scripts
        box.code("\n".join(panel["feature"]), language=None)
    with st.form("take-panel", clear_on_submit=True):
        name = st.text_input("Name of the panel", placeholder="for example: first draft", max_chars=work_choices.LONGEST)
        if st.form_submit_button("Keep it with this work"):
            about = {
                "features": panel["feature"].tolist(),
                "threshold": view.threshold,
                "k": view.k,
                "selector": "all selectors together" if view.who == TOGETHER else view.who,
            }
            _do_or_say_why(work_choices.keep_panel, name, about)


def _panel_of_work(number, name, about):
    """One panel that was kept: its features to paste, another name, and away with it."""
    with st.expander(
        text.plain(
            f"{name}: {several(len(about['features']), 'feature')} of {about['selector']}, at least "
            f"{about['threshold']:.0%} of the runs{_with_k(about)}"
        ),
        key=f"panel-kept-{number}",
    ):
        st.code("\n".join(about["features"]), language=None)
        with st.form(f"rename-panel-{number}", border=False):
            new = st.text_input("Name of the panel", name, max_chars=work_choices.LONGEST, key=f"panel-name-{number}-{name}")
            if st.form_submit_button("Rename", icon=":material/edit:", key=f"panel-rename-{number}"):
                _do_or_say_why(work_choices.rename_panel, name, new)
        st.button(
            "Remove",
            key=f"panel-remove-{number}",
            icon=":material/delete:",
            help="It can be had back with Undo.",
            on_click=work_choices.remove_panel,
            args=(name,),
        )


def _with_k(about):
    return f", {several(about['k'], 'feature')} a run" if about.get("k") else ""


def _do_or_say_why(change, *arguments):
    """Do it and draw the page anew; or say why not."""
    try:
        change(*arguments)
    except InputError as error:
        st.warning(text.plain(error), icon=":material/warning:")
    else:
        st.rerun()


def who_stays(view):
    """The panel itself: picture, table, false ones, what to take along."""
    table, luckiest = view.panel(), cache.computed(panel_floor, view.results, view.selectors, view.k)[1]
    false = cache.computed(false_together, view.results, view.selectors, view.threshold, view.k)
    frame = frame_panel(table, view.threshold, view.highlighted, view.effects(), luckiest)

    def pick(places):
        highlights.toggle([table["feature"][place] for place in dict.fromkeys(places) if place is not None])

    with view.top:
        figures.figure(
            draw_panel(frame), finding_panel(table, view.threshold, false), table, "panel-picture", pick=pick, of=view.who
        )
    words.tell(describe_marks(frame))
    table = _with_blanks(view, _with_ways(view, table))
    figures.numbers(
        table.dropna(axis="columns", how="all"),
        hide_index=True,
        column_config=EFFECTS | COLUMNS | _ranks(view),
        alt="Every feature that any run selected: how often, how sure, where",
    )
    st.header("How many of them are false?", divider="gray")
    if false["pfer_bound"] == false["pfer_bound"]:
        words.say(describe_false_features(false))
        words.tell(BOUNDED)
        every = cache.computed(false_selection_bounds, view.results, view.threshold, view.k)
        figures.numbers(
            every.assign(basis=every["basis"].map(BASIS))[["selector", "stays", "pfer_bound", "basis"]].round(2),
            hide_index=True,
            alt="False features of the panel of each selector by itself",
            column_config={"stays": "Features that stay", "pfer_bound": "False features, on average", "basis": "From"},
        )
        figures.table(lambda: every, "bounds", "All bounds, selector by selector")
    else:
        st.info(text.plain(f"{false['reason'] or no_bound(view.results, view.threshold)} {UNKNOWN}"), icon=":material/info:")
    take(view, table)


def _ranks(view):
    """The column of ranks, with how many features they are of."""
    return {
        "rank": st.column_config.NumberColumn(
            "Median rank", help=f"1 is the best of {len(view.results.features):,} features", format="%.1f"
        )
    }


def _with_blanks(view, table):
    """The panel with a column on features whose blanks differ by class, and a sentence on those that stay; where there are some."""
    data = view.telling_data()
    missingness = {} if data is None else data.missingness
    stay = [name for name in table.loc[table["stays"], "feature"] if name in missingness]
    if stay:
        st.warning(
            text.plain(f"Blank cells of {listed(stay)} differ by outcome. What is selected may be its missingness, not its value."),
            icon=":material/help_center:",
        )
    if set(table["feature"]).isdisjoint(missingness):
        return table
    return table.assign(missingness=table["feature"].map(missingness).fillna(""))


def _with_ways(view, table):
    """The panel with direction and size of each effect, as measured and shrunken, where the table is at hand."""
    effects = view.effects()
    if effects is None:
        return table
    ways = [
        column
        for column in ("direction", "effect", "shrunken", "shrunken_low", "shrunken_high")
        if (effects[column] != "").any() and effects[column].notna().any()
    ]  # between three classes there is no way
    both = table.merge(effects[["feature", *ways]], on="feature", how="left")
    return both[[*table.columns[:AFTER], *ways, *table.columns[AFTER:]]]


def choices(view):
    """Every number of features and threshold at once."""
    with st.spinner("Counting at every number of features …"):
        table = cache.computed(threshold_grid, view.results, view.selectors)
    keys = ["stays", *(["false"] if table["false"].notna().any() else [])]
    colours = st.selectbox("Show", keys, format_func=SHOWN.__getitem__, **session.bound(session.PANEL_COLOURS, "stays", keys))
    with view.top:
        figures.figure(
            draw_threshold_grid(frame_threshold_grid(table), view.size, view.threshold, colours),
            finding_threshold_grid(table, view.size, view.threshold),
            table.drop(columns="score").rename(columns=OF_CHOICES).dropna(axis="columns", how="all"),
            "choices",
            of=view.who,
        )
    words.tell(LOOKED)


def paths(view):
    """Each feature's share of the runs against the number of features a run."""
    staying = view.panel().query("stays")["feature"].tolist()
    table = cache.computed(stability_paths, view.results, view.selectors, always=staying)
    frame = frame_paths(table, view.threshold, view.size, view.highlighted)
    with view.top:
        figures.figure(
            draw_paths(frame, view.threshold, view.size),
            finding_paths(frame, view.threshold),
            frame.drop(columns="text"),
            "panel-paths",
            of=view.who,
        )


def together(view):
    """What the panels of all selectors share, their common order, and how often one very set came back."""
    labels = chosen_selectors(view.results)
    grouped = st.toggle("Members of a group count as one", **session.bound(session.PANEL_GROUPED, False))
    table = cache.computed(shared_panels, view.results, view.threshold, view.k, view.similarity if grouped else None)
    frame = frame_shared(table, labels)
    with view.top:
        figures.figure(draw_shared(frame, labels), finding_shared(table, len(labels)), frame, "panel-shared")
    st.header("What all selectors put first", divider="gray")
    order = cache.computed(consensus, view.results, view.threshold, view.k)
    words.tell(
        "Mean place over selectors and runs (Borda: 1 always first, 0 last), with its interval over runs; and in how many "
        "selectors a feature passes the threshold, with how many would be left at either end of the intervals."
    )
    figures.numbers(
        order.head(figures.MOST_SHOWN),
        hide_index=True,
        alt="Features by the consensus of the selectors",
        column_config={name: st.column_config.NumberColumn(format="%.3f") for name in ("borda", "borda_low", "borda_high")},
    )
    st.header("How often did the very same set come back?", divider="gray")
    same = same_sets(view.results, view.k)
    words.say(describe_same_sets(same))
    figures.numbers(same, hide_index=True, alt="Different sets among the runs of each selector")


def order(view):
    """Rank intervals of the effects of the features that are selected most often."""
    data = view.telling_data()
    names = [name for name in view.panel()["feature"].head(RANKED) if data is not None and name in data.features]
    table = None if data is None else cache.computed(rank_intervals, data, names)
    with view.top:
        if table is None or table.empty:
            st.info(NO_TABLE, icon=":material/info:")
            return
        frame = frame_rank_intervals(table, view.highlighted)
        figures.figure(draw_rank_intervals(frame), text.plain(finding_rank_intervals(table)), table, "places", of=view.who)
    words.tell(f"{RANK_INTERVALS} The ranks are among the {several(len(table), 'feature')} shown, which are selected most often.")


def taking_turns(view):
    """Which features are selected one in place of the other."""
    table = cache.computed(substitutes, view.results, view.k, view.similarity, view.selectors)
    frame = frame_substitutes(table, view.highlighted)
    with view.top:
        if table.empty:
            words.say(finding_substitutes(table))
        else:
            figures.figure(draw_substitutes(frame), finding_substitutes(table), table, "swaps", of=view.who)
    words.tell(text.plain(SUBSTITUTES))


def direction(view):
    """Direction and size of the effects, shrunken and as measured, and on the half of the patients that selected nothing."""
    table = view.effects()
    with view.top:
        if table is None:
            st.info(
                "Which way features go needs the table that the study was made of. Selections that were brought alone say "
                "nothing about it.",
                icon=":material/info:",
            )
            return
        frame = frame_directions(view.panel(), table)
        figures.figure(draw_directions(frame), finding_directions(frame), frame.drop(columns=DRAWN_ONLY), "directions", of=view.who)
    words.tell(" ".join(filter(None, (describe_chosen(table), describe_repeated_rows(view.telling_data())))))
    of_panel = view.panel()[["feature", "stays", "frequency"]]
    by_feature = of_panel.merge(table.replace({"level": {"": None}}), on="feature", how="left")
    figures.numbers(
        by_feature.drop(columns="measure").dropna(axis="columns", how="all"),
        hide_index=True,
        column_config={**COLUMNS, **EFFECTS},
        alt="Direction and size of each feature",
    )
    words.tell("Filled symbols: in the panel. Of a category the level is shown that differs most.")
    _other_half(view)


def _other_half(view):
    """One click: the effects of the features that one half of the patients selects, on the other half."""
    st.header("Effects on the other half", divider="gray")
    if not getattr(view.results.plan, "separate_halves", False):
        words.tell(NO_HALVES)
        return
    if not st.toggle("Select on one half, estimate on the other", **session.bound(session.PANEL_OTHER_HALF, False)):
        return
    try:
        data, label = view.own_data(), view.selectors[0]
        table = None if data is None else cache.computed(split_effects, data, view.results, label, view.k)
    except InputError as error:
        st.info(text.plain(error), icon=":material/info:")
        return
    if table is None:
        words.tell("Effects on the other half need the table that the study was made of.")
        return
    frame = frame_other_half(table)
    figures.figure(draw_other_half(frame), finding_other_half(frame), table, "other-half", of=view.selectors[0])
    figures.numbers(
        table.drop(columns="measure").replace({"level": {"": None}}).dropna(axis="columns", how="all"),
        hide_index=True,
        column_config={**COLUMNS, **EFFECTS},
        alt="Effects on the half that did not select",
    )
    words.tell(f"{OTHER_HALF} {text.plain(view.selectors[0])} selects, in the first pair of halves of the study.")


def offered(results) -> dict:
    """{section: (title, what draws it)} that these results allow."""
    ranked = all(results.can_rank(label) for label in results.finished_selectors)
    kind = getattr(results.plan, "kind", "")
    sections = {
        "panel": ("Who stays", who_stays),
        "choices": ("Number and threshold", choices),
        "paths": ("Paths", paths),
        "together": ("Selectors together", together),
        "direction": ("Which way", direction),
        "places": ("In which order?", order),
        "swaps": ("Which swap?", taking_turns),
        "growth": ("How many patients?", how_many),
        "centres": ("Each centre", each_centre),
        "replicate": ("Would it replicate?", replicate),
        "risk": ("Each patient's risk", risks),
    }
    sections = {key: section for key, section in sections.items() if PLAN_OF.get(key, kind) == kind}
    return {key: section for key, section in sections.items() if ranked or key not in ("choices", "paths")}
