"""HTML of the report: no network, no markup from data, reproducible bytes."""

import io
import re
import zipfile
from html import unescape

import numpy as np
import pandas as pd
import pytest
import study_support
from report_support import blocks, run

import stabcore as sc
from stabcore.data.spreadsheets import csv_bytes
from stabcore.reporting import exports
from stabcore.reporting.make import chosen_parts, page
from stabcore.reporting.page import format_cell
from stabcore.reporting.subject import Subject

HOSTILE = ["</script><script>alert(1)</script>", "<img src=http://evil.test/x onerror=alert(2)>", "=cmd|' /C calc'!A0", "{{ 7*7 }}"]


def test_report_is_self_contained_and_reproducible(small, subject):
    text = page(subject)
    path, data = small
    again = sc.report(sc.open_study(path, named=True), similarity=subject.similarity, data=data, filtered="no", source="Ward 7")
    assert text == again and len(text) < 8e6
    assert "default-src 'none'" in text and text.count("plotly.js v") == 1
    without_scripts = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r"(src|href)\s*=\s*[\"'][^#]", without_scripts)
    assert without_scripts.count("<h1") == 1 and without_scripts.count("<h2") == 11 and "<caption>" in without_scripts


@pytest.mark.parametrize("features", [5, 40])
def test_figures_fit_on_paper(features):
    runs = pd.DataFrame(np.tile(np.eye(features, dtype=int), (2, 1)), columns=[f"f{i}" for i in range(features)])
    result = sc.Results.from_files([(csv_bytes(runs), {"label": "mine", "name": "mine.csv"})])
    about = Subject(result, sc.Similarity.identity(features, result.features))
    drawn = {block.name: block.figure for block in blocks(chosen_parts(about), "picture")}
    shrunk = dict(re.findall(r'id="(figure_\w+)".*style="--fit: ([\d.]+)"', page(about)))
    assert set(shrunk) == set(drawn) and "zoom: var(--fit" in page(about, parts=[7])
    heights = {name: float(shrunk[name]) * figure.layout.height for name, figure in drawn.items()}
    assert min(heights.values()) > 100 and max(heights.values()) <= 801


def test_names_in_data_stay_text(tmp_path):
    frame = study_support.frame().rename(columns=dict(zip("abcd", HOSTILE)))
    frame["outcome"] = np.where(frame["outcome"] == "sick", "<b>ill</b>", "well")
    data = sc.Dataset.from_frame(frame, target="outcome", name="<i>x</i>")
    study = sc.Study(data, ["mim"], plan=sc.Subsample(4, 0.2), k=4, random_state=1, n_permutations=0)
    result = run(study, tmp_path / "h.stab")
    about = Subject(result, sc.Similarity.identity(7, result.features), data=data, source="<script>alert(3)</script>")
    text = page(about)
    without_scripts = re.sub(r"<script>.*?</script>", "", text, count=2, flags=re.DOTALL) if "Plotly.newPlot" in text else text
    for wrong in ("<script>alert", "<img src", "<b>ill", "<i>x</i>", "</script><script>alert"):
        assert wrong not in without_scripts
    assert "{{ 7*7 }}" in unescape(without_scripts)
    made = zipfile.ZipFile(io.BytesIO(exports.tables_zip(chosen_parts(about))))
    assert "\n=cmd" not in made.read("panel.csv").decode("utf-8-sig")


def test_parts_and_figures_can_be_chosen(subject):
    some = page(subject, [1, 8])
    assert some.count("<h2") == 2 and "Plotly" not in some
    assert page(subject, [7], ["panel"], interactive=False).count("data-figure=") == 1
    for wrong in ({"parts": [11]}, {"parts": []}, {"figures": ["pannel"]}):
        with pytest.raises(sc.InputError):
            page(subject, **wrong)


@pytest.mark.parametrize(
    ("value", "name", "shown"),
    [
        *((0.123456, "", "0.12"), (1234567, "", "1,234,567"), (np.nan, "", ""), (True, "", "yes"), ("x", "", "x"), (3.0, "", "3")),
        *((1e-9, "p_holm", "< 0.001"), (0.0486, "p_holm", "0.049"), (0.00012, "", "0.00012"), (-0.001, "", "−0.001")),
        *((np.inf, "rank", "none"), (2765.4, "rank", "2,765")),
    ],
)
def test_cells_are_formatted_for_reading(value, name, shown):
    assert format_cell(value, name) == shown
