"""Ways to define groups of features: a table, a name pattern, common prefixes, correlation, a file."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from pages.parts import cache, glossary, scenarios, session
from pages.parts.figures import show_dataframe, show_figure, show_folded_table
from pages.parts.text import plain, show_errors
from stabcore.base.text import counted, listed
from stabcore.io.choices import Question
from stabcore.io.feature_sets import read_sets
from stabcore.plots.similarity import draw_tree, finding_tree, frame_tree
from stabcore.similarity.correlation import METHODS
from stabcore.similarity.grouping import LINKAGES, MAX_GROUPED, cut_tree, pattern_groups, prefix_groups
from stabcore.similarity.overlap import OVERLAP_WARNING, sets_as_bytes

GROUP_SOURCES = {
    "table": "Table",
    "pattern": "Name pattern",
    "names": "Common prefix",
    "correlation": "Correlation clusters",
    "second_names": "Second name column",
    "file": "File",
}
SETS_QUESTION = "sets_asked"  # the open question about a file of sets
MAX_HEIGHT = 560  # height of the tree in pixels. A taller one scrolls


def show_groups(view):
    """The present groups, and ways to define more."""
    now = view.scenario
    st.caption(plain(f"{counted(len(now.groups), 'group')}: {listed(now.groups)}." if now.groups else "No groups are defined yet."))
    named = session.project().settings.get("named_groups")
    there = {"correlation": view.data is not None, "second_names": bool(named)}
    ways = [way for way in GROUP_SOURCES if there.get(way, True)]
    way = st.segmented_control(
        "Define groups by",
        ways,
        format_func=GROUP_SOURCES.__getitem__,
        required=True,
        **session.bound(session.GROUPS_BY, "table", ways),
    )
    make = {
        "table": show_group_table,
        "pattern": ask_pattern,
        "names": show_name_groups,
        "correlation": show_correlated_groups,
        "second_names": show_second_names,
    }
    make.get(way or "", show_group_upload)(now, view.names)


def set_groups(now, groups):
    """Replace all groups."""
    scenarios.change(replace(now, groups=groups))


def show_group_table(now, names):
    """The group of each feature, to edit."""
    st.caption("One row per feature. Features with the same group name count as similar.")
    group_of = {feature: group for group, members in now.groups.items() for feature in members}
    shown = pd.DataFrame({"feature": names, "group": [group_of.get(name, "") for name in names]})

    key = scenarios.table_key("group-table")

    def regrouped():
        for row, cells in st.session_state[key]["edited_rows"].items():
            shown.loc[int(row), "group"] = (cells.get("group") or "").strip()
        given = shown[shown["group"] != ""]
        set_groups(now, {group: part["feature"].tolist() for group, part in given.groupby("group", sort=False)})

    st.data_editor(
        shown,
        hide_index=True,
        num_rows="fixed",
        disabled=["feature"],
        height=320,
        key=key,
        on_change=regrouped,
        alt="The group of each feature",
    )


def ask_pattern(now, names):
    """Features whose names match a pattern, shown before they become a group."""
    pattern = st.text_input(
        "Name pattern",
        key="group-pattern",
        placeholder="IL_*",
        live=True,
        help="* matches any characters, ? matches one. Upper case is ignored.",
    ).strip()
    if not pattern:
        return
    with show_errors():
        ((name, members),) = pattern_groups(names, pattern).items()
        st.markdown(f"**{counted(len(members), 'feature')}**: {plain(listed(members, 30))}")
        name = st.text_input("Name of the group", name, key=f"group-name-{pattern}").strip()
        moved = [feature for group, old in now.groups.items() if group != name for feature in old if feature in set(members)]
        if moved:
            st.caption(plain(f"{listed(moved)} will leave their present group."))
        st.button(
            "Add group",
            key="add-pattern",
            disabled=not name,
            type="primary",
            on_click=lambda: scenarios.change(now.with_group(name, members)),
        )


def show_name_groups(now, names):
    """Groups of features whose names have a common prefix."""
    groups = prefix_groups(names)
    if not groups:
        st.info("No two names have a common prefix before a separator (_ . : / | - or a space).", icon=":material/info:")
        return
    show_suggested_groups(now, groups, "names", f"{counted(len(groups), 'group')} of names with a common prefix")


def show_second_names(now, names):
    """Features with the same second name, such as the probes of a gene, from the table before it was transposed."""
    every, named = set(names), session.project().settings["named_groups"]
    groups = {name: [feature for feature in members if feature in every] for name, members in named.items()}
    groups = {name: members for name, members in groups.items() if len(members) > 1}
    show_suggested_groups(now, groups, "second_names", counted(len(groups), "group"))


def show_correlated_groups(now, names):
    """Clusters of correlated features, cut at a chosen threshold."""
    asked = list(names)
    if len(names) > MAX_GROUPED:
        counts = cache.selection_counts()
        if counts is None:
            st.info(
                f"Groups can be suggested for up to {MAX_GROUPED:,} features, and there are {len(names):,}. Run a study first: its "
                "selected features can be grouped. Or define similarity by correlation.",
                icon=":material/info:",
            )
            return
        often = (-counts).argsort(kind="stable")[:MAX_GROUPED]
        asked = [names[i] for i in sorted(often) if counts[i] > 0]
        glossary.show_caption(f"The {len(asked):,} of {len(names):,} features that were selected most often are compared.")
    left, right = st.columns(2)
    with left:
        threshold = st.slider("Cut tree at |ρ|", step=0.01, **session.bound_range(session.CUT_AT, 0.0, 1.0, now.threshold))
    with right:
        method = st.selectbox(
            "Choose correlation", METHODS, format_func=METHODS.__getitem__, **session.bound(session.CUT_METHOD, now.method, METHODS)
        )
        linkage = st.selectbox(
            "Choose linkage", LINKAGES, format_func=LINKAGES.__getitem__, **session.bound(session.CUT_LINKAGE, "average", LINKAGES)
        )
    with show_errors():
        tree = cache.feature_tree(method, linkage, asked)
        groups, frame = cut_tree(tree, threshold), frame_tree(tree, threshold)
        leaves = [tree.features[i] for i in tree.order]
        show_figure(
            draw_tree(frame, leaves, threshold), finding_tree(tree, groups, threshold), frame, "tree", max_height=MAX_HEIGHT
        )
        show_suggested_groups(now, groups, "correlation", counted(len(groups), "group"))


def show_suggested_groups(now, groups, key, label):
    """Suggested groups as a list, with a button that uses them."""
    listing = pd.DataFrame(
        [(name, len(members), ", ".join(members[:50])) for name, members in groups.items()],
        columns=["group", "features", "members (the first 50)"],
    )
    show_dataframe(listing, height=min(260, 38 * (len(groups) + 1)), alt=label)
    members = pd.DataFrame(
        [(feature, name) for name, features in groups.items() for feature in features], columns=["feature", "group"]
    )
    show_folded_table(lambda: members, f"suggested-{key}", f"Every feature with its group ({len(members):,})")
    st.button(
        "Use groups",
        key=f"take-{key}",
        disabled=not groups,
        type="primary",
        on_click=set_groups,
        args=(now, groups),
        help="They replace the present groups. Undo restores those.",
    )


def show_group_upload(now, names):
    """Groups from a table with the columns feature and group, or gene sets. Overlapping sets stay sets."""
    ask_sets_file(now, names, "group-file", "take-groups", "Use groups")


def ask_sets_file(now, names, key, button, label, as_sets=False):
    """The sets of a file once its columns are clear. as_sets: keep sets also if they do not overlap."""
    uploaded = st.file_uploader(
        "Gene sets (.gmt), or a table with the columns feature and group",
        key=key,
        help="Upper case, blanks, dots and underscores in names are ignored.",
    )
    if not uploaded:
        return
    if st.button(label, key=button):
        _try_sets(now, uploaded, key, names, as_sets)
    asked = st.session_state.get(SETS_QUESTION)
    if asked and asked["file"] == (key, uploaded.name):
        st.warning(plain(asked["sentence"]), icon=":material/help:")
        for answer, meaning in asked["answers"].items():
            if st.button(plain(meaning), key=f"repeats-{answer}"):
                _try_sets(now, uploaded, key, names, as_sets, answer)


def _try_sets(now, uploaded, key, names, as_sets, repeats=None):
    """Read the sets of a file, and ask what it leaves open."""
    with show_errors():
        st.session_state.pop(SETS_QUESTION, None)
        try:
            save_sets(now, uploaded, names, as_sets, repeats)
        except Question as question:
            st.session_state[SETS_QUESTION] = {"file": (key, uploaded.name), "sentence": str(question), "answers": question.answers}
            return
        st.rerun()


def save_sets(now, uploaded, names, as_sets=False, repeats=None):
    """Keep the sets of a file: as groups if each feature is in one only, else (or with as_sets) as sets.

    repeats: whether features share a name in its sets.
    """
    read = read_sets(uploaded, uploaded.name, names, cache.repeated_names(), repeats)
    if read.overlapping or as_sets:
        scenarios.change(replace(now, base="sets", sets=session.project().save_upload("sets.json", sets_as_bytes(read.sets))))
    else:
        set_groups(now, read.sets)
    overlap = ("Some features are in several sets, so these are sets that overlap.",) if read.overlapping else ()
    st.session_state[session.SCENARIO_NOTES] = (*read.notes, *overlap)


def show_overlapping_sets(view):
    """Overlapping sets: how similar features with common sets are, and an upload of other sets."""
    now, names = view.scenario, view.names
    sets = cache.sets_reader(now)
    if sets:
        members = sets()
        in_sets = {feature for features in members.values() for feature in features}
        glossary.show_caption(
            plain(f"{counted(len(members), 'set')} with {len(in_sets):,} of {len(names):,} features: {listed(members, 3)}.")
        )

    st.toggle(
        "Weight by shared sets (off: count fully)",
        help="Two features in 4 sets altogether, 1 of them shared: 0.25.",
        **scenarios.bound_setting("sets", "share"),
    )
    if not now.share:
        st.caption(OVERLAP_WARNING)
    ask_sets_file(now, names, "sets-file", "take-sets", "Use sets", as_sets=True)
