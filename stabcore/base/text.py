"""Names and counts in sentences."""

import difflib

MAX_NAME_LENGTH = 60  # characters of a name


def quote(name, longest=MAX_NAME_LENGTH) -> str:
    """A name in a sentence: quoted, and cut when it is very long."""
    name = str(name)
    return repr(name if len(name) <= longest else name[:longest] + "…")


def listed(names, limit=5) -> str:
    """'a', 'b' and 3 more."""
    names = list(names)
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(quote(name) for name in names[:limit]) + more


def joined(names, word="and") -> str:
    """a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def join_tied(names, limit=3) -> str:
    """Names in a sentence: a, b and c. Beyond the limit: a, b and 4 others."""
    return joined(names if len(names) <= limit else [*names[: limit - 1], f"{len(names) - limit + 1} others"])


def unbroken_text(text):
    """A text whose p-values and thresholds stay on one line. Other values as they are."""
    return text.replace(" ≤ ", "\u00a0≤\u00a0").replace(" ≥ ", "\u00a0≥\u00a0") if type(text) is str else text


def adjusted_for(given) -> str:
    """Give ", adjusted for age and sex" for the columns that are always in the model, "" without any."""
    return f", adjusted for {join_tied(list(given))}" if given else ""


def plural(count, noun: str) -> str:
    """Give "row" after 1, "rows" after any other number."""
    return noun if count == 1 else f"{noun}s"


def verb_for(count, verb: str) -> str:
    """Give "comes" after 1, "come" after any other number."""
    return f"{verb}s" if count == 1 else verb


def is_or_are(count) -> str:
    """Give "is" after 1, "are" after any other number."""
    return "is" if count == 1 else "are"


def counted(count: int, noun: str) -> str:
    """1 row, 2 rows."""
    return f"{count} {plural(count, noun)}"


def format_definite(count: int, noun: str) -> str:
    """Give "the row" for 1, "the 2 rows" for 2."""
    return f"the {noun}" if count == 1 else f"the {count} {noun}s"


def format_count_of(count: int, total: int, noun: str) -> str:
    """None of 7 rows is, 1 of 7 rows is, 2 of 7 rows are, all 7 rows are, the only row is, the only row is not."""
    if total == 1:
        return f"The only {noun} is{' not' * (not count)}"
    if count == total:
        return f"All {counted(total, noun)} are"
    return f"{count or 'None'} of {counted(total, noun)} {is_or_are(max(count, 1))}"


def format_span(least, most) -> str:
    """3 to 5, or one of them if they are the same."""
    return f"{least}" if least == most else f"{least} to {most}"


def rounded(value) -> str:
    """A number with two decimals and a proper minus, without −0.00."""
    return f"{value:z.2f}".replace("-", "−")


def without_minus_zero(column, decimals):
    """A column of a DataFrame in which numbers that would be shown as −0.00 are 0."""
    return column.mask((column < 0) & (column.round(decimals) == 0), 0.0)


def format_with_interval(value, low, high, level=0.95) -> str:
    """A value with its interval as journals print it: 0.41 (95% CI 0.38 to 0.43)."""
    if value != value:
        return "undefined"
    if low != low:
        return rounded(value)
    limits = f"from {rounded(low)}" if high != high else f"{rounded(low)} to {rounded(high)}"
    return f"{rounded(value)} ({level * 100:g}% CI {limits})"


def suggest_name(name, names) -> str:
    """' (did you mean X?)' or nothing, for sentences about unknown names."""
    close = difflib.get_close_matches(str(name)[:MAX_NAME_LENGTH], [str(other)[:MAX_NAME_LENGTH] for other in names], n=1)
    return f" (did you mean {quote(close[0])}?)" if close else ""


def format_size(count) -> str:
    """A number of bytes: 1.5 GB."""
    if count < 1e6:
        return f"{max(1, round(count / 1e3))} kB"
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


def format_duration(seconds) -> str:
    """A time: 12 s, 3 min, 2 h 10 min."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def comma_separated(text: str) -> list[str]:
    """The trimmed parts of a text between its commas, for lists of words in code."""
    return [part.strip() for part in text.split(",")]
