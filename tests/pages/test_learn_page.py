"""Learn: nothing is shown before a guess, the answer is that of the core, an address brings it back, classes pool their draws."""

import pytest
from page_support import figures, fine, fine_page, new_app, said, text_of

from pages.parts.learn import papers
from pages.workspace import queue
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.lesson import answer


def by_address(**told):
    """Learn as a link opens it."""
    app = new_app()
    app.run().switch_page("pages/learn.py")
    for name, value in told.items():
        app.query_params[name] = value
    return fine(app.run())


def guess(app, value):
    """Make a guess and ask for the answer."""
    app.number_input[0].set_value(value)
    next(one for one in app.button if "Show" in one.label).click()
    return fine(app.run())


def test_nothing_is_shown_before_a_guess():
    app = fine_page("learn")
    assert app.header[0].value.startswith("Two labs") and not figures(app) and "4.0" not in said(app)
    number = app.number_input[0]
    assert f"A number from {number.min:g} to {number.max:g}." in said(app), "another one only turns the field red"
    next(one for one in app.button if "Show" in one.label).click()
    assert not figures(fine(app.run())) and "Guess first" in said(app)


def test_guess_answer_and_control():
    app = guess(fine_page("learn"), 7)
    lesson = LESSONS["blind_labs"]
    assert text_of(app.success) == "You guessed 7. The answer is 4." and len(figures(app)) == 1
    assert answer(lesson, lesson.settings(), 1).sentence in said(app)
    app.select_slider[0].set_value(50)
    fine(app.run())
    assert (
        answer(lesson, {"k": 50, "d": 100}, 1).sentence in said(app) and text_of(app.success) == "You guessed 7. The answer is 4."
    )
    assert app.query_params["k"] in ("50", ["50"]) and app.query_params["guess"] in ("7.0", ["7.0"])


@pytest.mark.parametrize("key", LESSONS)
def test_every_lesson_opens_by_its_address(key):
    lesson = LESSONS[key]
    told = lesson.guess.choices[0] if lesson.guess.choices else f"{lesson.guess.high:g}"
    app = by_address(lesson=key, seed="5", guess=told)
    assert text_of(app.header[:1]) == lesson.question and len(figures(app)) == 1
    assert answer(lesson, lesson.settings(), 5).sentence in said(app)


def test_an_address_with_nonsense_is_the_usual_lesson():
    app = by_address(lesson="blind_labs", seed="<b>", k="10 ** 9", d="-1", guess="nan")
    assert not figures(app) and app.header[0].value.startswith("Two labs")
    assert fine(by_address(lesson="../../etc")).header[0].value.startswith("Two labs")


def test_a_link_of_a_class_holds_no_guess_and_can_give_everybody_a_seed():
    app = guess(fine_page("learn"), 7)
    link = next(one.value for one in app.code)
    assert "lesson=blind_labs&seed=each&k=20&d=100" in link and "guess" not in link
    app.toggle(key="lesson-each").set_value(False)
    assert "seed=1&" in next(one.value for one in fine(app.run()).code)
    other = by_address(lesson="blind_labs", seed="each")
    assert other.query_params["seed"] not in ("each", ["each"]) and 0 <= other.session_state["lesson-seed"] < 10**6


def test_draws_of_a_class_are_pooled_and_what_is_wrong_with_them_is_said():
    app = guess(fine_page("learn"), 7)
    app.text_area[0].set_value("3 5 4 4")
    assert "4 draws: mean 4.00 ± 1.30 (95% interval); known: 4.00" in said(fine(app.run()))
    assert any(trace["name"] == "your class" for trace in figures(app)[0]["data"])
    app.text_area[0].set_value("3 five")
    app.run()
    assert not app.exception and "'five'" in text_of(app.error) and len(figures(app)) == 1


def test_the_draws_of_a_class_outlive_a_reload_and_are_not_in_its_link():
    app = guess(fine_page("learn"), 7)
    app.text_area[0].set_value("3 5\n4 4")
    fine(app.run())
    kept = {name: value[0] if isinstance(value, list) else value for name, value in app.query_params.items()}
    assert kept["draws"] == "3 5 4 4" and "draws" not in next(one.value for one in app.code)
    again = by_address(**kept)
    assert again.text_area[0].value == "3 5 4 4" and "4 draws: mean 4.00" in said(again)


def test_the_next_lesson_waits_for_its_own_guess():
    app = guess(fine_page("learn"), 7)
    app.button(key="next-lesson").click()
    assert fine(app.run()).header[0].value.startswith("No marker matters") and not figures(app)
    app.selectbox[0].set_value("blind_labs")
    assert len(figures(fine(app.run()))) == 1


def test_the_papers_live_say_which_claims_are_shown():
    app = by_address(paper="sechidis-equation-1")
    claims = app.dataframe[-1].value
    assert len(claims) == 2 and claims["verdict"].str.startswith("shown").all() and "2 of 2 claims" in said(app)
    box = next(one for one in app.selectbox if one.label == "Figure or table")
    box.select("hamer-figure-8")
    fine(app.run())
    assert "hamer-figure-8" in app.query_params["paper"] and "make-hamer-figure-8" in {button.key for button in app.button}
    assert not figures(app) and not app.dataframe  # nothing slow before it is asked for


class Asked:
    """What was asked for, as a thread of the server would make it."""

    def __init__(self, works, name, person, make):
        self.asked, self.person = (works, name, person), person
        self.before, self.progress, self.running, self.cancelled, self.words, self.result = (2, 1), (0, 0), True, False, "", None

    def cancel(self):
        self.cancelled = True


def test_what_takes_long_waits_for_its_turn_and_tells_its_place_in_every_tab(home, monkeypatch):
    asked = {}
    monkeypatch.setattr(papers, "BackgroundTask", Asked)
    monkeypatch.setattr(papers, "_makings", lambda: asked)
    app = by_address(paper="hamer-figure-8")
    app.button(key="make-hamer-figure-8").click().run()
    one, words = asked["hamer-figure-8"], "This waits for its turn: 2 computations run now, 1 waits before yours."
    assert one.asked == (home, "paper-hamer-figure-8", "") and words in text_of(fine(app).info)
    other = by_address(paper="hamer-figure-8")
    assert words in text_of(other.info) and "make-hamer-figure-8" not in {button.key for button in other.button}
    one.before, one.progress = None, (3, 12)
    assert "3 of 12 done" in str(other.run().get("progress")[0].proto) and not other.info
    other.button(key="paper-cancel").click().run()
    assert one.cancelled
    one.person = "somebody else"
    assert "paper-cancel" not in {button.key for button in other.run().button}
    one.running, one.words = False, "It was cancelled."
    assert "It was cancelled." in text_of(other.run().warning) and other.button(key="make-hamer-figure-8")


def test_what_a_server_that_was_killed_was_making_is_told(home):
    (home / queue.FOLDER).mkdir(parents=True, exist_ok=True)
    (home / queue.FOLDER / "paper-hamer-figure-8.asked").touch()
    assert "The server ended while this was being made or waited" in text_of(by_address(paper="hamer-figure-8").warning)
