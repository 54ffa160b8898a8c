"""Part 9 of a report, and the files that repeat a study: settings, a script that selects the same, scenario."""

import pprint

from stabcore.base.errors import InputError
from stabcore.reporting.page import Text
from stabcore.similarity.files import write_scenario
from stabcore.study.rerun import dataset_roles, settings_text, study_tables
from stabcore.study.store import Store

SCRIPT_TEMPLATE = '''"""Run this study again: python study.py table.csv [again.stab] [study.stab]

Written with the report of the study. The table is not included. With the study file, values are also compared.
"""

import sys

import stabcore as sc
from stabcore.io.choices import Choices
from stabcore.io.table import read_table

TARGET = {target}
GIVEN = {given}  # always in the model
{columns}
# the position of the table in its file, and the treatment of its cells
CHOICES = {choices}
SELECTORS = {selectors}
SETTINGS = {settings}


def main(table, store="study-again.stab", study_file=None):
    reading = read_table(table, choices=Choices.of(CHOICES))
    data = sc.Dataset.from_reading(reading, target=TARGET, exclude=exclude(reading.frame), given=GIVEN,
                                   same_patient={same_patient},
                                   {taken}, name={name})
    if data.fingerprint != {fingerprint}:
        sys.exit("This is not the table of the study: its fingerprint is " + data.fingerprint)
    result = sc.Study(data, SELECTORS, plan=sc.{plan}, **SETTINGS).run(store=store)
    same = result.selection_digest() == {digest}
    print(result.selection_digest(), "- the same selections" if same else "- other selections than the study's")
    if study_file:
        difference = result.largest_difference(sc.open_study(study_file))
        print(f"values differ by {{difference:.1e}} at most", "- the same" if difference <= 1e-9 else "- more than rounding")


if __name__ == "__main__":              # worker processes also read this file
    main(*sys.argv[1:])
'''
EXCLUDED_COLUMNS = "EXCLUDE = {exclude}\n\n\ndef exclude(frame):\n    return EXCLUDE\n\n"
FEATURE_COLUMNS = (
    "FEATURES = {features}\n\n\ndef exclude(frame):\n"
    "    return [name for name in map(str, frame.columns) if name {other} TARGET and name not in FEATURES + GIVEN]\n\n"
)


ARCHIVE = "The archive of this report (zip) holds {} and the references as BibTeX (references.bib)."


def repeat(subject):
    """Return the digests, and which files of the archive repeat the study."""
    held = [f"{caption[0].lower()}{caption[1:]} ({name})" for name, (caption, _) in repeat_files(subject).items()]
    how = []
    if subject.is_study:
        how.append(
            f"The selections of this study have the fingerprint {subject.result.selection_digest()}. The script makes the same "
            "selections on the same table, also with other versions of the libraries. Scores then differ by rounding, less than "
            f"1e-9. With the same versions the results have the fingerprint {subject.digest} to the last bit."
        )
    return [Text(words) for words in (*how, ARCHIVE.format(", ".join(["all tables", *held])))]


def repeat_files(subject) -> dict[str, tuple[str, str]]:
    """Return {file name: (caption, text)} of the files of this study."""
    texts = {}
    if subject.is_study:
        settings = Store(subject.result.path).meta("settings") if subject.result.path else subject.result.settings
        settings = subject.result.settings | settings
        try:
            text = settings_text(settings, subject.data, _file_choices(subject))
            texts["study.toml"] = ("The settings, for python -m stabcore run study.toml", text)
            texts["study.py"] = ("The script, for python study.py table.csv", repeat_script(subject, settings))
        except InputError as error:
            texts["study.txt"] = ("The reason why there is no script", str(error))
    if subject.scenario is not None:
        texts["scenario.toml"] = ("The similarity of features (C)", write_scenario("report", subject.scenario, subject.similarity))
    return texts


def repeat_script(subject, settings) -> str:
    """Return study.py, with the digest of the selections, for a study that settings_text can write."""
    event = settings["data"].get("event")
    taken = f"event={event!r}" if event else f"target_as={'classes' if subject.result.classes else 'number'!r}"
    roles = {} if subject.data is None else dataset_roles(subject.data)
    if roles:
        columns = EXCLUDED_COLUMNS.format(exclude=_format_value(roles["exclude"]))
    else:
        columns = FEATURE_COLUMNS.format(features=_format_value(list(subject.result.features)), other="not in" if event else "!=")
    tables = study_tables(settings)
    labels = [about["label"] for about in settings["selectors"]]
    selectors = {label: (about.pop("key"), about) for label, about in zip(labels, tables["selector"], strict=True)}
    for _, options in selectors.values():
        options.pop("label", None)
    return SCRIPT_TEMPLATE.format(
        target=repr(settings["data"]["target"]),
        given=_format_value(list(settings["data"].get("given", []))),
        columns=columns,
        selectors=_format_value(selectors),
        plan=repr(subject.result.plan),
        choices=_format_value(_file_choices(subject)),
        same_patient=_patients(subject, roles),
        taken=taken,
        name=repr(settings["data"]["name"]),
        digest=repr(subject.result.selection_digest()),
        fingerprint=repr(settings["data"]["fingerprint"]),
        settings=_format_value(tables["study"]),
    )


def _file_choices(subject):
    """The position of the table in its file and the treatment of its cells, as chosen by the user."""
    return subject.result.store.meta("choices", {})


def _patients(subject, roles):
    if not roles and subject.result.store.meta("patients"):
        return "None  # REPLACE None BY the name of the column that identifies the patient of each row\n" + " " * 35
    return repr(roles.get("same_patient"))


def _format_value(value):
    return pprint.pformat(value, width=110, compact=True, sort_dicts=False)
