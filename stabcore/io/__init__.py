"""Read files, bytes or pasted text: tables, selections, groups of features, C; with clear error messages.

A table is read in stages:

decode     bytes, in any format, as rows of cells or as columns, within limits
locate     where the table lies among the rows of its file
names      rows of cells as columns with a name each; names that look the same, mean the same, come again
type       columns as a DataFrame with types
mends      what a person decided about cells and rows, carried out
check      what is to be asked about the cells, and what can be done
table      the whole way

contents, choices   what goes from stage to stage; what a file leaves open, and what a person chose
cells               what cells say
text, formats       formats; reader_process: a process of its own for files that may crash
orientation         samples in columns, turned; what a second file tells of the samples

selections          the runs of one file, also as lists of names; of several
selection_source, printed_lists     files and pasted text; what columns are called; lists as R and Python print them
selection_matrix, long_table        runs × features as numbers; a run and a feature a line
feature_sets        groups and sets of features; C as pairs of features
"""
