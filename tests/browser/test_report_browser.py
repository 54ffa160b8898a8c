"""The report, opened from disk without a network. Every control shows its values, which test_living.py compares with the core."""

from itertools import product

import numpy as np
import pytest
import study_support
from playwright.sync_api import expect
from report_support import run

import stabcore as sc
from stabcore.reporting.living import interactive_values
from stabcore.reporting.make import page as report_page
from stabcore.reporting.subject import Subject
from stabcore.similarity.scenario import Scenario

HOSTILE = ["</script><img src=x onerror=hit()>", "<b onclick=hit()>b</b>", "$x^2$ & <a href='http://evil.test'>c</a>", "{{ 7*7 }}"]
FITS = "() => document.documentElement.scrollWidth <= window.innerWidth"


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    """A study of pairs of halves with shuffles and hostile names."""
    frame = study_support.frame().rename(columns=dict(zip("abcd", HOSTILE, strict=True)))
    data = sc.Dataset.from_frame(frame, target="outcome", name="<i>toy</i>")
    study = sc.Study(data, ["mim", "welch_t"], plan=sc.ComplementaryPairs(10), k=3, random_state=5, n_permutations=19)
    result = run(study, tmp_path_factory.mktemp("report") / "a.stab")
    scenario = Scenario(base="correlation", threshold=0.3, groups={"<b>one": HOSTILE[:2], "two": HOSTILE[2:]})
    return Subject(result, sc.Similarity.from_correlation(data, threshold=0.3), scenario, data=data)


@pytest.fixture(scope="module")
def values(subject):
    return interactive_values(subject)


@pytest.fixture(scope="module")
def text(subject):
    return report_page(subject, [1, 7], ["panel"])


@pytest.fixture(scope="module")
def report(browser, text, tmp_path_factory):
    """A page with the report from disk, offline, errors of its script, and all that it asks for. Opened once: it takes seconds."""
    context = browser.new_context(offline=True, viewport={"width": 1000, "height": 900})
    page, wrong, asked = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.extend([message.text] * (message.type == "error")))
    file = tmp_path_factory.mktemp("opened") / "report.html"
    file.write_text(text, encoding="utf-8")
    page.goto(file.as_uri())
    expect(page.locator("#panel-plot .main-svg").first).to_be_visible()
    yield page, wrong, asked
    context.close()


@pytest.fixture
def page(report):
    """The page. Whatever it asks of anything but files fails the test, as does an error of its script."""
    page, wrong, asked = report
    yield page
    assert not wrong, wrong[:3]
    assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]


def drawn(page, figure, trace, column):
    """A column of a trace as Plotly has it."""
    return page.evaluate(f"document.getElementById('{figure}').data.at({trace}).{column}")


def move(page, control, position):
    """A slider to a position."""
    move_to = "(slider, position) => { slider.value = position; slider.dispatchEvent(new Event('input')) }"
    page.locator(f"#{control}").evaluate(move_to, position)


def test_the_threshold_shows_its_values(values, page):
    part, size = values["thresholds"], values["size"]
    card = page.locator("#step-cards .card")
    expect(card).to_have_count(2)
    for threshold in (0.8, 0.5, 0.3, 0.12):
        step = part["at"].index(threshold)
        move(page, "step", step)
        expect(page.locator("#step-is")).to_have_text(f"|ρ| ≥ {threshold:.2f}")
        expect(page.locator("#step-finding")).to_have_text(part["findings"][size][step])
        for place, label in enumerate(values["selectors"]):
            held = part["curves"][size][label]
            expect(card.nth(place).locator("b")).to_have_text(label)
            expect(card.nth(place).locator("span")).to_have_text(held["text"][step])
            line, dot = page.evaluate(f"document.querySelectorAll('#step-cards .plot')[{place}].layout.shapes")
            assert line["x0"] == dot["xanchor"] == threshold and dot["yanchor"] == held["value"][step]
            assert (dot["fillcolor"] != "#FFFFFF") == held["clear"][step]
        entering = part["entering"][step]
        assert page.locator("#pairs tr").all_text_contents() == [
            f"{values['features'][a]}{values['features'][b]}{rho:.3f}" for a, b, rho in entering[:12]
        ]


def test_the_panel_follows_threshold_rule_size_and_selector(values, page):
    part = values["panel"]
    for size, who, share in product((0, 2), (0, 2), (0.5, 0.9)):
        move(page, "size", size)
        expect(page.locator("#size-finding")).to_have_text(values["profile"]["findings"][size])
        page.locator("#who").select_option(str(who))
        move(page, "share", part["shares"].index(share))
        table = part["tables"][who][size]
        shown = table["at"][part["shares"].index(share)]
        assert drawn(page, "panel-plot", -5, "customdata") == table["feature"][: shown["size"]]
        assert drawn(page, "panel-plot", -5, "x") == table["frequency"][: shown["size"]]
        expect(page.locator("#panel-finding")).to_have_text(shown["finding"])
    for kind in ("max_false", "fdr"):
        page.locator("#rule").select_option(kind)
        limits = next(target["limits"] for target in part["targets"][2] if target["kind"] == kind)
        for place, limit in enumerate(limits):
            move(page, "share", place)
            assert drawn(page, "panel-plot", -5, "customdata") == limit["members"]
            expect(page.locator("#share-is")).to_have_text(limit["words"])


def test_scenarios_and_groups_show_their_values(values, page):
    part = values["scenarios"]
    assert page.locator("#scenario option").all_text_contents() == part["names"] and len(part["names"]) == 7
    for place, held in enumerate(part["each"]):
        page.locator("#scenario").select_option(str(place))
        clear, other = (drawn(page, "scenario-plot", trace, "x") for trace in (-3, -2))
        assert sorted(clear + other) == sorted(held["value"]) and len(clear) == sum(held["clear"])
        expect(page.locator("#scenario-pairs")).to_have_text(part["pairs"][place])
    page.get_by_label(values["selectors"][0], exact=True).uncheck()
    assert len(drawn(page, "scenario-plot", -3, "x") + drawn(page, "scenario-plot", -2, "x")) == 1
    page.get_by_label(values["selectors"][0], exact=True).check()


def test_maps_show_the_runs_and_a_highlighted_feature(subject, values, page):
    for place, label in enumerate(values["selectors"]):
        page.locator("#map").select_option(str(place))
        page.locator("#shown").select_option("selections")
        held, runs = values["maps"][place], subject.result.selections(label)
        z = np.array(drawn(page, "map-plot", 0, "z"))
        columns = [subject.result.features.index(values["features"][i]) for i in held["feature"]]
        assert np.array_equal(z > 0, runs.selected[:, columns].T) and z.max() == 1
        page.locator("#feature").fill(values["features"][held["feature"][1]])
        assert np.array_equal(np.array(drawn(page, "map-plot", 0, "z"))[1] == 2, runs.selected[:, columns[1]])
        page.locator("#shown").select_option("importance")
        segments = held["segments"]
        assert drawn(page, "map-plot", 0, "x") == segments["width"] and drawn(page, "map-plot", 0, "base") == segments["start"]
        colours = np.array(drawn(page, "map-plot", 0, "marker.color"))
        assert np.array_equal(colours == "#0071B2", np.array(segments["feature"]) == held["feature"][1])
        page.get_by_role("button", name="Clear").click()


def test_the_report_works_by_keyboard_on_a_telephone_and_on_paper(values, page):
    page.evaluate("() => { window.hit = () => { throw new Error('a name ran') } }")
    page.get_by_label(values["selectors"][0], exact=True).focus()
    page.keyboard.press("Space")
    assert [card.is_visible() for card in page.locator("#step-cards .card").all()] == [False, True]
    name = HOSTILE[0]
    page.locator("#feature").fill(name)
    place = values["panel"]["tables"][0][values["size"]]["feature"].index(values["features"].index(name))
    rows = page.evaluate("document.getElementById('panel-plot').layout.yaxis.ticktext")
    assert rows[place].startswith("<b>★ &lt;/script&gt;") and sum(row.startswith("<b>★") for row in rows) == 1
    expect(page.locator("#told")).to_contain_text(f"{name} is selected in")
    page.locator("#step").focus()
    before = page.locator("#step-is").text_content()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#step-is").text_content() != before
    assert page.locator("img, #interactive a").count() == 0
    assert page.locator("#step-cards .plot").nth(1).get_attribute("aria-label").startswith(values["selectors"][1])
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#told")).to_have_text("")
    height = "document.getElementById('figure_panel')._fullLayout.height"
    wide = page.evaluate(height)
    page.set_viewport_size({"width": 400, "height": 800})
    page.wait_for_function(FITS)  # Plotly follows the window with a delay
    page.wait_for_function(f"{height} > 1.2 * {wide}")  # names stand above their rows
    page.emulate_media(media="print")
    expect(page.locator("#interactive")).to_be_hidden()
    expect(page.locator("#figure_panel .main-svg").first).to_be_visible()
