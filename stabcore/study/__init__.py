"""Studies: selectors on resamples, how they run, and their results.

study           Study: data, selectors, plan, k, seed; choices: the selectors, their sizes and the classifier that are asked for
settings        the settings file; earlier: names of earlier versions; loading: a Study from it
presets         studies as suggestions, the first settings file of a table
stable_selector StableSelector, a transformer of scikit-learn
search          random search over configurations of a filter with a learner
forecast        the expected duration of a study, and its settings in a sentence
tasks           one fit of one selector to one resample
scheduling      tasks over processes; executors: who carries them out, also a cluster
machine         what tasks may use; guard: how processes end
working_files   who runs a study now, and what lies beside its file while it runs; the folder of a study without one
store           the study file; outcome: what a task gave; opening: the door for files of others, contents: what one may hold
rerun           a study gone on with or run again from its file
result_data     what every result holds, for the functions below; results: every result, and uploaded selections;
                study_result: what a study file holds
scores          how well what was selected predicts; better than the larger class? timed_scores: of a time to an event;
                added_value: what features add to columns that are always in the model
controls        shuffled outcomes, repeated seeds; agreement: between halves, inside folds, by number of patients
progress        how far a study is, while it runs and from its file; summary: what it is, in words and tables
risk            how far each patient's predicted risk moves from run to run; transfer: a panel tested in another table
new_patients    how far a stability would move with other patients; pieces: what is computed after a study, as it is kept
"""
