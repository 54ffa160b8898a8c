"""Stability in a real browser: the picture and its sentence on the first screen, and one panel of it on a telephone."""

from browser_support import open_sample, plots, settled

SCROLLED = "() => document.querySelector('[data-testid=stMain]').scrollTop"


def test_the_picture_and_its_sentence_are_above_the_fold(page, server):
    page.set_viewport_size({"width": 1400, "height": 900})
    open_sample(page, server, "alzheimer_ad", "stability")
    plots(page)
    settled(page)
    places = page.evaluate("""() => [...document.querySelector('[data-testid=stMain]')
        .querySelectorAll('.st-key-wide-stability .js-plotly-plot, strong, [data-testid=stDataFrame]')].map(one => [
            one.className.includes('js-plotly-plot') ? 'plot' : one.tagName, one.getBoundingClientRect().bottom])""")
    assert next(bottom for what, bottom in places if what == "plot") <= 900
    order = [what for what, _ in places]
    assert order.index("STRONG") < order.index("plot") < order.index("DIV"), "the numbers come after the picture"


def test_a_finger_over_a_picture_scrolls_the_page(browser, server, page):
    open_sample(page, server, "wine", "stability")
    plots(page)
    context = browser.new_context(viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True)
    telephone = context.new_page()
    telephone.goto(page.url)
    drawn = telephone.locator(".st-key-narrow-stability .nsewdrag").first
    drawn.scroll_into_view_if_needed()
    settled(telephone)
    place, fingers = drawn.bounding_box(), context.new_cdp_session(telephone)
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    before = telephone.evaluate(SCROLLED)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 11):
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y - 15 * step}]})
        telephone.wait_for_timeout(20)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    telephone.wait_for_function(f"before => ({SCROLLED})() > before + 50", arg=before)
    context.close()
