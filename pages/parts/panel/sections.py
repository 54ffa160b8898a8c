"""The sections of Panel: who stays, which choice parts best, paths, selectors together, direction and size."""

import streamlit as st

from pages.parts import cache, controls, figures, highlights, session, text, words
from pages.parts.panel.patients import each_centre, how_many
from pages.parts.panel.replication import replicate
from pages.parts.panel.risks import risks
from pages.parts.panel.taken import take
from stabcore.analysis.consensus import consensus, same_sets, shared_panels
from stabcore.analysis.each import chosen_selectors
from stabcore.analysis.panel import no_bound
from stabcore.analysis.panel_map import panel_map, stability_paths
from stabcore.analysis.swaps import swaps
from stabcore.figures.directions import CHOSEN, draw_directions, finding_directions, frame_directions, looks, of_patients
from stabcore.figures.panel import (
    BOUNDED,
    EACH,
    INTERVALS,
    draw_choices,
    draw_panel,
    draw_paths,
    draw_shared,
    finding_choices,
    finding_panel,
    finding_paths,
    finding_shared,
    frame_choices,
    frame_panel,
    frame_paths,
    frame_shared,
    sentence_same_sets,
)
from stabcore.figures.places import PLACES, draw_places, finding_places, frame_places
from stabcore.figures.swaps import SWAPS, draw_swaps, finding_swaps, frame_swaps
from stabcore.inference.error_control import BOUNDS, UNIMODAL
from stabcore.wording import several

PLAN_OF = {"growth": "growing", "centres": "site"}          # sections that only one plan allows
BOUND = {"meinshausen_buhlmann": "The simplest bound: noise features have to be exchangeable",
         "unimodal": "Needs a single peak in how often both halves of a pair select a feature",
         "r_concave": "The sharpest: that distribution has to fall off smoothly. It is the only one that tables without any signal "
                      "passed in our simulations: up to twice with 20 patients or fewer, 1.4 times with 1,000 features"}
AT_MOST = {"meinshausen_buhlmann": "False, at most", "unimodal": "If unimodal", "r_concave": "If r-concave"}    # the head of each
PARTS = ("The cross: what is chosen now. A choice parts best where the numbers of features that come often, seldom and between are "
         "least likely if all came alike (Bodinier et al. 2023). It says where features part, not that they are true.")
LOOKED = ("A bound on false ones holds only for a choice made before looking: read it off for the next study, not for the choice "
          "that looked best in this one.")
OF_CHOICES = {"k": "Features a run", "threshold": "Least share of the runs", "stays": "Features that stay",
              "false": "False ones at most, on average", "score": "How well they part"}
SHARE = {"format": "percent"}
AFTER = 5           # columns of a panel, behind which way and size stand
COLUMNS = {
    "stays": st.column_config.CheckboxColumn("In the panel"),
    "frequency": st.column_config.NumberColumn("Selected in", help="Share of the runs, mean over the selectors", **SHARE),
    "low": st.column_config.NumberColumn("From", help="2.5% of where more such runs would put it", **SHARE),
    "high": st.column_config.NumberColumn("To", help="97.5% of where more such runs would put it", **SHARE),
    "approval": st.column_config.NumberColumn("Selectors for it", help="In how many selectors it passes the threshold"),
    "selectors": st.column_config.NumberColumn("Of"),
    "any_related": st.column_config.NumberColumn("It or a stand-in", help="Share of the runs with it or any feature that "
                                                 "stands for it", **SHARE),
    "place_low": st.column_config.NumberColumn("Place from", format="%d", help="In tables of other patients it may hold "
                                               "any of these places among the first 50 by importance: see In which order?"),
    "place_high": st.column_config.NumberColumn("Place to", format="%d", help="95% for all features at once, for other patients "
                                                "of the same kind and number"),
    "line": st.column_config.NumberColumn("Without any signal", help="The most that any feature came with the outcome shuffled",
                                          **SHARE)}
EFFECTS = {
    "level": st.column_config.TextColumn("Level"),
    "direction": st.column_config.TextColumn("Which way"),
    "effect": st.column_config.NumberColumn("By how much", format="%.2f"),
    "low": st.column_config.NumberColumn("From", format="%.2f"), "high": st.column_config.NumberColumn("To", format="%.2f"),
    "auc": st.column_config.NumberColumn("AUC", format="%.2f"),
    "auc_low": st.column_config.NumberColumn("AUC from", format="%.2f"),
    "auc_high": st.column_config.NumberColumn("AUC to", format="%.2f"),
    "median": st.column_config.NumberColumn("Difference of medians", format="%.3g"),
    "median_low": st.column_config.NumberColumn("Medians from", format="%.3g"),
    "median_high": st.column_config.NumberColumn("Medians to", format="%.3g"),
    "same_sign": st.column_config.NumberColumn("Same way in", help="Share of the runs in whose rows it goes the same way", **SHARE),
    "looks": st.column_config.TextColumn("Where selected it looks", help="How large its effect is in the rows of the runs that "
                                         "selected it, beside that in all runs: what is chosen flatters. The number stands in the "
                                         "table behind the picture")}


def who_stays(view):
    """The panel itself: picture, table, false ones, what to take along."""
    table, false = view.panel(), view.false_features().set_index("selector")
    alone = false.loc[view.selectors[0]] if len(view.selectors) == 1 and view.selectors[0] in false.index else None
    frame = frame_panel(table, view.threshold, view.highlighted)

    def pick(places):
        highlights.toggle([table["feature"][place] for place in dict.fromkeys(places) if place is not None])

    with view.top:
        figures.figure(draw_panel(frame), finding_panel(table, view.threshold, alone), table, "panel-picture", pick=pick,
                       of=view.who)
    words.tell(INTERVALS)
    table = _with_ways(view, table)
    figures.numbers(table.dropna(axis="columns", how="all"), hide_index=True, column_config=EFFECTS | COLUMNS | _ranks(view),
                    alt="Every feature that any run selected: how often, how sure, where")
    st.header("How many of them are false?", divider="gray")
    why = no_bound(view.results, view.threshold)
    if why:
        st.info(text.plain(why), icon=":material/info:")
    else:
        words.tell(BOUNDED + (EACH if len(view.selectors) > 1 else ""))
        figures.numbers(false.drop(columns="reason").reset_index(), hide_index=True, alt="Bounds on false features",
                        column_config={"q": st.column_config.NumberColumn("Features a run", format="%.1f")} | {
                            key: st.column_config.NumberColumn(AT_MOST[key], help=f"{label}. {BOUND[key]}", format="%.2f")
                            for key, label in BOUNDS.items()} | {"any_false": st.column_config.NumberColumn(
                                "With any false", help="The share of such studies, at most, by the unimodal bound", **SHARE)})
    take(view, table)


def _ranks(view):
    """The column of ranks, with how many features they are of."""
    return {"rank": st.column_config.NumberColumn("Median rank", help=f"1 is the best of {len(view.results.features):,} features",
                                                  format="%.1f")}


def _with_ways(view, table):
    """The panel with the way and the size of each feature on all rows, where the table is at hand."""
    known = view.effects(view.selectors[0])
    if known is None:
        return table
    ways = [column for column in ("direction", "effect") if (known[column] != "").any()]    # between three classes there is no way
    both = table.merge(known[["feature", *ways]], on="feature", how="left")
    return both[[*table.columns[:AFTER], *ways, *table.columns[AFTER:]]]


def choices(view):
    """Every number of features and threshold at once."""
    label = _of_one(view)
    keys = ["stays", "score", *(BOUNDS if not no_bound(view.results) else ())]
    colours = session.kept(session.PANEL_COLOURS, lambda **at: st.selectbox("Colours tell", keys, format_func=_colours, **at),
                           "stays", keys)
    bound = colours if colours in BOUNDS else UNIMODAL
    table = cache.cached(lambda: panel_map(view.results, label, bound=bound), "panel map", label, bound)
    frame = frame_choices(table)
    with view.top:
        figures.figure(draw_choices(frame, view.k or view.results.n_selected, view.threshold,
                                    "false" if colours in BOUNDS else colours), finding_choices(table, label),
                       table.rename(columns=OF_CHOICES).dropna(axis="columns", how="all"), "choices",
                       of=label)
    words.tell(PARTS if no_bound(view.results) else f"{PARTS} {LOOKED}")


def _colours(key):
    """What colours of the map of choices tell, in words."""
    return {"stays": "How many features stay", "score": "How well features part"}.get(
        key, f"At most so many false on average: {BOUNDS.get(key)}")


def paths(view):
    """Each feature's share of the runs against the number of features a run."""
    label = _of_one(view)
    table = cache.cached(lambda: stability_paths(view.results, label), "paths", label)
    frame = frame_paths(table, view.threshold, view.highlighted)
    with view.top:
        figures.figure(draw_paths(frame, view.threshold, view.k or view.results.n_selected),
                       finding_paths(table, view.threshold), frame.drop(columns="text"), "panel-paths", of=label)


def together(view):
    """What the panels of all selectors share, their common order, and how often one very set came back."""
    labels = chosen_selectors(view.results)
    grouped = session.kept(session.PANEL_GROUPED, lambda **at: st.toggle("Members of a group count as one", **at), default=False)
    relation, key = (view.relation, view.relation_key) if grouped else (None, None)
    table = cache.cached(lambda: shared_panels(view.results, view.threshold, view.k, relation), "shared", view.threshold, view.k,
                         key)
    frame = frame_shared(table, labels)
    with view.top:
        figures.figure(draw_shared(frame, labels), finding_shared(table, len(labels)), frame, "panel-shared")
    st.header("What all selectors put first", divider="gray")
    order = cache.cached(lambda: consensus(view.results, view.threshold, view.k), "consensus", view.threshold, view.k)
    words.tell("Mean place over selectors and runs (Borda: 1 always first, 0 last), with its interval over runs; and in how many "
               "selectors a feature passes the threshold, with how many would be left at either end of the intervals.")
    figures.numbers(order.head(figures.MOST_SHOWN), hide_index=True, alt="Features by the consensus of the selectors",
                    column_config={one: st.column_config.NumberColumn(format="%.3f") for one in (
                        "borda", "borda_low", "borda_high")})
    st.header("How often did the very same set come back?", divider="gray")
    same = same_sets(view.results, view.k)
    words.say(sentence_same_sets(same))
    figures.numbers(same, hide_index=True, alt="Different sets among the runs of each selector")


def order(view):
    """Between which places each of the first features may lie."""
    table = view.places()
    with view.top:
        if table.empty:
            st.info("Places need at least three runs of which the rows are known, and a selector that ranks or weighs features.",
                    icon=":material/info:")
            return
        frame = frame_places(table, view.highlighted)
        figures.figure(draw_places(frame), finding_places(table), table, "places", of=view.who)
    words.tell(f"{PLACES} Of {several(len(view.results.features), 'feature')} the first {len(table)} are compared.")


def taking_turns(view):
    """Which features are selected one in place of the other."""
    table = cache.cached(lambda: swaps(view.results, view.k, view.relation, view.selectors), "swaps", view.k, view.relation_key,
                         view.selectors)
    frame = frame_swaps(table, view.highlighted)
    with view.top:
        if table.empty:
            words.say(finding_swaps(table))
        else:
            figures.figure(draw_swaps(frame), finding_swaps(table), table, "swaps", of=view.who)
    words.tell(text.plain(SWAPS))


def direction(view):
    """Which way the features go and by how much, in the table and in the runs."""
    table = view.effects(view.selectors[0])
    with view.top:
        if table is None:
            st.info("Which way features go needs the table that the study was made of. Selections that were brought alone say "
                    "nothing about it.", icon=":material/info:")
            return
        frame = frame_directions(view.panel(), table)
        figures.figure(draw_directions(frame), finding_directions(frame), frame.drop(columns="sign"), "directions", of=view.who)
    words.tell(" ".join(filter(None, (CHOSEN, of_patients(view.telling_data())))))
    own = view.panel()[["feature", "stays", "frequency"]].merge(table.replace({"level": {"": None}}), on="feature", how="left")
    of_runs = "exaggeration" in own
    own = own.assign(looks=own.pop("exaggeration").map(looks) if of_runs else None).drop(columns="measure")
    figures.numbers(own.dropna(axis="columns", how="all"), hide_index=True,
                    column_config={**COLUMNS, **EFFECTS}, alt="Direction and size of each feature")
    flatter = f"How much chosen features flatter in the runs of {view.selectors[0]} stands in the last column. " * of_runs
    words.tell(text.plain(f"Filled symbols: in the panel. {flatter}Of a category the level is shown that differs most."))


def _of_one(view):
    """The selector of a section that looks at one alone."""
    rankers = [label for label in view.results.ready if view.results.can_rank(label)]
    return view.who if view.who in rankers else controls.selector_choice(view.results, session.EXPLORED, "Selector")


def offered(results) -> dict:
    """{section: (title, what draws it)} that these results allow."""
    ranked = all(results.can_rank(label) for label in results.ready)
    kind = getattr(results.plan, "kind", "")
    sections = {"panel": ("Who stays", who_stays), "choices": ("Number and threshold", choices), "paths": ("Paths", paths),
                "together": ("Selectors together", together), "direction": ("Which way", direction),
                "places": ("In which order?", order), "swaps": ("Which swap?", taking_turns),
                "growth": ("How many patients?", how_many), "centres": ("Each centre", each_centre),
                "replicate": ("Would it replicate?", replicate), "risk": ("Each patient's risk", risks)}
    sections = {key: one for key, one in sections.items() if PLAN_OF.get(key, kind) == kind}
    return {key: one for key, one in sections.items() if ranked or key not in ("choices", "paths")}
