"""Words on the screens: all of them behind a button, and no name that only code has in headings, options or sentences."""

import json
import re

import pandas as pd
import pytest
import streamlit as st
from page_support import PAGES, bundled, fine_page, open_page, patients, sample, studied, study_file
from support import ROOT

import stabcore as sc
from pages.parts import figures
from stabcore.glossary.catalog import TERMS, terms_in
from stabcore.glossary.headings import heading
from stabcore.plots.lessons import frame_lesson, table_lesson
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.lesson import answer as answer_of

GROUPS = {"acids": ["alcohol", "malic_acid", "ash"], "hue": ["color_intensity", "hue"]}
KEYS = {"stability": "section", "profiles": "profile", "whatif": "what_if", "pareto": "pareto", "panel": "panel"}
UNSEEN = {
    "id",
    "key",
    "url",
    "form_id",
    "page",
    "icon",
    "element_id",
    "user_key",
    "config",
    "component_name",
    "js_content",
    "column_order",
    "script_path",
    "fragment_id",
    "src",
}  # of what is sent
MANY = re.compile(r"(?<![\w.,])1 (?:features|markers|runs|selectors|rows|pairs|groups|sets|studies|scenarios|columns|models)\b")
PLACES = re.compile(r"<[^>]*>|%\{[^}]*\}")  # tags and places of numbers in texts of figures
MORE = {"whatif": {"beside": True}, "pareto": {"pareto-chosen": ["Lasso", "mRMR"]}}


def is_raw(text):
    """Is this a name that only code has, such as p_holm?"""
    return bool(re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)+", text)) or text in ("None", "nan", "NaN", "3nn")


def sections(page):
    """Keys of the sections of a page."""
    tree = "".join(
        path.read_text(encoding="utf-8")
        for path in (
            ROOT / "pages" / f"{page}.py",
            ROOT / "pages" / "parts" / f"{page}.py",
            ROOT / "pages" / "parts" / page / "sections.py",
        )
        if path.exists()
    )
    return list(dict.fromkeys(re.findall(r'"(\w+)": \("[^"]+", [\w.]+\)', tree)))


def wine():
    return sample("wine", scenario={"base": "groups", "groups": GROUPS})


class Open:
    """An expander that is open, so that what it holds is drawn."""

    open = True

    def __init__(self, box):
        self.box = box

    def __enter__(self):
        return self.box.__enter__()

    def __exit__(self, *error):
        return self.box.__exit__(*error)


@pytest.fixture
def headings(monkeypatch):
    """The names of all columns that are drawn, tables that are folded away among them."""
    expander, drawn = st.expander, []

    def opened(label, **how):
        return Open(expander(label, **{name: value for name, value in how.items() if name not in ("key", "on_change", "expanded")}))

    def dataframe(frame, column_config=None, column_order=None, **how):
        configured = column_config or {}
        shown = column_order or [*frame.columns, *filter(None, frame.index.names)]
        for name in map(str, shown):
            one = configured.get(name, name)
            drawn.append((one.get("label") or name) if isinstance(one, dict) else one or name)
        texts = frame.select_dtypes(exclude=["number", "bool"])
        drawn.extend(str(one) for name in texts for one in texts[name].dropna().unique()[:50])

    monkeypatch.setattr(st, "expander", opened)
    monkeypatch.setattr(st, "dataframe", dataframe)
    return drawn


def words_of(app):
    """All words of a page: what stands there, the options and help of its controls, and texts of its pictures."""
    for part in (part for block in app._tree.children.values() for part in elements(block)):
        for text in texts(part.proto):
            apart = re.split(r"[\s(),;:“”'*=`\[\]/|·]+", PLACES.sub(" ", text.replace("\\", "")))
            yield from ["None"] if text.strip() == "None" else (one for one in apart if one.strip(".") != "None")  # a sentence


def elements(part):
    """All that is drawn in a part of a page."""
    if getattr(part, "proto", None) is not None:
        yield part
    for inner in getattr(part, "children", {}).values():
        yield from elements(inner)


def texts(message):
    """All texts of what is sent to the browser for people to read."""
    for field, value in message.ListFields():
        mapped = field.message_type is not None and field.message_type.GetOptions().map_entry
        for one in [] if mapped or field.name in UNSEEN else [value] if isinstance(value, (str, bytes)) else listed(value):
            if field.type == field.TYPE_MESSAGE:
                yield from texts(one)
            elif field.name == "spec":
                yield from drawn_texts(json.loads(one))
            elif field.name == "columns":
                yield from (str(how.get("label") or name) for name, how in json.loads(one).items() if isinstance(how, dict))
            elif field.type == field.TYPE_STRING:
                yield one


def listed(value):
    return value if hasattr(value, "extend") else [value]


def drawn_texts(part, of=""):
    """What a figure says: titles, names, marks, what the pointer shows."""
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from drawn_texts(inner, name) if name not in ("customdata", "template", "meta") else ()
    elif isinstance(part, list):
        for inner in part:
            yield from drawn_texts(inner, of)
    elif isinstance(part, str) and of in ("text", "name", "hovertemplate", "hovertext", "ticktext", "x", "y"):
        yield part


@pytest.mark.parametrize("page", PAGES)
def test_no_screen_shows_names_that_only_code_has(page, headings):
    """Names of features are the person's own: those of the wines have underscores too, and pictures may shorten them."""
    known = {part for name in sc.open_study(bundled().store).features for part in name.split("/")}
    chosen = [{KEYS[page]: key} for key in sections(page)] if page in KEYS else [{}]
    raw = set()
    for session in chosen:
        app = open_page(page, wine(), **session, **MORE.get(page, {}))
        assert not app.exception
        raw |= {one for one in (*words_of(app), *headings) if one and is_raw(str(one).strip("."))}
    raw = {one for one in raw if not any(name.startswith(one) for name in known)}
    assert raw == set(), page
    assert page not in KEYS or len(chosen) > 3


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=lambda one: one.key)
def test_lessons_call_places_and_values_as_their_pictures_do(lesson):
    """Not x and y; and a formula in the answer says what its letters are."""
    settings = {one.key: one.values[0] for one in lesson.controls}
    told = answer_of(lesson, settings, random_state=1)
    shown = [heading(name) for name in table_lesson(frame_lesson(told), told)]
    assert not {"x", "y", "series"} & set(shown) and lesson.controls[0].label in shown
    for letter in re.findall(r"(?<![\w.])[kdqτ](?![\w.])(?=[²)/ −])", told.sentence):
        assert re.search(rf"(?<!\w){letter} = ", told.sentence), letter


def test_the_button_beside_every_title_shows_every_word(headings):
    app = fine_page("learn").button(key="words").click().run()
    assert not app.exception
    told = " ".join(one.value.replace("\\", "") for one in app.markdown)
    assert all(term.name in told and term.sentence in told for term in TERMS.values())


def test_a_sentence_has_its_words_beside_it():
    app = fine_page("stability", wine())
    helps = [one.help for one in app.markdown if one.help]
    assert any("Noise floor" in one and "outcome shuffled" in one for one in helps)


def test_what_a_table_carries_along_never_keeps_it_from_being_shown(monkeypatch):
    """A browser shows nothing of a table whose metadata hold a NaN, as those of a frame without importances did."""
    frame = pd.DataFrame({"a": [1]})
    frame.attrs["values"] = {"importance_weighted": float("nan")}
    sent = []
    monkeypatch.setattr(st, "dataframe", lambda frame, **how: sent.append(frame))
    figures.numbers(frame)
    assert sent[0].attrs == {} and frame.attrs["values"]


@pytest.fixture(scope="module")
def of_one(tmp_path_factory):
    """A study of which nearly everything is one: a feature is selected, by one selector; a group; a pair stands for each other."""
    return study_file(tmp_path_factory.mktemp("one") / "one.stab", patients("abc", 48), ["mim"], sc.ComplementaryPairs(3), k=1)


@pytest.mark.parametrize("page", [one for one in PAGES if one not in ("start", "data", "learn")])
def test_one_thing_is_told_in_the_singular(page, of_one, headings):
    """Not "1 features", wherever one of something is possible."""
    chosen = [{KEYS[page]: key} for key in sections(page)] if page in KEYS else [{}]
    for session in chosen:
        work = studied(of_one)
        work.save(scenario={"base": "groups", "groups": {"pair": ["a", "b"]}})
        app = open_page(page, work, **session)
        assert not app.exception
        told = [
            PLACES.sub(" ", text.replace("\\", ""))
            for block in app._tree.children.values()
            for part in elements(block)
            for text in texts(part.proto)
        ] + [str(one) for one in headings]
        found = {match[0] for one in told for match in MANY.finditer(one)}
        assert found == set(), session


@pytest.mark.slow
@pytest.mark.parametrize("page", ["stability", "maps", "profiles", "whatif", "passport", "panel", "pareto"])
def test_captions_have_their_words_beside_them(page):
    """What is told below a picture is where the hard words are."""
    for session in [{KEYS[page]: key} for key in sections(page)] if page in KEYS else [{}]:
        app = fine_page(page, wine(), **session)
        bare = [
            one.value
            for one in app.main.caption
            if terms_in(one.value.replace("\\", "")) and not one.proto.help and not one.value.startswith("$")
        ]  # letters of a formula, which say what they are
        assert bare == [], session
