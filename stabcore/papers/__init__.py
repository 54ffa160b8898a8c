"""Figures and tables of the four papers that this program rests on, repeated with each paper's own setting.

exhibit     a figure or table, and the claims that the paper makes about it (a Claim is computed, never written)
source      the settings files of the papers, their tables, and random numbers
tried       in how many seeds each claim held, with the real and with a shuffled outcome: measured, kept in tried.json
catalog     all exhibits: kalousis, bommert, sechidis, hamer
command     the exhibits on the command line
group_size  the simulation behind Figure 8 of Hamer & Dupont
"""
