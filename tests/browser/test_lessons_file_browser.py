"""The file of lessons, opened from disk without a network, shows the numbers of the core."""

import pytest
from playwright.sync_api import expect

from stabcore.reporting.lessons import SEED, lessons_page
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.lesson import answer, describe_verdict

LADDER = (1, 2, 3, 10)
KEYS = ("blind_labs", "forest_seed")


@pytest.fixture(scope="module")
def opened(browser, tmp_path_factory):
    """Show a lesson of the file, which is loaded once. An error of its script fails the last test."""
    context = browser.new_context(offline=True)
    page, wrong, file = context.new_page(), [], tmp_path_factory.mktemp("lessons") / "lessons.html"
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.extend([message.text] * (message.type == "error")))
    file.write_text(lessons_page({key: LESSONS[key] for key in KEYS}, ladder=LADDER), encoding="utf-8")

    def open_it(key):
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto(f"{file.as_uri()}#{key}")
        return page

    yield open_it
    context.close()
    assert not wrong, wrong


def dots(page):
    """The dots of the pile, as drawn."""
    return page.evaluate("() => document.getElementById('plot').data.find(trace => trace.meta.kind === 'draw').x.length")


def shows(page, lesson, settings, n, guess=None):
    """What is said at these settings after n draws, with the verdict on a guess."""
    now = answer(lesson, settings, SEED, n)
    verdict_text = f"{describe_verdict(lesson, guess, settings)} " if guess is not None else ""
    expect(page.locator("#finding")).to_have_text(f"{verdict_text}{now.sentence} {now.drawn_sentence}")


def test_guess_draws_controls_story_and_guess_again(opened):
    page, lesson = opened("blind_labs"), LESSONS["blind_labs"]
    usual = lesson.settings()
    expect(page.locator("#plot .main-svg")).to_have_count(0)
    page.get_by_role("button", name="Show answer").click()
    page.locator("#choices input").fill("101")
    page.get_by_role("button", name="Show answer").click()
    expect(page.locator("#missing")).to_contain_text("0 to 100")
    page.locator("#choices input").fill("8")
    page.get_by_role("button", name="Show answer").click()
    shows(page, lesson, usual, 1, 8)
    for n in LADDER[1:]:
        page.get_by_role("button", name="Draw", exact=True).click()
        shows(page, lesson, usual, n, 8)
        assert dots(page) == n
    expect(page.locator("#one")).to_be_disabled()
    picture, control = (page.locator(part).bounding_box() for part in ("#plot", "#control-0"))
    assert picture["y"] + picture["height"] < 720 and control["y"] < picture["y"]
    page.locator("#control-0").press("ArrowRight")
    shows(page, lesson, {**usual, "k": 30}, 10)
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#step")).to_contain_text(lesson.steps[0].words)
    shows(page, lesson, usual, 1, 8)
    page.get_by_role("button", name="Guess again").click()
    expect(page.locator("#answered")).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("() => document.documentElement.scrollWidth <= 390")  # Plotly follows the window with a delay


def test_a_curve_is_drawn_by_pointer_or_keyboard_and_judged(opened):
    page, lesson = opened("forest_seed"), LESSONS["forest_seed"]
    page.get_by_role("button", name="Show answer").click()
    expect(page.locator("#missing")).to_contain_text("curve")
    sketch = page.locator(".sketch").bounding_box()
    page.mouse.move(sketch["x"] + 0.02 * sketch["width"], sketch["y"] + 0.2 * sketch["height"])
    page.mouse.down()
    page.mouse.move(sketch["x"] + 0.98 * sketch["width"], sketch["y"] + 0.6 * sketch["height"], steps=40)
    page.mouse.up()
    page.locator("input[name=point]").last.press("End")
    curve = tuple(float(field.input_value()) for field in page.locator("input[name=point]").all())
    assert curve[0] > curve[1] > curve[3] and curve[4] == lesson.guess.high
    page.get_by_role("button", name="Show answer").click()
    shows(page, lesson, lesson.settings(), 1, curve)
    star = page.evaluate("() => (({x, y}) => ({x, y}))(document.getElementById('plot').data.at(-1))")
    assert list(zip(star["x"], star["y"], strict=True)) == lesson.points(lesson.settings(), curve)
    page.locator("#control-0").press("ArrowRight")
    shows(page, lesson, {"trees": 300}, 1, curve)
