"""What-ifs are sent by their address: a second browser shows the same numbers, also of the read-only copy, and F5 does too."""

import re

import pytest
from browser_support import choose, go, open_sample, press
from links_support import apart, link, shown
from playwright.sync_api import expect

from pages.workspace.project import Project

# How often a picture was drawn anew after it stood; the first of Maps, in a box that scrolls, gets its width late.
AGAIN = """new MutationObserver(() => document.querySelectorAll('.js-plotly-plot').forEach(one => {
  if (!one.on || one.again !== undefined) return;
  one.again = 0;
  one.on('plotly_beforeplot', () => { one.again += 1; });
})).observe(document, {subtree: true, childList: true, attributes: true});"""
DRAWN_AGAIN = """() => [...document.querySelectorAll('.js-plotly-plot')].filter(one => !one.querySelector('.hm'))
  .map(one => one.again)"""


@pytest.fixture
def second(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 3000})
    context.add_init_script(AGAIN)
    yield context.new_page()
    context.close()


@pytest.fixture
def first(page, server):
    """The study of wines in a window so high that all of a screen is seen at once."""
    page.set_viewport_size({"width": 1280, "height": 3000})
    open_sample(page, server, "wine", "stability")
    shown(page)
    return page


def slide(page, name, steps, key="ArrowRight"):
    slider = page.get_by_test_id("stMain").get_by_role("slider", name=name).first
    slider.focus()
    for _ in range(steps):
        slider.press(key)
        page.wait_for_timeout(50)


def switch(page, text):
    page.get_by_test_id("stMain").get_by_text(text, exact=True).first.click()


def look_at(page, feature):
    """Another feature on Passport; the sidebar has a list of features, too."""
    box = page.get_by_test_id("stMain").get_by_role("combobox", name="Feature").first
    box.click()
    box.fill(feature)
    page.get_by_role("option", name=feature, exact=True).first.click()


def switch_a_group_off(page):
    """With the groups as C. That a control of the section before, of which browsers tell late, changes nothing is proved without
    one in tests/pages/test_undoing.py: whether and when a browser tells cannot be brought about."""
    main = page.get_by_test_id("stMain")
    use = main.get_by_role("button", name=re.compile("^Use my .* groups"))
    pill = main.get_by_test_id("stButtonGroup").filter(has_text="Groups that are on").get_by_role("button").first
    use.or_(pill).first.wait_for()
    if use.is_visible():
        use.click()
        shown(page)
    pill.click()
    shown(page, "groups-off=")
    expect(main.get_by_text(re.compile(r"^With \d+ of \d+ groups$")).first).to_be_visible()


def same_in(second, page, seen):
    """A second browser shows the same, by the address of the page and by a link to a copy of it that nobody can change."""
    for address in (page.url, link(page)):
        second.goto(address)
        assert apart(seen, shown(second)) == {}, address
        assert not any(second.evaluate(DRAWN_AGAIN)), f"{address}: a picture was drawn twice"


def test_names_to_paste_cost_nothing_until_they_are_asked_for(first, second, server):
    """What shows them colours programs, too: its scripts are a third of what Panel would have to read."""
    asked = []
    second.on("request", lambda request: asked.append(request.url))
    second.goto(f"{server.url}/panel?id={re.search(r'id=([^&]+)', first.url)[1]}")
    expect(second.get_by_text("Take this panel")).to_be_visible()
    shown(second)
    assert any("Plotly" in one for one in asked) and not any("SyntaxHighlighter" in one for one in asked)
    second.get_by_role("button", name="Copy the names").click()
    expect(second.get_by_test_id("stCode")).to_contain_text("flavanoids")
    assert any("SyntaxHighlighter" in one for one in asked)


def test_a_link_shows_the_same_numbers_in_a_second_browser(first, second, server, monkeypatch):
    switch(first, "What if another number of features were selected?")
    shown(first, "other-k=1")
    slide(first, "Features selected in every run", 2)
    shown(first, r"[?&]features=\d+")
    go(first, "Panel")
    shown(first)
    choose(first, "Whose panel", "Lasso")
    seen = shown(first, "panel-of=Lasso")
    assert len(seen["words"]) > 20 and len(seen["tables"]) > 1 and len(seen["pictures"]) == 1 and len(seen["controls"]) > 3
    same_in(second, first, seen)
    first.reload()
    assert apart(seen, shown(first)) == {}
    monkeypatch.setenv("STABILITY_HOME", str(server.home))
    work = Project.find(re.search(r"[?&]id=([\w-]+)", first.url)[1])
    changed = {**work.settings["scenario"], "threshold": 0.11}
    work.save(scenario=changed, scenarios={**work.settings["scenarios"], work.settings["scenario_name"]: changed})
    expect(first.get_by_text("was changed in another tab").first).to_be_visible()  # by itself, some seconds later


# {screen: [(section, what a person does there, what the address says then)]}
WHAT_IFS = {
    "Stability": [
        ("", lambda page: switch(page, "What if another number of features were selected?"), "other-k=1"),
        ("", lambda page: slide(page, "Features selected in every run", 2), "features=5"),
        ("Compare selectors", lambda page: choose(page, "Measure", "Jaccard"), "compared-by=jaccard"),
        (
            "A measure's settings",
            lambda page: choose(page, "Interval (95%)", "by leaving runs out (jackknife)"),
            "tuned-interval=jackknife",
        ),
        ("Do the measures agree?", None, "section=agreement"),
        ("Which measure for my question?", None, "section=which"),
    ],
    "Maps": [
        ("", lambda page: choose(page, "Order of the features", "name"), "order=name"),
        ("", lambda page: switch(page, "Compare with another selector"), "two=1"),
        ("", lambda page: slide(page, "Features drawn one by one", 4, "ArrowLeft"), "pieces=9"),
    ],
    "Profiles": [
        ("", lambda page: slide(page, "Number of selected features", 1), "features=4"),
        ("Where does it seem to end?", None, "profile=knots"),
        ("The features ranked next", None, "profile=marginal"),
        ("Are the runs enough?", None, "profile=runs"),
    ],
    "What if": [
        ("", lambda page: slide(page, "Features stand for each other from |ρ| =", 5), "as="),
        (
            "Which pairs matter most?",
            lambda page: slide(page, "How far do they stand for each other?", 5, "ArrowLeft"),
            "question=pairs",
        ),
        ("What does each group do?", switch_a_group_off, "groups-off="),
        ("Scenarios side by side", None, "question=scenarios"),
        ("Without a feature or a run", None, "question=parts"),
    ],
    "Passport": [("", lambda page: look_at(page, "hue"), "feature=hue")],
    "Panel": [
        ("", lambda page: slide(page, "Least share of the runs (%)", 1), "share=80"),
        *(
            (title, None, f"panel={key}")
            for key, title in (
                ("choices", "Number and threshold"),
                ("paths", "Paths"),
                ("together", "Selectors together"),
                ("direction", "Which way"),
            )
        ),
    ],
    "Pareto": [
        ("Weigh them", lambda page: slide(page, "γ: how much accuracy counts against stability", 7), "gamma=0.57"),
        *(
            (title, None, f"front={key}")
            for key, title in (("change", "Classic → effective"), ("errors", "Equally accurate?"), ("studies", "Other studies"))
        ),
        ("The front", lambda page: press(page, "ellipses"), "intervals=ellipses"),
    ],
    "Report": [("", lambda page: slide(page, "The panel: least share of the runs (%)", 1), "share=80")],
    "Groups & C": [
        ("", lambda page: page.locator(".st-key-scenario-base").get_by_text("My groups").click(), "as="),
        ("Suggest by correlation", lambda page: slide(page, "Cut the tree at |ρ| =", 9), "cut=0.59"),
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("screen", WHAT_IFS)
def test_a_link_shows_the_same_numbers_of_every_what_if_on_every_screen(first, second, screen):
    if screen != "Stability":
        go(first, screen)
        first.wait_for_url(re.compile(re.escape(screen.split()[0].lower()).replace("what", "whatif")))
        shown(first)
    for section, act, address in WHAT_IFS[screen]:
        if section:
            press(first, section)
            shown(first)
        if act:
            act(first)
        same_in(second, first, shown(first, address))
