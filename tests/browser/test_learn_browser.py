"""Learn in a browser, lesson by lesson and by keyboard alone: a guess, the answer, a control, and a reload that keeps all of it."""

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from browser_support import fine, plots, settled
from playwright.sync_api import expect

from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.lesson import answer, describe_verdict

SEED = 3
NEAR = 225  # pixels, of which the sentence between them takes up to four lines
QUICK = ("chain",)  # the others are run by make bench


def each_lesson():
    return [pytest.param(key, marks=() if key in QUICK else pytest.mark.slow) for key in LESSONS]


def guess_by_keyboard(page, lesson):
    """Give a guess, a wrong one, and return it."""
    guess = lesson.guess
    if guess.choices:
        page.get_by_role("radio", name=guess.choices[-1], exact=True).focus()
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        return guess.choices[-1]
    if guess.curve:
        slider = page.get_by_role("slider").first
        slider.press("End")
        settled(page)
        slider.press("End")
        settled(page)
        page.get_by_role("button", name="Show answer").press("Enter")
        middle = (guess.low + guess.high) / 2
        return (float(guess.high), *[middle] * (len(lesson.controls[0].values) - 1))
    number = guess.low + guess.step
    box = page.get_by_role("spinbutton").first
    box.fill(f"{number:g}")
    box.press("Enter")
    return number


def turn_by_keyboard(page, lesson):
    """Move the first control by one step, in a possible direction. Returns the new settings."""
    control, settings = lesson.controls[0], lesson.settings()
    place = control.values.index(settings[control.key])
    step = 1 if place + 1 < len(control.values) else -1
    if control.names:
        box = page.get_by_role("combobox", name=control.label).last
        box.click()
        box.fill(control.name_of(control.values[place + step]))
        expect(page.get_by_role("option")).to_have_count(1)
        box.press("Enter")
    else:
        page.get_by_role("slider", name=control.label).first.press("ArrowRight" if step > 0 else "ArrowLeft")
    return {**settings, control.key: control.values[place + step]}


@pytest.mark.parametrize("key", each_lesson())
def test_guess_answer_control_reload(key, page, server):
    lesson, main = LESSONS[key], page.get_by_test_id("stMain")
    usual = lesson.settings()
    page.goto(f"{server.url}/learn?{urlencode({'lesson': key, 'seed': SEED})}")
    expect(page.get_by_role("heading", name=lesson.question)).to_be_visible()
    settled(page)
    before = int(lesson.shown_first or lesson.guess.curve)
    assert page.locator(".js-plotly-plot").count() == before and answer(lesson, usual, SEED).sentence not in main.inner_text()
    guessed = describe_verdict(lesson, guess_by_keyboard(page, lesson), usual)
    expect(main).to_contain_text(guessed)
    expect(main).to_contain_text(answer(lesson, usual, SEED).sentence)
    plots(page)
    settled(page)
    parts = (page.get_by_text(guessed[:40]), page.locator(".js-plotly-plot"), page.get_by_role("button", name="Draw", exact=True))
    said, picture, draw = (part.bounding_box() for part in parts)
    assert picture["y"] - said["y"] < NEAR and abs(draw["y"] - picture["y"]) < NEAR, "answer, picture and control are seen together"
    assert picture["y"] + picture["height"] < 780
    moved = turn_by_keyboard(page, lesson)
    expect(main).to_contain_text(answer(lesson, moved, SEED).sentence)
    control = lesson.controls[0]  # written last: a reload before that would lose the move
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get(control.key) == [str(moved[control.key])])
    page.reload()
    expect(main).to_contain_text(answer(lesson, moved, SEED).sentence)
    if not lesson.guess.curve:  # which is judged all along
        expect(main).not_to_contain_text("You guessed")
    plots(page)
    fine(page)


def test_a_class_pools_by_itself_on_the_page_of_its_teacher(page, server):
    page.goto(f"{server.url}/learn?lesson=blind_labs")
    page.get_by_text("For teachers", exact=True).click()
    page.get_by_role("button", name="Open class").click()
    expect(page.get_by_text("No guess yet.")).to_be_visible()
    expect(page.get_by_text("Only this computer can open this address.")).to_be_visible()
    page.set_viewport_size({"width": 1024, "height": 768})  # a projector
    settled(page)
    code, link = (page.get_by_test_id(part).first.bounding_box() for part in ("stImage", "stCode"))
    assert code["x"] + code["width"] <= link["x"] or code["y"] + code["height"] <= link["y"], "the link covers the code to scan"
    student = page.context.new_page()
    student.goto(page.get_by_test_id("stCode").first.inner_text().strip(), wait_until="commit")
    box = student.get_by_role("spinbutton").first
    box.fill("0")
    box.press("Enter")
    expect(page.get_by_text("1 guess: mean 0.00.").first).to_be_visible()
    expect(student.get_by_text("You guessed").first).to_be_visible()
    assert not student.get_by_text("For teachers", exact=True).count(), "it has the answers"
    student.close()
