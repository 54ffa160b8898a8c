"""Feature similarity: the matrix C, its sources, and its files.

similarity     Similarity, the matrix C with its products, pairs and thresholds
correlation    C from the table: thresholded or graded correlations
grouping       suggested groups from correlations or names
overlap        C from overlapping sets
scenario       all choices that lead to C
files          C and scenarios from and to files
excerpt        the part of C on a screen
"""
