"""Learn: nothing is shown before a guess, the answer is that of the core, an address brings it back, classes pool their draws."""

from types import SimpleNamespace
from urllib.parse import parse_qsl, urlsplit

import pytest
from page_support import figures, fine, fine_page, opened_at, page_text, text_of

from pages.parts.learn import own, papers
from pages.workspace import queue
from stabcore.plots.lessons import DRAW
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.lesson import SEPARATOR, answer, describe_verdict
from stabcore.teaching.own import read_lesson

FIRST = LESSONS["blind_labs"]
SLOW = "hamer-figure-8"  # an exhibit that is made only when it is asked for


def learn_page(**query):
    """Learn as a link opens it."""
    return fine(opened_at("learn", query))


def question(app):
    """The question of the open lesson."""
    return text_of(app.header[:1])


def show(app):
    next(button for button in app.button if "Show" in button.label).click()
    return fine(app.run())


@pytest.fixture
def guessed():
    """The first lesson with a guess and its answer."""
    app = fine_page("learn")
    app.number_input[0].set_value(7)
    return show(app)


def class_of(app):
    """Open a class on this page. Returns the query of the link for students."""
    app.button(key="open-class").click()
    link = next(code.value for code in fine(app.run()).code)
    return dict(parse_qsl(urlsplit(link).query))


def test_guess_answer_control_guess_again_and_next():
    guessed = fine_page("learn")
    assert question(guessed) == FIRST.question and not figures(guessed) and not figures(show(guessed)), "not before a guess"
    guessed.number_input[0].set_value(7)
    show(guessed)
    assert describe_verdict(FIRST, 7, FIRST.settings()) in page_text(guessed) and len(figures(guessed)) == 1
    assert answer(FIRST, FIRST.settings(), 1).sentence in page_text(guessed)
    guessed.select_slider[0].set_value(50)
    assert answer(FIRST, {"k": 50, "d": 100}, 1).sentence in page_text(fine(guessed.run()))
    assert "You guessed" not in page_text(guessed), "the verdict is on other settings"
    assert guessed.query_params["k"] in ("50", ["50"]) and guessed.query_params["guess"] in ("7.0", ["7.0"])
    guessed.button(key="guess-again").click()
    assert FIRST.ask({"k": 50, "d": 100}) in guessed.run().number_input[0].label and not figures(guessed)
    guessed.number_input[0].set_value(25)
    assert describe_verdict(FIRST, 25, {"k": 50, "d": 100}) in page_text(show(guessed))
    guessed.button(key="next-lesson").click()
    second = list(LESSONS.values())[1]
    assert question(fine(guessed.run())) == second.question and answer(second, second.settings()).sentence not in page_text(guessed)


def test_a_curve_is_drawn_by_sliders_judged_and_kept_in_the_address():
    lesson = LESSONS["shared_rows"]
    app = show(learn_page(lesson=lesson.key))
    assert app.info and answer(lesson, lesson.settings()).sentence not in page_text(app), "a curve that nobody touched is no guess"
    heights = (0.9, 0.8, 0.7, 0.4, 0.1)
    for slider, height in zip(app.slider, heights, strict=True):
        slider.set_value(height)
    assert list(figures(app.run())[0]["data"][0]["y"]) == list(heights)
    show(app)
    assert describe_verdict(lesson, heights, lesson.settings()) in page_text(app)
    query = {name: value[0] if isinstance(value, list) else value for name, value in app.query_params.items()}
    assert describe_verdict(lesson, heights, lesson.settings()) in page_text(learn_page(**query))
    app.select_slider[0].set_value(50)
    assert "Your guesses" in page_text(app.run()), "it was asked at every share"
    app.select_slider[1].set_value(60)
    assert "Your guesses" not in page_text(fine(app.run()))


def dots(app):
    """The number of dots in the pile."""
    return sum(len(trace["x"]) for trace in figures(app)[0]["data"] if (trace.get("meta") or {}).get("kind") == DRAW)


def test_draws_fall_one_by_one_or_many_and_an_address_keeps_them(guessed):
    assert dots(guessed) == 1
    guessed.button(key="draw-one").click().run()
    assert dots(fine(guessed)) == 2 and "2 draws: mean" in page_text(guessed)
    guessed.button(key="draw-1000").click().run()
    assert dots(guessed) == 1000 and guessed.button(key="draw-one").disabled
    query = {name: value[0] if isinstance(value, list) else value for name, value in guessed.query_params.items()}
    assert dots(learn_page(**query)) == 1000
    guessed.select_slider[0].set_value(50)
    assert dots(guessed.run()) == 100, "a moved control must answer at once"
    seed = guessed.query_params["seed"]
    guessed.button(key="draw-again").click().run()
    assert dots(fine(guessed)) == 1 and guessed.query_params["seed"] != seed


def test_a_story_moves_the_controls_and_ends_with_them(guessed):
    guessed.button(key="story").click().run()
    assert FIRST.steps[0].words in text_of(guessed.info) and guessed.button(key="story-back").disabled
    for _ in FIRST.steps[1:]:
        guessed.button(key="story-next").click().run()
    last = FIRST.steps[-1]
    assert last.words in text_of(fine(guessed).info) and dots(guessed) == last.draws and guessed.button(key="story-next").disabled
    assert answer(FIRST, FIRST.settings() | dict(last.settings)).sentence in page_text(guessed)
    guessed.select_slider[0].set_value(20)
    assert not guessed.run().info


def test_every_lesson_opens_by_its_address_and_nonsense_is_the_first():
    for key, lesson in LESSONS.items():
        guess = lesson.flat(lesson.guess.high)
        app = learn_page(lesson=key, seed="5", guess=SEPARATOR.join(map(str, guess)) if lesson.guess.curve else str(guess))
        assert question(app) == lesson.question and len(figures(app)) == 1, key
        assert describe_verdict(lesson, guess, lesson.settings()) in page_text(app) and answer(
            lesson, lesson.settings(), 5
        ).sentence in page_text(app)
    app = learn_page(lesson=FIRST.key, seed="<b>", k="10 ** 9", d="-1", guess="nan")
    assert not figures(app) and question(app) == question(learn_page(lesson="../../etc")) == FIRST.question


def test_many_people_reply_to_one_teacher_without_names():
    teacher = fine_page("learn")
    query = class_of(teacher)
    assert "No guess yet." in page_text(teacher) and query["seed"] == "each" and not {"guess", "draws"} & set(query)
    for person in range(8):
        app = learn_page(**query)
        assert app.query_params["seed"] not in ("each", ["each"]) and not figures(app)
        app.number_input[0].set_value(person)
        show(app)
        if person < 2:  # a second guess of the same person does not count
            app.button(key="guess-again").click().run()
            app.number_input[0].set_value(50)
            show(app)
    assert "8 guesses: mean 3.50." in page_text(fine(teacher.run()))
    assert all(words not in page_text(teacher) for words in ("Known answer", "first draws:")), "the teacher has not guessed"
    teacher.number_input[0].set_value(4)
    assert "Known answer: 4." in page_text(show(teacher)) and "8 first draws: mean" in page_text(teacher)
    teacher.select_slider[0].set_value(50)
    assert "No guess yet." in page_text(fine(teacher.run())), "other settings are another question"


def test_the_papers_live_say_which_claims_are_shown():
    app = learn_page(paper="sechidis-equation-1")
    claims = app.dataframe[-1].value
    assert len(claims) == 2 and claims["verdict"].str.startswith("shown").all()
    next(box for box in app.selectbox if box.label == "Choose figure or table").select(SLOW)
    fine(app.run())
    assert SLOW in app.query_params["paper"] and app.button(key=f"make-{SLOW}") and not figures(app) and not app.dataframe


def asked(home, name, person, make):
    """What was asked for, as a thread of the server would make it."""
    task = SimpleNamespace(asked=(home, name, person), person=person, queue_position=(2, 1), progress=(0, 0))
    task.cancelled, task.result, task.is_running, task.failure = [], None, True, ""
    task.cancel = lambda: task.cancelled.append(1)
    return task


def test_long_computations_queue_and_show_their_place_in_every_tab(home, monkeypatch):
    tasks = {}
    monkeypatch.setattr(papers, "BackgroundTask", asked)
    monkeypatch.setattr(papers, "_running_tasks", lambda: tasks)
    app = learn_page(paper=SLOW)
    app.button(key=f"make-{SLOW}").click().run()
    task = tasks[SLOW]
    assert task.asked == (home, f"paper-{SLOW}", "") and fine(app).info
    other = learn_page(paper=SLOW)
    assert other.info and f"make-{SLOW}" not in {button.key for button in other.button}
    task.queue_position, task.progress = None, (3, 12)
    assert "3 of 12" in str(other.run().get("progress")[0].proto) and not other.info
    other.button(key="paper-cancel").click().run()
    assert task.cancelled
    task.person = "somebody else"
    assert "paper-cancel" not in {button.key for button in other.run().button}
    task.is_running, task.failure = False, "It was cancelled."
    assert task.failure in text_of(other.run().warning) and other.button(key=f"make-{SLOW}")
    tasks.clear()
    (home / queue.FOLDER).mkdir(parents=True, exist_ok=True)
    (home / queue.FOLDER / f"paper-{SLOW}.asked").touch()
    assert learn_page(paper=SLOW).warning, "the server was killed while it made it"


def test_a_user_lesson_is_asked_in_class_and_a_bad_file_is_refused():
    teacher = fine_page("learn")
    teacher.file_uploader(key="own-file").set_value(
        ("my.toml", own.EXAMPLE.replace("blind_labs", "blind_lab").encode(), "text/plain")
    )
    assert "did you mean 'blind_labs'" in text_of(teacher.run().error)
    teacher.file_uploader(key="own-file").set_value(("my.toml", own.EXAMPLE.encode(), "text/plain"))
    lesson = read_lesson(own.EXAMPLE.encode())
    assert question(fine(teacher.run())) == lesson.question and not teacher.error
    query = class_of(teacher)
    person = learn_page(**query)
    assert question(person) == lesson.question, "the link of the class brings the lesson"
    person.number_input[0].set_value(8)
    assert describe_verdict(FIRST, 8, FIRST.settings()) in page_text(show(person))
    assert "1 guess: mean 8.00." in page_text(fine(teacher.run()))
    assert question(learn_page(lesson=lesson.key)) == FIRST.question, "nobody else has it"
    address = {name: value if isinstance(value, str) else value[0] for name, value in teacher.query_params.items()}
    reloaded = learn_page(**address)
    assert question(reloaded) == lesson.question and "1 guess: mean 8.00." in page_text(reloaded), "a reload keeps the class"
    assert "teachers_class" not in learn_page(**address | {"teaches": "00000000"}).session_state, "an unknown class is not opened"
