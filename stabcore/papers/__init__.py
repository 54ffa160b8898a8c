"""The figures and tables of the papers that this program rests on, made again from data that can be shown.

exhibit     what a figure or table is: what the paper says of it, and whether that shows here (a Claim: computed, not written)
source      the tables, bundled results and studies that exhibits are made from
tried       how often each claim held with other seeds, and with the outcome shuffled: measured, kept in tried.json
catalog     all of them, paper by paper: kalousis, bommert, sechidis, hamer
command     made from the shell, of the bundled tables or of a folder of one's own
by_search   what Bommert et al. make of a random search; group_size, varying   experiments of Hamer & Dupont on simulated data
"""
