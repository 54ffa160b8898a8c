"""What only the app needs.

workspace       one piece of work: its settings, its files; works: all of them on this computer
room            what works take, which are old, how much there is for them
samples         the bundled studies; place: where they lie, and the app itself
start           the command feature-stability
study_process   the process in which a study runs; risk_process: that in which the risks of patients are computed
wall            who may ask the server, and what its answers forbid; private: what lies on the disk is for one user alone
"""
