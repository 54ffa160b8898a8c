"""Which features stand for each other, and how far: the matrix C, how it comes about, how it is written down.

relation       Relation, the matrix C itself: its products with selections, its pairs, its thresholds
correlation    C from the table: thresholded or graded correlations
grouping       groups that are suggested from correlations or names
overlap        sets that overlap as C
scenario       all choices that lead to C; scenario_file: as a file
read_matrix    C from a file
excerpt        the part of C that a screen shows
"""
