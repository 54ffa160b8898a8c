"""What the documents say of the repository is so: rooms, files, tests, names, versions."""

import ast
import re
import tomllib
from importlib import import_module
from importlib.util import find_spec

from support import ROOT

import stabcore as sc

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
QUOTED = set(re.findall(r"`([^`\n]+)`", GUIDE))
PLACEHOLDERS = {"pages/x.py", "stabcore/plots/x.py", "tests/stabcore/plots/test_x.py", "tests/pages/test_x_page.py"}


def test_files_and_tests_that_the_guide_names_exist():
    files = {one for one in QUOTED if re.fullmatch(r"[\w./]+\.(py|md|toml|cff)|[\w]+(/[\w]+)+", one)} - PLACEHOLDERS
    places = [ROOT, ROOT / "stabcore"]
    assert [one for one in files if not any((place / one).exists() for place in places)] == [] and len(files) > 15
    written = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    tests = {one for one in QUOTED if re.fullmatch(r"test_\w+", one)}
    assert [one for one in tests if f"def {one}(" not in written] == [] and len(tests) > 10


def test_names_that_the_guide_calls_exist():
    files = [path for part in ("stabcore", "pages", "tests") for path in (ROOT / part).rglob("*.py")]
    words = {word for path in files for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    names = {name for one in QUOTED for name in re.findall(r"^(?:[\w.]+\.)?(\w{4,})(?:\(.*\))?$", one)}
    missing = {name for name in names - words if not (ROOT / name).exists()}
    assert missing <= {"frame_x", "finding_x", "draw_x", "test_x"}


def test_the_docstring_of_the_package_names_all_that_is_public():
    assert [name for name in sc.__all__ if not re.search(rf"\b{name}\b", sc.__doc__)] == []


def test_packages_say_what_is_in_them():
    for path in (ROOT / "stabcore").rglob("__init__.py"):
        doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        unnamed = [one.stem for one in path.parent.glob("*.py") if one.stem[0] != "_" and not re.search(rf"\b{one.stem}\b", doc)]
        assert path.parent.name == "stabcore" or unnamed == [], f"name in the docstring of {path.parent.name}: {unnamed}"


def test_modules_that_docstrings_point_to_exist():
    """Of rooms that no variable is called after: analysis.panel, or analysis.panel.threshold_grid."""
    rooms = "analysis|glossary|inference|plots|reporting|resampling|teaching"
    pointed = rf"(?<![\w.])(?:stabcore\.)?({rooms})\.(\w+)(?:\.(\w+))?"
    for path in (ROOT / "stabcore").rglob("*.py"):
        for room, module, name in re.findall(pointed, path.read_text(encoding="utf-8")):
            found = import_module(f"stabcore.{room}.{module}")
            assert not name or hasattr(found, name) or find_spec(f"{found.__name__}.{name}"), f"{path}: {room}.{module}.{name}"


def test_the_citation_is_of_this_version():
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"\nversion: {sc.__version__}\n" in cited and f"\ntitle: {project['name']}\n" in cited
    assert f"\nlicense: {project['license']}\n" in cited and project["description"] in cited


def test_nobody_is_told_to_install_a_name_that_no_index_has():
    told = [path for part in ("stabcore", "pages", "docs") for path in (ROOT / part).rglob("*.*") if path.suffix in (".py", ".md")]
    told = [path for path in [*told, *ROOT.glob("*.md")] if "_build" not in path.parts]
    wrong = re.compile(r"pip install \S*stabcore")
    assert [path.name for path in told if wrong.search(path.read_text(encoding="utf-8"))] == [] and len(told) > 300


def test_the_conda_recipe_asks_for_what_the_wheel_asks_for():
    recipe = (ROOT / ".ci" / "conda" / "meta.yaml").read_text(encoding="utf-8")
    asked = re.findall(r"^    - ([\w-]+) (\S+)$", recipe.partition("  run:")[2].partition("test:")[0], re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = {f"python{project['requires-python']}", *project["dependencies"]}
    assert {f"{name}{versions}" for name, versions in asked} == promised


def test_a_commit_is_checked_as_make_lint_does():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"entry: (.*)", hooks) == ["make lint"] and re.findall(r"- repo: (.*)", hooks) == ["local"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^lint: .*\n(\t.*\n)*?\t\$\(BIN\)/ruff check \. && .*\n\t\$\(BIN\)/mypy\n", makefile, re.MULTILINE)
    assert re.search(r"^test: .*\blint\b", makefile, re.MULTILINE)
