"""No text calls 0, or what runs agree on by themselves, "luck" or "chance" without saying of what: random sets, or no signal."""

import ast
import re
import tomllib

import pytest
from support import ROOT

SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py")), *sorted((ROOT / "stabcore").rglob("*.py"))]
TEXTS = [ROOT / "README.md", *sorted((ROOT / "sample_data").glob("*.md")), *sorted((ROOT / "sample_data").glob("*.toml"))]
BARE = re.compile(
    r"\b(?:luck|lucky)\b|\b(?:beyond|by|than|for|is|as|to|from|like|above|below|of|of:) chance\b(?! (?:of|that))|"
    r"\bchance (?:alone|gives|level|would|has|itself|agrees)\b|\b0:? (?:is |= )?chance\b",
    re.IGNORECASE,
)
SAID = re.compile(r"\brandom\b|\bby lot\b|\bwithout any signal\b|\bno signal\b|\bshuffl", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.;:!?])\s+|\n\s*\n")

# What may stand all the same, word by word, with the reason. A sentence that is not found any more has to leave this list.
ALLOWED = {}  # {sentence: why it may stay}
MOST_ALLOWED = 3


def strings(path):
    """Every string of a source, a text that is put together as one, and every text of a settings file."""
    if path.suffix == ".md":
        return [path.read_text(encoding="utf-8")]
    if path.suffix == ".toml":
        return _leaves(tomllib.loads(path.read_text(encoding="utf-8")))
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    found = [
        "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
    ]
    return found + [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
    ]


def _leaves(found):
    if isinstance(found, str):
        return [found]
    inside = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return [text for one in inside for text in _leaves(one)]


def bare(text):
    """The sentences of a text that say luck or chance and not of what."""
    sentences = (" ".join(one.split()) for one in SENTENCE.split(text))
    return [one for one in sentences if BARE.search(one) and not SAID.search(one)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0 is luck, 1 is always the same", 1),
        ("agreement beyond chance", 1),
        ("0: as by luck", 1),
        ("corrected for chance", 1),
        ("Range [−1, 1]: 0 is chance.", 1),
        ("Chance alone would agree.", 1),
        ("It is fine. It is 0 by luck.\n\nNo more.", 1),
        ("what random sets share by luck", 0),
        ("without any signal it comes back by chance", 0),
        ("the chance of an outcome", 0),
        ("a expected_by_chance column", 0),
        ("a chance of a class", 0),
    ],
)
def test_the_finder_finds_what_says_nothing_of_what(text, found):
    assert len(bare(text)) == found


@pytest.mark.parametrize("path", [*SOURCES, *TEXTS], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_calls_zero_luck_without_saying_of_what(path):
    assert [one for text in strings(path) for one in bare(text) if one not in ALLOWED] == []


def test_what_is_allowed_is_still_there_and_is_little():
    there = {one for path in (*SOURCES, *TEXTS) for text in strings(path) for one in bare(text)}
    assert set(ALLOWED) <= there and len(ALLOWED) <= MOST_ALLOWED and all(len(reason) > 20 for reason in ALLOWED.values())
