"""Values in sentences, tables and on axes: rounded, with intervals, at round ticks."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import rounded

FEW_TICK_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
TICK_STEPS = (1, 2, 2.5, 5, 10)  # times a power of ten
MAX_TICKS = 6


def format_estimate(value, low, high) -> str:
    """Format a value with its interval for a table: 0.41 [0.38, 0.43]."""
    if np.isnan(value):
        return "undefined"
    if np.isnan(high):  # the runs never differ: there is a lower limit at most
        return rounded(value) if np.isnan(low) else f"{rounded(value)}, at least {rounded(low)}"
    return f"{rounded(value)} [{rounded(low)}, {rounded(high)}]"


def format_with_range(value, low, high) -> str:
    """Format a mean with its range: 0.12 (0.05 to 0.20); "" where there is none."""
    if np.isnan(value):
        return ""
    return rounded(value) if np.isnan(low) else f"{rounded(value)} ({rounded(low)} to {rounded(high)})"


def format_range(values) -> str:
    """Format the range of some values: 0.40, or 0.40 to 0.70."""
    low, high = rounded(min(values)), rounded(max(values))
    return high if low == high else f"{low} to {high}"


def format_p(p) -> str:
    """Format a p-value for a sentence."""
    return f"{p:.2f}" if p >= 0.01 else f"{p:.3f}"


# ---- numbers in pictures ----


def format_number(value, sign=False, digits=2) -> str:
    """Format a number for a picture: no leading 0, a proper minus, and with `sign` a plus."""
    text = f"{abs(value):.{digits}f}"
    zero = not float(text)
    text = "0" if zero and not sign else text.removeprefix("0")
    return ("−" if value < 0 and not zero else "+" if sign else "") + text


def format_on_unit_scale(value) -> str:
    """Format a number on an axis from 0 to 1: .38, −.1, 0, 1."""
    return f"{value:.4g}".replace("0.", ".", 1).replace("-", "−") if abs(value) < 1 and value else f"{value:g}".replace("-", "−")


def few_ticks(low, high) -> list[float]:
    """Return up to five round numbers between two ends."""
    step = next((step for step in FEW_TICK_STEPS if (high - low) / step <= 4.5), FEW_TICK_STEPS[-1])
    return [round(step * i, 9) for i in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def axis_ticks(low, high) -> list[float]:
    """Return at most MAX_TICKS round numbers on an axis from low to high."""
    width = max(high - low, 1e-9)
    power = 10.0 ** np.floor(np.log10(width / MAX_TICKS))
    step = next(step for step in np.outer((1, 10), TICK_STEPS).ravel() * power if width / step <= MAX_TICKS)
    return [round(float(i), 10) + 0.0 for i in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step]
