"""Architecture: imports between rooms, unused definitions, cost of imports, dependencies, and top-level files."""

import ast
import functools
import re
import subprocess
import sys
import tomllib

import pytest
from support import ROOT

import stabcore as sc

CORE = sorted((ROOT / "stabcore").rglob("*.py"))
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
FIGURES = sorted((ROOT / "stabcore" / "plots").glob("*.py"))
TOP = (  # allowed at the top level
    r"app\.py|pages|stabcore|tests|sample_data|docs|requirements\.txt|pyproject\.toml|Makefile|LICENSE|CITATION\.cff"
    r"|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|\.streamlit|\.ci|\.gitignore|\.pre-commit-config\.yaml"
)
HEAVY = ("numpy", "pandas", "scipy", "sklearn", "plotly", "streamlit", "pyarrow")
IMPORTED_AS = {"scikit-survival": "sksurv", "scikit-learn": "sklearn", "tomli-w": "tomli_w", "python-calamine": "python_calamine"}
STATISTICS = (  # functions that figures must not call
    "(nan)?(std|median|quantile)|var|percentile|cov|corr|corrcoef|histogram|bincount|polyfit|lstsq|interp|svd|eigh|rank|rolling|ewm"
    "|describe|skew|sem"
)
MEASURING = {"mean", "nanmean", "average", "cumsum", "profile", "random_profile", "stability", "front"}


def source(path):
    return path.read_text(encoding="utf-8")


def tree_of(path):
    return ast.parse(source(path))


class File:
    """Facts about a file for several tests. It is parsed once, and its tree is not kept."""

    def __init__(self, path):
        tree = tree_of(path)
        nodes = list(ast.walk(tree))
        self.imports, self.imports_with_types = imported(nodes), imported(nodes, types=True)
        self.used, self.defined = set(used(nodes)), set(defined(tree, nodes))


file = functools.cache(File)


def imported(nodes, types=False):
    """Modules that a file imports anywhere, including those for type checkers with `types`."""
    blocks = [node for node in nodes if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    left_out = set() if types else {descendant for block in blocks for part in block.body for descendant in ast.walk(part)}
    found = []
    for node in nodes:
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative imports are not allowed"
            found += [f"{node.module}.{name.name}" for name in node.names]
        elif isinstance(node, ast.Call) and called(node) & {"import_module", "__import__"}:
            found += [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
    packages = {
        name.asname or name.name for node in nodes if isinstance(node, ast.Import) for name in node.names if name.name == "stabcore"
    }
    return found + [
        f"stabcore.{node.attr}" for node in nodes if isinstance(node, ast.Attribute) and ast.unparse(node.value) in packages
    ]


def packages(path):
    return {name.split(".")[0] for name in file(path).imports}


def called(node):
    """Names of functions called below a node, such as mean for x.mean(), np.mean(x) and mean(x)."""
    return {getattr(call.func, "attr", getattr(call.func, "id", "")) for call in ast.walk(node) if isinstance(call, ast.Call)}


def where(paths):
    return [str(path.relative_to(ROOT)) for path in paths]


# ---- imports ----


def test_the_core_never_imports_the_screen_and_only_figures_draw():
    assert not where(path for path in CORE if packages(path) & {"streamlit", "pages", "app"})
    assert not where(path for path in CORE if "streamlit" in source(path).lower()), "texts of the core must not name it"
    assert not where(path for path in CORE if "plotly" in packages(path) and path not in FIGURES)
    assert not where(path for path in FIGURES if "sklearn" in packages(path))


def test_workspace_and_server_do_not_import_screens():
    """Projects need no server, and the server needs no screen."""
    for folder, unknown in (("workspace", ("streamlit", "starlette", "pages.parts", "pages.server")), ("server", ("pages.parts",))):
        for path in (ROOT / "pages" / folder).glob("*.py"):
            assert not [name for name in file(path).imports if name.startswith(unknown)], path


def test_pages_do_no_mathematics_and_no_drawing():
    screen_packages = {"streamlit", "stabcore", "pages", "pandas"}
    allowed = screen_packages | set(sys.stdlib_module_names) - {"math", "statistics", "random", "cmath"}
    screens = [path for path in PAGES if path.parent.name not in ("workspace", "server")]
    assert {str(path.relative_to(ROOT)): packages(path) - allowed for path in screens if packages(path) - allowed} == {}


def test_figures_compute_no_statistics():
    """frame_x may scale and sum results of measures and profiles. draw_x only places the numbers of its frame."""
    for path in FIGURES:
        tree = tree_of(path)
        assert not [name for name in called(tree) if re.fullmatch(STATISTICS, name)], path
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("draw_")):
            assert not called(function) & MEASURING, (path, function.name)


def test_every_figure_is_a_frame_and_a_drawing():
    """Names are unique, because tests and documentation find figures by name."""
    every = [name for path in FIGURES for name in file(path).defined if re.match("(frame|draw|finding)_", name)]
    assert {name for name in every if every.count(name) > 1} == set()
    for path in FIGURES:
        names = {node.name for node in tree_of(path).body if isinstance(node, ast.FunctionDef)}
        drawn, framed = ({name.removeprefix(part) for name in names if name.startswith(part)} for part in ("draw_", "frame_"))
        assert drawn == framed, path


# From the bottom up: a room may import those before it and none after it. Imports for type checkers count.
ROOMS = (
    *("base", "glossary", "survival", "io", "data", "selections", "similarity", "resampling", "measures", "classifiers"),
    *("selectors", "inference", "study", "analysis", "teaching", "plots", "reporting", "papers", "__main__"),
)


ROOM_OF_NAME = {name: module.split(".")[0] for name, module in (sc._HOME | sc._MODULES).items()}  # of public names
UPWARD = {("stabcore/study/results.py", "plots")}  # result.plot, which loads the figures by their public name


def room(path):
    return path.relative_to(ROOT / "stabcore").parts[0].removesuffix(".py")


def rooms_of_imports(path):
    names = [name.split(".") for name in file(path).imports_with_types]
    named = {ROOM_OF_NAME.get(name[1], name[1]) for name in names if name[0] == "stabcore" and name[1:]}
    return named & set(ROOMS) - {room(path)}


def test_the_guide_names_the_rooms_in_their_order():
    part = source(ROOT / "CONTRIBUTING.md").split("## The rooms")[1].split("\n## ")[0]
    assert re.findall(r"^\| `(\w+)`", part, re.MULTILINE) == list(ROOMS)


def test_rooms_import_only_those_before_them():
    assert {room(path) for path in CORE} == {*ROOMS, "__init__"}
    upward = {
        (str(path.relative_to(ROOT)), other)
        for path in CORE
        if room(path) in ROOMS
        for other in rooms_of_imports(path)
        if ROOMS.index(other) > ROOMS.index(room(path))
    }
    assert upward == UPWARD


@pytest.mark.parametrize("inside", [name for name in ROOMS if not name.startswith("__")])
def test_modules_of_a_room_have_no_import_cycle(inside):
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in CORE if room(path) == inside}
    left = {}
    for name, path in modules.items():
        names = set(file(path).imports_with_types)
        left[name] = (names | {full.rpartition(".")[0] for full in names}) & set(modules) - {name}
    while done := {name for name, below in left.items() if not below}:  # remove modules that import none of the rest
        left = {name: below - done for name, below in left.items() if name not in done}
    assert left == {}


# ---- unused definitions ----


def used(nodes):
    """Names that are read: variables, attributes, and texts with a name or type."""
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Constant):
            yield from re.findall(r"\w+", str(node.value.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[\w.:]+", node.value):
            yield from re.findall(r"\w+", node.value)


def defined(tree, nodes):
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Assign) and node in tree.body:
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def test_every_definition_is_used():
    """Users are the app, the public names, tests/typing, benchmarks, and callers of sc.importance and sc.plot."""
    users = [*CORE, *PAGES, *(ROOT / "tests" / "typing").glob("*.py"), *(ROOT / "tests" / "benchmarks").glob("*.py")]
    used_names = {*vars(sc.importance), *sc.plot.FIGURES}.union(*(file(path).used for path in users))
    assert {
        (str(path.relative_to(ROOT)), name)
        for path in [*CORE, *PAGES]
        for name in file(path).defined
        if name not in used_names
        and not name.startswith("__")
        and name not in ("_repr_html_", "_get_support_mask")  # called by notebooks and scikit-learn
    } == set()


# ---- cost of imports, and public names ----


def fresh(code):
    """Packages that this code loads in a new process."""
    code += "; import sys; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.split())


def test_importing_the_package_and_its_catalogues_loads_nothing_heavy():
    loaded = fresh("import stabcore; dir(stabcore)")
    assert "stabcore" in loaded and not loaded & set(HEAVY)
    loaded = fresh("import stabcore.selectors.catalog, stabcore.classifiers.catalog, stabcore.data.encoding")
    assert not loaded & {"sklearn", "scipy", "pandas"}


def test_measures_need_neither_pandas_nor_sklearn():
    loaded = fresh("import numpy, stabcore as sc; sc.stability(sc.Selections.from_matrix(numpy.eye(3)))")
    assert "scipy" in loaded and not loaded & {"pandas", "sklearn", "plotly", "streamlit"}


def test_every_public_name_resolves_and_no_other():
    for name in sc.__all__:
        assert callable(getattr(sc, name)) or name in sc._MODULES, name
        assert name in dir(sc)
    assert len(set(sc.__all__)) == len(sc.__all__) and sc.__version__
    with pytest.raises(AttributeError):
        assert sc.stabilty is None


# ---- dependencies ----


def project_dependencies():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["dependencies"], project["optional-dependencies"]


def test_requirements_are_the_dependencies():
    lines = (line.split("#")[0].strip() for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines())
    core, _ = project_dependencies()
    listed = [line for line in lines if line]
    assert sorted(listed) == sorted(core) and len(set(listed)) == len(listed)
    assert all(re.fullmatch(r"[a-z0-9-]+>=[\d.]+,<[\d.]+", package) for package in listed)  # a tested minimum and a maximum


def test_every_imported_package_is_a_dependency():
    core, extras = project_dependencies()
    packages_of_all = [*core, *extras["cluster"], *extras["formats"], *extras["survival"]]
    names = {re.match(r"[a-z0-9-]+", package)[0] for package in packages_of_all}
    importable = {IMPORTED_AS.get(name, name) for name in names} | {"stabcore", *sys.stdlib_module_names}
    assert {str(path.relative_to(ROOT)): packages(path) - importable for path in CORE if packages(path) - importable} == {}
    assert "streamlit" in names, "streamlit has the command that starts the app"


def test_only_expected_files_are_at_the_top():
    try:
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=30).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("without a git checkout, the files of the project are unknown")
    assert not [name for name in listed.splitlines() if not re.fullmatch(TOP, name.split("/")[0])]
