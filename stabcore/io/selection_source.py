"""Files and pasted texts of selections as rows of cells, or as lines of names if there is no table."""

import csv
import re
from collections import Counter
from typing import NamedTuple

from stabcore.base.errors import InputError
from stabcore.base.text import comma_separated, counted, listed
from stabcore.io.cells import PAIRS, parse_number
from stabcore.io.contents import Row, as_rows
from stabcore.io.decode import CELL_ENDINGS, ENDINGS, SELECTION_ENDINGS, Source, clean_paste, decode_cells, decode_text, load_file
from stabcore.io.printed_lists import NO_LISTS, PRINTED, as_lines, as_one_block
from stabcore.io.text import describe_separator, find_separator, read_records, split_lines

RUN = set(
    comma_separated(
        "boot, bootstrap, durchlauf, fold, iter, iteration, lauf, rep, repeat, repetition, resample, resampling, "
        "resampling iteration, run, run id, run no, run number, runs, seed, split, subsample, wiederholung"
    )
)
FEATURE = set(
    comma_separated(
        "biomarker, biomarkers, feature, feature name, feature names, features, gen, gene, gene symbol, genes, marker, markers, "
        "merkmal, merkmale, predictor, predictors, probe, probe id, protein, selected feature, selected features, "
        "selected genes, selected variables, symbol, term, terms, variable, variables"
    )
)
COEFFICIENT = set(
    comma_separated(
        "b, beta, betas, coef, coefficient, coefficients, coefs, coeff, coeffs, estimate, estimates, koeffizient, koeffizienten, "
        "loading, loadings, log odds, s0, s1, β"
    )
)
VALUE = COEFFICIENT | set(
    comma_separated(
        "ausgewählt, chosen, gain, gewicht, importance, importances, rank, score, selected, value, values, weight, weights, "
        "wert, wichtigkeit"
    )
)
SELECTOR = set(
    comma_separated(
        "algorithm, feature selector, learner, learner id, method, methode, model, selection method, selector, verfahren"
    )
)
RANKS, SCORES = {"rank"}, {"score"}

_RUN_PART = (
    r"(?:run|fold|resample|resampling|iteration|iter|repeat|repetition|rep|split|bootstrap|boot|subsample|seed|set|lauf|"
    r"durchlauf)[ _.-]*\d+"
)
RUN_NAME = re.compile(rf"{_RUN_PART}(?:[ _.,-]*{_RUN_PART})*", re.IGNORECASE)
_NAMELESS = re.compile(r"[VX]?\d{1,6}", re.ASCII)

YES_NO = (
    *PAIRS,
    *(("selected", "not selected"), ("x", "-"), ("x", "."), ("x", "o")),
    *((yes, "") for yes in ("x", "✓", "✔", "*", "+", "yes", "true", "1")),
)
_UNKNOWN = ("na", "nan", "n/a", "#n/a", "<na>")  # neither yes nor no, and reported with their position
NO_NAMES = ("NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "None", "NULL", "null")  # of an empty cell. Na is sodium
MIN_YES_NO_SHARE = 2 / 3  # smallest share of cells with yes or no, so that other cells are reported with their position


def describe_no_names(cells) -> str:
    """The note on cells, each a list of names, that were read as empty."""
    names = sorted(name for names in cells for name in names)
    which = listed(dict.fromkeys(names))
    return f"Read as empty: {counted(len(names), 'cell')} with {which}. If this is a feature, such as sodium, rename it."


def normal_name(cell) -> str:
    """A column name in normal form: run_id, Run.ID and run id are the same."""
    return " ".join(re.split(r"[\s_.-]+", cell.strip().casefold())).strip()


def is_run(name) -> bool:
    """Whether this is the name of a run: run 3, Fold1.Rep2, Resample07."""
    return bool(RUN_NAME.fullmatch(name))


def is_nameless(name) -> bool:
    """Whether this is a default name of R or Python for a column or row: V3, X3, 3."""
    return bool(_NAMELESS.fullmatch(name))


def is_counting(cells) -> bool:
    """Whether these are 1, 2, 3, … or 0, 1, 2, …."""
    return len(cells) > 1 and any(list(cells) == [str(i + start) for i in range(len(cells))] for start in (0, 1))


def yes_no_words(cells):
    """The two words, (yes, no), in most cells, in lower case. None if they do not mean yes and no."""
    counts = Counter(cell.casefold() for cell in cells)
    for yes, no in YES_NO:
        n_known = counts.total() - (0 if no else counts[""]) - sum(counts[mark] for mark in _UNKNOWN)
        inside = counts[yes] + (counts[no] if no else 0)
        least = n_known if yes == "1" else MIN_YES_NO_SHARE * n_known  # a 1 among blanks may be a number with gaps
        both = counts[yes] and counts[no]
        if inside and inside >= least and (both or (no and len(yes) > 1)):  # a list may hold a feature called x
            return yes, no
    return None


# ---- R lists the constant of a model among its coefficients, as '(Intercept)': it is left out with a note ----

COEFFICIENTS = "coefficients"  # a kind of selections whose absolute values become importances
LEFT_OUT = "'(Intercept)' is the constant of a model, not a feature, so it was left out."
AS_RUNS = {"columns": ["It is the name of a row, so each row was read as a feature and each column as a run."], "rows": []}
SIZES = "The sign of the coefficients was ignored. Their size is the importance, and 0 is not selected."


def is_intercept(name: str) -> bool:
    """Whether this is the name that R gives to the constant of a model."""
    return name.strip().strip("'\"").casefold() == "(intercept)"


ONE_BLOCK = "This is a matrix printed by R. Its blocks of columns were joined."
_RUN_LABEL = re.compile(rf"({RUN_NAME.pattern})\s*:", re.IGNORECASE)

_LABEL = re.compile(r"\s*([^,;\t|:]{1,60}):(?:\s+|$)")


class SelectionSource(NamedTuple):
    """Rows of (line, cells), their text (None for a format with cells), and notes.

    There are no rows if a text cannot be split as a table but may hold lists of names.
    """

    text: str | None
    rows: list[Row]
    notes: list[str]


def open_source(source: Source, name: str | None, kind: str | None = None) -> SelectionSource:
    """Open a file, or pasted text (a str is always text). kind: of its selections, if known.

    Raises InputError for a file that cannot be opened, or that is neither a table nor lists of names.
    """
    opened = _open(source, name)
    if opened.text is None:
        return opened
    rows, separator = _grid(opened.text, tolerant=kind in (None, "sets"))
    if separator not in ("", ",") and kind != "sets" and not {ONE_BLOCK, PRINTED} & set(opened.notes):  # those are split already
        opened.notes.append(describe_separator(separator))
    return opened._replace(rows=rows)


def _open(source, name):
    if isinstance(source, str):
        return _printed(clean_paste(source), [])
    file = load_file(source, name, SELECTION_ENDINGS)
    if file.ending in CELL_ENDINGS:
        contents = decode_cells(file)
        rows = as_rows(contents)
        if file.ending != ".parquet" and max(len(cells) for _, cells in rows) == 1:
            return SelectionSource("\n" * (rows[0][0] - 1) + "\n".join(cells[0] for _, cells in rows), [], contents.notes)
        return SelectionSource(None, rows, contents.notes)
    text, notes = decode_text(file.data)
    opened = _printed(text, notes)
    if file.ending not in ENDINGS and PRINTED not in opened.notes:
        raise InputError(NO_LISTS.format(title=file.title, what="JSON" if file.ending == ".json" else "R"))
    return opened


def _printed(text, notes):
    block = as_one_block(text)
    if block != text:
        return SelectionSource(block, [], [*notes, ONE_BLOCK])
    lines, more = as_lines(text)
    return SelectionSource(lines, [], [*notes, *more])


def _grid(text, tolerant):
    """(rows, separator) of a text. No rows if it cannot be split as a table but may be a list of sets."""
    lines = [line.strip() for line in split_lines(text)]
    bare = [re.sub(r"^array\(|[),]+$", "", line) for line in lines]
    if any(bare) and all(line[:1] + line[-1:] == "[]" for line in bare if line):  # the notation of an array in Python
        text = "\n".join(line.strip("[]") for line in bare)
    head, *rows = [line.split() for line in lines if line] or [[]]
    # Names with one number each below one heading: R's print of a matrix with one column.
    column = len(head) == 1 and len(rows) > 2 and all(len(row) == 2 and parse_number(row[1]) is not None for row in rows)
    separator = " " if column else find_separator(text, spaces=True)
    try:
        return [(line, [cell.strip() for cell in cells]) for line, cells in read_records(text, separator)], separator
    except InputError:
        if tolerant:
            return [], ""
        raise


def add_corner(rows: list[Row]) -> list[Row]:
    """The rows with a blank cell above the names of rows, which differ. R writes none, so its first line is one cell short."""
    (line, head), *body = rows or [(0, [])]
    named = len({cells[0] for _, cells in body}) == len(body) > 1
    return [(line, ["", *head]), *body] if named and all(len(cells) == len(head) + 1 for _, cells in body) else rows


def token_lines(opened: SelectionSource) -> list[Row]:
    """(line, names) of every line, including empty ones."""
    return opened.rows if opened.text is None else list(_token_lines(opened.text))


def _token_lines(text):
    """One separator for all lines, so that names may hold another."""
    rows = [line.strip().rstrip(",;") for line in split_lines(text)]
    uses = {separator: sum(separator in row for row in rows) for separator in "\t;,|"}
    separator = max(uses, key=uses.__getitem__)
    for line_number, line in enumerate(rows, 1):
        label = _RUN_LABEL.match(line)
        members = line[label.end() :].strip() if label else line
        if members[:1] + members[-1:] in ("{}", "[]", "()"):
            members = members[1:-1]
        try:
            cells = next(csv.reader([members], delimiter=separator if uses[separator] else " ", skipinitialspace=True), [])
        except csv.Error as error:
            raise InputError(f"Line {line_number} cannot be split into features ({error}). Correct its quotation marks.") from None
        tokens = [_unquoted(cell.strip()) for cell in cells]
        yield line_number, [label.group(1), *tokens] if label else tokens


def _unquoted(cell):
    """A name without its enclosing quotation marks. A name such as 3' is unchanged."""
    return cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] and cell[0] in "'\"" else cell


def lines_by_selector(opened: SelectionSource):
    """{selector: (run names, (line, tokens) of its lines)} of lines that begin with a name and a colon, as "lasso: ALT, AST".

    None if some lines do not, or if all names are those of runs. A name that occurs only once is the name of a run.
    """
    if opened.text is None:
        return None
    rows = [(line_number, line.strip()) for line_number, line in enumerate(split_lines(opened.text), 1) if line.strip()]
    matches = [label_match for _, line in rows if (label_match := _LABEL.match(line))]
    if len(rows) < 2 or len(matches) < len(rows) or all(_RUN_LABEL.match(line) for _, line in rows):
        return None
    labels = [label_match.group(1).strip().strip("'\"") for label_match in matches]
    bare = "\n".join(line[label_match.end() :] for (_, line), label_match in zip(rows, matches, strict=True))
    lists = [(line, tokens) for (line, _), (_, tokens) in zip(rows, _token_lines(bare), strict=True)]
    if len(set(labels)) == len(labels):
        return {"": (labels, lists)}
    parts: dict[str, tuple[None, list]] = {label: (None, []) for label in labels}
    for label, row in zip(labels, lists, strict=True):
        parts[label][1].append(row)
    return parts
