"""Reproduced papers: claims that can fail, the settings of the papers, and the list of figures and tables in docs/papers.md."""

import json
import re
import shutil

import numpy as np
import pandas as pd
import pytest
from support import ROOT

import stabcore as sc
from stabcore.__main__ import main
from stabcore.papers import hamer, kalousis, sechidis
from stabcore.papers.catalog import EXHIBITS
from stabcore.papers.exhibit import LINES, TABLE, TRIALS_FILE, Claim, Exhibit, Source, Trials, check_exhibit, claim_trials
from stabcore.study.loading import load_study
from stabcore.teaching.catalog import LESSONS

PROTOCOLS = ROOT / "sample_data" / "papers"
QUICK = ("kalousis-section-4", "bommert-table-1", "bommert-table-1-maximum", "sechidis-equation-1", "hamer-section-6-3")


@pytest.fixture(scope="module")
def exhibit_source(tmp_path_factory):
    return Source(PROTOCOLS, tmp_path_factory.mktemp("papers"))


def test_every_exhibit_is_complete():
    assert 1 <= len(EXHIBITS) <= 12
    for exhibit in EXHIBITS.values():
        assert exhibit.kind in (LINES, TABLE) and (ROOT / exhibit.page).is_file() and exhibit.shows and exhibit.here, exhibit.key
        assert exhibit.claims and all(claim.section and claim.text and claim.printed for claim in exhibit.claims), exhibit.key
    asked = {name for exhibit in EXHIBITS.values() for name in exhibit.protocols}
    assert asked == {path.stem for path in PROTOCOLS.glob("*.toml")}


def test_settings_files_match_the_papers():
    study = load_study(PROTOCOLS / "kalousis.toml")
    assert (study.plan.n_runs, study.k, len(study.selectors), study.n_permutations) == (110, 10, 4, 0)
    for name, d in (("sechidis", 30), ("sechidis-wine", 13)):
        study = load_study(PROTOCOLS / f"{name}.toml")
        assert (study.plan.n_runs, study.data.n_features, len(study.selectors), study.n_permutations) == (50, d, 7, 0)


def test_every_exhibit_has_a_shown_claim_or_a_settings_file():
    """Exhibits with settings files are exempt: Kalousis and Sechidis had other tables or other versions of them."""
    for key, exhibit in EXHIBITS.items():
        assert exhibit.protocols or any(claim_trials(key, claim.text).is_shown for claim in exhibit.claims), key


@pytest.mark.parametrize("key", QUICK)
def test_quick_exhibits_agree_with_their_stored_trials(key, exhibit_source):
    made = check_exhibit(EXHIBITS[key], exhibit_source)
    table = made.table
    assert list(table["claim"]) == [claim.text for claim in EXHIBITS[key].claims] and (table["here"] != "").all()
    for claim, holds, _ in made.claims:
        assert holds == claim_trials(key, claim.text).is_repeated, claim.text


def test_printed_numbers_are_reproduced(exhibit_source):
    measures = check_exhibit(EXHIBITS["hamer-section-6-3"], exhibit_source).frame.set_index("measure")["here"]
    assert measures.to_dict() == pytest.approx({"φ": 0.75, "φ_pears": 0.25, "φ_iw": 0.5}, abs=1e-3)
    assert check_exhibit(EXHIBITS["sechidis-equation-1"], exhibit_source).frame["here"].tolist() == pytest.approx([0, 1], abs=1e-12)
    frame = check_exhibit(EXHIBITS["kalousis-section-4"], exhibit_source).frame
    assert (frame["here"] - frame["printed"]).abs().max() < 0.02


def test_a_failing_claim_is_marked():
    frame = pd.DataFrame({"a": [1, 2], "b": [2, 3]})
    claims = (
        Claim("1", "b is above a", "all", lambda found: (bool((found["b"] > found["a"]).all()), "2 of 2")),
        Claim("1", "a is above b", "all", lambda found: (bool((found["a"] > found["b"]).all()), "0 of 2")),
    )
    about = {"key": "x", "paper": "p", "number": "Table 1", "title": "t", "shows": "s.", "here": "h."}
    made = check_exhibit(Exhibit(**about, make=lambda source, tell: frame, claims=claims), None)
    assert made.table["holds"].tolist() == [True, False] and made.table["here"].tolist() == ["2 of 2", "0 of 2"]
    assert "0 of 2 claims" in made.sentence, "never tried"


def make_figure_8(sign):
    """Figure 8 as in the paper (sign 1), or upside down."""
    ends = {  # with the smallest and the largest groups
        "1": {"φ": (0.2, 0.4), "φ_pears": (0.5, 0.3), "φ_iw": (0.3, 0.3)},
        "2": {"φ": (0.2, 0.6), "φ_pears": (0.7, 0.4), "φ_iw": (0.4, 0.4), "φ_C": (0.2, 0.5)},
        "3": {"φ": (0.3, 0.2), "φ_pears": (0.7, 0.3), "φ_iw": (0.4, 0.2), "φ_C": (0.3, 0.3)},
    }
    points = [
        (f"{scenario}: s", label, size, sign * (low + (high - low) * place / 3))
        for scenario, lines in ends.items()
        for label, (low, high) in lines.items()
        for place, size in enumerate((1, 2, 4, 10))
    ]
    points += [("1: s", "φ_C", size, sign * value) for size, value in ((1, 0.2), (2, 0.3), (4, 0.2), (10, -0.3))]
    return pd.DataFrame(points, columns=["facet", "series", "x", "y"])


def test_claims_fail_on_reversed_numbers():
    claims = EXHIBITS["hamer-figure-8"].claims
    assert all(claim.holds(make_figure_8(1))[0] for claim in claims)
    constant = [claim for claim in claims if "constant" in claim.text]
    assert [claim for claim in claims if claim.holds(make_figure_8(-1))[0]] == constant and len(constant) == 2
    kinds = pd.DataFrame({"S_W": [0.9, 0.95, 0.8, np.nan], "S_R": [0.8, 0.9, 0.7, 0.6], "S_S": [0.02, 0.7, 0.5, 0.4]})
    kinds = kinds.assign(selector=list(kalousis.NAMES))
    claims = EXHIBITS["kalousis-table-2"].claims
    assert all(claim.holds(kinds)[0] for claim in claims)
    turned = kinds.assign(S_W=1 - kinds["S_W"], S_R=1 - kinds["S_R"], S_S=1 - kinds["S_S"])
    assert not any(claim.holds(turned)[0] for claim in claims)
    errors = kinds[["selector"]].assign(error=0.1, S_S=[0.1, 0.4, 0.3, 0.2], alike=["1", "1", "", ""])
    assert all(claim.holds(errors)[0] for claim in EXHIBITS["kalousis-table-3"].claims)
    assert not any(claim.holds(errors.assign(alike=""))[0] for claim in EXHIBITS["kalousis-table-3"].claims)


def test_fronts_are_compared_with_the_printed_ones():
    names, made = list(sechidis.KEY_OF_NAME), []
    for table, first, second in (("breast", ("LASSO", "MIM"), ("MIM",)), ("wine", ("MIM", "CMIM"), ("MIM", "CMIM"))):
        on_front = {f"on front by {key}": [name in front for name in names] for key, front in (("Φ", first), ("Φ_C", second))}
        made.append(pd.DataFrame({"table": table, "selector": names, "accuracy": 0.9, "Φ": 0.5, "Φ_C": 0.8, **on_front}))
    fronts = pd.concat(made)
    claims = EXHIBITS["sechidis-table-1"].claims
    assert all(claim.holds(fronts)[0] for claim in claims)
    forest = fronts["selector"] == "RF"
    other = fronts.assign(**{"on front by Φ": forest, "on front by Φ_C": forest, "Φ_C": 0.5})
    (unchanged,) = (claim.text for claim in claims if claim.holds(other)[0])
    assert "wine" in unchanged


def test_simulated_table_has_the_stated_effects_and_correlation():
    groups, loose, y = hamer._table(np.random.default_rng(1), 0.5, 0.05, 0.8)
    assert groups.shape == (200, 5, 10) and loose.shape == (200, 1000) and y.sum() == 100
    signs = 2 * y - 1
    assert np.abs((groups * signs[:, None, None]).mean() - 0.5) < 0.1 and np.abs((loose * signs[:, None]).mean() - 0.05) < 0.01
    inside = np.corrcoef((groups - 0.5 * signs[:, None, None])[:, 0].T)[np.triu_indices(10, 1)]
    assert np.abs(inside - 0.8).max() < 0.1


def test_own_folder_is_used_and_missing_files_are_reported(tmp_path, capsys, monkeypatch):
    with pytest.raises(sc.InputError):
        Source(tmp_path).study("kalousis", print)
    shutil.copy(ROOT / "sample_data" / "wine.csv", tmp_path / "mine.csv")
    text = (PROTOCOLS / "sechidis-wine.toml").read_text(encoding="utf-8").replace("../wine.csv", "mine.csv")
    few = re.sub(r"selector = .*?\]", 'selector = [{ key = "mim" }]', text, flags=re.DOTALL).replace("n_runs = 50", "n_runs = 2")
    (tmp_path / "mine.toml").write_text(few, encoding="utf-8")
    mine = Source(tmp_path, n_jobs=1)
    assert mine.data("mine").n_features == 13
    assert mine.study("mine", lambda done, total: None).n_runs == 2
    assert main(["papers"]) == 0 and len(capsys.readouterr().out.splitlines()) == len(EXHIBITS)
    monkeypatch.chdir(ROOT)
    assert main(["papers", "sechidis-equaton-1"]) == 2 and "'sechidis-equation-1'" in capsys.readouterr().err
    assert main(["papers", "sechidis-equation-1", "hamer-section-6-3"]) == 0
    assert capsys.readouterr().out.count("shown (") == 5


def test_every_claim_was_tried_with_its_present_wording():
    """A claim with new wording needs new trials by tests/benchmarks/bench_papers.py."""
    trial_counts = json.loads(TRIALS_FILE.read_text(encoding="utf-8"))
    tried = {(key, claim) for key, claims in trial_counts.items() for claim in claims}
    assert {(exhibit.key, claim.text) for exhibit in EXHIBITS.values() for claim in exhibit.claims} == tried
    for exhibit in EXHIBITS.values():
        for claim in exhibit.claims:
            trials = claim_trials(exhibit.key, claim.text)
            assert trials.seeds >= 10 and trials.shuffled >= 10 * exhibit.outcome, (exhibit.key, claim.text)


@pytest.mark.parametrize(
    ("counts", "is_shown"),
    [
        *(((10, 10, 0, 10), True), ((8, 10, 1, 10), True), ((7, 10, 0, 10), False), ((10, 10, 2, 10), False)),
        *(((10, 10), True), ((0, 0), False)),
    ],
)
def test_claim_is_shown_if_repeated_and_absent_in_noise(counts, is_shown):
    trials = Trials(*counts)
    assert trials.is_shown == is_shown == trials.verdict.startswith("shown") and f"{counts[0]} of {counts[1]}" in trials.verdict


def test_seed_changes_numbers_and_shuffling_permutes_outcome():
    y = np.arange(40) % 2
    usual, other, shuffled = Source(PROTOCOLS), Source(PROTOCOLS, random_state=2), Source(PROTOCOLS, random_state=2, shuffled=True)
    assert usual.rng(1).random() != other.rng(1).random() and (other.outcome(y) == y).all()
    assert (shuffled.outcome(y) != y).any() and sorted(shuffled.outcome(y)) == sorted(y)


PAGE = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
COUNTS = {  # (figures, tables) by the numbering of the papers
    "Kalousis, Prados & Hilario 2005": (2, 3),
    "Bommert, Rahnenführer & Lang 2017": (12, 10),
    "Sechidis et al. 2019": (2, 5),
    "Hamer & Dupont 2021": (29, 5),
}


def test_every_figure_and_table_is_listed_once_with_a_reason():
    """A repeated one names its exhibit. Every exhibit is named, and the text counts the list."""
    parts, every, named = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE), [], set()
    for paper, text in zip(parts[1::2], parts[2::2], strict=True):
        listed = re.findall(r"^\| ((?:Figure|Table) \d+) \| (\w+) \| (.+) \|$", text, re.MULTILINE)
        if paper in COUNTS:
            figures, tables = COUNTS[paper]
            wanted = {f"Figure {i + 1}" for i in range(figures)} | {f"Table {i + 1}" for i in range(tables)}
            assert sorted(number for number, _, _ in listed) == sorted(wanted), paper
        for number, here, reason in listed:
            keys = set(re.findall(r"`([a-z0-9-]+)`", reason))
            assert keys <= {*EXHIBITS, *LESSONS} and bool(keys) == (here != "no"), number
            named |= keys
            every.append(here)
    assert set(COUNTS) <= set(parts[1::2]) and {key for key in EXHIBITS if "figure" in key or "table" in key} <= named
    assert {key for key in EXHIBITS if f"`{key}`" not in PAGE} == set()
    said = re.search(r"have (\d+) figures and tables\. (\d+) are repeated here as they are, (\d+) in part, and (\d+) are not", PAGE)
    assert tuple(map(int, said.groups())) == (len(every), *(every.count(here) for here in ("yes", "part", "no")))
