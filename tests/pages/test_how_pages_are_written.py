"""How pages are written: one view handed to sections, nothing read from a page's own variables, every session key in one place."""

import ast
import re
import symtable

import pytest
from page_support import PAGES
from support import ROOT

from pages.parts import session

FILES = {str(path.relative_to(ROOT / "pages")): path for path in sorted((ROOT / "pages").rglob("*.py"))}
WITHOUT_VIEW = {"start.py"}  # nothing is loaded yet
LITERAL_KEYS = {"parts/session.py"}  # where keys of forms stand as they are
KEEPERS = {"bound", "bound_range", "set_widget"}


def scopes(table):
    """All scopes inside a scope."""
    for inside in table.get_children():
        yield inside
        yield from scopes(inside)


def own_variables(top):
    """Names that a module gives to what is no constant, no import, no function and no class."""
    return {
        one.get_name()
        for one in top.get_symbols()
        if one.is_assigned() and not one.is_namespace() and not one.get_name().strip("_").isupper()
    } - {"__all__"}


def read_inside(text):
    """Variables of a module that its functions read."""
    top = symtable.symtable(text, "page", "exec")
    return {
        one.get_name() for scope in scopes(top) for one in scope.get_symbols() if one.is_global() and one.is_referenced()
    } & own_variables(top)


def hidden_imports(text):
    """Names that a module imports and then gives to something else."""
    return {
        one.get_name() for one in symtable.symtable(text, "page", "exec").get_symbols() if one.is_imported() and one.is_assigned()
    }


def literal_keys(text):
    """Keys of the session that stand in a source as they are, not by a name of pages/parts/session.py."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "st.session_state":
            found.append(node.slice)
        elif isinstance(node, ast.Compare) and ast.unparse(node.comparators[0]) == "st.session_state":
            found.append(node.left)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.args
            and (ast.unparse(node.func.value) == "st.session_state" or node.func.attr in KEEPERS)
        ):
            found.append(node.args[0])
    return {one.value for one in found if isinstance(one, ast.Constant)}


def test_the_finders_find_what_they_look_for():
    text = (
        "import b\nLIMIT = 2\nx = y = 1\ndef f():\n    z = 1\n    return [lambda: x + z for _ in LIMIT]\n"
        "with g() as b:\n    y += 1\n"
    )
    assert read_inside(text) == {"x"} and hidden_imports(text) == {"b"}
    assert {"x", "y"} <= own_variables(symtable.symtable(text, "page", "exec"))
    text = (
        "'a' in st.session_state\nst.session_state['b'] = st.session_state.get('c')\nsession.bound('d')\nsession.bound(F, e)\n"
        "st.session_state[G]['h']"
    )
    assert literal_keys(text) == {"a", "b", "c", "d"}


def test_the_pages_of_the_app_are_the_files_there_are():
    assert {f"{page}.py" for page in PAGES} == {name for name in FILES if "/" not in name} and len(set(PAGES)) == len(PAGES)


@pytest.mark.parametrize("name", FILES)
def test_no_function_reads_a_variable_of_its_page(name):
    text = FILES[name].read_text(encoding="utf-8")
    assert read_inside(text) == set()
    assert "/" not in name or not own_variables(symtable.symtable(text, name, "exec"))


@pytest.mark.parametrize("name", FILES)
def test_no_variable_takes_the_name_of_an_import(name):
    assert hidden_imports(FILES[name].read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize("name", [f"{page}.py" for page in PAGES])
def test_every_screen_is_written_the_same_way(name):
    """A title, then `screen`, which makes one view, once something is loaded, and hands it to the sections."""
    body = ast.parse(FILES[name].read_text(encoding="utf-8")).body
    assert [node.name for node in body if isinstance(node, ast.FunctionDef)] == ["screen"], "one function: screen"
    told = [ast.unparse(node) for node in body if isinstance(node, ast.Expr)]
    assert len(told) == 3, "what the screen is for, layout.title(…), and screen() or figures.fragment(screen)"
    _, title, screen = told
    assert title.startswith("layout.title(") and screen in ("screen()", "figures.fragment(screen)")
    called = [ast.unparse(node.func) for node in ast.walk(ast.Module(body, [])) if isinstance(node, ast.Call)]
    assert sum(one.endswith("View") for one in called) == (name not in WITHOUT_VIEW), "one View, made by screen"


@pytest.mark.parametrize("name", [name for name in FILES if name not in LITERAL_KEYS])
def test_keys_of_the_session_have_a_name_in_session(name):
    assert literal_keys(FILES[name].read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize("name", FILES)
def test_headings_leave_out_no_level(name):
    """A screen has one title, the first level; all others are headers, the second: who listens to a page walks by them."""
    text = FILES[name].read_text(encoding="utf-8")
    assert ".subheader(" not in text and not re.search(r"""markdown\(f?["']#""", text)


@pytest.mark.parametrize("name", FILES)
def test_what_is_folded_has_a_key(name):
    """Without one it is known by its place. A first answer that takes a while holds a place: the open box then shut itself."""
    folded = [
        node
        for node in ast.walk(ast.parse(FILES[name].read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.expander"
    ]
    assert all(any(one.arg == "key" for one in node.keywords) for node in folded)


@pytest.mark.parametrize("name", FILES)
def test_heads_of_columns_begin_with_a_capital(name):
    """As all others do, see stabcore.glossary.headings; a symbol of one letter stays as it is."""
    heads = re.findall(r"""column_config\.\w*Column\(\s*f?"([^"]+)""", FILES[name].read_text(encoding="utf-8"))
    assert [head for head in heads if head[0].islower() and head[1:2].isalpha()] == []


def test_no_key_of_the_session_has_two_names():
    keys = [value for name, value in vars(session).items() if name.isupper() and isinstance(value, str)]
    assert len(keys) > 40 and len(set(keys)) == len(keys)
