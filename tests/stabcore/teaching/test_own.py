"""User-defined lessons: texts of the file, answers of the simulation, and refusals of invalid files."""

import re

import numpy as np
import pytest
from snapshot_support import check_refusals
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
    assert "off by 0 " in describe_verdict(lesson, tuple(truths), lesson.settings())
    assert lesson_from(f'simulation = "shuffled"\n{WORDS}settings = {{selector = "ReliefF"}}').settings() == {"selector": "relieff"}


@pytest.mark.parametrize("key", LESSONS)
def test_every_simulation_accepts_other_texts(key):
    lesson = lesson_from(f'simulation = "{key}"\n{WORDS}')
    assert lesson.settings() == LESSONS[key].settings() and lesson.truth(lesson.settings()) == LESSONS[key].truth(lesson.settings())


def test_unusable_lesson_files_are_refused_with_advice():
    changes = [
        *(("blind_labs", "blind_lab"), ('"blind_labs"', "[1]"), ('question = "A?"', ""), ("text", "txt")),
        *(('"A?"', '""'), ('"A?"', "3")),
        *(("k = 33", wrong) for wrong in ("kk = 33", "k = 33.5", "k = true", "k = 51")),
        *(("high = 40", f"high = {wrong}") for wrong in ("-1", "2", "nan", '"4"')),
        ("settings = {k = 33, d = 400}", "settings = 3"),
    ]
    others = ["settings = {q = 11}", 'settings = {selector = "mrmr"}', 'guess = "number"']
    texts = [
        *("", GOOD + "x" * 30_000, GOOD + 'guess = "choice"', 'simulation = "blind_labs"\nown = "module:Class"'),
        *(GOOD.replace(*change) for change in changes),
        *(f'simulation = "{key}"\n{WORDS}{more}' for key, more in zip(("threshold", "shuffled", "shuffled"), others)),
    ]
    check_refusals("teaching/wrong_lessons", lesson_from, texts)
    for no_toml in ("= 3", "[" * 5000):
        with pytest.raises(InputError):
            lesson_from(no_toml)


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
