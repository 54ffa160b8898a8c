"""The drawers below the figure of every screen, closed at first: how to read it, limitations, numbers, more analyses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import glossary, session

Analyses: TypeAlias = "Mapping[str, tuple[str, Callable[..., None]]]"
READING, LIMITATIONS, NUMBERS, MORE = "reading", "limitations", "numbers", "more"


@dataclass(eq=False)
class Screen:
    """The place of the answer at the top, and the texts and tables of the drawers, collected while a screen is drawn.

    Texts must be safe for a page, see `pages.parts.text.plain`.
    """

    head: DeltaGenerator = field(default_factory=st.container)
    reading: list[str] = field(default_factory=list)
    limitations: list[str] = field(default_factory=list)
    numbers: Callable[[], None] | None = None
    others: dict[str, Callable[[], None]] = field(default_factory=dict)  # {title: draw} of drawers of one screen

    def show_answer(self, sentence: str) -> None:
        """Show the answer of the screen above its controls."""
        with self.head:
            glossary.show_sentence(sentence)

    def explain(self, *paragraphs: str) -> None:
        """Add to "How to read this", each text once, also if it is a part of another."""
        for text in paragraphs:
            if text and not any(text in known for known in self.reading):
                self.reading.append(text)

    def add_limitations(self, *sentences: str) -> None:
        """Add to "Limitations", each sentence once."""
        self.limitations += [text for text in dict.fromkeys(sentences) if text and text not in self.limitations]

    def open_analysis(self, analyses: Analyses, key: str, screen: str) -> Callable[..., None] | None:
        """The function that draws the open analysis, under its title and the way back, or None.

        analyses: {name: (title, draw)}. key: of the name of the open one in the session. screen: its title in the menu.
        """
        opened = str(st.session_state.get(key, ""))
        if opened not in analyses:
            return None
        title, draw = analyses[opened]
        with self.head, st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                screen,
                key=f"back-{key}",
                icon=":material/arrow_back:",
                type="tertiary",
                on_click=_set_open_analysis,
                args=(key, None),
            )
            st.header(title, anchor=False)
        return draw

    def show_drawers(
        self, analyses: Analyses | None = None, key: str = "", groups: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        """Draw the row of drawers, and the open one.

        analyses, key: as in `open_analysis`. groups: {heading: names} of many analyses.
        """
        titles = {
            READING: "How to read this" if self.reading else "",
            LIMITATIONS: f"Limitations ({len(self.limitations)})" if self.limitations else "",
            NUMBERS: "Numbers" if self.numbers else "",
            **{title: title for title in self.others},
            MORE: f"More analyses ({len(analyses)})" if analyses else "",
        }
        titles = {name: title for name, title in titles.items() if title}
        if not titles:
            return
        drawer = f"drawer-{st.session_state.get(session.PAGE, '')}"
        if st.session_state.get(drawer) not in titles:
            st.session_state.pop(drawer, None)  # other results have different drawers
        opened = st.segmented_control(
            "Below the figure", list(titles), format_func=titles.__getitem__, key=drawer, label_visibility="collapsed"
        )
        self.show_drawer(opened, analyses, key, groups)

    def show_drawer(
        self, drawer: str | None, analyses: Analyses | None, key: str, groups: Mapping[str, Sequence[str]] | None
    ) -> None:
        """Draw the content of a drawer. Else as `show_drawers`."""
        if drawer == READING:
            glossary.show_caption(*self.reading)
        elif drawer == LIMITATIONS:
            glossary.show_caption("\n".join(f"{number}. {text}" for number, text in enumerate(self.limitations, 1)))
        elif drawer == NUMBERS and self.numbers:
            self.numbers()
        elif drawer in self.others:
            self.others[drawer]()
        elif drawer == MORE and analyses:
            for heading, names in (groups or {"": list(analyses)}).items():
                if heading:
                    st.markdown(f"**{heading}**")
                with st.container(horizontal=True):
                    for name in names:
                        if name in analyses:
                            st.button(analyses[name][0], key=f"open-{key}-{name}", on_click=_set_open_analysis, args=(key, name))


def _set_open_analysis(key, name):
    """Open another analysis, or none, in the next rerun."""
    st.session_state[key] = name
