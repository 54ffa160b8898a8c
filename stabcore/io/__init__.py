"""Read files, bytes or pasted text: tables, selections, groups of features, C. Errors name the line and the column.

A table is read in stages:

decode     bytes of any format as rows of cells or as columns, within limits
locate     the position of the table among the rows of its file
names      rows of cells as named columns, and names that look the same, mean the same or repeat
type       columns as a DataFrame with types
mends      the chosen corrections of cells and rows
check      questions about cells, with possible answers
table      all stages together

contents, choices   the data between stages, and the choices of the user about a file
cells               the meaning of cells
text, formats       formats
reader_process      a separate process for files that may crash the reader
orientation         tables with samples in columns, and second files about the samples

selection_files     the runs of several files
selections          the runs of one file
selection_source    files and pasted text of selections, and names of their columns
printed_lists       lists as R and Python print them
selection_matrix    runs × features as numbers
selection_lists     lists of names, and the list of all features
long_table          tables with one line per run and feature
peers               tables of other programs: read as runs, or refused with code that writes the runs
frequencies         tables of selection frequencies over all runs
feature_sets        groups and sets of features, and C as pairs of features
"""
