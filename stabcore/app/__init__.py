"""What only the app needs.

workspace       one piece of work: its settings, its files; works: all of them on this computer
links           read-only copies that are sent as links; frozen: what a workspace knows of them
steps           what was changed, step by step, to be taken back and done again
samples         the bundled studies
study_process   the process in which a study runs
"""
