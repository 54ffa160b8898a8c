"""Figures drawn as screens draw them, by themselves: plotly in a browser under the theme of the screens, and what is seen there."""

import base64
import io
import json
from pathlib import Path

import plotly.io
import plotly.offline
import streamlit

from stabcore.plots.rendering import DARK, STYLE, on_screen
from stabcore.plots.style import PAPER

TELEPHONE, LARGE, DESK, WHOLE = 343, 583, 700, 1000  # pixels of a picture on 400, on 1280 at 200%, beside another, and alone
DRAW = """async ([figure, width, scheme, paper]) => {
  const box = document.getElementById('picture');
  Plotly.purge(box);
  box.style.width = width + 'px';
  Object.assign(document.body.style, {colorScheme: scheme, background: paper});
  await Plotly.newPlot(box, figure.data, {...figure.layout, width, autosize: false}, {displayModeBar: false, staticPlot: true});
  box.style.height = box._fullLayout.height + 'px';
}"""
# What keeps a picture from being read, in words: text that is cut, text on text, a legend on marks, text under the tool bar.
FAULTS = """(strip) => {
  const box = document.getElementById('picture'), whole = box.querySelector('.main-svg').getBoundingClientRect();
  const shown = (one) => one.textContent.trim() && getComputedStyle(one).visibility !== 'hidden' && +getComputedStyle(one).opacity;
  const texts = [...box.querySelectorAll('.main-svg text')].filter(shown).map(one => ({words: one.textContent.trim(),
    at: one.getBoundingClientRect(), turned: /rotate\\((?!0[,)]|-?90[,)])/.test(one.getAttribute('transform') || '')
    || /rotate\\((?!0[,)]|-?90[,)])/.test(one.parentElement.getAttribute('transform') || '')})).filter(one => one.at.width > 0);
  const faults = [];
  for (const {words, at} of texts) {
    if (at.left < whole.left - 0.5 || at.right > whole.right + 0.5 || at.top < whole.top - 0.5 || at.bottom > whole.bottom + 0.5)
      faults.push(`cut: ${words}`);
    if (at.top < whole.top + strip - 4) faults.push(`under the tool bar: ${words}`);
  }
  const common = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
    * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const size = (at) => at.width * at.height;
  texts.forEach((one, i) => texts.slice(i + 1).forEach((other) => {
    if (!one.turned && !other.turned && common(one.at, other.at) > 0.15 * Math.min(size(one.at), size(other.at)))
      faults.push(`on each other: ${one.words} | ${other.words}`);
  }));
  const legend = box.querySelector('.legend')?.getBoundingClientRect();
  for (const plot of Object.values(box._fullLayout._plots || {})) {
    const x = plot.xaxis, y = plot.yaxis, area = {left: whole.left + x._offset, right: whole.left + x._offset + x._length,
      top: whole.top + y._offset, bottom: whole.top + y._offset + y._length};
    if (legend && common(legend, area) > 60) faults.push(`the legend covers ${Math.round(common(legend, area))} pixels of marks`);
    if (x._length < 35 || y._length < 70) faults.push(`no room: ${Math.round(x._length)} × ${Math.round(y._length)}`);
  }
  if (!box.querySelector(':is(.point, .js-line, .hm image, .bars path, .boxes path, .im image, .gl-container, .shapelayer path)'))
    faults.push('nothing is drawn');
  return [...new Set(faults)];
}"""


def letters():
    """The style of the letters that screens have, which come with the toolkit; none where it has them no more."""
    media = Path(streamlit.__file__).parent / "static" / "static" / "media"
    font = next(media.glob("SourceSansVF-Upright*.woff2"), None)
    inside = base64.b64encode(font.read_bytes()).decode() if font else ""
    return f"@font-face {{font-family: 'Source Sans'; src: url(data:font/woff2;base64,{inside}); font-weight: 200 900}}"


def studio(browser, ratio=1):
    """A page to draw on. ratio: pixels of the screen for each of a picture."""
    page = browser.new_page(viewport={"width": 1040, "height": 1600}, device_scale_factor=ratio)
    page.set_content(f"<style>{letters()} {STYLE}</style><body style='margin: 0'><div id='picture'></div>")
    page.evaluate("async () => { for (const how of ['', 'bold ']) await document.fonts.load(how + '12px \"Source Sans\"'); }")
    page.add_script_tag(content=plotly.offline.get_plotlyjs())
    return page


def draw(page, figure, width, scheme="light", **letters):
    """Draw a figure as it is sent. letters: of the whole picture, where they are others."""
    sent = json.loads(plotly.io.to_json(on_screen(figure), validate=False))
    sent["layout"]["font"] |= letters
    page.evaluate(DRAW, [sent, width, scheme, DARK[PAPER] if scheme == "dark" else PAPER])


def seen(page):
    """The picture as it is drawn now."""
    from PIL import Image

    return Image.open(io.BytesIO(page.locator("#picture").screenshot())).convert("RGB")
