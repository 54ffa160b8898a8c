"""The command line: python -m stabcore run study.toml --store study.stab. python -m stabcore help lists the catalogues."""

import argparse
import json
import os
import re
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from textwrap import fill

from stabcore.base.errors import InputError, describe_fault
from stabcore.base.text import counted, format_duration, quote, suggest_name

HELP_WIDTH = 100  # characters of a line of help
# Next to the package in a checkout, inside it in an installation
PAPERS_FOLDER = next(
    Path(__file__).parent.glob("dashboard/sample_data/papers"), Path(__file__).parents[1] / "sample_data" / "papers"
)


def _make_parser():
    """The parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m stabcore",
        description="The stability of selected features.",
        epilog="Exit codes: 0 success, 1 failure or a selector that failed in every run, 2 wrong input, 3 cancelled.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for add in (_add_run, _add_settings, _add_check, _add_results, _add_catalogues, _add_lessons, _add_computations):
        add(commands)
    return parser


def _add_command(commands, name, act, help):
    """A new command, and a function that adds an option to it."""
    command = commands.add_parser(name, help=help)
    command.set_defaults(act=act)
    return command.add_argument


def _add_run(commands):
    run = _add_command(commands, "run", _run, "run a study, or its missing tasks")
    run("settings", type=Path, help="the study as a TOML file")
    run("--store", type=Path, help="the new or continued study file (default: settings with .stab)")
    run("--n-jobs", type=int, help="worker processes (default: one per core)")
    run("--scheduler", metavar="tcp://HOST:PORT", help="run on the Dask cluster of this scheduler")
    run("--pilot", action="store_true", help="only the first run of every selector, to estimate the remaining time")
    shuffles = "shuffle the outcome N times to measure the noise floor (default: 20, none: 0), also of a finished study"
    run("--n-permutations", type=int, metavar="N", help=shuffles)
    run("--n-seeds", type=int, metavar="N", help="fit randomised selectors N times in each run")
    run("--n-imputations", type=int, metavar="N", help="fill missing cells N times in each run")
    run("--words", type=Path, metavar="FILE", help="a file for the final message")
    run("--allow-code", action="store_true", help="run user-defined classes named in the settings (module:Class)")


def _add_settings(commands):
    init = _add_command(commands, "init", _init, "write a settings file, with comments, for a table")
    init("table", type=Path)
    init("--target", metavar="COLUMN", help="the outcome (default: guessed)")
    init("-o", "--output", type=Path, help="the file to write (default: the table with .toml)")
    validate = _add_command(commands, "validate", _validate, "check a settings file and its table without running anything")
    validate("settings", type=Path)
    validate("--allow-code", action="store_true", help="also check user-defined classes")


def _add_check(commands):
    what = "check selections made elsewhere: stability, noise floor, panel, methods sentences"
    check = _add_command(commands, "check", _check, what)
    check("files", nargs="+", type=Path, help="the selections, one file or one per run")
    check("--n-features", type=int, metavar="D", help="number of features that could be selected")
    check("--runs", type=int, metavar="M", help="number of runs, of a table of selection frequencies")
    plans = "bootstrap, complementary_pairs, subsample:test_size=0.2, repeated_kfold:n_splits=5"
    check("--plan", metavar="KIND[:OPTION=VALUE]", help=f"the resampling scheme, for the noise floor: {plans}")
    check("--threshold", type=float, default=0.75, metavar="SHARE", help="smallest selection frequency in the panel")
    answers = "the answer to a question about the file, as kind=ranks"
    check("--answer", action="append", default=[], metavar="OPTION=VALUE", help=answers)
    check("--json", action="store_true", help="as JSON, for other programs")


def _add_results(commands):
    show = _add_command(commands, "show", _show, "print the results of a study, with intervals")
    show("store", type=Path)
    show("--json", action="store_true", help="as JSON, for other programs")
    report = _add_command(commands, "report", _report, "write the report of a study as one HTML file")
    report("store", type=Path)
    report("--table", type=Path, help="the table of the study, for patients and effects")
    filtered = "were columns chosen beforehand by the outcome of these patients? (default: not answered)"
    report("--filtered", metavar="yes|no", help=filtered)
    report("--source", default="", metavar="TEXT", help="the source of the patients, in your own words")
    share = "smallest selection frequency in the panel, 0 to 1 (default: 0.75)"
    report("--threshold", type=float, metavar="SHARE", help=share)
    report("--max-false", type=float, metavar="N", help="instead: at most N false features on average")
    report("--fdr", type=float, metavar="SHARE", help="instead: at most this share of false features")
    report("--no-interactive", action="store_true", help="leave out the figures that a reader can change")
    report("-o", "--output", type=Path, help="the file to write (default: the study file with .html)")


def _add_catalogues(commands):
    papers = _add_command(commands, "papers", _papers, "repeat figures and tables of the papers, and check their claims")
    papers("which", nargs="*", metavar="KEY", help="the exhibits to repeat (default: list all)")
    folder = "your own settings files, named as in sample_data/papers, with their tables (default: the bundled ones)"
    papers("--folder", type=Path, help=folder)
    entry = _add_command(commands, "help", _help, "list measures, selectors, plans and classifiers with their options")
    entry("what", nargs="?", help="one of these four, or the key of one entry (default: all)")


def _add_lessons(commands):
    lessons = _add_command(commands, "lessons", _lessons, "write all lessons as one HTML file without a server (takes minutes)")
    lessons("output", type=Path, nargs="?", default=Path("lessons.html"), help="the file to write (default: lessons.html)")
    lessons("--only", nargs="+", metavar="KEY", help="only these lessons")
    lessons("--own", nargs="+", type=Path, default=[], metavar="FILE", help="your own lessons (TOML), before the others")


def _add_computations(commands):
    what = "compute the instability of each patient's predicted risk, and keep it in the study file"
    risk = _add_command(commands, "risk", _risk, what)
    risk("--classifier", help="a classifier with probabilities")
    risk("--event", help="the class whose risk is predicted (default: the event of two classes)")
    patients = _add_command(commands, "patients", _patients, "compute an interval for new patients, and keep it in the study file")
    for computation in (risk, patients):
        computation("store", type=Path)
        computation("settings", type=Path, help="the settings file that names the table of the study")
        computation("--selector", required=True)
        computation("--k", type=int, help="as if every run had selected its k best features")
        computation("--beside", type=Path, help="keep it in this folder and do not change the study file")


def main(arguments=None) -> int:
    """The command line. Returns 0 for success, 1 for failure or a failed selector, 2 for wrong input, 3 if cancelled."""
    parsed = _make_parser().parse_args(arguments)
    try:
        code = parsed.act(parsed)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        how = "It can be continued." if getattr(parsed, "words", None) else "The same command continues."
        return _print_last(parsed, f"Interrupted. Finished runs are kept. {how}", 130)
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except InputError as error:
        return _print_last(parsed, str(error), 2)
    except Exception as error:
        words = describe_fault(error)
        if not words:
            _print_last(parsed, f"The program failed ({type(error).__name__}). Finished runs are kept.", 1)
            raise
        return _print_last(parsed, words, 1)


def _print_last(parsed, words, code) -> int:
    """Print the final message, also to the given file. Returns the code."""
    print(words, file=sys.stderr)
    if getattr(parsed, "words", None):
        with suppress(OSError):
            parsed.words.write_text(words, encoding="utf-8")
    return code


def _run(parsed) -> int:
    import psutil

    from stabcore.study.loading import load_study
    from stabcore.study.working_files import cancel_file

    _one_thread()
    asked = {name: getattr(parsed, name) for name in ("n_permutations", "n_seeds", "n_imputations")}
    study = load_study(
        parsed.settings, allow_code=parsed.allow_code, **{name: value for name, value in asked.items() if value is not None}
    )
    store = parsed.store or parsed.settings.with_suffix(".stab")
    cancel = cancel_file(store)
    if cancel.exists() and cancel.stat().st_mtime >= psutil.Process().create_time():  # not for an earlier process
        return _print_cancelled(parsed, store)
    shown = 0.0

    def progress(done, total):
        nonlocal shown
        if time.monotonic() - shown > 1 or done == total:
            shown = time.monotonic()
            print(f"{done} of {total}", file=sys.stderr, flush=True)

    for sentence in filter(None, (*study.data.notes, study.repetition())):
        print(sentence, file=sys.stderr)
    with _make_executor(parsed) as (executor, workers):
        result = study.run(executor, store=store, progress=progress, n_jobs=parsed.n_jobs, pilot=parsed.pilot)
    return _print_cancelled(parsed, store) if cancel.exists() else _print_result(parsed, result, store, workers)


def _print_cancelled(parsed, store) -> int:
    from stabcore.study.working_files import cancel_file

    cancel_file(store).unlink(missing_ok=True)
    print(f"{store} keeps finished runs. The same command continues.", file=sys.stderr)
    return _print_last(parsed, "Cancelled. Finished runs are kept.", 3)


def _init(parsed) -> int:
    from stabcore.study.presets import first_settings

    path = parsed.output or parsed.table.with_suffix(".toml")
    if path.exists():
        raise InputError(f"{path} exists already. Delete it, or name another file with -o.")
    path.write_text(first_settings(parsed.table, parsed.target, path.parent), encoding="utf-8")
    return _print_last(parsed, f"{path} is written. Check it, then run: python -m stabcore run {path}", 0)


def _validate(parsed) -> int:
    from stabcore.study.forecast import describe_study_settings
    from stabcore.study.loading import load_study

    study = load_study(parsed.settings, allow_code=parsed.allow_code)
    for sentence in filter(None, (*study.data.notes, study.repetition())):
        print(sentence, file=sys.stderr)
    print(study.data)
    print(describe_study_settings(study))
    return 0


def _print_result(parsed, result, store, workers) -> int:
    """Print the final message of a study that was not cancelled."""
    if not result.progress()["done"].any():
        print(f"{store} keeps the failures, which are not tried again. Run the corrected study with another file.", file=sys.stderr)
        return _print_last(parsed, f"Every task failed. {result.most_frequent_failure()}", 1)
    if parsed.pilot:
        print(result.progress().to_string())
        takes = format_duration(result.seconds_left(workers))
        return _print_last(parsed, f"The rest will take about {takes} on {counted(workers, 'worker')}.", 0)
    failed = [label for label in result.selectors if result.progress().loc[label, "done"] == 0]
    if failed:
        return _print_last(parsed, " ".join(result.failures().get(label, label) for label in failed), 1)
    if lost := len(result.store.lacked_memory()):
        return _print_last(
            parsed,
            f"{counted(lost, 'task')} of {result.total} lacked memory. Close other programs, then run the command again. "
            "Missing tasks are tried again, one at a time.",
            1,
        )
    return _print_last(parsed, f"Done: {store} ({result.digest()[:16]})", 0)


@contextmanager
def _make_executor(parsed):
    """(the Executor of the requested cluster, or None for this machine, number of tasks at once)."""
    if parsed.scheduler is None:
        from stabcore.study.machine import default_workers

        yield None, parsed.n_jobs or default_workers()
        return
    from stabcore.study.executors import connect_to_scheduler

    with connect_to_scheduler(parsed.scheduler) as cluster:
        yield cluster


def _check(parsed) -> int:
    from stabcore.io.choices import Question
    from stabcore.reporting.check import ABOUT_INTERVALS, check

    answers = dict(answer.partition("=")[::2] for answer in parsed.answer)
    source = parsed.files[0] if len(parsed.files) == 1 else parsed.files
    asked = {"plan": parsed.plan, "n_features": parsed.n_features, "n_runs": parsed.runs, "threshold": parsed.threshold}
    try:
        checked = check(source, **asked, **answers)
    except Question as question:
        ways = [f"  --answer {question.option}={value}: {meaning}" for value, meaning in question.answers.items()]
        raise InputError("\n".join([str(question), *ways])) from None
    if parsed.json:
        print(json.dumps(checked.to_dict(), ensure_ascii=False, indent=2, allow_nan=False))
        return 0
    for sentences in checked.sentences.values():
        print("\n".join(fill(sentence, HELP_WIDTH) for sentence in sentences) + "\n")
    panel = checked.panel if len(checked.sentences) > 1 else checked.panel.drop(columns="selector")
    print(panel.to_string(index=False, float_format="{:.2f}".format))
    for sentence in (ABOUT_INTERVALS, checked.floor, *checked.stability["note"].drop_duplicates(), *checked.notes):
        print(sentence, file=sys.stderr)
    return 0


def _show(parsed) -> int:
    from stabcore.plots.noise_floor import describe_floor, frame_floor
    from stabcore.study.progress import sentences_by_selector
    from stabcore.study.study_result import open_study

    result = open_study(parsed.store)
    if parsed.json:
        print(json.dumps(result.to_dict(), ensure_ascii=False, indent=2, allow_nan=False))
        return 0
    print(repr(result))
    takes = result.progress()["seconds_a_run"]
    for label, words in result.done_words().items():
        print(f"{label}: {words}" + (f", {takes[label]:.3g} seconds per run" if takes[label] == takes[label] else ""))
    accuracy, table = result.accuracy(), result.table(["nogueira"])
    for score in ("accuracy", "r2", "harrell"):
        if score in accuracy and accuracy[score].notna().any():
            print(f"95% interval of {'R²' if score == 'r2' else score}:")
            print(accuracy[[score, f"{score}_low", f"{score}_high"]].astype(float).map("{:.3f}".format).to_string())
    if result.has_control:
        print("Stability (nogueira) and noise floor of each selector (outcome shuffled):")
        print(result.noise_floor().round(3).to_string())
    else:
        print(describe_floor(frame_floor(result), result))
    if result.has_refits:
        print("Shares of the disagreement between runs due to patients, missing values and the seed:")
        print(result.disagreement_sources().round(3).to_string())
    missing = result.missing_runs().set_index("selector")["sentence"].to_dict()
    for note in [
        *sentences_by_selector(missing, unless_all=False),
        *sentences_by_selector(table["nogueira_note"].to_dict()),
        *sentences_by_selector(table["accuracy_note"].to_dict()),
    ]:
        print(note)
    return 0


def _report(parsed) -> int:
    from stabcore.reporting.study_file import write_report

    path = parsed.output or parsed.store.with_suffix(".html")
    answers = {name: getattr(parsed, name) for name in ("filtered", "source", "threshold", "max_false", "fdr")}
    answered = {name: answer for name, answer in answers.items() if answer is not None}
    for sentence in write_report(parsed.store, parsed.table, path, interactive=not parsed.no_interactive, **answered):
        print(sentence, file=sys.stderr)
    return 0


def _papers(parsed) -> int:
    from stabcore.papers.catalog import list_exhibits, make_exhibits
    from stabcore.papers.exhibit import Source

    for line in make_exhibits(parsed.which, Source(parsed.folder or PAPERS_FOLDER)) if parsed.which else list_exhibits():
        print(line, flush=True)
    return 0


def _lessons(parsed) -> int:
    from stabcore.reporting.lessons import lessons_page
    from stabcore.teaching.catalog import LESSONS
    from stabcore.teaching.own import read_lesson

    for key in parsed.only or ():
        if key not in LESSONS:
            raise InputError(f"There is no lesson {quote(key)}{suggest_name(key, LESSONS)}. Choose from {', '.join(LESSONS)}.")
    for path in parsed.own:
        if not path.is_file():
            raise InputError(f"There is no file {str(path)!r}. Check the folder and the spelling.")
    if not parsed.output.parent.is_dir():  # before the minutes of work
        raise InputError(f"There is no folder {str(parsed.output.parent)!r}. Check the spelling, or make it first.")
    own_lessons = [read_lesson(path.read_bytes(), path.name) for path in parsed.own]
    chosen = {lesson.key: lesson for lesson in own_lessons} | {key: LESSONS[key] for key in parsed.only or LESSONS}
    page = lessons_page(chosen, lambda words: print(words, file=sys.stderr, flush=True))
    parsed.output.write_text(page, encoding="utf-8")
    print(f"Written: {parsed.output}", file=sys.stderr)
    return 0


def _help(parsed) -> int:
    import stabcore as sc

    catalogues = {name: getattr(sc, f"list_{name}")() for name in ("measures", "selectors", "plans", "classifiers")}
    entries = {(name, key): row for name, table in catalogues.items() for key, row in table.iterrows()}
    asked = {place: row for place, row in entries.items() if parsed.what in (None, *place)}
    if not asked:
        names = [*catalogues, *dict.fromkeys(key for _, key in entries)]
        raise InputError(
            f"There is no entry {quote(parsed.what)}{suggest_name(parsed.what, names)}. Choose one of "
            f"{', '.join(catalogues)}, or a key from their lists."
        )
    lines = []
    for (name, key), row in asked.items():
        lines += [name.upper()] * (name.upper() not in lines) + [_format_entry(key, row)]
    print("\n\n".join(lines))
    return 0


def _format_entry(key, row) -> str:
    """One entry of a catalogue: its key, label, description, options and reference."""
    options = [f"- {option}" for option in re.split(r"; (?=\w+ = )", row.get("options", "")) if option]
    lines = [row["plain"], *options, f"Source: {row['reference']}"]
    return "\n".join(
        [
            f"  {key}: {row['label']}",
            *(fill(line, HELP_WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 6, break_on_hyphens=False) for line in lines),
        ]
    )


def _risk(parsed) -> int:
    from stabcore.study.risk import make_risk

    _one_thread()
    print(
        make_risk(parsed.store, parsed.settings, parsed.selector, parsed.classifier, parsed.event, parsed.k, parsed.beside),
        file=sys.stderr,
    )
    return 0


def _patients(parsed) -> int:
    from stabcore.study.new_patients import make_interval

    _one_thread()
    print(make_interval(parsed.store, parsed.settings, parsed.selector, parsed.k, parsed.beside), file=sys.stderr)
    return 0


def _one_thread():
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


if __name__ == "__main__":
    sys.exit(main())
