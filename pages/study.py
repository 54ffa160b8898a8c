"""Study: choose selectors and how often to resample, run them in a process of their own, watch, cancel, go on."""

import streamlit as st

from pages import _state, _widgets
from stabcore.classifiers import CLASSIFIERS
from stabcore.results import open_study
from stabcore.selectors.catalog import BY_KEY
from stabcore.study import how_many

_widgets.title("Run the selectors again and again")
here = _state.workspace()
data = _widgets.need(_state.dataset(), "A study needs a table and its outcome.", "pages/data.py" if here else "pages/start.py",
                     "Choose the outcome" if here else "Go to Start")
own = here.folder / "study.stab"
running = here.running


def settings_form():
    """The settings of a new study; returns them as plain tables."""
    keys = st.multiselect("Selectors", BY_KEY, default=list(BY_KEY), format_func=lambda key: BY_KEY[key].label, key="selectors")
    with st.expander("What each selector does"):
        for key in keys:
            st.markdown(f"**{BY_KEY[key].label}**: {BY_KEY[key].plain}")
    left, middle, right = st.columns(3)
    with left:
        k = st.number_input("Features to select in every run", 1, data.n_features, how_many(0.25, data.n_features), key="k",
                            help="Every other number can be looked at afterwards, without running again.")
        classifier = st.selectbox("Score the selected features by", [*CLASSIFIERS, "none"], key="classifier",
                                  format_func=lambda key: CLASSIFIERS[key].label if key in CLASSIFIERS else "nothing (no accuracy)")
    with middle:
        kind = st.selectbox("Each run learns from", ["subsample", "bootstrap"], key="plan", format_func={
            "subsample": "most of the rows (leave some out)", "bootstrap": "a bootstrap sample"}.get)
        runs = st.number_input("Runs", 2, 1000, 50, key="runs", help="50 is usual; intervals shrink with more.")
    with right:
        share = st.slider("Rows left out in each run (%)", 1, 50, 5, key="leave_out", disabled=kind != "subsample")
        seed = st.number_input("Seed", 0, 2 ** 31, 1, key="seed", help="The same seed gives the same study, bit by bit.")
    plan = {"kind": kind, "runs": int(runs)} | ({"leave_out": share / 100} if kind == "subsample" else {})
    return {"study": {"k": int(k), "classifier": classifier, "seed": int(seed)}, "plan": plan,
            "selector": [{"key": key} for key in keys]}


@st.fragment(run_every=1.0 if running else None)
def watch():
    """How far the study is; reads its file and nothing else."""
    if running and not here.running:
        st.rerun()
    if not own.exists():
        st.info("Starting …", icon=":material/hourglass_top:")
        return
    found = open_study(own)
    progress = found.progress()
    done = int(progress[["done", "failed"]].to_numpy().sum())
    left = found.seconds_left()
    time_left = f", about {left:.0f} s left" if running and left is not None else ""
    st.progress(done / found.total, text=f"{done} of {found.total} tasks done{time_left}")
    if running and st.button("Cancel (what is done is kept)", key="cancel", icon=":material/stop_circle:"):
        here.cancel()
    shown = progress.join(found.table(["nogueira"])[["nogueira", "accuracy"]]) if found.ready else progress
    st.dataframe(shown, alt="Progress and first results of each selector", column_config={
        "nogueira": st.column_config.NumberColumn("stability so far", format="%.2f"),
        "accuracy": st.column_config.NumberColumn("accuracy so far", format="%.2f"),
        "seconds_a_run": st.column_config.NumberColumn("seconds a run", format="%.2f")})


if running or own.exists():
    watch()

if not running and own.exists():
    found = open_study(own)
    done = int(found.progress()[["done", "failed"]].to_numpy().sum())
    if done < found.total:
        st.warning(f"The study stopped early. {_widgets.plain(here.last_words)}", icon=":material/pause_circle:")
        if st.button("Go on with what is missing", key="resume", type="primary", icon=":material/play_circle:"):
            here.start()
            st.rerun()
    else:
        st.success("The study is finished.", icon=":material/check_circle:")
    for page, label in (("stability", "See how stable each selector is"), ("maps", "See what each run selected")):
        st.page_link(f"pages/{page}.py", label=label, icon=":material/arrow_forward:")
    messages = found.messages()
    if len(messages):
        _widgets.table(lambda: messages, "messages", f"{len(messages)} warnings and failures of single runs")
    st.download_button("Download the study file", lambda: own.read_bytes(), "study.stab", key="download-study", on_click="ignore",
                       icon=":material/download:", help="Settings, seed, versions and every run. It holds the outcome of every row "
                       "and what was predicted, but no measurements.")
elif not running and here.last_words:
    st.error(_widgets.plain(here.last_words), icon=":material/error:")

if not running:
    st.subheader("A new study", divider="gray")
    chosen = settings_form()
    if st.button("Start the study", key="start", type="primary", disabled=not chosen["selector"], icon=":material/play_circle:"):
        here.write_study(chosen)
        here.start()
        st.rerun()
