"""Every control that shows a value is in the address, by session.bound, or is listed here with the reason why it is not."""

import ast

from support import ROOT

WIDGETS = {
    "selectbox",
    "multiselect",
    "slider",
    "select_slider",
    "segmented_control",
    "pills",
    "toggle",
    "checkbox",
    "radio",
    "number_input",
    "text_input",
    "text_area",
    "data_editor",
    "file_uploader",
    "color_picker",
    "date_input",
    "time_input",
    "datetime_input",
    "feedback",
    "tabs",
    "chat_input",
    "camera_input",
    "audio_input",
    "expander",
    "popover",
}

KEPT = "the address says it, under the key that this widget writes"
WORK = "the work keeps it; it can be taken back, and a link freezes it"
SCENARIO = "the work keeps it, in a scenario; it can be taken back, and a link freezes it"
TABLE = "what the table is: the work keeps it and a link freezes it; no what-if, and no undo on that screen"
FORM = "settings of a study that was not started: there are no numbers that a link could show"
LESSON = "lessons have an address of their own, see pages/parts/learn/lessons.py"
TYPED = "is nothing until the button beside it is pressed"
FILE = "a file to bring, which no browser gives back"
FOLDED = "whether it is open changes no number"

# {file or folder under pages: {the key as it is written, or "*": why no address says it}}
ELSEWHERE = {
    "parts/data": {"*": TABLE},
    "parts/start": {"*": TYPED},
    "parts/study": {"*": FORM},
    "parts/learn": {"*": LESSON},
    "parts/layout.py": {"session.SCENARIO_SWITCH": SCENARIO, "session.HIGHLIGHTED_CHOICE": KEPT, "'Forget this work'": FOLDED},
    "parts/links.py": {"'link'": FOLDED},
    "parts/words.py": {"session.SEARCHED_WORD": "looks for a word, and changes nothing", "'words-others'": FOLDED},
    "parts/figures.py": {"f'table-{name}'": FOLDED},
    "parts/groups/scenario.py": {
        "session.SCENARIO_HERE": SCENARIO,
        "f'name-{key}-{usual}'": TYPED,
        "'scenario-file'": FILE,
        "'Copy'": FOLDED,
        "'Rename'": FOLDED,
        "'Save or load'": FOLDED,
    },
    "parts/groups/define.py": {"key": SCENARIO, "'group-pattern'": TYPED, "f'group-name-{pattern}'": TYPED},
    "parts/groups/pairs.py": {"key": SCENARIO, "scenarios.fresh('pair-list')": TYPED, "'matrix-file'": FILE, "'fine-tune'": FOLDED},
    "parts/panel/replication.py": {"'replicate-file'": FILE, "'replicate-table'": FILE},
    "parts/panel/sections.py": {
        "'panel-names'": FOLDED,
        "'Name of the panel'": TYPED,
        "f'panel-name-{number}-{name}'": TYPED,
        "f'panel-kept-{number}'": FOLDED,
    },
    "parts/pictures.py": {"session.PICTURE_FORMAT": "how pictures are saved, and nothing that is shown"},
    "parts/pareto.py": {"session.COMPARED_CHOICE": WORK, "'compare-file'": FILE},
    "parts/passport.py": {"widget": KEPT},
    "parts/report.py": {
        "session.ASKED_FILTERED": WORK,
        "session.ASKED_SOURCE": WORK,
        "'two-questions'": FOLDED,
        "'report-parts'": FOLDED,
    },
    "parts/stability.py": {"'choosing-measures'": FOLDED, "'patients-selector'": TYPED},
    "parts/whatif/groups.py": {"key": KEPT},
    "parts/whatif/pairs.py": {"session.PAIR_CHOICE": KEPT, "session.PAIR_VALUE": SCENARIO},
}


def by_themselves(text):
    """The widgets of a source that session.bound does not draw, by their keys, else their first words, as they are written; of one
    that is handed on, what it is."""
    tree = ast.parse(text)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _widget(node.func)]
    handed_on = [ast.unparse(node) for node in ast.walk(tree) if _widget(node) and node not in [one.func for one in calls]]
    named = [(one, {word.arg: word.value for word in one.keywords}) for one in calls]
    return handed_on + [ast.unparse(words["key"] if "key" in words else one.args[0]) for one, words in named if None not in words]


def _widget(node):
    return isinstance(node, ast.Attribute) and node.attr in WIDGETS and ast.unparse(node.value) not in ("highlights", "links")


def why(name, key):
    """The reason that is given for a control of a file."""
    folder = ELSEWHERE.get(name.rpartition("/")[0], {})
    return ELSEWHERE.get(name, {}).get(key) or folder.get("*")


def test_the_finder_finds_controls():
    text = (
        "st.toggle('a', **session.bound(K))\nst.slider('b', 0, 1, key=session.B)\nplace.popover('c')\n"
        "control(st.radio)\nst.button('d', key='d')\nhighlights.toggle('e')"
    )
    assert sorted(by_themselves(text)) == ["'c'", "session.B", "st.radio"]


def test_every_control_is_in_the_address_or_here_with_a_reason():
    """That what session.bound keeps is in the address: tests/pages/test_address.py."""
    found = {
        (str(path.relative_to(ROOT / "pages")), key)
        for path in sorted((ROOT / "pages").rglob("*.py"))
        for key in by_themselves(path.read_text(encoding="utf-8"))
    }
    assert not {one for one in found if not why(*one)}, "in no address, and no reason is given"
    listed = {(name, key) for name, keys in ELSEWHERE.items() for key in keys if key != "*"}
    assert not listed - found, "listed and not there"
