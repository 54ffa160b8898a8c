"""Selectors over resamples: what a study is, how it runs, what it leaves.

study           Study: data, selectors, plan, k, seed; presets, settings: studies as files and as suggestions;
                choices: the selectors and the classifier that are asked for
several         one selector at several settings
search          many configurations of a filter with a learner, drawn by lot
plans           the catalogue of plans; resampling, folds, growing, centres: what they draw; lots: shares of rare classes;
                own_plan: one's own
sampling_units  rows that stay together (patients); runs_together: runs that do
tasks           one fit of one selector to one resample; turns: one at a time in a process; warm_up: libraries first
forecast        how long a study may take, before it is run, and its settings in a sentence
scheduling      tasks over processes; dask_cluster, memory, guard, working_files: where they run, what they may use, how they end
store           the study file; lock: who runs it now; outcome: what a task gave;
                opening, contents, task_values: whatever a file holds is checked
sheet           what a study file is, on one page; again: a study gone on with or run again from its file
results         Results of any origin; study_result: of a study; progress: how far it is; of_plan: what only some plans tell;
                control_result: shuffled outcomes, repeated seeds
cardinality     how many features are asked for; of_sizes: what a study file tells of that
risk            how far each patient's predicted risk moves from run to run;
                risk_file: kept, risk_command: made in a process; transfer: a panel tested in another table
new_patients    how far a stability would move with other patients; new_patients_command: made in a process
accuracy        how well what was selected predicts; guessing: better than the larger class?
                missing_runs: what the numbers rest on; naming: names for screens
"""
