"""The glossary on screens: by a button beside each title, the words of the screen first; those of a sentence beside it."""

from __future__ import annotations

import streamlit as st

from pages.parts import session
from pages.parts.text import plain
from stabcore.glossary.catalog import MOST, looked_for, term, terms_in, words_of
from stabcore.glossary.headings import heading, readable
from stabcore.glossary.letters import letters_of
from stabcore.measures.catalog import BY_KEY

REMEMBERED = 200  # sentences of a page whose words are those of the screen
MOST_OF_CAPTION = 8  # words of a caption, which is longer than a sentence
LABELS = {key: measure.label for key, measure in BY_KEY.items()}


def button():
    """Opens all words; beside every title, so that the keyboard finds it on every screen at the same place."""
    if st.button(
        "Glossary", key="words", icon=":material/menu_book:", type="tertiary", help="The terms of this screen, and all others."
    ):
        every_word()


@st.dialog("Glossary", width="large", icon=":material/menu_book:")
def every_word():
    """The words of the screen and behind them all others, or those that are looked for."""
    here = words_of("\n".join(_sentences()))
    asked = st.text_input("Search term", key=session.SEARCHED_WORD, placeholder="stability, Holm, γ …", live=True)
    themes = looked_for(asked or "")
    if not themes:
        st.info(plain(f"No term contains “{asked}”. Try a part of the word."), icon=":material/search_off:")
    if asked:
        _told(themes)
        return
    _told({"On this screen": here} if here else {})
    others = st.expander("All other terms", key="words-others", on_change="rerun")
    if others.open:  # a hundred pictures and formulas, which a browser takes seconds for
        with others:
            _told({theme: [entry for entry in terms if entry not in here] for theme, terms in themes.items()})


def _told(themes):
    """Words under the names of their themes: a sentence, a symbol, a picture, a formula with its letters."""
    for theme, terms in themes.items():
        st.header(theme, divider="gray")
        for entry in terms:
            word(entry)


def _sentences() -> dict[str, None]:
    """Sentences and headings of tables that were explained on the open page, in their order."""
    page, sentences = st.session_state.get(session.PAGE), st.session_state.get(session.EXPLAINED, ("", {}))
    if sentences[0] != page:
        sentences = st.session_state[session.EXPLAINED] = page, {}
    return sentences[1]


def word(entry):
    """One word."""
    picture, beside = st.columns([1, 4], vertical_alignment="center")
    picture.image(entry.picture.svg, width=96, alt=entry.picture.alt)
    symbol = f" · {plain(entry.symbol)}" if entry.symbol else ""
    beside.markdown(f"**{plain(entry.name)}**{symbol}  \n{plain(entry.sentence)}")
    if entry.formula:
        beside.latex(entry.formula)
        letters(beside, entry.formula)


def letters(place, formula, measure=""):
    """What the letters of a formula stand for."""
    place.caption("; ".join(f"${letter}$: {plain(meaning)}" for letter, meaning in letters_of(formula, measure).items() if meaning))


def about(key) -> str:
    """What a word means, for the help beside a control."""
    entry = term(key)
    return f"**{plain(entry.name)}**{f' ({plain(entry.symbol)})' if entry.symbol else ''}: {plain(entry.sentence)}"


def explained(text, most=MOST) -> str | None:
    """What the words of a sentence mean, at most so many, for the help beside it; None where it has none of them."""
    text, sentences = text.replace("\\", ""), _sentences()
    sentences.pop(text, None)
    sentences[text] = None
    if len(sentences) > REMEMBERED:  # the one that was explained longest ago
        del sentences[next(iter(sentences))]
    return "\n\n".join(about(entry.key) for entry in terms_in(text, most)) or None


def say(sentence):
    """What a picture or table shows, in one sentence, with its words beside it."""
    st.markdown(f"**{plain(sentence)}**", help=explained(sentence))


def tell(*paragraphs):
    """What has to be known of a picture or table, with its words beside it."""
    if text := "\n\n".join(filter(None, paragraphs)):
        st.caption(text, help=explained(text, MOST_OF_CAPTION))


def measure_label(key) -> str:
    """The name of a measure by its key; what is no key stays as it is."""
    return BY_KEY[key].label if key in BY_KEY else key


def in_file(frame):
    """A DataFrame for a file that people take along: its columns and measures are called as on screens."""
    if "measure" in frame:
        frame = frame.assign(measure=[measure_label(key) for key in frame["measure"]])
    return readable(frame, LABELS)


def headings(frame, **given) -> dict:
    """{column: its name on screens, and what the words in it mean} of a DataFrame; given: what is configured by hand."""
    called = {str(name): heading(name, LABELS) for name in (*frame.columns, *filter(None, frame.index.names))}
    usual = {name: st.column_config.Column(words, help=explained(words)) for name, words in called.items()}
    return usual | {name: _named(configured, called.get(name)) for name, configured in given.items()}


def _named(configured, name):
    """What was configured by hand, under the name on screens where it has none of its own."""
    return {**configured, "label": configured.get("label") or name} if isinstance(configured, dict) else configured
