"""Study: choose selectors and how often to resample, run them in a process of their own, watch, cancel, go on."""

import os

import streamlit as st

from pages.parts import cache, controls, figures, guards, layout, session, text
from pages.parts.start import selections
from pages.parts.study import mailed
from pages.parts.study.form import study_form
from stabcore.errors import InputError
from stabcore.study.memory import refuse_what_cannot_fit
from stabcore.study.study import others_compute, study_from, usual_workers
from stabcore.study.study_result import open_study
from stabcore.wording import duration, several

SCHEDULER = "STABILITY_SCHEDULER"       # in the environment: this installation may use the Dask cluster of that address

layout.title("Run the selectors again and again")
here = session.workspace()
if here and here.settings.get("kind") == "study":
    mailed.section(here)
    if said := st.session_state.pop(session.SAID, ""):
        st.warning(text.plain(said), icon=":material/info:")
    if here.table_file is None:
        st.stop()
data = guards.require(cache.dataset(), "A study needs a table and its outcome.", "pages/data.py" if here else "pages/start.py",
                     "Choose the outcome" if here else "Go to Start")
if "selections" in here.settings:
    st.info("These screens show the selections that you brought. A study of their table is a work of its own; this one stays as "
            "it is.",
            icon=":material/info:")
    st.button("Open the table by itself, to run a study", key="table-alone", type="primary", on_click=selections.table_alone)
    st.stop()
own = here.folder / "study.stab"
running = here.running


@st.fragment(run_every=1.0 if running else None)
def watch():
    """How far the study is; reads its file and nothing else."""
    with text.sentences():
        progress_now()


def progress_now():
    """How far the study is; the page is drawn anew when it ends."""
    if running != here.running:
        st.rerun()
    if own not in here.studies:
        st.info("Starting …", icon=":material/hourglass_top:")
        return
    found = open_study(own, named=True)
    progress = found.progress()
    done = int(progress[["done", "failed"]].to_numpy().sum())
    left = found.seconds_left(usual_workers())
    time_left = f", about {duration(left)} left" if running and left is not None else ""
    st.progress(done / found.total, text=f"{done} of {found.total} tasks done{time_left}")
    if running and others_compute():
        st.caption("Other programs keep this computer busy. The study gives way to them, so it takes longer than told.")
    if running and st.button("Cancel (what is done is kept)", key="cancel", icon=":material/stop_circle:"):
        here.cancel()
    first = found.table(["nogueira"]) if found.ready else None
    shown = progress if first is None else progress.join(first[["nogueira", "accuracy"]])
    if found.has_control:
        shown = shown.join(found.floor()[["floor", "shuffles"]])
    st.dataframe(shown, alt="Progress and first results of each selector", column_config={
        "nogueira": st.column_config.NumberColumn("stability so far", format="%.2f"),
        "accuracy": st.column_config.NumberColumn("accuracy so far", format="%.2f"),
        "floor": st.column_config.NumberColumn("stability without any signal", format="%.2f"),
        "seconds_a_run": st.column_config.NumberColumn("seconds a run", format="%.2f")})
    if first is not None:
        controls.score_notes(first)


def opened():
    """The study that was started last, once it has ended; None, with a sentence above, where its file is damaged."""
    with text.sentences():
        return open_study(own, named=True) if not running and own in here.studies else None


found = opened()
if running or found is not None:
    watch()

def go_on(found):
    """What is left of a study that has ended early: how long it would take, and the button that continues it."""
    left = found.seconds_left(usual_workers())
    takes = "" if left is None else f" The rest takes about {duration(left)} on {several(usual_workers(), 'worker')}."
    if found.tried:
        st.info(f"Tried one run of every selector.{takes}", icon=":material/timer:")
    else:
        st.warning(f"The study stopped early. {text.plain(here.last_words)}{takes}", icon=":material/pause_circle:")
    st.button("Go on with what is missing", key="resume", type="primary", icon=":material/play_circle:", on_click=start)


def ended(found):
    """A finished study is a success as far as its tasks were."""
    progress = found.progress()
    lost = [label for label in found.selectors if label not in found.ready]
    if not lost:
        st.success("The study is finished.", icon=":material/check_circle:")
        if progress["failed"].any():
            st.warning(f"{several(int(progress['failed'].sum()), 'run')} failed and are left out; the reasons are below.")
    else:
        st.error(text.plain(f"The study has ended, but of {', '.join(lost)} too few runs could be finished. "
                                f"{found.most_frequent_failure()}"), icon=":material/error:")


def earlier():
    """Other studies of this work, whose results can be looked at again."""
    studies = here.studies
    before = [path for path in studies if path != own]
    if not before:
        return
    with st.expander(f"Earlier studies of this work ({len(before)})"):
        for number, path in enumerate(studies):
            found = None
            with text.sentences():
                found = cache.study_at(path)
            if found is None:
                continue
            st.caption(text.plain(("The last one: " if path == own else "") + found.sentence()))
            if path == here.store:
                st.markdown("**The screens show these results.**")
            else:
                st.button("Show these results on every screen", key=f"show-{number}", icon=":material/visibility:",
                          on_click=lambda path=path: here.save(store=path.name))
            if path in before and path.with_suffix(".toml").exists() and len(found.store.finished()) < found.total:
                st.button("Go on with this one", key=f"go-on-{number}", icon=":material/play_circle:", on_click=bring_back,
                          args=(path,))


def bring_back(path):
    """Go on with an earlier study; the last one becomes an earlier one."""
    with text.sentences():
        session.workspace().bring_back(path)
        start()


def start(pilot=False):
    """Run what is missing of the study that was written last."""
    here.start(pilot=pilot, scheduler=st.session_state.get("scheduler"))


if found is not None:
    done = int(found.progress()[["done", "failed"]].to_numpy().sum())
    if done < found.total:
        go_on(found)
    else:
        ended(found)
    for page, label in (("stability", "See how stable each selector is"), ("maps", "See what each run selected")):
        st.page_link(f"pages/{page}.py", label=label, icon=":material/arrow_forward:")
    messages = found.messages()
    if len(messages):
        figures.table(lambda: messages, "messages", f"Warnings and failures of single runs ({len(messages)})")
    st.download_button("Download the study file", mailed.packed(here, own), "study.stab", key="download-study", on_click="ignore",
                       icon=":material/download:", help="Settings, seed, versions, every run, and the scenarios of C. It holds the "
                       "outcome of every row and what was predicted, but no measurements.")
elif not running and own not in here.studies and here.last_words:
    st.error(text.plain(here.last_words), icon=":material/error:")

if not running:
    earlier()
    st.subheader("A new study", divider="gray")
    chosen = study_form(data, here.last_settings)
    if os.environ.get(SCHEDULER):
        st.text_input("Run on the Dask cluster of this scheduler (empty: on this computer)", os.environ[SCHEDULER], key="scheduler")
    if not st.session_state.get("scheduler"):
        refuse_what_cannot_fit(data, usual_workers())
    begin, ask, _ = st.columns([1, 1, 2])
    now = begin.button("Start the study", key="start", type="primary", disabled=not chosen["selector"],
                       icon=":material/play_circle:")
    pilot = ask.button("How long will it take?", key="pilot", disabled=not chosen["selector"], icon=":material/timer:",
                       help="Runs every selector once, which the study then need not do again.")
    if now or pilot:
        study_from(chosen, data)        # what cannot be run is said before an earlier study is put aside
        same = here.finished_study(chosen)
        if same:
            which = "The study above" if same == own else "One of the earlier studies, whose results can be shown again,"
            raise InputError(f"{which} has exactly these settings and is finished: run again, it would come out the same, bit by "
                             "bit. Change something, for example the seed.")
        here.write_study(chosen)
        start(pilot)
        st.rerun()
