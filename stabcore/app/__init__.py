"""What only the app needs.

workspace       one piece of work: its settings, its files; works: all of them on this computer
samples         the bundled studies
study_process   the process in which a study runs; risk_process: that in which the risks of patients are computed
"""
