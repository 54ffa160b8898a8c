"""What only the app needs.

workspace       one piece of work: its settings, its files; works: all of them on this computer
samples         the bundled studies; place: where they lie, and the app itself
start           the command feature-stability
study_process   the process in which a study runs
"""
