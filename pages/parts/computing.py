"""The progress of a computation that continues when its page is closed."""

import streamlit as st

from pages.workspace.queue import describe_place


def show_progress(computation, progress, subject="This", cancel="", key=""):
    """Its place in the queue, or its progress, every second. The page is drawn again at the end.

    computation: a Computation or a BackgroundTask. progress: returns (finished parts, all parts, the text of the bar). cancel: the
    label of the button that cancels it, "" without one.
    """

    @st.fragment(run_every=1.0)
    def check():
        if not computation.is_running:
            st.rerun()
        if (before := computation.queue_position) is not None:
            place = describe_place(subject, *before)
            st.info(f"{place} It starts by itself, also when this page is closed.", icon=":material/hourglass_top:")
        else:
            done, total, text = progress()
            st.progress(min(done / max(total, 1), 1.0), text=text)
        if cancel and st.button(cancel, key=key, icon=":material/stop_circle:"):
            computation.cancel()

    check()


def parse_progress(words) -> tuple[int, int]:
    """(finished parts, all parts) in the last words of a process, such as "3 of 50". (0, 0) for other words."""
    done, _, total = words.partition(" of ")
    return (int(done), int(total)) if done.isdigit() and total.isdigit() else (0, 0)
