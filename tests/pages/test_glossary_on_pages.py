"""The texts of every screen: a snapshot per screen, no names of code, explained terms, and singulars."""

import json
import re

import pandas as pd
import pytest
import streamlit as st
from page_support import ANALYSES, PAGES, fine_page, open_page
from project_support import bundled, patients, sample, studied, study_file
from snapshot_support import check_snapshot
from support import ROOT, slow

import stabcore as sc
from pages.parts import figures, maps, session
from pages.parts.screen import LIMITATIONS, MORE, NUMBERS, READING, Screen
from stabcore.glossary.catalog import TERMS, terms_in

GROUPS = {"acids": ["alcohol", "malic_acid", "ash"], "hue": ["color_intensity", "hue"]}
KEYS = {**ANALYSES, "whatif": session.WHAT_IF_QUESTION, "maps": session.MAP_KIND}
ALSO = {"whatif": {"two_selectors": True}, "pareto": {"pareto_selectors": ["Lasso", "mRMR"]}}
# of what is sent, what nobody reads
UNSEEN = (
    "id|key|url|form_id|page|icon|element_id|user_key|config|component_name|js_content|column_order|script_path|fragment_id|src"
    r"|tag|type|shortcut|divider|format|\w+_hash|deferred_file_id|srcdoc"
)
MANY = re.compile(r"(?<![\w.,])1 (?:features|markers|runs|selectors|rows|pairs|groups|sets|studies|scenarios|columns|models)\b")
PLACES = re.compile(r"<[^>]*>|%\{[^}]*\}")  # tags and places of numbers in texts of figures
NUMBER = re.compile(r"\d+(?:[.,’ ]\d+)*(?: (?:s|min|h)\b)?")


class Opened:
    """An expander that is open, so that its content is drawn."""

    open = True

    def __init__(self, box):
        self.box = box

    def __enter__(self):
        return self.box.__enter__()

    def __exit__(self, *error):
        return self.box.__exit__(*error)


@pytest.fixture
def drawn(monkeypatch):
    """(names of columns, cells) of all tables, with every drawer and expander open."""
    expander, columns, cells = st.expander, [], []

    def unfolded(label, **how):
        return Opened(
            expander(label, **{name: value for name, value in how.items() if name not in ("key", "on_change", "expanded")})
        )

    def dataframe(frame, column_config=None, column_order=None, **how):
        configured = column_config or {}
        for name in map(str, column_order or [*frame.columns, *filter(None, frame.index.names)]):
            column = configured.get(name, name)
            columns.append((column.get("label") or name) if isinstance(column, dict) else column or name)
        words = frame.select_dtypes(exclude=["number", "bool"])
        cells.extend(str(cell) for name in words for cell in words[name].dropna().unique()[:50])

    draw = Screen.show_drawer

    def every_drawer(self, drawer, *analyses):
        for name in (READING, LIMITATIONS, NUMBERS, *self.others, MORE):
            draw(self, name, *analyses)

    monkeypatch.setattr(Screen, "show_drawer", every_drawer)
    monkeypatch.setattr(st, "expander", unfolded)
    monkeypatch.setattr(st, "dataframe", dataframe)
    for name, few in (("GROUPS", 2), ("PARTITIONS", 1)):  # fits that no sentence tells of
        monkeypatch.setattr(f"stabcore.study.new_patients.{name}", few)
    monkeypatch.setattr("pages.parts.study.form.is_machine_busy", lambda: False)  # else the screen says how busy this computer is
    return columns, cells


def views(page):
    """Session entries for each view of a page: its main figure, its analyses, its questions or kinds."""
    places = (f"{page}.py", f"parts/{page}.py", f"parts/{page}/sections.py")
    written = "".join(path.read_text(encoding="utf-8") for place in places if (path := ROOT / "pages" / place).exists())
    names = list(maps.KINDS) if page == "maps" else re.findall(r'"(\w+)"(?:\] =|:) \("[^"]+", (?:"[^"]+", )?[\w.]+\)', written)
    assert page not in KEYS or len(names) > 1
    own_figure = [""] if page in ANALYSES else []
    return [{KEYS[page]: name} for name in dict.fromkeys([*own_figure, *names])] if page in KEYS else [{}]


def opened(page, project):
    """(view, page) for all views of a page."""
    for view in views(page):
        app = open_page(page, project, **view, **ALSO.get(page, {}))
        assert not app.exception, view
        yield next(iter(view.values()), "") or page, app


def elements(part):
    """All that is drawn in a part of a page."""
    if getattr(part, "proto", None) is not None:
        yield part
    for inner in getattr(part, "children", {}).values():
        yield from elements(inner)


def every_element(app):
    return [*elements(app.main), *elements(app.sidebar)]


def texts(message, in_figures=True):
    """All texts of what is sent to the browser for people to read."""
    for field, value in message.ListFields():
        mapped = field.message_type is not None and field.message_type.GetOptions().map_entry
        for inner in [] if mapped or re.fullmatch(UNSEEN, field.name) else value if hasattr(value, "extend") else [value]:
            if field.type == field.TYPE_MESSAGE:
                yield from texts(inner, in_figures)
            elif field.name == "spec":
                yield from figure_texts(json.loads(inner)) if in_figures else ()
            elif field.name == "columns":
                yield from (str(how.get("label") or name) for name, how in json.loads(inner).items() if isinstance(how, dict))
            elif field.type == field.TYPE_STRING:
                yield inner


def figure_texts(part, of=""):
    """The texts of a figure: titles, names, marks, hover texts."""
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from figure_texts(inner, name) if name not in ("customdata", "template", "meta") else ()
    elif isinstance(part, list):
        for inner in part:
            yield from figure_texts(inner, of)
    elif isinstance(part, str) and of in ("text", "name", "hovertemplate", "hovertext", "ticktext", "x", "y"):
        yield part


def raw_names(app):
    """Names that only code has, such as p_holm."""
    for kind, text in ((part.type, text) for part in every_element(app) for text in texts(part.proto)):
        words = (word.strip(".") for word in re.split(r"[\s(),;:“”'*=`\[\]/|·]+", PLACES.sub(" ", text.replace("\\", ""))))
        spelt = text.strip() == "None" and kind != "selectbox"  # there it is a choice, as in sentences a word
        yield from (word for word in words if is_raw(word) and (word != "None" or spelt))


def is_raw(text):
    return bool(re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)+", text)) or text in ("None", "nan", "NaN", "3nn")


def lines_of(app):
    """{text: its line in the snapshot} of all on a screen but figures; numbers are left out, other tests hold them."""
    found = {}
    for part in elements(app.main):
        for text in texts(part.proto, in_figures=False):
            shown = NUMBER.sub("#", re.sub(r"\s+", " ", text.replace("\\", "").replace("\u200b", ""))).strip()
            if re.search(r"\w", shown):
                found.setdefault(shown, f"{part.type}: {shown}")
    return found


def unexplained(app):
    """Captions with terms but no help, and letters of formulas without meaning."""
    captions = [caption for caption in app.main.caption if not caption.proto.help and not caption.value.startswith("$")]
    return [caption.value for caption in captions if terms_in(caption.value.replace("\\", ""))]


@pytest.mark.parametrize("page", PAGES)
def test_no_screen_shows_names_that_only_code_has(page, drawn):
    """Names of features and classes are the person's own: those of the wines have underscores too, and pictures shorten them."""
    columns, cells = drawn
    study = sc.open_study(bundled().store)
    data_names = {part for name in (*study.features, *map(str, study.classes)) for part in name.split("/")}
    project, said, raw, bare = sample("wine", scenario={"base": "groups", "groups": GROUPS}), {}, set(), []
    for shown, app in opened(page, project):
        raw |= {*raw_names(app), *(name for name in map(str, (*columns, *cells)) if is_raw(name))}
        bare += unexplained(app) if page not in ("start", "check", "data", "similarity", "study", "learn", "report") else []
        lines = lines_of(app) | {name: f"column: {name}" for name in (NUMBER.sub("#", name) for name in columns)}
        new = {text: line for text, line in lines.items() if text not in said}
        said |= ({shown: f"\n# {shown}"} if new else {}) | new
    assert {name for name in raw if not any(feature.startswith(name) for feature in data_names)} == set()
    assert bare == []
    check_snapshot(f"pages/{page}", "\n".join(said.values()))


def test_the_button_beside_every_title_shows_every_word(drawn):
    app = fine_page("learn").button(key="glossary").click().run()
    said = " ".join(markdown.value.replace("\\", "") for markdown in app.markdown)
    assert not app.exception and all(term.name in said and term.sentence in said for term in TERMS.values())


def test_what_a_table_carries_along_never_keeps_it_from_being_shown(monkeypatch):
    """A browser shows nothing of a table whose metadata hold a NaN, as those of a frame without importances did."""
    frame, sent = pd.DataFrame({"a": [1]}), []
    frame.attrs["values"] = {"importance_weighted": float("nan")}
    monkeypatch.setattr(st, "dataframe", lambda frame, **how: sent.append(frame))
    figures.show_dataframe(frame)
    assert sent[0].attrs == {} and frame.attrs["values"]


@pytest.fixture(scope="module")
def of_one(tmp_path_factory):
    """A study with one of everything: one selected feature, one selector, one group, one similar pair."""
    return study_file(tmp_path_factory.mktemp("one") / "one.stab", patients("abc", 48), ["mim"], sc.ComplementaryPairs(3), k=1)


@pytest.mark.parametrize("whole", [False, slow(True)])
def test_one_thing_is_singular(whole, of_one, drawn):
    """Not "1 features", wherever one of something is possible. whole: in every analysis too."""
    project = studied(of_one)
    project.save(scenario={"base": "groups", "groups": {"pair": ["a", "b"]}})
    for page in [page for page in PAGES if page not in ("start", "check", "data", "learn")]:
        for shown, app in opened(page, project) if whole else [(page, fine_page(page, project))]:
            said = [text for part in every_element(app) for text in texts(part.proto)] + [
                str(text) for part in drawn for text in part
            ]
            wrong = {match[0] for text in said for match in MANY.finditer(PLACES.sub(" ", text.replace("\\", "")))}
            assert not wrong, (page, shown)
