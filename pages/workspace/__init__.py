"""A person's projects on this computer: uploads, choices and results, which survive a reload and a restart.

project      one project: its settings, its files, its studies
projects     all projects, and their use of the disk
links        read-only copies that are sent as links
history      the steps of undo and redo
people       the owner of a project and the rights of others, with sign-in
samples      the bundled studies
processes    processes apart from page and server
queue        the queue of everything that takes long, also of computations in a thread of the server
speed        the speed of this computer, learned from its studies
files        the folder of projects, and the writing of their files
"""
