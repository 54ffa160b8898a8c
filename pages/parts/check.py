"""Check: the files of a reviewer, the resampling scheme, and the results of sc.check."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import figures, session, text
from pages.parts.people import describe_home
from pages.parts.start import doors, questions
from stabcore.plots.panel import draw_panel, finding_panel, frame_panel, panel_without_control
from stabcore.resampling.catalog import PLANS, plans_of_uploads, required_plan_options

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from pages.parts.screen import Screen
    from stabcore.reporting.check import Check

PLACE = "check"  # place of the questions about files in the session
FORMS = {
    "Lists of names": "ALT, AST\nALT, EGFR\nALT, AST, EGFR\n…",
    "0/1 matrix": "run,ALT,AST,EGFR\n1,1,1,0\n2,1,0,1\n…",
    "Long table": "run,feature\n1,ALT\n1,AST\n…",
    "Frequencies": "feature,frequency\nALT,0.9\nAST,0.6\n…",
}
EXAMPLE = """ALT, AST, GGT, CRP
ALT, AST, CRP, LDH
ALT, AST, GGT, IL6
ALT, GGT, CRP, TP53
ALT, AST, CRP, EGFR
ALT, AST, GGT, CRP
ALT, AST, LDH, CRP
ALT, AST, GGT, IL6"""
CANDIDATES, SCHEME = 30, "bootstrap"  # of the example


@dataclass(frozen=True)
class CheckInput:
    """Uploaded or pasted files, [(content, file name)], and facts that they do not contain, None or "" if unknown."""

    files: list[tuple[bytes, str]]
    n_features: int | None
    n_runs: int | None
    plan: str


@dataclass(frozen=True)
class CheckView:
    """The results of the check, None before it, and the screen."""

    checked: Check | None
    inputs: CheckInput
    screen: Screen


def forget_results() -> None:
    """Discard the results, because the input has changed."""
    st.session_state.pop(session.CHECKED, None)
    questions.forget_question(PLACE)


def _ask_input() -> tuple[CheckInput, DeltaGenerator]:
    """Upload or paste selections, and add what their files do not contain. Also returns the column of the files."""
    left, right = st.columns(2, gap="large")
    with left:
        files = st.file_uploader(
            "Selections of several runs",
            key="check-files",
            accept_multiple_files=True,
            on_change=forget_results,
            help="Files of R, Python or Excel: a matrix, a long table, lists of names, one sheet or file per run. Outputs of "
            "mlr3fselect, sharp, stabs, nestedcv, mixOmics, psfmi, abe, Boruta, caret, ipss and Stabl are recognised.",
        )
        pasted = doors.ask_pasted_selections("check-text", forget_results)
    with right:
        plan = _ask_plan()
        n_features = st.number_input(
            "Number of candidate features",
            min_value=1,
            value=None,
            placeholder="those in the file",
            key="check-d",
            on_change=forget_results,
            help="All features that the selector could choose from, also those that no run selected. Lists of names do not contain "
            "these, so give the number. Stability corrects for chance with it.",
        )
        n_runs = st.number_input(
            "Number of runs",
            min_value=1,
            value=None,
            placeholder="only for selection frequencies",
            key="check-runs",
            on_change=forget_results,
            help="Only for a table of selection frequencies, which does not hold the runs.",
        )
    uploaded = [(file.getvalue(), file.name) for file in files or []] or [(pasted.encode("utf-8"), questions.PASTED)]
    return CheckInput(uploaded if uploaded[0][0].strip() else [], n_features, n_runs, plan), left


def _ask_plan() -> str:
    """The resampling scheme as sc.check takes it, "" if it is not known."""
    kind = st.selectbox(
        "Resampling scheme",
        ["", *plans_of_uploads()],
        format_func=lambda key: PLANS[key].label if key else "Not known (then no noise floor)",
        key="check-plan",
        on_change=forget_results,
        help="Runs share patients, so they agree even without signal. Without an outcome to shuffle, the noise floor is computed "
        "from the scheme. This one does not include preferences of the selector.",
    )
    options = []
    for name in required_plan_options(kind):
        option = PLANS[kind].options[name]
        is_whole = option.kind == "whole"
        low, high = (int(option.low or 0), int(option.high or 0)) if is_whole else (float(option.low or 0), float(option.high or 1))
        value = st.number_input(option.meaning, low, high, option.default, key=f"check-{name}", on_change=forget_results)
        options.append(f"{name}={value}")
    return f"{kind}:{','.join(options)}" if options else kind


def ask_and_check() -> tuple[CheckInput, Check | None]:
    """The input, folded below its answer, and what the button found, kept until something changes."""
    checked = st.session_state.get(session.CHECKED)
    with st.container(border=True) if checked is None else st.expander("Change selections", key="check-input"):
        inputs, left = _ask_input()
        if left.button("Check selections", key="check-now", type="primary", disabled=not inputs.files):
            _checked(inputs)
        questions.ask_question(PLACE, partial(_checked, inputs))
    return inputs, checked


def _checked(inputs):
    with text.show_errors():
        if questions.try_reading(PLACE, partial(_read_selections, inputs)):
            st.rerun()  # the rerun folds the input


def _read_selections(inputs):
    from stabcore.reporting.check import LABEL, check
    from stabcore.study.results import Results

    answers, plan, n_features = questions.saved_answers(PLACE), inputs.plan or None, inputs.n_features
    if inputs.n_runs:
        content, name = inputs.files[0]
        answered = {option: value for options in answers.values() for option, value in options.items()}
        st.session_state[session.CHECKED] = check(content, name, plan=plan, n_features=n_features, n_runs=inputs.n_runs, **answered)
        return
    single = len(inputs.files) == 1
    about = [
        {"label": LABEL if single else doors.selector_label(name), "name": name, "n_features": n_features, **answers.get(name, {})}
        for _, name in inputs.files
    ]
    result = Results.from_files([(content, options) for (content, _), options in zip(inputs.files, about, strict=True)])
    st.session_state[session.CHECKED] = check(result, plan=plan, n_features=n_features)


def show_check(view: CheckView) -> None:
    """The answer, three sentences to copy, and the panel."""
    checked = view.checked
    if checked is None:
        view.screen.show_answer(
            "Upload the features that each run selected. Stability and a panel follow, and the noise floor if the "
            "resampling scheme is known."
        )
        st.caption(f":material/lock: The files stay on {describe_home()}. Nothing is saved, and an open project stays as it is.")
        _show_forms()
        return
    from stabcore.reporting.check import ABOUT_INTERVALS

    view.screen.show_answer(checked.answer)
    labels = list(checked.sentences)
    label = st.selectbox("Selector", labels, key="check-selector") if len(labels) > 1 else labels[0]
    panel = checked.panel[checked.panel["selector"] == label].drop(columns="selector").reset_index(drop=True)
    table = panel_without_control(panel)
    drawn = partial(draw_panel, frame_panel(table, checked.threshold))
    figures.show_figure(drawn, finding_panel(table, checked.threshold), panel, "panel-picture", with_numbers=False)
    st.subheader("For a methods section", anchor=False)
    st.code("\n".join(checked.sentences[label]), language=None, wrap_lines=True)
    if not view.inputs.n_runs and st.button("Open as project", key="check-open", icon=":material/open_in_new:"):
        with text.show_errors():
            doors.open_selections(view.inputs.files, {"n_features": view.inputs.n_features}, answers=questions.saved_answers(PLACE))
            st.switch_page("pages/stability.py")
    view.screen.explain(text.plain(checked.floor))
    notes = [note for note in checked.stability["note"] if note]
    view.screen.add_limitations(*map(text.plain, (ABOUT_INTERVALS, *notes, *checked.notes)))
    view.screen.numbers = partial(_show_numbers, checked, panel)


def _show_forms():
    """How selections can be written, and an example that fills in the form."""
    st.caption("Accepted formats:")
    for column, (form, lines) in zip(st.columns(len(FORMS)), FORMS.items(), strict=True):
        column.markdown(f"**{form}**\n```\n{lines}\n```")
    st.button("Check an example", key="check-example", icon=":material/play_arrow:", on_click=_check_example)


def _check_example():
    """Fill in the form as a person would, and check it."""
    st.session_state.update({"check-text": EXAMPLE, "check-d": CANDIDATES, "check-plan": SCHEME})
    _read_selections(CheckInput([(EXAMPLE.encode(), questions.PASTED)], CANDIDATES, None, SCHEME))


def _show_numbers(checked, panel):
    """The stability of each selector, and the panel."""
    figures.show_table(checked.stability, "check", alt="Stability of each selector")
    figures.show_table(panel, "panel-picture", alt="Selection frequency of each feature")
