"""The code on the pages of docs runs, and what it links to exists; `make docs` shows what it gives."""

import re
import subprocess
import sys

import pytest
from support import ROOT

import stabcore as sc
from stabcore.measures.catalog import BY_KEY as MEASURES
from stabcore.plots.plot import FIGURES
from stabcore.selectors.catalog import BY_KEY as SELECTORS

DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts and "paper" not in path.parts)
RUN = [path for path in PAGES if "```{code-cell}" in path.read_text(encoding="utf-8")]
QUICK = {"index.md", "tutorials/selection_matrix.md", "tutorials/similarity.md", "tutorials/cluster.md"}


def place(path):
    return path.relative_to(DOCS).as_posix()


@pytest.mark.parametrize(
    "page", [pytest.param(path, id=place(path), marks=[] if place(path) in QUICK else pytest.mark.slow) for path in RUN]
)
def test_code_of_a_page_runs(page, monkeypatch):
    monkeypatch.chdir(page.parent)
    cells = re.findall(r"```\{code-cell\} python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    code = "\n".join("\n".join(line for line in cell.splitlines() if not line.startswith(":")) for cell in cells)
    exec(compile(code, place(page), "exec"), {})


def test_links_between_pages_lead_somewhere():
    made = {"measures.md", "selectors.md", "plans.md", "classifiers.md"}  # written from the catalogues by make docs
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+\.md)[^)]*\)", page.read_text(encoding="utf-8")):
            target = (page.parent / link).resolve()
            assert target.exists() or (target.parent == DOCS / "reference" and target.name in made), f"{place(page)}: {link}"


def test_every_public_name_is_on_the_page_of_names_and_every_figure_in_the_gallery():
    listed = set(re.findall(r"^   ([\w.]+)$", (DOCS / "reference" / "api.md").read_text(encoding="utf-8"), re.MULTILINE))
    modules = {"plot", "whatif", "importance"}
    assert set(sc.__all__) - modules <= listed
    gallery = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert len(FIGURES) > 40 and [name for name in FIGURES if f".plot.{name}(" not in gallery or name not in listed] == []


def test_every_picture_of_the_screens_is_a_figure_in_python():
    def drawn(*paths):
        return {name for path in paths for name in re.findall(r"\bdraw_[a-z_]+(?=\()", path.read_text(encoding="utf-8"))}

    of_results = [path for path in (ROOT / "pages").rglob("*.py") if path.parent.name != "learn"]
    assert drawn(*of_results) - drawn(ROOT / "stabcore" / "plots" / "plot.py") == set()


@pytest.mark.parametrize("path", ["README.md", "docs/paper/paper.md"])
def test_measures_and_selectors_are_counted_right(path):
    told = re.findall(r"(\d+) (measures|selectors)", (ROOT / path).read_text(encoding="utf-8"))
    assert sorted(told) == sorted([(str(len(MEASURES)), "measures"), (str(len(SELECTORS)), "selectors")])


@pytest.mark.slow  # `make docs` does the same, with what cells show
def test_the_pages_build_without_a_warning(tmp_path):
    pytest.importorskip("sphinx", reason="for make docs: pip install -e '.[docs]'")
    quick = ["-D", "nb_execution_mode=off", "-D", "suppress_warnings=myst-nb.lexer"]
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "dummy", "-d", tmp_path, *quick, DOCS, tmp_path]
    done = subprocess.run(build, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
