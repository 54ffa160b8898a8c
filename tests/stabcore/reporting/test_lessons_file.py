"""The HTML file of lessons: values of the core, judged guesses, reproducible bytes, no network."""

import numpy as np
import pytest

from stabcore.__main__ import main
from stabcore.reporting.lessons import SEED, lesson_values, lessons_page
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.lesson import answer, describe_verdict

LADDER = (1, 2, 10)
SOME = ("blind_labs", "shuffled", "more_runs", "forest_seed")


@pytest.mark.parametrize("key", ["shuffled", "forest_seed"])
def test_values_at_every_setting_match_the_core(key):
    lesson = LESSONS[key]
    held = lesson_values(lesson, LADDER)
    for position, values in held["at"].items():
        settings = {control.key: control.values[int(i)] for control, i in zip(lesson.controls, position.split(","), strict=True)}
        full = answer(lesson, settings, SEED, LADDER[-1])
        assert values["sentence"] == full.sentence and values["ask"] == lesson.ask(settings)
        for name, pile in full.piles().items():
            np.testing.assert_allclose(np.array(values["y"][name], float), pile[:, 0], atol=1e-4)
            assert values["place"][name] == pile[:, 1].tolist()
        for place, n in enumerate(LADDER):
            now = answer(lesson, settings, SEED, n)
            assert values["drawn"][place] == now.drawn_sentence
            rows = {name: "".join(map(str, kinds)) for name, kinds in now.draws[-1].rows.items()}
            assert dict(values["cells"][place]) == rows
    assert len(held["at"]) == np.prod([len(control.values) for control in lesson.controls])


def test_guess_is_judged_and_drawn_as_on_screen():
    for key in SOME:
        lesson, settings = LESSONS[key], LESSONS[key].settings()
        held = lesson_values(lesson, (1,))
        now = held["at"][",".join(str(control["at"]) for control in held["controls"])]
        if lesson.guess.curve:
            every = [held["at"][str(i)] for i in range(len(lesson.controls[0].values))]
            points = [(values["x"], values["points"][0] + values["points"][1] * 3.0) for values in every]
            assert points == lesson.points(settings, lesson.flat(3.0))
            assert all(values["number"] == f"{values['value']:.3g}" for values in every)
            continue
        guess = lesson.guess.choices[1] if lesson.guess.choices else 3.0
        assert now["truth"] in describe_verdict(lesson, lesson.guess.choices[1] if lesson.guess.choices else 99.0, settings)
        x, y = now["points"][guess] if lesson.guess.choices else (now["x"], now["points"][0] + now["points"][1] * guess)
        (point,) = lesson.points(settings, guess)
        assert (lesson.controls[0].names.get(point[0], point[0]), round(point[1], 3)) == (x, round(y, 3))


def test_file_is_reproducible_and_needs_no_network():
    some = {"shuffled": LESSONS["shuffled"]}
    page = lessons_page(some, ladder=LADDER)
    assert page == lessons_page(some, ladder=LADDER)
    assert "default-src 'none'" in page and "http://" not in page.split("lesson-values")[1].split("</script>")[0]


def test_an_unknown_lesson_and_a_missing_folder_are_refused(tmp_path, capsys):
    assert main(["lessons", str(tmp_path / "x.html"), "--only", "twinz"]) == 2
    assert "twins" in capsys.readouterr().err and not list(tmp_path.iterdir())
    assert main(["lessons", str(tmp_path / "here" / "x.html"), "--only", "twins"]) == 2
    assert "no folder" in (words := capsys.readouterr().err) and "1 of 1" not in words
