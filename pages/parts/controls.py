"""Controls and captions that several screens share."""

from __future__ import annotations

import streamlit as st

from pages.parts import cache, scenarios, session
from pages.parts.text import plain
from stabcore.inference.estimate import ENOUGH
from stabcore.study.missing_runs import by_whom
from stabcore.wording import several

FROM_THE_SAME_ROWS = ("These correlations are estimated from the same rows and taken as known here; how far that moves the "
                      "numbers can be asked on What if?")


def missing_runs(found) -> dict[str, str]:
    """{selector: what its numbers rest on} of those of which runs failed or are not finished."""
    return found.missing_runs().set_index("selector")["sentence"].to_dict()


def of_planned(found, labels) -> list[str]:
    """How many runs each of these selectors rests on, as it stands in a table: 82 of 100."""
    missing = found.missing_runs().set_index("selector")
    return [f"{missing['runs'][one]} of {missing['planned'][one]}" if one in missing.index else f"{found.preferences(one).n_runs}"
            for one in labels]


def score_notes(table, whose=""):
    """Beside accuracies, of a result table: the classes that they cannot speak of."""
    for said in by_whom(table["accuracy_note"].to_dict()):
        st.warning(plain(whose + said), icon=":material/warning:")


def cardinality(found):
    """The what-if on how many features count as selected; None: what each run really selected."""
    if not all(found.can_rank(label) for label in found.ready):
        return None
    d = len(found.features)
    whole = session.kept(session.OTHER_CARDINALITY, lambda **at: st.toggle(
        "What if another number of features were selected?", **at,
        help="The runs kept what they would select with other numbers, so no study has to run again. How well that predicts is "
        "not known; nor is how much each feature counts, where a selector fits its final model to the chosen features."),
        default=False)
    if not whole:
        return None
    k = session.kept_slider(session.CARDINALITY, "Features selected in every run", 1, d, default=found.n_selected or max(1, d // 4))
    short = short_rankings(found, found.ready, k)
    if short:
        st.caption(plain(f"Some runs cannot give {k} features, and then as many count as they give: {short}."))
    return k


def short_rankings(found, labels, k) -> str:
    """Those of the selectors of which some runs rank fewer than k features, with how many those rank; empty when none do."""
    short = {label: most for label in labels if (most := found.longest([label])) < k}
    return ", ".join(f"{label} ({several(most, 'feature')})" for label, most in short.items())


def asked_cardinality(found):
    """What `cardinality` gives, on a page that does not ask for it."""
    free = st.session_state.get(session.OTHER_CARDINALITY) and all(found.can_rank(label) for label in found.ready)
    return st.session_state.get(session.CARDINALITY) if free else None


def selector_choice(found, key, label, default=0):
    """Choose one of the selectors that have results."""
    if key in st.session_state:
        st.session_state[key] = found.called(st.session_state[key])      # chosen elsewhere, or by its key
    if st.session_state.get(key) not in found.ready:
        st.session_state[key] = found.ready[min(default, len(found.ready) - 1)]
        st.session_state.pop(f"{key}__widget", None)
    return session.kept(key, lambda **at: st.selectbox(label, found.ready, **at), default=None)


def interval_caveat():
    """What an interval says and does not say; wherever intervals are shown."""
    st.caption("Intervals (95 %) say how much the number would move with other resamples of this dataset; the runs share "
               "rows, so they do not speak of new patients.")


def few_runs_caveat(found):
    """What runs count as in intervals, and where that of nogueira comes from when there are few."""
    if counted := found.preferences(found.ready[0]).counted:
        st.caption(counted)
    if found.n_runs < ENOUGH:
        st.caption(f"With fewer than {ENOUGH} runs Nogueira has the interval of the jackknife, as all others have: in simulations "
                   "the published one held the truth too seldom (with 10 runs 83 times of 100, with 3 runs 46).")


def relation_line(found=None):
    """Which features stand for each other now, what makes that hard to read, and the way to change it.

    found: the runs whose effective stability stands on the page.
    """
    now = scenarios.chosen()
    st.caption(f"For the effective stability: {plain(now.sentence(cache.relation()))}" + (
        f" {FROM_THE_SAME_ROWS}" if now.base == "correlation" else ""))
    for sentence in cache.cautions(cache.relation()) if found is not None else ():
        st.caption(f":material/warning: {plain(sentence)}")
    st.page_link("pages/groups.py", label="Change which features stand for each other", icon=":material/hub:")
