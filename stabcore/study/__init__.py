"""Studies: selectors on resamples, how they run, and their results.

study           Study: data, selectors, plan, k, seed
choices         its selectors, their sizes and its classifier
settings        the settings file
earlier         names of earlier versions
loading         a Study from it
presets         studies as suggestions, the first settings file of a table
stable_selector StableSelector, a transformer of scikit-learn
search          random search over configurations of a filter with a learner
forecast        the expected duration of a study, and its settings in a sentence
tasks           one fit of one selector to one resample
scheduling      tasks over processes
executors       processes, pools and clusters
machine         resources for tasks
guard           the end of processes
working_files   the process that runs a study, and files beside the study file
                and the folder of a study without a file
store           the study file
task_result     the result of a task
opening         files of others, contents: their allowed content
rerun           continuing a study, or running it again, from its file
result_data     the content of every result
results         every result, and uploaded selections
                study_result: the content of a study file
performance     prediction from the selected features, and tests against guessing
                run_scores: the score of each run and intervals, also of numbers and times to an event
                added_value: contribution of features in addition to columns that are always in the model
controls        shuffled outcomes, repeated seeds
agreement       between halves, inside folds, by number of patients
progress        the progress of a study, while it runs and from its file
summary         a study in words and tables
risk            variation of each patient's predicted risk between runs
transfer        a panel tested in another table
subgroups       agreement of selections within subgroups of patients, across them, and between random groups
new_patients    intervals of stability for new patients
pieces          storage of computations after a study
"""
