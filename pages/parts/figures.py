"""Figures with their tables, and parts of a page that run alone."""

import contextlib
import re
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts import address, cache, glossary, pictures, scenarios, session, undoing
from pages.parts.text import plain, show_errors
from stabcore.base.text import counted, without_minus_zero
from stabcore.data.spreadsheets import csv_bytes
from stabcore.plots.rendering import screen_figure
from stabcore.plots.style import CONFIG, SENDING_BUTTONS

MAX_SHOWN = 2000
DECIMALS = re.compile(r"%\.(\d)f")  # a format of numbers with some decimals
FILE_TYPES = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".zip": "application/zip",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".stab": "application/octet-stream",
}
MAX_PAIRS_HEIGHT = 1100  # pixels of a row for each pair of eight selectors. Thirty selectors have 435 pairs, which scroll


def run_fragment(draw):
    """Run a part of a page alone with its own controls: nothing beside it is computed or sent again.

    If a control also changes something beside the part, such as highlighted features, the whole page runs.
    """

    @st.fragment
    def part():
        if st.session_state.pop(session.RERUN_PAGE, False):
            st.rerun()
        with session.counted_rerun(), show_errors():
            scenarios.mark_seen()
            address.write()  # first, because a click elsewhere would otherwise send the earlier address
            undoing.record_changes()
            draw()
            address.write()
            undoing.record_program_changes()
            if undoing.is_stale():  # the buttons are above this part
                st.rerun()

    part()


def show_figure(
    drawn, finding, frame, name, key=None, max_height=None, subject="", with_finding=True, with_numbers=True, screen=None, **picking
):
    """A figure under its sentence, with a table of its numbers.

    drawn: the figure, or a partial of a drawing function, whose figure is kept if its frames are answers of `cache`.
    frame: a DataFrame, or a function that gives one. name: one of pictures.NAMES. subject: for the file name.
    max_height: pixels beyond which the figure scrolls. with_finding, with_numbers: False if these are elsewhere.
    screen: the Screen whose main figure this is. It shows the sentence and the numbers. picking: see `_show_chart`.
    """
    if screen is not None:
        screen.show_answer(finding)
    elif with_finding:
        glossary.show_sentence(finding)
    scrolls = max_height is not None and drawn.layout.height > max_height
    with st.container(height=max_height, border=False) if scrolls else contextlib.nullcontext():
        _show_chart(drawn, finding, key or name, pictures.file_name(name, subject), **picking)
    if screen is not None:
        screen.numbers = screen.numbers or partial(show_table, frame, name, subject)
    elif with_numbers:
        rows = "" if callable(frame) else f" ({counted(len(frame), 'row')})"
        show_folded_table(frame, name, f"Numbers of this figure{rows}", subject)


def show_facets(draw, finding, frame, name, **how):
    """Small multiples: four per row, two on a telephone. In a narrow window of a computer it scrolls sideways.

    draw: a partial of a drawing function with the number of columns. Else as `show_figure`.
    """
    _show_scrolling(partial(draw, columns=2) if is_telephone() else draw, finding, frame, name, how)


def is_dark() -> bool:
    """Whether the screen was dark at the last rerun."""
    return st.context.theme.type == "dark"


def show_row_figure(draw, finding, frame, name, **how):
    """A figure with a row per feature: names above their rows on a telephone. In a narrow window of a computer it scrolls sideways.

    draw: a partial of a drawing function with the options narrow and wide. Else as `show_figure`.
    """
    _show_scrolling(draw(narrow=True) if is_telephone() else draw(wide=True), finding, frame, name, how)


def _show_scrolling(drawn, finding, frame, name, how):
    with contextlib.nullcontext() if is_telephone() else st.container(key=f"sideways-{name}"):
        show_figure(drawn, finding, frame, name, **how)


def is_telephone() -> bool:
    """Whether the browser is that of a telephone. The server does not know the width of a window."""
    return "Mobi" in st.context.headers.get("User-Agent", "")


def show_by_width(wide, narrow, finding, frame, name, screen):
    """A figure that is too wide for a telephone, and its replacement there, with its own controls.

    narrow: a function, called below its controls. The style sheet shows one of the two. Else as `show_figure`.
    """
    with st.container(key=f"wide-{name}"):
        show_figure(wide, finding, frame, name, screen=screen)
    with st.container(key=f"narrow-{name}"):
        _show_chart(narrow(), finding, f"{name}{pictures.NARROW}", pictures.file_name(name))


def _show_chart(drawn, finding, key, file, pick=None, by="customdata", lasso=False):
    """The figure itself.

    pick: called with the customdata (or `by`) of clicked or marked points. lasso: whether drawing around points marks them.
    """
    if isinstance(drawn, partial):
        drawn = cache.cached_figure(_draw_rendered, drawn.func, drawn.args, drawn.keywords, pick is not None, is_dark())
    else:
        drawn = _rendered(drawn, pick is not None, is_dark())
    config = {**CONFIG, "toImageButtonOptions": pictures.image_options(file, drawn.layout.height)}
    width = "content" if drawn.layout.width else "stretch"
    how: dict[str, Any] = {"width": width, "key": key, "alt": finding, "theme": None}

    def marked():
        pick([point.get(by) for point in st.session_state[key]["selection"]["points"]])

    if pick is not None:
        how |= {"on_select": marked, "selection_mode": ("points", "box", "lasso") if lasso else ("points", "box")}
    if lasso:
        config["modeBarButtonsToRemove"] = SENDING_BUTTONS
    st.plotly_chart(drawn, config=config, **how)


def _draw_rendered(draw, args, options, picked, dark):
    return _rendered(draw(*args, **options), picked, dark)


def _rendered(drawn, picked, dark):
    """A figure as sent to the browser.

    Dragging does nothing until a tool of the tool bar is chosen, so that a finger scrolls the page. A click picks points. These
    settings are made here, because the toolkit would make them after the first drawing and draw again.
    """
    drawn.update_layout(dragmode=False)
    if picked:
        drawn.update_layout(clickmode="event+select", hovermode=drawn.layout.hovermode or "closest")
    return screen_figure(drawn, dark)


def show_dataframe(frame, *, column_config=None, hide_index=True, **how):
    """Show a DataFrame: columns with their names and explanations, a dash for missing values, a note of all rows once below."""
    notes = list(frame["note"].unique()) if "note" in frame else []
    if len(notes) == 1:
        frame = frame.drop(columns="note")
    if "measure" in frame:
        frame = frame.assign(measure=[glossary.measure_label(key) for key in frame["measure"]])
    columns = column_config or {}
    configured = {name: column.get("type_config") or {} for name, column in columns.items() if isinstance(column, dict)}
    shares = [name for name, how_shown in configured.items() if how_shown.get("format") == "percent" and name in frame]
    shares = [name for name in shares if frame[name].dtype.kind == "f"]
    frame = frame.assign(**{name: frame[name].round(2) for name in shares})  # otherwise 93.02% would be sorted below 94%
    digits = {name: DECIMALS.fullmatch(how_shown.get("format") or "") for name, how_shown in configured.items() if name in frame}
    frame = frame.assign(**{name: without_minus_zero(frame[name], int(match[1])) for name, match in digits.items() if match})
    frame.attrs = {}  # attrs would be sent, and a browser shows no table with a NaN among them
    headings = glossary.column_headings(frame, **columns)
    st.dataframe(frame, column_config=headings, hide_index=hide_index, placeholder="–", **how)
    if len(notes) == 1 and notes[0]:
        glossary.show_caption(plain(notes[0]))


def number_columns(form, *columns, about=None, **titles) -> dict:
    """{column: its numbers in this format} for `show_dataframe`.

    about: {column: its explanation}. titles: {column: a name that differs from its usual one}.
    """
    about = about or {}
    names = dict.fromkeys([*columns, *about, *titles])
    return {name: st.column_config.NumberColumn(titles.get(name), help=about.get(name), format=form) for name in names}


@st.fragment
def show_folded_table(frame, name, label, subject=""):
    """A table that is computed and sent when it is opened, with a download as CSV. frame, name, subject: as in `show_figure`."""
    box = st.expander(label, key=f"table-{name}", on_change="rerun")
    if box.open:
        with box:
            show_table(frame, name, subject, label)


def show_table(frame, name, subject="", alt="The numbers of the figure"):
    """A DataFrame, or a function that gives one, as a table with a download as CSV."""
    frame = frame() if callable(frame) else frame
    show_dataframe(frame.head(MAX_SHOWN), alt=alt)
    if len(frame) > MAX_SHOWN:
        st.caption(f"The first {MAX_SHOWN:,} rows. The download holds all.")
    show_csv_button(frame, name, subject)


def show_csv_button(frame, name, subject=""):
    """All numbers of a figure as a file."""
    show_file_button(
        "Download as CSV", lambda: csv_bytes(glossary.file_frame(frame)), f"{pictures.file_name(name, subject)}.csv", f"csv-{name}"
    )


def show_file_button(label, make, name, key, icon=":material/download:", **button):
    """A button that makes a file, without drawing the page again."""
    kind = FILE_TYPES.get(Path(name).suffix, "text/plain")
    st.download_button(label, make, name, kind, key=key, on_click="ignore", icon=icon, **button)
