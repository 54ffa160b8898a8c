"""Every screen follows what goes on elsewhere: a study that runs, a scenario that another tab changes."""

from __future__ import annotations

import streamlit as st

from pages.parts import cache, scenarios, session
from pages.parts.text import sentences
from stabcore.study.machine import usual_workers
from stabcore.wording import duration

RUNNING, IDLE = 2.0, 5.0        # seconds between two looks
STEPS = 10                      # how often the screens are drawn anew while a study runs: numbers that jump cannot be read


def follow(here):
    """Look every few seconds, in the sidebar; the screen is drawn anew when there is something new to see."""
    running = here.running
    seen = _state(here)

    @st.fragment(run_every=RUNNING if running else IDLE)
    def look():
        with sentences():
            now = session.workspace()
            if now is not None and (_state(now) != seen or scenarios.changed_elsewhere()):
                st.rerun()
            if running:
                _progress(here)

    look()


def _state(here) -> tuple:
    """What the screens depend on beside what is done on them and the scenario: what runs, how far it is in tenths."""
    running = here.running
    result = cache.own_study(here) if running else None
    return running, _done(result)[2] if result else 0


def _done(result) -> tuple:
    """(Tasks that are done, all, tenths that are done) of a study."""
    done = int(result.progress()[["done", "failed"]].to_numpy().sum())
    return done, result.total, STEPS * done // max(1, result.total)


def _progress(here):
    """A line on how far it is."""
    if here.before is not None:
        st.caption(":material/hourglass_top: A study waits for its turn.")
        return
    result = cache.own_study(here)
    if result is None:
        st.caption(":material/play_circle: A study is starting.")
        return
    done, total, _ = _done(result)
    left = result.seconds_left(usual_workers())
    time_left = "" if left is None else f", about {duration(left)} left"
    if here.settings.get("trial"):
        st.caption(":material/timer: Every selector is being tried once.")
    else:
        st.progress(done / total, text=f"A study is running: {done} of {total} tasks{time_left}")
