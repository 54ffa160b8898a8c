"""A person's projects on this computer: what is uploaded, chosen and computed, found again after a reload and a restart.

project      one project: its settings, its files, its studies; projects: all of them, and what they take of the disk
links        read-only copies that are sent as links
history      what was changed, step by step, to be undone and redone
people       whose a project is, and who may do what with it, where people sign in
samples      the bundled studies
processes    what runs apart from page and server
queue        all that takes long waits for its turn here, also what a page asks for, made by a thread of the server
speed        how fast this computer is, learned from its studies
files        where projects lie, and how their files are written
"""
