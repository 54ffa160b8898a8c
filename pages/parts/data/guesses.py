"""What was guessed of the columns, said as a guess: the outcome to be confirmed, patients and times to be undone."""

from __future__ import annotations

import streamlit as st

from pages.parts import session, text
from stabcore.wording import listed, shown, verb_for

MOST_SAID = 3


def preset(key, value, options):
    """Give a widget its first value, and take from it what is no option any more, as after the table was turned.

    Set as a value, not as a default: a browser keeps what it showed, and would not take another default for the same widget.
    """
    now = st.session_state.get(key, value)
    fitting = [one for one in now if one in set(options)] if isinstance(now, list) else now if now in options else None
    if fitting is None and now is not None:
        st.session_state.pop(key, None)
    elif fitting is not None and (key not in st.session_state or fitting != now):
        st.session_state[key] = fitting


def confirmed(guessed, target, roles) -> bool:
    """Whether somebody said that this is the outcome; a guess is marked, with the button that confirms it."""
    if target is None and guessed.candidates:
        st.info(text.plain(f"What the file tells about the samples is not measured; the outcome may be among it: "
                           f"{listed(guessed.candidates, 8)}."))
    if target is None or "target" in roles or target != guessed.target:
        return True
    asked = st.empty()
    with asked.container(border=True):
        st.warning(text.plain(f"{shown(target)} is only a guess, {guessed.why_target}. Confirm it, or choose another column."),
                   icon=":material/help:")
        answered = st.button("Yes, this is the outcome to predict", key="confirm-target", type="primary")
    if answered:
        asked.empty()
    return answered


def patients(view, same_patient):
    """Says that rows are kept together without having been asked, or that they are not although a column looks like it."""
    guess = view.guessed.patient
    if guess is None:
        return
    name, count = shown(guess), int(view.row_of(guess)["distinct"])
    if same_patient == guess:
        sentence = (f"Preset: {name} looks like the number of a patient ({count} different ones), so it is not a feature and the "
                    "rows of one patient stay together. Choose 'No' above if that is wrong.")
    elif same_patient is None:
        sentence = (f"{name} looks like the number of a patient ({count} different ones). Its rows are not kept together now, so "
                    "the same patient may be learned from and held out; leave it out if it is not a measurement.")
    else:
        return
    st.caption(f":material/groups: {text.plain(sentence)}")


def people(view, exclude):
    """Says which columns were left out because they seem to hold names of people."""
    names = [name for name in view.guessed.people if name in exclude]
    if names:
        st.caption(":material/badge: " + text.plain(
            f"Preset: {listed(names)} {verb_for(len(names), 'seem')} to hold names of people, by what the column is called. Names "
            "are private and no measurement, so it is left out; best delete it from the file. If something else is named there, "
            "such as a drug or a place, take it out of the list above."))


def redcap(view, exclude):
    """Says which columns were left out because they are REDCap's own, and which are boxes of one question."""
    export = view.guessed.redcap
    if export is not None and (not export.own or set(export.own) & set(exclude)):
        text.notes(export.sentences)


def times(guessed, exclude, target):
    """Says which columns are survival data, with the button that takes the event as the outcome."""
    for number, pair in enumerate(guessed.survival[:MOST_SAID]):
        if pair.time in exclude:
            st.info(text.plain(pair.sentence), icon=":material/timer:")
            if pair.event != target:
                st.button(f"Predict {text.plain(pair.event)}", key=f"event-{number}", on_click=_choose, args=(pair.event,))


def _choose(event):
    st.session_state[session.TARGET] = event
    st.session_state[session.EXCLUDE] = [name for name in st.session_state.get(session.EXCLUDE, []) if name != event]
