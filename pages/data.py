"""Data: what was understood of each column, which one is the outcome, which ones to leave out."""

import streamlit as st

from pages.parts import cache, figures, guards, layout, session, text
from pages.parts.data import guesses, turning
from pages.parts.data.mends import ask_about_cells, decided, replace_table
from pages.parts.data.place import choose_place, out_of_place
from pages.parts.report.asked import about_table
from stabcore.data.columns import MOST_CLASSES
from stabcore.data.encoding import encoding_table
from stabcore.errors import InputError

layout.title("What is in the table?")
try:
    read = guards.require(cache.reading(), "No table is loaded. Selections that were brought along do not need one.",
                          "pages/start.py", "Upload a table on Start")
except InputError as error:
    out_of_place(error)
    decided(())
    replace_table()
    st.stop()
here = session.workspace()
frame = read.frame
columns = [str(name) for name in frame.columns]
described = cache.described()
roles = here.settings.get("roles", {})
guessed = cache.presets(turning.about(here, read))

text.notes(read.notes)
st.markdown(f"{len(frame):,} rows and {len(columns):,} columns were read from {text.plain(here.settings.get('name', ''))}.")
turning.turning(here, read)

choose_place(read, read.last)


def named(name):
    """A column with its unit."""
    return f"{name} [{read.units[name]}]" if name in read.units else str(name)


guesses.preset("target", roles["target"] if roles.get("target") in columns else guessed.target, columns)
target = st.selectbox("Which column is the outcome to predict?", columns, key="target", placeholder="Choose a column", index=None,
                      format_func=named)
sure = guesses.confirmed(guessed, target, roles)
others = [name for name in columns if name != target]
guesses.preset("exclude", list(roles.get("exclude", guessed.exclude)), others)
exclude = st.multiselect("Which columns should be left out?", others, key="exclude", format_func=named,
                         help="Numbers of patients, dates, anything recorded after the outcome was known.")
guesses.times(guessed, exclude, target)
ask_about_cells(exclude)
decided(read.mended)
patient = roles.get("same_patient") if "target" in roles else guessed.patient
guesses.preset("same_patient", patient, others)
same_patient = st.selectbox("Do several rows belong to one patient?", [None, *others], key="same_patient",
                            format_func=lambda name: "No, each row is another patient" if name is None else f"Yes, as {name} tells",
                            help="Rows of one patient are then learned from or held out together.")
guesses.patients(guessed, same_patient, described)


def outcome_as(row):
    """Classes or a number, for an outcome that could be either; None as long as it is what the rule says."""
    if row["kind"] != "number" or row["distinct"] < 3:
        return None
    usual = "number" if row["distinct"] > MOST_CLASSES else "classes"
    key = f"target-as-{target}"
    st.session_state.setdefault(key, roles.get("target_as") or usual)
    chosen = st.radio("The outcome is", ["classes", "number"], key=key, horizontal=True, captions=[
        "each value a class to tell apart", "large or small; fewer selectors, and no accuracy"])
    return None if chosen == usual else chosen


if target is None:
    st.info("Choose the outcome to go on.", icon=":material/arrow_upward:")
elif not sure:
    st.info("Confirm the outcome to go on.", icon=":material/arrow_upward:")
else:
    with text.sentences():
        wanted = outcome_as(described.set_index("column").loc[target])
        new = {"target": target, "exclude": exclude} | ({"same_patient": same_patient} if same_patient else {}) | (
            {"target_as": wanted} if wanted else {}) | (
            {"set_aside": True} if (described["suggestion"] == "correct cells").any() else {})
        if new != roles:
            here.save(roles=new)
        data = cache.dataset()
        facts = {"Rows": data.n_rows, "Features": data.n_features}
        if not data.numeric_target:
            facts |= {"Classes": len(data.classes),
                      "Smallest class": int(min((data.target == c).sum() for c in range(len(data.classes))))}
        for metric, (name, value) in zip(st.columns(4), facts.items()):
            metric.metric(name, f"{value:,}")
        for number, finding in enumerate(cache.findings(new)):
            words, mend = st.columns([5, 1], vertical_alignment="center")
            shown = {"error": st.error, "warning": st.warning, "note": st.info}[finding.severity]
            with words:
                shown(text.plain(finding.sentence))
            if finding.remedy == "leave out" and mend.button("Leave out", key=f"mend-{number}"):
                here.save(roles={**new, "exclude": [*exclude, *(name for name in finding.columns if name not in exclude)]})
                st.session_state.pop("exclude", None)
                st.rerun()
        described = data.columns
        figures.table(lambda: encoding_table(data), "encoding", "What selectors make of each column: intervals, levels, gaps")
        about_table()
        st.page_link("pages/groups.py", label="Next: say which features stand for each other", icon=":material/arrow_forward:")
        st.page_link("pages/study.py", label="or go straight to running a study", icon=":material/arrow_forward:")

replace_table()
st.subheader("How each column was understood", divider="gray")
if read.units:
    described = described.copy()
    described.insert(1, "unit", described["column"].map(read.units).fillna(""))
figures.numbers(described, hide_index=True, alt="What was understood of each column and why")
