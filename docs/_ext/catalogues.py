"""Pages made of the catalogues: every measure, selector, plan and classifier, as the package itself describes them."""

from pathlib import Path

from latex2mathml.converter import convert

import stabcore as sc
from stabcore.measures.entry import FAMILIES

PAGES = {
    "selectors": ("Selectors", sc.list_selectors, "Give the key to `sc.Study`, alone or as a pair of key and options."),
    "plans": ("Resampling plans", sc.list_plans, "Give an object such as `sc.ComplementaryPairs(25)` as `plan=` to `sc.Study`."),
    "classifiers": ("Classifiers", sc.list_classifiers, "Give the key as `classifier=` to `sc.Study`."),
}
PROPERTIES = ["fully_defined", "bounds", "maximum", "chance", "monotonicity", "group_size", "interchangeable"]


def setup(app):
    """Write the pages before Sphinx looks for them."""
    app.connect("builder-inited", lambda app: write_pages(Path(app.srcdir) / "reference"))
    return {"parallel_read_safe": True}


def write_pages(folder):
    """Write one page for each catalogue. A page that is up to date stays as it is."""
    pages = {name: catalogue_page(*about) for name, about in PAGES.items()} | {"measures": measures_page()}
    for name, text in pages.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def measures_page():
    """All stability measures by family: meaning, formula, range, needs, properties and source."""
    table = sc.list_measures()
    lines = ["# Measures", "", 'Use the key in calls, such as `sc.stability(Z, "kappa")`.', ""]
    for family, title in FAMILIES.items():
        lines += [f"## {title}", ""]
        for key, entry in table[table["family"] == family].iterrows():
            studied = [name for name in PROPERTIES if entry[name] is not None]
            properties = [f"{name.replace('_', ' ')}: {'yes' if entry[name] else 'no'}" for name in studied]
            lines += _head(key, entry)
            lines += [convert(entry["formula"], display="block"), ""] if entry["formula"] else []
            lines += [f"- Range: {entry['range']}.", f"- Needs: {', '.join(entry['needs'])}.", *_options(entry)]
            lines += [f"- Properties: {', '.join(properties) or 'not studied'}.", f"- Source: {entry['reference']}.", ""]
    return "\n".join(lines)


def catalogue_page(title, catalogue, how_to_use):
    """One section per entry: key, plain sentence, options with their defaults, source."""
    lines = [f"# {title}", "", how_to_use, ""]
    for key, entry in catalogue().iterrows():
        lines += [*_head(key, entry, "##"), *_options(entry), f"- Source: {entry['reference']}.", ""]
    return "\n".join(lines)


def _head(key, entry, level="###"):
    return [f"{level} {entry['label']}", "", f"Key `{key}`. {entry['plain']}", ""]


def _options(entry):
    return [f"- {option}." for option in entry.get("options", "").split("; ") if option]
