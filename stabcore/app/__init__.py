"""What only the app needs.

workspace       one piece of work: its settings, its files; works: all of them on this computer
links           read-only copies that are sent as links; frozen: what a workspace knows of them
steps           what was changed, step by step, to be taken back and done again
room            what works take, which are old, how much there is for them
samples         the bundled studies; place: where they lie, and the app itself
other_cohort    a study of other rows of the same table, begun beside the one whose results are shown
study_process   the process in which a study runs; risk_process, computation: what is computed after it, such as risks of patients
people          whose a work is, and who may do what with it, where people sign in; way_back: to the address by which they came
pace            how fast this computer is at each selector, learned from the studies that ran on it
queue           studies, and whatever else takes long, that wait for their turn; making: what pages ask for, made by a thread
front           one address before several processes; processes: these, started again when one dies
ahead           scripts that a browser reads before it needs them
memory          what a large file took goes back to the system
wall            who may ask the server, and what its answers forbid; private: what lies on the disk is for one user alone
"""
