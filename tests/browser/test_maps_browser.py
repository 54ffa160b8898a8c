"""Maps in a browser: a click opens and highlights the profile of a feature. Hover texts."""

import re

from browser_support import click_mark, press, settled
from playwright.sync_api import expect


def stand(page):
    expect(page.locator(".js-plotly-plot .heatmaplayer image")).to_have_count(1)
    expect(page.locator(".js-plotly-plot .barlayer .point").first).to_be_visible()
    settled(page)


def middle_of_bar(page, figure, bar):
    box = page.locator(".js-plotly-plot").nth(figure).locator(".barlayer .point").nth(bar).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def highlighted(page, count):
    """So many features are highlighted, says the address."""
    numbers = r"highlighted=\d+" + r"\.\d+" * (count - 1) + "(&|$)" if count else r"^(?!.*[?&]highlighted=)"
    expect(page).to_have_url(re.compile(numbers))


def name_in_bold(page):
    """The one name that is bold beside the rows."""
    bold = page.locator(".js-plotly-plot tspan[style*=bold]")
    expect(bold).to_have_count(1)
    return bold.text_content()


def highlight_in_profile(page):
    """The profile that a click opened highlights its feature, or no more."""
    page.get_by_role("dialog").get_by_role("button", name="Highlight on every screen").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    settled(page)


def test_a_click_opens_the_profile_which_highlights_everywhere(page, open_small):
    page.set_viewport_size({"width": 1280, "height": 2000})
    open_small("maps")
    stand(page)
    highlighted(page, 0)
    _, y = middle_of_bar(page, 0, 1)
    box = page.locator(".js-plotly-plot .heatmaplayer image").bounding_box()
    page.mouse.move(box["x"] + 0.75 * box["width"], y)
    said = page.locator(".js-plotly-plot .hoverlayer")
    expect(said.first).to_contain_text(re.compile(r"selected in \d+% of runs.*run 7, importance \d", re.DOTALL))
    click_mark(page, *middle_of_bar(page, 0, 2))
    highlight_in_profile(page)
    highlighted(page, 1)
    marked = name_in_bold(page)
    press(page, "Importance")
    expect(page.locator(".js-plotly-plot .heatmaplayer image")).to_have_count(0)
    settled(page)
    expect(page.locator(".js-plotly-plot .traces text")).to_have_text([marked, "all others"])
    click_mark(page, *middle_of_bar(page, 0, 0))  # a piece of this map
    highlight_in_profile(page)
    highlighted(page, 2)
    press(page, "Selections")
    expect(page.locator(".js-plotly-plot .heatmaplayer image")).to_have_count(1)
    settled(page)
    click_mark(page, *middle_of_bar(page, 0, 2))
    highlight_in_profile(page)
    highlighted(page, 1)
