"""How pages are written: one view handed to sections, every session key in one place, every control in the address or excused."""

import ast
import re

import pytest
from page_support import PAGES
from support import ROOT

from pages.parts import session

TREES = {
    path.relative_to(ROOT / "pages").as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "pages").rglob("*.py"))
}
KEEPERS = {"bound", "bound_range", "set_widget"}
WIDGET = (
    r"(select|check)box|multiselect|(select_)?slider|segmented_control|pills|toggle|radio|tabs|expander|popover|feedback|text_area"
    r"|data_editor|file_uploader|color_picker|(number|text|date|time|datetime|chat|camera|audio)_input"
)
# {why no address holds a control: {file or folder under pages: the keys of its controls as they are written; none: all of them}}
EXCUSED = {
    "the address holds it under the key that this control writes": {
        "parts/layout.py": "session.HIGHLIGHTED_CHOICE",
        "parts/feature_profile.py": "widget",
        "parts/whatif/groups.py": "key",
        "parts/whatif/pairs.py": "session.PAIR_CHOICE",
    },
    "the project keeps it, undo reverses it, and a link freezes it": {
        "parts/layout.py": "session.SCENARIO_SWITCH",
        "parts/similarity/scenario.py": "session.SCENARIO_HERE",
        "parts/similarity/define.py": "key",
        "parts/similarity/pairs.py": "key",
        "parts/whatif/pairs.py": "session.PAIR_VALUE",
        "parts/pareto.py": "session.COMPARED_CHOICE",
        "parts/report.py": "session.ASKED_FILTERED, session.ASKED_SOURCE",
        "parts/data": "",
    },
    "settings of a study that was not started: there are no numbers that a link could show": {"parts/study": ""},
    "lessons have an address of their own": {"parts/learn": ""},
    "it is nothing until the button beside it is pressed, or a file, which no browser gives back": {
        "parts/start": "",
        "parts/check.py": "'check-files', 'check-selector', 'check-d', 'check-runs', 'check-plan', f'check-{name}'",
        "parts/similarity/scenario.py": "f'name-{key}-{usual}', 'scenario-file'",
        "parts/similarity/define.py": "'group-pattern', f'group-name-{pattern}'",
        "parts/similarity/pairs.py": "scenarios.table_key('pair-list'), 'matrix-file'",
        "parts/other_studies.py": "f'{key}-file'",
        "parts/panel/replication.py": "'replicate-table'",
        "parts/panel/sections.py": "'Name of the panel', f'panel-name-{number}-{name}'",
        "parts/stability.py": "'patients-selector'",
    },
    "it folds, searches or saves, and changes no number": {
        "parts/layout.py": "'Delete project'",
        "parts/links.py": "'link'",
        "parts/glossary.py": "session.SEARCHED_WORD, 'other-terms'",
        "parts/figures.py": "f'table-{name}'",
        "parts/frame.py": "drawer",
        "parts/similarity/scenario.py": "'Copy', 'Rename', 'Save or upload', 'scenario-bar'",
        "similarity.py": "'similarity-settings'",
        "parts/similarity/pairs.py": "'fine-tune'",
        "parts/panel/view.py": "'panel-settings'",
        "parts/panel/sections.py": "'panel-names', f'panel-kept-{number}', 'Save panel', f'Saved panels ({len(panels)})'",
        "parts/maps.py": "'map-settings'",
        "parts/feature_count.py": "'runs-settings'",
        "data.py": "'data-settings'",
        "parts/report.py": "'two-questions', 'report-settings', 'report-files', 'report-paragraph'",
        "parts/check.py": "'check-input'",
        "parts/stability.py": "'choosing-measures', 'imputation-frequencies'",
        "parts/whatif/thresholds.py": "'threshold-settings'",
    },
}


def literal_keys(tree):
    """Keys of the session that stand in a source as they are, not by a name of pages/parts/session.py."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "st.session_state":
            found.append(node.slice)
        elif isinstance(node, ast.Compare) and ast.unparse(node.comparators[0]) == "st.session_state":
            found.append(node.left)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first_is_key = ast.unparse(node.func.value) == "st.session_state" or node.func.attr in KEEPERS
            found += node.args[:first_is_key]
    return {key_node.value for key_node in found if isinstance(key_node, ast.Constant)}


def is_widget(node):
    return isinstance(node, ast.Attribute) and re.fullmatch(WIDGET, node.attr)


def unbound_controls(tree):
    """Controls without session.bound, by their keys or first words. For a control passed as an argument, its kind."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and is_widget(node.func)]
    handed_on = [ast.unparse(node) for node in ast.walk(tree) if is_widget(node) and node not in [call.func for call in calls]]
    named = [(call, {word.arg: word.value for word in call.keywords}) for call in calls]
    return handed_on + [ast.unparse(words["key"] if "key" in words else call.args[0]) for call, words in named if None not in words]


@pytest.mark.parametrize("page", PAGES)
def test_every_screen_is_written_the_same_way(page):
    """A title, then `screen`, which makes one view, once something is loaded, and hands it to the sections."""
    body = TREES[f"{page}.py"].body
    assert [node.name for node in body if isinstance(node, ast.FunctionDef)] == ["screen"], "one function: screen"
    _, title, screen = [ast.unparse(node) for node in body if isinstance(node, ast.Expr)]
    assert title.startswith("layout.show_title(") and screen in ("screen()", "figures.run_fragment(screen)")
    called = [ast.unparse(node.func) for node in ast.walk(ast.Module(body, [])) if isinstance(node, ast.Call)]
    assert sum(name.endswith("View") for name in called) == (page != "start"), "one View, made by screen"


def test_keys_of_the_session_have_one_name_each_in_session():
    found = {name: literal_keys(tree) for name, tree in TREES.items() if name != "parts/session.py"}
    assert not {name: keys for name, keys in found.items() if keys}
    keys = [value for name, value in vars(session).items() if name.isupper() and isinstance(value, str)]
    assert len(keys) > 40 and len(set(keys)) == len(keys)


def test_what_is_folded_has_a_key():
    """Without one it is known by its place. A first answer that takes a while holds a place: the open box then shut itself."""
    calls = [(name, node) for name, tree in TREES.items() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    folded = [(name, {keyword.arg for keyword in node.keywords}) for name, node in calls if ast.unparse(node.func) == "st.expander"]
    assert folded and not [name for name, words in folded if "key" not in words]


def test_every_control_is_in_the_address_or_here_with_a_reason():
    """That what session.bound keeps is in the address: test_address.py."""
    excused = {(name, key) for places in EXCUSED.values() for name, keys in places.items() for key in keys.split(", ") if key}
    whole = {name for places in EXCUSED.values() for name, keys in places.items() if not keys}
    found = {(name, key) for name, tree in TREES.items() for key in unbound_controls(tree) if name.rpartition("/")[0] not in whole}
    assert found == excused
