"""Documents name existing files, tests, names and versions, their code runs, and their links work."""

import ast
import re
import tomllib
from importlib import import_module
from importlib.util import find_spec

import pytest
from support import ROOT

import stabcore as sc
from stabcore.measures.catalog import BY_KEY as MEASURES
from stabcore.plots.plot import FIGURES
from stabcore.selectors.catalog import BY_KEY as SELECTORS

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
QUOTED = set(re.findall(r"`([^`\n]+)`", GUIDE))
PLACEHOLDERS = {"pages/x.py", "stabcore/plots/x.py", "tests/stabcore/plots/test_x.py", "tests/pages/test_x_page.py"}


def test_files_and_tests_in_the_guide_exist():
    files = {quoted for quoted in QUOTED if re.fullmatch(r"[\w./]+\.(py|md|toml|cff)|[\w]+(/[\w]+)+", quoted)} - PLACEHOLDERS
    places = [ROOT, ROOT / "stabcore"]
    assert [file for file in files if not any((place / file).exists() for place in places)] == [] and len(files) > 15
    written = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    tests = {quoted for quoted in QUOTED if re.fullmatch(r"test_\w+", quoted)}
    assert [test for test in tests if f"def {test}(" not in written] == [] and len(tests) > 10


def test_names_in_the_guide_exist():
    files = [path for part in ("stabcore", "pages", "tests") for path in (ROOT / part).rglob("*.py")]
    words = {word for path in files for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    names = {name for quoted in QUOTED for name in re.findall(r"^(?:[\w.]+\.)?(\w{4,})(?:\(.*\))?$", quoted)}
    missing = {name for name in names - words if not (ROOT / name).exists()}
    assert missing <= {"frame_x", "finding_x", "draw_x", "test_x"}


def test_the_docstring_of_the_package_has_every_public_name():
    assert [name for name in sc.__all__ if not re.search(rf"\b{name}\b", sc.__doc__)] == []


def test_docstrings_of_packages_name_their_modules():
    for path in (ROOT / "stabcore").rglob("__init__.py"):
        doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        modules = [file.stem for file in path.parent.glob("[!_]*.py")]
        unnamed = [module for module in modules if not re.search(rf"\b{module}\b", doc)]
        assert path.parent.name == "stabcore" or unnamed == [], f"name in the docstring of {path.parent.name}: {unnamed}"


def test_modules_named_in_docstrings_exist():
    """Such as analysis.panel or analysis.panel.threshold_grid, for rooms whose name is no variable."""
    rooms = "analysis|glossary|inference|plots|reporting|resampling|teaching"
    pointed = rf"(?<![\w.])(?:stabcore\.)?({rooms})\.(\w+)(?:\.(\w+))?"
    for path in (ROOT / "stabcore").rglob("*.py"):
        for room, module, name in re.findall(pointed, path.read_text(encoding="utf-8")):
            found = import_module(f"stabcore.{room}.{module}")
            assert not name or hasattr(found, name) or find_spec(f"{found.__name__}.{name}"), f"{path}: {room}.{module}.{name}"


def test_the_citation_has_this_version():
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"\nversion: {sc.__version__}\n" in cited and f"\ntitle: {project['name']}\n" in cited
    assert f"\nlicense: {project['license']}\n" in cited and project["description"] in cited


def test_the_conda_recipe_has_the_dependencies_of_the_wheel():
    recipe = (ROOT / ".ci" / "conda" / "meta.yaml").read_text(encoding="utf-8")
    asked = re.findall(r"^    - ([\w-]+) (\S+)$", recipe.partition("  run:")[2].partition("test:")[0], re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = {f"python{project['requires-python']}", *project["dependencies"]}
    assert {f"{name}{versions}" for name, versions in asked} == promised


DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts and "paper" not in path.parts)
QUICK = ("index.md", "tutorials/selection_matrix.md", "tutorials/similarity.md", "tutorials/cluster.md")  # `make docs` runs all


@pytest.mark.parametrize("page", QUICK)
def test_code_of_a_page_runs(page, monkeypatch):
    monkeypatch.chdir((DOCS / page).parent)
    cells = re.findall(r"```\{code-cell\} python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    code = "\n".join("\n".join(line for line in cell.splitlines() if not line.startswith(":")) for cell in cells)
    exec(compile(code, page, "exec"), {})


def test_links_between_pages_work():
    made = {"measures.md", "selectors.md", "plans.md", "classifiers.md"}  # made from the catalogues by make docs
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+\.md)[^)]*\)", page.read_text(encoding="utf-8")):
            target = (page.parent / link).resolve()
            assert target.exists() or (target.parent == DOCS / "reference" and target.name in made), f"{page}: {link}"


def test_documentation_has_every_public_name_and_figure():
    listed = set(re.findall(r"^   ([\w.]+)$", (DOCS / "reference" / "api.md").read_text(encoding="utf-8"), re.MULTILINE))
    modules = {"plot", "whatif", "importance"}
    assert set(sc.__all__) - modules <= listed
    gallery = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert len(FIGURES) > 40 and [name for name in FIGURES if f".plot.{name}(" not in gallery or name not in listed] == []


def test_every_figure_of_the_screens_is_available_in_python():
    def drawn(*paths):
        return {name for path in paths for name in re.findall(r"\bdraw_[a-z_]+(?=\()", path.read_text(encoding="utf-8"))}

    of_results = [path for path in (ROOT / "pages").rglob("*.py") if path.parent.name != "learn"]
    assert drawn(*of_results) - drawn(ROOT / "stabcore" / "plots" / "plot.py") == set()


@pytest.mark.parametrize("path", ["README.md", "docs/paper/paper.md"])
def test_numbers_of_measures_and_selectors_are_right(path):
    counts = re.findall(r"(\d+) (measures|selectors)", (ROOT / path).read_text(encoding="utf-8"))
    assert sorted(counts) == sorted([(str(len(MEASURES)), "measures"), (str(len(SELECTORS)), "selectors")])
