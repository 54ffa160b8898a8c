"""Feature similarity: the matrix C, where it comes from, and its files.

similarity     Similarity, the matrix C itself: its products with selections, its pairs, its thresholds
correlation    C from the table: thresholded or graded correlations
grouping       groups that are suggested from correlations or names
overlap        sets that overlap as C
scenario       all choices that lead to C
files          C and scenarios from files, and to them
excerpt        the part of C that a screen shows
"""
