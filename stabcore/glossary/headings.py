"""Names of columns as they stand on screens and in files that people take along. In code they keep their short names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

HEADINGS = {
    "selector": "Selector", "selectors": "Selectors", "feature": "Feature", "features": "Features", "run": "Run", "runs": "Runs",
    "value": "Value", "what": "About", "note": "Note", "reason": "Why there is none", "text": "As written", "label": "Name",
    "measure": "Measure", "group": "Group", "study": "Study", "kind": "Kind", "size": "Features selected",
    "k": "Number of features",
    "threshold": "Threshold", "frequency": "Selected in (share of runs)", "importance": "Importance", "rank": "Rank",
    "low": "From", "high": "To", "accuracy": "Accuracy", "stability": "Stability", "mean_size": "Features a run, mean",
    # the noise floor, random sets
    "floor": "Noise floor", "floor_se": "Noise floor: standard error", "panel": "Quantity", "p": "p (shuffles)",
    "by_luck": "Shared by random sets",
    "blind": "Does not look at the outcome",
    "shuffles": "Shuffles", "by_random_sets": "Of these in random sets", "beyond": "Beyond",
    # two selectors
    "first": "First", "second": "Second", "difference": "First − second", "p_value": "p, this pair alone",
    "p_above": "p (above the value)", "method": "Interval from", "p_holm": "p (Holm)",
    "paired": "On the same resamples", "baseline": "One is no rival", "clear": "Clear", "test": "How it was tested",
    "first_ahead": "Right where the second is wrong", "second_ahead": "Right where the first is wrong",
    "detectable": "Smallest difference to be seen", "units": "Independent units", "alike": "Cannot be told apart",
    "section": "Section", "claim": "Claim", "printed": "In the paper", "here": "Here",
    "clearly": "Clearly", "most_stable": "Most stable of its group", "on_front": "On the front",
    "beaten_by": "Dominated by (others)",
    "score": "Score", "chosen": "Chosen", "gamma_low": "Best from weight", "gamma_high": "Best up to weight",
    "reach": "May differ by up to", "weighted": "Weighted sum", "level": "Level", "counted": "Studies",
    "balanced_accuracy": "Balanced accuracy", "scored_runs": "Runs with predictions", "auc_runs": "Runs with an AUC",
    # scenarios
    "scenario": "Scenario", "against": "Held against", "change": "Change", "change_note": "Why no whisker", "at": "Value there",
    "ahead": "Clearly ahead", "shift": "Change of the difference", "shift_p_holm": "Change: p (Holm)", "verdict": "Verdict",
    "before": "Classic stability", "after": "Effective stability", "on_front_before": "On the classic front",
    "on_front_after": "On the effective front", "standing": "Standing", "standing_before": "Standing before",
    "standing_after": "Standing after",
    # C
    "feature_a": "Feature", "feature_b": "Other feature", "place_a": "Place in the picture",
    "place_b": "Other place in the picture",
    "derivative": "Slope (∂Φ_C/∂c)", "together": "Runs that select both", "alone": "With this group only",
    "effect_alone": "Adds alone", "without": "With all other groups", "effect_last": "Adds last", "above": "Higher above it",
    "below": "Higher below it", "until": "Until", "then": "From there on",
    "part": "Left out", "variance": "Single members vary",
    "effective_variance": "The group varies", "swaps": "Only swaps", "pairs": "Pairs of runs", "draws": "Draws",
    # curves
    "needed": "Runs needed", "half_width": "Half the interval", "with_more": "With more features", "spread": "Spread",
    "shared": "Shared by two runs", "gain": "Gain", "line": "Line to pass", "depth": "Down to place",
    # maps
    "selected": "Selected", "highlighted": "Highlighted", "position": "Place", "start": "Starts at", "width": "How wide",
    "of": "Of how many", "share": "Share",
    # one feature, the panel
    "ranked": "Runs that rank it", "rank_middle": "Middle rank", "missing": "Missing", "missingness": "Its missingness",
    "differs": "Differs by outcome", "column": "Column", "role": "Role",
    "distinct": "Different values", "example": "Example", "suggestion": "Suggestion", "why": "Why",
    "measured": "Stability as measured", "beyond_floor": "Beyond the noise floor", "stability_ties": "Ties in stability",
    "accuracy_ties": "Ties in accuracy", "stability_behind": "Another is clearly more stable",
    "accuracy_behind": "Another is clearly more accurate", "difference_needed": "Difference needed",
    "better": "Better than the larger class", "guess": "Larger class alone",
    "shuffled": "Outcome shuffled", "pfer_bound": "False features, on average", "basis": "From",
    "between": "More runs could decide",
    "stays": "In the panel", "approval": "Selectors for it",
    "borda": "Mean place (Borda)", "n_selectors": "Selectors that pass it", "different": "Different sets",
    "most_often": "Runs with the set that came most often",
    "any_related": "It or a stand-in", "place": "Place", "q": "Features a run",
    "meinshausen_buhlmann": "Meinshausen & Bühlmann 2010",
    "unimodal": "Shah & Samworth 2013, unimodal", "r_concave": "Shah & Samworth 2013, r-concave", "direction": "Direction",
    "effect": "Effect", "shrunken": "Shrunken effect", "chosen_effect": "Effect where selected",
    "known": "Recorded rows",
    "median": "Difference of medians", "auc": "AUC", "expected": "Random orders share", "cost": "Error", "classes": "Classes",
    "only_this": "Only this one", "only_partner": "Only the partner", "swaps_with": "Swaps with",
    "partner": "Features it swaps with",
    "phi": "Correlation of being selected", "read as": "Read as",
    "as_columns": "As columns of models", "as_intervals": "As intervals", "patient": "Patient", "risk": "Risk",
    "mape": "Mean distance", "changes": "Models on the other side",
    "related": "Stand for each other (C)", "both": "Both", "neither": "Neither", "association": "Association",
    "strong": "Passes the threshold", "option": "Option", "set": "Set here",
    "done": "Done", "failed": "Failed", "planned": "Planned",
    "formula": "Formula", "range": "Range", "reference": "Source", "guideline": "Guideline", "item": "Item",
    "what is asked": "What is asked", "where": "Where",
}
"""{name of a column: what it is called on screens}."""
_PARTS = {"_low": ", from", "_high": ", to", "_note": ": why there is none", "_before": ", before", "_after": ", after",
          "_first": ", first", "_second": ", second", "_middle": ", middle", "_sd": ": spread"}


def heading(column: str, labels: dict | None = None) -> str:
    """What a column is called on a screen: its own name, else that of what it is a part of, else its name: it may be somebody's.

    labels: {key: name} of measures and other things whose keys are names of columns.
    """
    column = str(column)
    names = {**HEADINGS, **(labels or {})}
    if column in names:
        return names[column]
    for end, words in _PARTS.items():
        if column.endswith(end) and column != end:
            whole = column.removesuffix(end)
            return f"{names[whole]}{words}" if whole in names else column
    return column


def readable(frame: pd.DataFrame, labels: dict | None = None) -> pd.DataFrame:
    """A DataFrame with its columns called as on screens; those of one name keep their own behind it. labels: as for `heading`."""
    called = [heading(one, labels) for one in frame.columns]
    return frame.set_axis([name if called.count(name) == 1 or name == str(one) else f"{name} ({one})" for name, one in
                           zip(called, frame.columns, strict=True)], axis="columns")
