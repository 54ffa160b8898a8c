"""Part 3 of a report: a paragraph on the methods, made from the settings, ready to paste, with numbered citations."""

from __future__ import annotations

from stabcore.analysis.panel import no_bound
from stabcore.classifiers.catalog import CLASSIFIERS, OWN, learner_name
from stabcore.measures.catalog import entry
from stabcore.report.blocks import Bullets, Heading, Table, Text
from stabcore.report.subject import MEASURES
from stabcore.selectors.catalog import ENCODINGS
from stabcore.selectors.of_classifier import KINDS
from stabcore.study.plans import PLANS
from stabcore.study.sheet import rows_told, selector_sheet
from stabcore.wording import joined, several, shown


def methods(subject, citations):
    """The paragraphs, the options of all selectors, the formulas, the references."""
    paragraphs = [_runs(subject, citations)]
    if subject.is_study:
        paragraphs += [_cells(subject), _selectors(subject, citations), _scored(subject, citations)]
    paragraphs += [_stability(subject, citations), _panel(subject, citations), _versions(subject)]
    blocks = [Text(one) for one in paragraphs if one]
    if subject.is_study:
        blocks.append(Table("selectors", "Selectors with all their options", selector_sheet(subject.result)))
    return [*blocks, Table("formulas", "Measures and their formulas (TeX)", _formulas(subject)),
            Heading("References"), Bullets(citations.listed(), numbered=True)]


def _runs(subject, citations):
    result = subject.result
    if not subject.is_study:
        brought = [f"{label} ({several(result.preferences(label).n_runs, 'run')})" for label in result.ready]
        return (f"Selections of {joined(brought)} over {len(result.features):,} features were brought; how the runs were made is "
                "not known here.")
    data, plan = result.settings["data"], PLANS.get(result.settings["plan"].get("kind"))
    outcome = (f"with the classes {joined(list(result.classes))}" if result.classes else "a number")
    strata = ", with the same share of every class in each" if getattr(result.plan, "stratified", False) and result.classes else ""
    patients = " Rows of one patient stayed together." if result.store.meta("patients") else ""
    return (f"Feature selection was repeated on resamples of one table ({rows_told(result)}, {data['n_features']:,} candidate "
            f"features; outcome {shown(data['target'])}, {outcome}) to see how far the same features come back. The plan was "
            f"{result.plan.sentence()}{strata}{citations.cite(plan.reference) if plan else ''}; run i depends on the seed "
            f"({result.settings['seed']}) and i alone, so all selectors saw the same resamples.{patients}")


def _cells(subject):
    """What was made of cells that are no numbers; the study file tells it, whether or not the table is at hand."""
    mended = subject.result.store.meta("mended", [])
    return f"Before anything else, cells of the table that are no numbers were settled: {' '.join(mended)}" if mended else ""


def _selectors(subject, citations):
    result, named, encodings = subject.result, [], {}
    for one in result.settings["selectors"]:
        known = result.entry_of(one["label"])
        named.append(f"{one['label']}{citations.cite(known.reference) if known else ' (a method of our own)'}")
        if known:
            encodings.setdefault(known.encoding, []).append(one["label"])
    of_encodings = [f"{joined(who)}: {ENCODINGS[key]}" for key, who in encodings.items()]
    return (f"Each run selected {result.sizes_told()} of {len(result.features):,} features with each of "
            f"{several(len(named), 'selector')}: {joined(named)}. What they make of numbers, categories and missing values was "
            f"always learned from the resample alone. {' '.join(of_encodings)}")


def _scored(subject, citations):
    setting = subject.result.settings["classifier"]
    if setting == "none":
        return "No classifier scored the selected features."
    known = {**CLASSIFIERS, OWN.key: OWN}.get(setting) if isinstance(setting, str) else None
    kind = subject.result.settings.get("importances")
    counts = f" How much a feature counts is that in this classifier: {KINDS[kind][0]}." if kind in KINDS else ""
    return (f"In each run the selected features were scored on the rows held out ({learner_name(setting)}"
            f"{citations.cite(known.reference) if known else ''}); the intervals of these scores allow for rows that runs share"
            f"{citations.cite('Nadeau & Bengio 2003')}.{counts}{_risks(subject, citations)}")


def _risks(subject, citations):
    if subject.risk is None:
        return ""
    return (" How far each patient's risk moves was told by models of the selected features, one of all rows and one of those of "
            f"every run ({learner_name(subject.risk.classifier)}{citations.cite('Riley & Collins 2023')}).")


def _stability(subject, citations):
    result = subject.result
    named = [f"{entry(key).label}{citations.cite(entry(key).reference)}" for key in MEASURES]
    how = ("jackknife over the pairs of halves" if subject.has_halves else
           "jackknife over runs where no published variance holds")
    paragraph = (f"Stability was measured by {joined(named)}, each with its 95% interval ({how}). For the second one, "
                 f"{_lower(subject.relation_sentence())}")
    if result.has_control:
        times = several(result.settings["control"], "time")
        paragraph += f" To learn what there is without any signal, everything was repeated with the outcome shuffled {times}."
    elif subject.is_study:
        paragraph += (" What a study without any signal would show was computed for filters that rank features one by one on the "
                      "same plan, of independent features.")
    if subject.has_halves:
        paragraph += (f" Agreement of the two halves of each pair, which share no row, was measured by {entry('kappa').label}"
                      f"{citations.cite(entry('kappa').reference)}.")
    return paragraph


def _panel(subject, citations):
    of = "" if len(subject.labels) == len(subject.result.ready) else ", the baseline left out"
    paragraph = (f"The panel holds the features that came in at least {subject.threshold:.0%} of the runs"
                 f"{f', on average over the selectors{of}' if len(subject.labels) > 1 else ''}"
                 f"{citations.cite('Meinshausen & Bühlmann 2010')}.")
    if not no_bound(subject.result, subject.threshold):
        source = citations.cite("Shah & Samworth 2013")
        paragraph += f" The mean number of false ones over studies made in this way was bounded for complementary halves{source}."
    return paragraph


def _versions(subject):
    if not subject.is_study:
        return ""
    versions = subject.result.store.meta("versions", {})
    made_with = joined([f"{name} {version}" for name, version in versions.items()]) if versions else "versions that were not kept"
    return f"The study was made with {made_with}."


def _formulas(subject):
    import pandas as pd

    keys = (*MEASURES, "kappa") if subject.has_halves else MEASURES
    rows = [(one.label, one.formula, one.range, one.reference) for one in map(entry, keys)]
    return pd.DataFrame(rows, columns=["measure", "formula", "range", "reference"])


def _lower(sentence):
    return sentence[:1].lower() + sentence[1:]
