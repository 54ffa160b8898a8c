"""One measure with settings of one's own: its options, the kind of interval, a value to test against."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import figures, session
from pages.parts.controls import measure_name
from stabcore.analysis.tuned import settings_of, tuned
from stabcore.measures.catalog import entry


@dataclass(frozen=True)
class Between:
    """Numbers from low to high, or none: what a field may hold."""

    low: float
    high: float

    def __contains__(self, value):
        return value is None or isinstance(value, float | int) and self.low <= value <= self.high


INTERVALS = {"usual": "the usual one", "published": "as published", "jackknife": "by leaving runs out (jackknife)"}


def section(view):
    """The measure, a control for each of its options, and what every selector then comes to."""
    key = st.selectbox("Measure", view.measures, format_func=measure_name,
                       **session.bound(session.TUNED, "nogueira", view.measures))
    settings = settings_of(key)
    columns = st.columns(3) if settings else ()         # empty ones would be a gap on a telephone
    options = {name: _option(columns[number % 3], key, name, setting)
               for number, (name, setting) in enumerate(settings.items())}
    how, tested = st.columns(2)
    kinds = list(INTERVALS) if key == "nogueira" else ["usual", "jackknife"]
    interval = how.selectbox("Interval (95%)", kinds, format_func=INTERVALS.get,
                             **session.bound(session.TUNED_INTERVAL, "usual", kinds))
    against = tested.number_input("Test against the value", -1.0, 1.0, None, 0.05, placeholder="none",
                                  help="How surprising would these runs be if the stability were at most this? The runs share "
                                       "rows: it is about other resamples, not about new patients.",
                                  **session.bound(session.TUNED_AGAINST, None, Between(-1.0, 1.0)))
    table = tuned(view.results, key, view.relation_for(key), view.k, interval=None if interval == "usual" else interval,
                  against=against, **options)
    shown = table.round(3).assign(p_above=[_p(one) for one in table["p_above"]])
    shown = shown.rename(columns={"p_above": f"p of at most {against:g}" if against is not None else "p"})
    digits = {name: st.column_config.NumberColumn(format="%.3f") for name in ("value", "low", "high")}
    figures.numbers(shown.dropna(axis="columns", how="all"), hide_index=True, column_config=digits,
                    alt=f"{measure_name(key)} with these settings")
    figures.table(lambda: table, f"tuned-{key}", "All digits")


def _p(value) -> str | None:
    """A p value as it is read: never 0, and none where nothing was tested."""
    return None if value != value else "< 0.001" if value < 0.001 else f"{value:.3f}"


def _option(place, key, name, setting):
    """A control; what it is at is an option of the measure."""
    usual = entry(key).options[name]
    if setting.values:
        called = list(setting.values)
        first = next((one for one in called if setting.values[one] == usual), called[0])
        return setting.values[place.selectbox(setting.label, called, help=setting.meaning,
                                              **session.bound(session.tuned(key, name), first, called))]
    number = place.number_input(setting.label, setting.low, setting.high, help=setting.meaning,
                                **session.bound(session.tuned(key, name), float(usual), Between(setting.low, setting.high)))
    return float(usual) if number is None else number
