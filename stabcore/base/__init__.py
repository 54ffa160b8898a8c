"""Tools for all packages.

errors         the error for users, and messages for system errors
target         the outcome of each row as one array: classes, a number, or a time to an event
public         errors for arguments of wrong types in public functions
validation     names, lists of features and tables of numbers, checked once
tables         tables of other libraries as pandas reads them, tables of catalogues, and equality of two values
holm           Holm's correction for several tests
text           names and counts in sentences
user_objects   user-defined selectors, plans and classifiers: describe them, send them to workers, copy them
types          shared aliases for type checkers
"""
