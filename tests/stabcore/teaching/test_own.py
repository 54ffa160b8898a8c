"""User-defined lessons: texts of the file, answers of the simulation, and refusals of invalid files."""

import re

import numpy as np
import pytest
from support import ROOT

from stabcore.__main__ import main
from stabcore.base.errors import InputError
from stabcore.reporting.lessons import lesson_values
from stabcore.teaching import blind_labs
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.lesson import answer, describe_verdict
from stabcore.teaching.own import EXAMPLE, read_lesson

WORDS = 'question = "A?"\ntext = "B."\nask = "C?"\n'
GOOD = f'simulation = "blind_labs"\n{WORDS}low = 0\nhigh = 40\nsettings = {{k = 33, d = 400}}\n'


def lesson_from(text):
    return read_lesson(text.encode(), "my.toml")


def test_texts_are_from_the_file_and_answers_simulated():
    lesson = lesson_from(GOOD)
    assert (lesson.question, lesson.story, lesson.ask({}), lesson.settings()) == ("A?", "B.", "C?", {"k": 33, "d": 400})
    assert lesson.truth(lesson.settings()) == blind_labs.theory(33, 400)["shared"] == 33**2 / 400
    drawn = answer(lesson, lesson.settings(), 1, 400).values["shared"]
    assert abs(drawn.mean() - 33**2 / 400) < 4 * drawn.std() / 20
    assert lesson.controls[0].values == (5, 10, 20, 30, 33, 40, 50) and not lesson.steps
    assert lesson.key == lesson_from(GOOD).key != lesson_from(GOOD + 'note = "D"').key and lesson.key not in LESSONS


def test_curve_is_asked_at_every_value_and_names_are_used():
    lesson = lesson_from(f'simulation = "inside_folds"\n{WORDS}guess = "curve"\nsettings = {{patients = 100}}')
    truths = [lesson.truth(value) for value in lesson.along(lesson.settings())]
    assert len(truths) == 4 and np.all(np.diff(truths) > 0) and lesson.settings()["patients"] == 100
    assert "off by 0 on average" in describe_verdict(lesson, tuple(truths), lesson.settings())
    assert lesson_from(f'simulation = "shuffled"\n{WORDS}settings = {{selector = "ReliefF"}}').settings() == {"selector": "relieff"}


@pytest.mark.parametrize("key", LESSONS)
def test_every_simulation_accepts_other_texts(key):
    lesson = lesson_from(f'simulation = "{key}"\n{WORDS}')
    assert lesson.settings() == LESSONS[key].settings() and lesson.truth(lesson.settings()) == LESSONS[key].truth(lesson.settings())


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "simulation"),
        ("= 3", "not TOML"),
        ("[" * 5000, "not TOML"),
        (GOOD + "x" * 30_000, "20,000"),
        (GOOD.replace("blind_labs", "blind_lab"), "did you mean 'blind_labs'"),
        (GOOD.replace('"blind_labs"', "[1]"), "simulation"),
        (GOOD.replace('question = "A?"', ""), "question"),
        (GOOD.replace('"A?"', '""'), "question"),
        (GOOD.replace('"A?"', "3"), "question"),
        (GOOD.replace("text", "txt"), "did you mean 'text'"),
        (GOOD.replace("k = 33", "kk = 33"), "did you mean 'k'"),
        (GOOD.replace("k = 33", "k = 33.5"), "whole number from 5 to 50"),
        (GOOD.replace("k = 33", "k = true"), "whole number"),
        (GOOD.replace("k = 33", "k = 51"), "from 5 to 50"),
        (GOOD.replace("settings = {k = 33, d = 400}", "settings = 3"), "[settings]"),
        (GOOD.replace("high = 40", "high = -1"), "less than high"),
        (GOOD.replace("high = 40", "high = 2"), "between low and high"),
        (GOOD.replace("high = 40", "high = nan"), "high"),
        (GOOD.replace("high = 40", 'high = "4"'), "high"),
        (GOOD + 'guess = "choice"', '"number" or "curve"'),
        (f'simulation = "threshold"\n{WORDS}settings = {{q = 11}}', "one of 10, 20 or 40"),
        (f'simulation = "shuffled"\n{WORDS}settings = {{selector = "mrmr"}}', "relieff"),
        (f'simulation = "shuffled"\n{WORDS}guess = "number"', '"choice"'),
        ('simulation = "blind_labs"\nown = "module:Class"', "unknown entry 'own'"),
    ],
)
def test_unusable_lesson_files_are_refused_with_advice(text, part):
    with pytest.raises(InputError) as refused:
        lesson_from(text)
    assert part in str(refused.value) and len(str(refused.value)) < 600


def test_documentation_has_the_example_and_every_simulation():
    page = (ROOT / "docs" / "reference" / "lessons.md").read_text(encoding="utf-8")
    assert page.split("```toml\n")[1].split("```")[0] == EXAMPLE
    for key, lesson in LESSONS.items():
        (row,) = (line for line in page.splitlines() if line.startswith(f"| `{key}` |"))
        assert re.findall(r"`(\w+)`:", row) == [control.key for control in lesson.controls]


def test_texts_are_escaped_and_the_command_accepts_files(tmp_path, capsys, monkeypatch):
    short = GOOD.replace("blind_labs", "twins").partition("settings")[0]
    hostile = short.replace("A?", "</script><img src=x onerror=hit()>").replace("B.", "$x^2$ {{ 7*7 }}")
    for name, text in (("a.toml", short), ("b.toml", hostile)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr("stabcore.reporting.lessons.lesson_values", lambda lesson, ladder: lesson_values(lesson, (1,)))
    files = [str(tmp_path / name) for name in ("a.toml", "b.toml")]
    assert main(["lessons", str(tmp_path / "x.html"), "--only", "twins", "--own", *files]) == 0
    page = (tmp_path / "x.html").read_text(encoding="utf-8").split('id="lesson-values">')[1].split("</script>")[0]
    assert "<img" not in page and page.count('"key":') == 3
    assert main(["lessons", str(tmp_path / "y.html"), "--own", str(tmp_path / "none.toml")]) == 2
    assert "none.toml" in capsys.readouterr().err and not (tmp_path / "y.html").exists()
