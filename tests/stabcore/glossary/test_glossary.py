"""The glossary: every term is explained once, has a picture and is found in texts. Every symbol of a formula has a meaning."""

import re
from xml.etree import ElementTree

import pandas as pd
import pytest

import stabcore as sc
from stabcore.glossary.catalog import MAX_TERMS, TERMS, THEMES, all_terms_in, find_terms, term, terms_in
from stabcore.glossary.headings import HEADINGS, heading, readable_frame
from stabcore.glossary.letters import formula_letters
from stabcore.measures.entries import ENTRIES


@pytest.mark.parametrize("key", TERMS)
def test_every_term_has_a_sentence_and_a_picture(key):
    entry = TERMS[key]
    assert entry.sentence.endswith(".") and entry.sentence.count(". ") <= 1 and 30 < len(entry.sentence) < 140
    assert entry.sentence[0].isupper() or entry.sentence[0] == "C"
    drawing = ElementTree.fromstring(entry.picture.svg)
    assert drawing.get("viewBox") == "0 0 120 60" and len(drawing) > 1 and len(entry.picture.alt) > 5
    assert {part.tag.split("}")[1] for part in drawing.iter()} <= {"svg", "rect", "line", "circle", "polyline"}
    assert all(formula_letters(entry.formula).values()), formula_letters(entry.formula)


def test_no_word_belongs_to_two_terms():
    assert len(TERMS) == sum(map(len, THEMES.values())) > 60
    words = [word.lower() for entry in TERMS.values() for word in {word.lower() for word in entry.words}]
    assert sorted(set(words)) == sorted(words), {word for word in words if words.count(word) > 1}
    with pytest.raises(sc.InputError):
        term("holmes")


def test_terms_of_a_text_are_found_once_in_their_order():
    said = "The effective stability is above the floor; p < 0.05 with Holm's correction. The floor counts; so do runs and pairs."
    assert [found.key for found in terms_in(said)] == ["effective", "floor", "p_value", "holm"]
    assert len(terms_in(said * 3)) <= MAX_TERMS
    assert [found.key for found in terms_in("Effective stability")] == ["effective"]
    assert [found.key for found in terms_in("Harrell's concordance")] == ["harrell"]
    assert terms_in("a frontier of stability_low") == [] and terms_in("") == []


def test_search_by_name_symbol_and_meaning():
    assert [found.key for found in find_terms(" holm ")["Agreement"]] == ["holm"]
    assert "gamma" in [found.key for terms in find_terms("γ").values() for found in terms]
    assert list(find_terms("barrel organ")) == [] and find_terms("") == {theme: list(terms) for theme, terms in THEMES.items()}
    assert [found.key for terms in find_terms("dominates a selector").values() for found in terms] == []
    assert [found.key for terms in find_terms("dominate it").values() for found in terms] == ["averaged_rank"]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.key)
def test_every_symbol_of_every_formula_is_explained(entry):
    found = formula_letters(entry.formula, entry.key)
    assert found and all(found.values()), found


def test_terms_of_a_screen_include_symbols():
    found = all_terms_in("Runs that swap, C = 0.5 and γ; accents of Cs count not")
    assert [found_term.key for found_term in found] == ["run", "similarity", "swap", "gamma"]
    assert all_terms_in("") == []


def test_columns_have_names_on_screens():
    assert heading("p_holm") == "p (Holm)" and heading("change_low") == "Change, from" and heading("my_own") == "my_own"
    assert not any("_" in name.replace("Φ_C", "") for name in HEADINGS.values())
    table = pd.DataFrame(columns=["on_front", "dominated_by"])
    assert list(readable_frame(table)) == ["On the Pareto front", "Dominated by (others)"]
    twice = pd.DataFrame(columns=["feature", "feature_a", "low", "own_name"])
    assert list(readable_frame(twice)) == ["Feature (feature)", "Feature (feature_a)", "From", "own_name"]
    assert all(re.fullmatch(r"[a-z0-9_ ]+", name) for name in HEADINGS)
