"""What pictures are saved as: every figure has a name in words, and no name breaks out of the name of a file."""

import ast
import json

import pytest
from page_support import PAGES, fine_page, sample
from support import ROOT

from pages.parts import pictures, session
from stabcore.teaching.catalog import LESSONS

PLACE = {"figure": 3, "table": 1}  # which argument is the key


def names_of(*kinds):
    """The beginnings of the keys that figures, or tables without one, are given in the pages, as far as written there."""
    for path in (ROOT / "pages").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
            if called in kinds and path.name != "figures.py":
                for one in node.args[PLACE[called] : PLACE[called] + 1]:
                    parts = [one.body, one.orelse] if isinstance(one, ast.IfExp) else [one]
                    yield from (
                        part.value if isinstance(part, ast.Constant) else part.values[0].value
                        for part in parts
                        if isinstance(part, ast.Constant | ast.JoinedStr)
                    )


def test_every_figure_has_a_name_in_words():
    found = set(names_of(*PLACE))
    assert len(found) > 50 and PAGES
    assert {one for one in found if one.rstrip("-") not in pictures.NAMES and one != "without-"} == set()
    assert {pictures.named(f"without-{noun}") for noun in ("run", "outer fold")} == {
        "Stability without a run",
        "Stability without an outer fold",
    }
    assert pictures.named("front-nogueira") == "Accuracy against stability by Nogueira (classic stability)"
    assert pictures.named("grid-2") == pictures.named("grid") == "Selections run by run"
    key, lesson = next(iter(LESSONS.items()))
    assert pictures.named(f"lesson-{key}") == f"Lesson {lesson.question}"


def test_what_the_session_keeps_is_never_taken_for_the_marks_in_a_picture():
    """A figure whose points can be picked keeps these under its own key."""
    kept = {value for name, value in vars(session).items() if name.isupper() and isinstance(value, str)}
    assert kept & {one for one in names_of("figure") if not one.endswith("-")} == set()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("../../etc/passwd", "etc passwd"),
        ("a:b|c<d>", "a b c d"),
        ("  x\n\ty ", "x y"),
        ("ä" * 200, "ä" * pictures.LONGEST),
        ("...", ""),
        ("=cmd", "cmd"),
        ("Stability by number of features by Nogueira (classic stability)", "Stability by number of features by Nogueira"),
    ],
)
def test_names_of_files_are_harmless(text, name):
    assert pictures._writable(text) == name


@pytest.mark.parametrize(
    ("page", "chosen", "told"),
    [
        ("maps", {"explored": "Lasso"}, "Selections run by run - Lasso - "),
        ("passport", {session.FEATURE: "tau"}, "How often each selector takes a feature - tau - "),
        ("panel", {session.PANEL_SELECTOR: "Lasso"}, "Panel - Lasso - "),
    ],
)
def test_the_tool_bar_knows_study_figure_and_scenario(page, chosen, told):
    figure = fine_page(page, sample("alzheimer_ad"), **chosen).get("plotly_chart")[0]
    name = json.loads(figure.proto.config)["toImageButtonOptions"]["filename"]
    assert f"Early Alzheimer’s disease proteins in cerebrospinal fluid - {told}" in name
