"""What only the app needs.

workspace    the work of a person as a folder, and the process of a study
samples      the bundled studies
"""
