"""The glossary on screens: all terms by a button beside each title, and the terms of a sentence as its help."""

import streamlit as st

from pages.parts import session
from pages.parts.text import plain
from stabcore.base.text import unbroken_text
from stabcore.glossary.catalog import MAX_TERMS, all_terms_in, find_terms, term, terms_in
from stabcore.glossary.headings import heading, readable_frame
from stabcore.glossary.letters import formula_letters
from stabcore.measures.catalog import BY_KEY

MAX_SENTENCES = 200  # sentences of a page whose terms count as those of the screen
MAX_CAPTION_TERMS = 8  # limit of terms of a caption, which is longer than a sentence
LABELS = {key: measure.label for key, measure in BY_KEY.items()}


def show_button():
    """The button that opens the glossary, at the same place of every title for the keyboard."""
    if st.button(
        "Glossary", key="glossary", icon=":material/menu_book:", type="tertiary", help="The terms of this screen, and all others."
    ):
        show_glossary()


@st.dialog("Glossary", width="large", icon=":material/menu_book:")
def show_glossary():
    """The terms of the screen, then all others, or those of a search."""
    here = all_terms_in("\n".join(_explained_sentences()))
    asked = st.text_input("Search term", key=session.SEARCHED_WORD, placeholder="stability, Holm, γ …", live=True)
    themes = find_terms(asked or "")
    if not themes:
        st.info(plain(f"No term contains “{asked}”. Try a part of the word."), icon=":material/search_off:")
    if asked:
        _show_terms(themes)
        return
    _show_terms({"On this screen": here} if here else {})
    others = st.expander("All other terms", key="other-terms", on_change="rerun")
    if others.open:  # a hundred pictures and formulas, which a browser draws for seconds
        with others:
            _show_terms({theme: [entry for entry in terms if entry not in here] for theme, terms in themes.items()})


def _show_terms(themes):
    """Terms under their themes: a sentence, a symbol, a picture, a formula with its letters."""
    for theme, terms in themes.items():
        st.subheader(theme, divider="gray", anchor=False)
        for entry in terms:
            picture, beside = st.columns([1, 9])
            picture.image(entry.picture.svg, width=96, alt=entry.picture.alt)
            symbol = f" · {plain(entry.symbol)}" if entry.symbol else ""
            beside.markdown(f"**{plain(entry.name)}**{symbol}  \n{plain(entry.sentence)}")
            if entry.formula:
                beside.latex(entry.formula)
                show_letters(beside, entry.formula)


def _explained_sentences() -> dict[str, None]:
    """Explained sentences and table headings of the open page, in their order."""
    page, sentences = st.session_state.get(session.PAGE), st.session_state.get(session.EXPLAINED, ("", {}))
    if sentences[0] != page:
        sentences = st.session_state[session.EXPLAINED] = page, {}
    return sentences[1]


def show_letters(place, formula, measure=""):
    """The meaning of the letters of a formula."""
    place.caption(
        " ".join(f"${letter}$: {plain(meaning)}." for letter, meaning in formula_letters(formula, measure).items() if meaning)
    )


def describe_term(key) -> str:
    """The meaning of a term, for the help of a control."""
    entry = term(key)
    return f"**{plain(entry.name)}**{f' ({plain(entry.symbol)})' if entry.symbol else ''}: {plain(entry.sentence)}"


def describe_terms(text, most=MAX_TERMS) -> str | None:
    """The meanings of the terms in a sentence, up to a limit, for its help. None without terms."""
    text, sentences = text.replace("\\", ""), _explained_sentences()
    sentences.pop(text, None)
    sentences[text] = None
    if len(sentences) > MAX_SENTENCES:  # the oldest one
        del sentences[next(iter(sentences))]
    return "\n\n".join(describe_term(entry.key) for entry in terms_in(text, most)) or None


def show_sentence(sentence):
    """Show the answer of a figure or table in one sentence, with its terms as help."""
    st.markdown(f"**{unbroken_text(plain(sentence))}**", help=describe_terms(sentence))


def show_caption(*paragraphs):
    """Explain a figure or table, with its terms as help."""
    if text := "\n\n".join(filter(None, paragraphs)):
        st.caption(text, help=describe_terms(text, MAX_CAPTION_TERMS))


def measure_label(key) -> str:
    """The name of a measure by its key. Other texts stay as they are."""
    return BY_KEY[key].label if key in BY_KEY else key


def file_frame(frame):
    """A DataFrame for a file: columns and measures have their names on screens."""
    if "measure" in frame:
        frame = frame.assign(measure=[measure_label(key) for key in frame["measure"]])
    return readable_frame(frame, LABELS)


def column_headings(frame, **columns) -> dict:
    """{column: name on screens with the meaning of its terms} of a DataFrame. columns: those configured by the caller."""
    called = {str(name): heading(name, LABELS) for name in (*frame.columns, *filter(None, frame.index.names))}
    usual = {name: st.column_config.Column(words, help=describe_terms(words)) for name, words in called.items()}
    return usual | {name: _with_label(configured, called.get(name)) for name, configured in columns.items()}


def _with_label(configured, name):
    """A configured column, with its name on screens if it has none."""
    return {**configured, "label": configured.get("label") or name} if isinstance(configured, dict) else configured
