"""The constant that R lists among the coefficients of a model, as '(Intercept)': no feature, so it is left out and told."""

from __future__ import annotations

COEFFICIENTS = "coefficients"       # what selections may be said to be: their sizes become importances
LEFT_OUT = "'(Intercept)' is the constant of a model and no feature, so it was left out."
AS_RUNS = {"columns": ["It stands in a row, so each row is a feature and each column was taken as a run."], "rows": []}
SIZES = "The sign of the coefficients was left aside: their size is the importance, and 0 is not selected."


def is_intercept(name: str) -> bool:
    """Is this the name that R gives to the constant of a model?"""
    return name.strip().strip("'\"").casefold() == "(intercept)"


def without_row_or_column(rows: list) -> tuple[list, str | None]:
    """(rows, side) of a matrix, a list of (line, cells), without the constant; side: where the runs then are, None without one."""
    beside = [bool(cells) and is_intercept(cells[0]) for _, cells in rows]
    if any(beside[1:]):
        return [row for row, constant in zip(rows, beside, strict=True) if not constant], "columns"
    at = next((j for j, cell in enumerate(rows[0][1]) if is_intercept(cell)), None) if rows else None
    if at is None:
        return rows, None
    width = len(rows[0][1])
    return [(line, [cell for j, cell in enumerate(cells) if j != at + len(cells) - width]) for line, cells in rows], "rows"
