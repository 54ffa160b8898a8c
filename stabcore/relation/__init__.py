"""Which features stand for each other, and how far: the matrix C, how it comes about, how it is written down.

relation       Relation, the matrix C itself; products: of sparse selections with it
correlation    C from the table: thresholded or graded correlations
threshold      where a correlation, as it is shown, passes a threshold
grouping       groups that are suggested from correlations or names
overlap        sets that overlap as C
pairs, sparse  the few pairs of features that matter, without d × d matrices
scenario       all choices that lead to C
files          C and scenarios as files
excerpt        the part of C that a screen shows
"""
