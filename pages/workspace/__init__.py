"""A person's work on this computer: what is uploaded, chosen and computed, found again after a reload and a restart.

workspace    one piece of work: its settings, its files, its studies; works: all of them, and the room they take
links        read-only copies that are sent as links
history      what was changed, step by step, to be undone and redone
people       whose a work is, and who may do what with it, where people sign in
samples      the bundled studies
processes    what runs apart from page and server; background: what a page asks for, made by a thread of the server
queue        all that takes long waits for its turn here; speed: how fast this computer is, learned from its studies
files        where works lie, and how their files are written
"""
