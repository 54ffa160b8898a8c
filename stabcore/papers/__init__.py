"""Figures and tables of the four papers that this program rests on, repeated with each paper's own setting.

exhibit     a figure or table, its sources, and the claims that the paper makes about it (a Claim is computed, never written);
            in how many seeds each held, with the real and with a shuffled outcome: measured, kept in tried.json
catalog     all exhibits (kalousis, bommert, sechidis, hamer), also on the command line
group_size  the simulation behind Figure 8 of Hamer & Dupont
"""
