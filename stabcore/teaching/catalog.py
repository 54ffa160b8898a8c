"""All lessons in their order in a class."""

from stabcore.teaching import (
    blind_labs,
    chain,
    chosen_means,
    copies,
    forest_seed,
    inside_folds,
    maps,
    more_patients,
    more_runs,
    shared_rows,
    shuffled,
    threshold,
    twins,
)

LESSONS = {
    module.LESSON.key: module.LESSON
    for module in (
        blind_labs,
        shared_rows,
        twins,
        chain,
        forest_seed,
        more_runs,
        threshold,
        chosen_means,
        shuffled,
        more_patients,
        copies,
        maps,
        inside_folds,
    )
}
