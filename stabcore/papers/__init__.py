"""Figures and tables of the four papers behind this program, repeated with the settings of each paper.

exhibit     a figure or table, its sources, and the claims that the paper makes about it (a Claim is always computed),
            and the number of seeds in which each held, with the real and with a shuffled outcome, kept in tried.json
catalog     all exhibits (kalousis, bommert, sechidis, hamer), also on the command line
"""
