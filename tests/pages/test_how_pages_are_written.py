"""How pages are written: what is folded has a key, and every choice on a results screen is in the address or excused."""

import ast
import re

from support import ROOT

TREES = {
    path.relative_to(ROOT / "pages").as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "pages").rglob("*.py"))
}
CHOICES = r"checkbox|selectbox|multiselect|(select_)?slider|segmented_control|pills|toggle|radio|number_input"
# files of screens whose choices the project keeps, or that have an address of their own
OTHERS = r"parts/(start|check|data|similarity|study|report|learn)\b"
EXCUSED = {  # {(file, key of a control as it is written): why the address does not hold it}
    **{
        control: "the address holds it under the key that this control writes"
        for control in (
            *(("parts/layout.py", "session.HIGHLIGHTED_CHOICE"), ("parts/feature_profile.py", "widget")),
            *(("parts/whatif/groups.py", "key"), ("parts/whatif/pairs.py", "session.PAIR_CHOICE")),
        )
    },
    **{
        control: "the project keeps it, undo reverses it, and a link freezes it"
        for control in (
            *(("parts/layout.py", "session.SCENARIO_SWITCH"), ("parts/whatif/pairs.py", "session.PAIR_VALUE")),
            ("parts/pareto.py", "session.COMPARED_CHOICE"),
        )
    },
    ("parts/stability.py", "'patients-selector'"): "it is nothing until the button beside it is pressed",
    ("parts/screen.py", "drawer"): "it folds, and changes no number",
}


def unbound_choices(tree):
    """Controls without session.bound, by their keys or first words. For a control passed as an argument, its kind."""
    chosen = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and re.fullmatch(CHOICES, node.attr)]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.func in chosen]
    handed_on = [ast.unparse(node) for node in chosen if node not in [call.func for call in calls]]
    named = [(call, {word.arg: word.value for word in call.keywords}) for call in calls]
    return handed_on + [ast.unparse(words["key"] if "key" in words else call.args[0]) for call, words in named if None not in words]


def test_what_is_folded_has_a_key():
    """Without one it is known by its place. A first answer that takes a while holds a place: the open box then shut itself."""
    calls = [(name, node) for name, tree in TREES.items() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    folded = [(name, {keyword.arg for keyword in node.keywords}) for name, node in calls if ast.unparse(node.func) == "st.expander"]
    assert folded and not [name for name, words in folded if "key" not in words]


def test_every_control_is_in_the_address_or_here_with_a_reason():
    """That what session.bound keeps is in the address: test_address.py."""
    found = {(name, key) for name, tree in TREES.items() if not re.match(OTHERS, name) for key in unbound_choices(tree)}
    assert found == EXCUSED.keys()
